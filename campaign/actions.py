"""What people do with a chronicle, in the words of the table. Each goes through the campaign's one door."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign import door as campaign_door
from campaign import reading
from campaign.annals.acts import RULES_VERSION, act_of
from campaign.annals.founding import NOTE_MOST
from campaign.annals.state import State
from campaign.annals.terms import TERMS
from campaign.models import Campaign, Member, Snapshot
from log import door
from people.names import clean_name, clean_text
from people.who import Who
from refusal import Refusal

__all__ = ["NOTE_MOST", "agree", "found", "join", "may_watch", "note", "rename"]


def found(
    who: Who,
    *,
    key: str,
    name: str,
    visibility: str = Campaign.Visibility.MEMBERS,
    began: dt.date | None = None,
) -> Campaign:
    """Found a campaign and become its game master. The same key founds it once. ``began`` is its first day, if not today."""
    person = who.must_be_known()
    name = clean_name(name, "name of the campaign")
    if visibility not in Campaign.Visibility.values:
        raise Refusal(f"Who may see it is one of {', '.join(Campaign.Visibility.values)}.", field="visibility")
    door.must_be_key(key)
    founding_key = f"{who.ref}/{key}"
    before = Campaign.objects.filter(founding_key=founding_key).first()
    if before:
        return before
    day = campaign_door.day_of(began)
    body = {"name": name, "master": person.pk, "in_force": {"options": {}, "rules": RULES_VERSION}}
    state = State()
    effects = act_of("founded").effects(state, body, state.rules())
    try:
        with transaction.atomic():
            log = door.open_log(
                "campaign", lambda pen: pen.line("founded", actor=person.pk, body=body, effects=effects, played_on=day)
            )
            campaign = Campaign.objects.create(
                code=secrets.token_hex(5), name=name, visibility=visibility, log=log, founding_key=founding_key
            )
            Member.objects.create(campaign=campaign, person=person, role=Member.Role.MASTER)
            reading.refold(campaign)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Campaign.objects.get(founding_key=founding_key)
    return campaign


def note(campaign: Campaign, who: Who, *, key: str, text: str) -> dict[str, Any]:
    return campaign_door.do(campaign, who, key=key, act="note", body={"text": clean_text(text)})


def agree(
    campaign: Campaign,
    who: Who,
    *,
    key: str,
    terms: dict[str, Any],
    options: dict[str, Any] | None = None,
    began: dt.date | None = None,
) -> dict[str, Any] | None:
    """What the table agreed at the founding; by the book there is nothing to write."""
    defaults = {term.key: term.default for term in TERMS}
    changed = {name: value for name, value in terms.items() if value and value != defaults.get(name)}
    if not changed and not options:
        return None
    body = ({"terms": changed} if changed else {}) | ({"options": options} if options else {})
    return campaign_door.do(campaign, who, key=key, act="house_rules", body=body, played_on=began)


def rename(campaign: Campaign, who: Who, *, key: str, name: str, seen: str) -> dict[str, Any]:
    """Give the campaign another name; ``seen`` is the name the sender had on the page."""
    if not Campaign.objects.run_by(who).filter(pk=campaign.pk).exists():
        raise Refusal("Only the game master renames a campaign.", status=403)
    name = clean_name(name, "name of the campaign")
    body = {"from": seen, "to": name}
    return campaign_door.do(campaign, who, key=key, act="renamed", body=body, seen={"name": seen})


def join(campaign: Campaign, who: Who, *, key: str) -> dict[str, Any]:
    """Someone with an invitation becomes a player. Joining twice is joining once."""
    person = who.must_be_known()

    def act(pen: door.Pen) -> dict[str, Any]:
        if Member.objects.filter(campaign=campaign, person__in=person.all_ids()).exists():
            return {"entry": None}
        fresh = campaign_door.held(campaign, pen)
        Member.objects.create(campaign=campaign, person=person)
        before = reading.snapshot_of(fresh)
        line = pen.line("joined", actor=person.pk)
        # It has no effects, so the state is carried on as it is.
        last = max(before.last_played, timezone.localdate())
        reading.keep(fresh, Snapshot(campaign=fresh, length=line.number, last_played=last, state=before.state))
        return {"entry": line.number}

    return door.write(campaign.log_id, who=who.ref, key=key, body={"act": "join"}, act=act)


def may_watch(who: Who, log_id: int) -> bool:
    return Campaign.objects.visible_to(who).filter(log_id=log_id).exists()
