"""Common actions in a campaign: found it, rename it, join it, add a note. All write through ``services``."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign import selectors
from campaign import services as campaign_services
from campaign.chronicle import codec
from campaign.chronicle.acts.administration import NOTE_MOST, FoundCampaign
from campaign.chronicle.campaign_terms import TERMS
from campaign.chronicle.state import State
from campaign.models import Campaign, Member, Snapshot
from campaign.permissions import can_run
from log import services as log_services
from people.name_validation import clean_name, clean_text
from people.requester import Who
from refusal import Refusal

__all__ = [
    "NOTE_MOST",
    "add_note",
    "found_campaign",
    "join_campaign",
    "record_agreement",
    "rename_campaign",
]


def found_campaign(
    who: Who,
    *,
    key: str,
    name: str,
    visibility: str = Campaign.Visibility.MEMBERS,
    began: dt.date | None = None,
) -> Campaign:
    """Found a campaign and become its game master; once per key. ``began``: its first day, if not today."""
    person = who.require_person()
    name = clean_name(name, "name of the campaign")
    if visibility not in Campaign.Visibility.values:
        raise Refusal(f"Visibility must be one of {', '.join(Campaign.Visibility.values)}.", field="visibility")
    log_services.check_key(key)
    founding_key = f"{who.ref}/{key}"
    before = Campaign.objects.filter(founding_key=founding_key).first()
    if before:
        return before
    day = campaign_services.valid_played_day(began)
    act, state = FoundCampaign(name=name, master=person.pk), State()
    body, effects = codec.write_body(act, options={}, entry=1), codec.write_effects(act.decide(state, state.rules()))
    try:
        with transaction.atomic():
            log = log_services.create_log(
                "campaign",
                lambda writer: writer.append("founded", actor=person.pk, body=body, effects=effects, played_on=day),
            )
            campaign = Campaign.objects.create(
                code=secrets.token_hex(5), name=name, visibility=visibility, log=log, founding_key=founding_key
            )
            Member.objects.create(campaign=campaign, person=person, role=Member.Role.MASTER)
            selectors.refold(campaign)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Campaign.objects.get(founding_key=founding_key)
    return campaign


def add_note(campaign: Campaign, who: Who, *, key: str, text: str) -> dict[str, Any]:
    return campaign_services.write(campaign, who, key=key, act="note", body={"text": clean_text(text)})


def record_agreement(
    campaign: Campaign,
    who: Who,
    *,
    key: str,
    terms: dict[str, Any],
    options: dict[str, Any] | None = None,
    began: dt.date | None = None,
) -> dict[str, Any] | None:
    """What the players agreed on at the start. Nothing is written if they play by the book."""
    defaults = {term.key: term.default for term in TERMS}
    changed = {name: value for name, value in terms.items() if value and value != defaults.get(name)}
    if not changed and not options:
        return None
    body = ({"terms": changed} if changed else {}) | ({"options": options} if options else {})
    return campaign_services.write(campaign, who, key=key, act="house_rules", body=body, played_on=began)


def rename_campaign(campaign: Campaign, who: Who, *, key: str, name: str, seen: str) -> dict[str, Any]:
    """Rename the campaign; ``seen`` is the name the sender saw."""
    if not can_run(campaign, who):
        raise Refusal("Only the game master can rename a campaign.", status=403)
    name = clean_name(name, "name of the campaign")
    body = {"from": seen, "to": name}
    return campaign_services.write(campaign, who, key=key, act="renamed", body=body, seen={"name": seen})


def join_campaign(campaign: Campaign, who: Who, *, key: str) -> dict[str, Any]:
    """Someone with an invitation becomes a player; joining twice changes nothing."""
    person = who.require_person()

    def act(writer: log_services.LogWriter) -> dict[str, Any]:
        if Member.objects.filter(campaign=campaign, person__in=person.all_ids()).exists():
            return {"entry": None}
        fresh = campaign_services.lock_campaign(campaign, writer)
        Member.objects.create(campaign=campaign, person=person)
        before = selectors.snapshot_of(fresh)
        entry = writer.append("joined", actor=person.pk)
        # It has no effects, so the state is carried on as it is.
        last = max(before.last_played, timezone.localdate())
        selectors.save_snapshot(
            fresh, Snapshot(campaign=fresh, length=entry.number, last_played=last, state=before.state)
        )
        return {"entry": entry.number}

    return log_services.write(campaign.log_id, who=who.ref, key=key, body={"act": "join"}, act=act)
