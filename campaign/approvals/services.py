"""Reports and corrections that need approval: submitted, agreed to, disputed, decided; then one entry is written.

Every step locks the campaign's log: simultaneous taps queue, and an approval and its entry are written in one
transaction. The terms of the campaign decide who is asked (chronicle/consent.py).
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from campaign import selectors
from campaign.approvals.pending_list import reports_and_votes_of
from campaign.approvals.versions_and_votes import (
    FINALISE_TIMER,
    Version,
    cast_vote,
    changes_of,
    current_versions,
    find_open_approval,
    find_ruler_spoken_for,
    find_same_version,
    find_voices,
    forget_votes,
    get_version,
    is_author,
    judge_version,
    kingdoms_of,
    make_version,
    make_vote,
    master_decisions,
    preview_again,
    require_open,
    save_approval,
    write_if_agreed,
    write_version,
)
from campaign.chronicle import codec, consent
from campaign.chronicle.acts.registry import Act, require_text
from campaign.chronicle.corrections import Choice
from campaign.chronicle.fields import MAX_WHY
from campaign.chronicle.state import get_term
from campaign.models import Approval, Campaign
from campaign.permissions import check_permission, is_master, require_member
from campaign.services import JudgedAct, LockedCampaign, check_reason, valid_played_day, write_correction
from jobs import timers
from jobs.models import Due
from log import services as log_services
from log.models import Log
from log.services import Answer, LogWriter
from pages.number_parsing import parse_int
from people import privacy
from people.models import Person
from people.requester import Who
from refusal import Refusal

FINAL_AFTER = dt.timedelta(days=7)

_own_version_urls: dict[str, Callable[[Approval], str]] = {}


def register_own_version_url(act: str, address: Callable[[Approval], str]) -> None:
    """For apps above: the page where the other side enters its own version of such a report."""
    _own_version_urls[act] = address


def own_version_url(approval: Approval) -> str:
    """The address of that page, or nothing if there is none."""
    address = _own_version_urls.get(approval.act)
    return address(approval) if address else ""


def register() -> None:
    register_own_version_url(
        "result", lambda row: reverse("campaign:approval_own_version", args=[row.campaign.code, row.pk])
    )
    privacy.register_part("petitions", reports_and_votes_of)


def address_of(campaign: Campaign, done: Answer) -> str:
    """Where a report or a correction leads: to its entry, or to the approval that it needs first."""
    if done.get("entry"):
        return campaign.entry_url(done["entry"])
    return reverse("campaign:approval", args=[campaign.code, done["petition"]])


def subject_of(attacker: str, target: str, battle: int | None) -> str:
    """What a report is about: the declared battle, or who attacked what."""
    return f"battle {battle}" if battle else f"{attacker} at {target}"


def get_visible_approval(who: Who, code: str, pk: int) -> Approval:
    """The approval with this id, or 404."""
    campaign = selectors.get_visible_campaign(who, code)
    row = get_object_or_404(Approval.objects.visible_to(who).filter(campaign=campaign), pk=pk)
    row.campaign = campaign
    return row


def read_again_if_changed(who: Who, approval: Approval) -> Approval:
    """After a refusal: the approval as it is now."""
    campaign = approval.campaign
    if Log.objects.values_list("version", flat=True).get(pk=campaign.log_id) == campaign.log.version:
        return approval
    return get_visible_approval(who, campaign.code, approval.pk)


def find_speaker(typed: str) -> Person | None:
    """The person answering on this phone; ``consent`` decides whether they were asked."""
    if not typed:
        return None
    number = parse_int(typed)
    named = Q(code=typed) if number is None else Q(pk=number)  # forms send the number, the API the code
    person = Person.objects.filter(named).select_related("merged_into").first()
    if person is None:
        raise Refusal("This person does not have to answer.", field="as")
    return person


def submit_report(
    campaign: Campaign,
    who: Who,
    act: Act,
    *,
    key: str,
    subject: str,
    for_kingdom: str | None = None,
    played: dt.date | None = None,
    accept_late: bool = False,
    seen: Mapping[str, Any] | None = None,
    as_side: bool = False,
    waiting: Sequence[Approval] | None = None,
) -> Answer:
    """Report something. ``{"entry": n, …}`` if it is written at once, ``{"petition": pk}`` if it needs approval.

    ``subject``: what the report is about ("battle 3"). A second report on it approves the first if it says the same,
    else it is another version. ``as_side``: a game master who fought in it speaks only for their own side.
    ``waiting``: the open approval with this subject, if any, where the caller has read it after the campaign.
    """
    decided = codec.check_limits(act)
    day = valid_played_day(played)
    body = codec.write_sent(decided)
    played_on = day.isoformat() if played else None
    sent = {"lay": act.key, "subject": subject, "body": body, "played_on": played_on, "for": for_kingdom}

    def write(writer: LogWriter) -> Answer:
        locked = LockedCampaign(campaign, writer)
        person = check_permission(locked.campaign, who, decided, locked.now)
        locked.open_season_for(decided, day, actor=person.pk)
        judged = locked.judge(decided, day, seen=seen)
        judged.require_accepted(accept_late)
        voices = find_voices(locked.now, judged.sides, person, for_kingdom, who)
        if as_side:
            voices = _without_master(voices)
        behalf = find_ruler_spoken_for(locked.now, person, voices)
        version = make_version(person, body, day, behalf=behalf, late=accept_late)
        row = find_open_approval(locked, subject, waiting)
        if row is not None:
            _add_report(locked, row, person, voices, version, judged)
            return write_if_agreed(locked, row)
        asks = consent.find_report_approvers(locked.now, judged.sides) if decided.confirm else []
        votes = dict.fromkeys(voices, make_vote(0, person))
        if not consent.find_missing_votes(locked.now, asks, votes, 0):
            if decisions := master_decisions(locked.now, asks, judged.sides, votes, 0):
                judged = replace(judged, body={**judged.body, "confirmed": decisions})
            return locked.append(judged, actor=person.pk, behalf=behalf, accept_late=accept_late)
        stands_at = timezone.now() + FINAL_AFTER if get_term(locked.now.terms, "stands") == "on" else None
        row = Approval.objects.create(
            campaign=locked.campaign,
            act=act.key,
            subject=subject,
            sides=list(judged.sides),
            asks=asks,
            versions=[version],
            votes=votes,
            laid_by=person,
            stands_at=stands_at,
        )
        if stands_at:
            timers.set_timer(FINALISE_TIMER, row.pk, stands_at)
        return {"petition": row.pk}

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def _add_report(
    locked: LockedCampaign, row: Approval, person: Person, voices: list[str], version: Version, judged: JudgedAct
) -> None:
    """One approval per subject: the same report approves it; a reporter's new one replaces their old."""
    number = find_same_version(locked, row, judged)
    if number is None:
        ids = person.all_ids()
        number = next((n for n, theirs in current_versions(row) if theirs["person"] in ids), None)
        if number is None:
            number = len(row.versions)
            row.versions.append(version)
        else:
            row.versions[number] = version
            forget_votes(row, number)
    cast_vote(row, voices, make_vote(number, person))


def submit_correction(
    campaign: Campaign,
    who: Who,
    *,
    key: str,
    kind: str,
    target: int,
    why: str,
    digest: str,
    body: Mapping[str, Any] | None = None,
    choices: Mapping[int, Choice] | None = None,
) -> Answer:
    """Strike, amend or restore as previewed: at once by the game master; by others, if the
    terms allow it, with the approval of those affected.
    """
    if is_master(selectors.state_of(campaign), who):
        return write_correction(
            campaign, who, key=key, kind=kind, target=target, why=why, digest=digest, body=body, choices=choices
        )
    why = check_reason(kind, why)
    correction = {
        "kind": kind,
        "target": target,
        "why": why,
        "digest": digest,
        "body": dict(body) if body else None,
        "choices": {str(number): choice for number, choice in (choices or {}).items()},
    }

    def write(writer: LogWriter) -> Answer:
        locked = LockedCampaign(campaign, writer)
        person = require_member(locked.campaign, who)
        if get_term(locked.now.terms, "correct") != "touched":
            raise Refusal("Only the game master can correct the chronicle of this campaign.", status=403)
        preview = preview_again(locked, correction)
        preview.require_digest(digest)
        subject = f"entry {target}"
        row = find_open_approval(locked, subject)
        voices = find_voices(locked.now, preview.touches, person, None, who)
        if row is not None:
            if row.versions[0]["body"]["digest"] != digest:
                raise Refusal(f"Another correction of entry {target} is pending. Answer that one first.", status=409)
            cast_vote(row, voices, make_vote(0, person))
            return write_if_agreed(locked, row)
        asks = consent.find_correction_approvers(locked.now, preview, is_author(locked, target, person))
        votes = dict.fromkeys(voices, make_vote(0, person))
        if not consent.find_missing_votes(locked.now, asks, votes, 0):
            return locked.correct(preview, why=why, actor=person.pk)
        version = make_version(person, {**correction, "changes": changes_of(preview)}, timezone.localdate())
        row = Approval.objects.create(
            campaign=locked.campaign,
            act=kind,
            subject=subject,
            sides=list(preview.touches),
            asks=asks,
            versions=[version],
            votes=votes,
            laid_by=person,
        )
        return {"petition": row.pk}

    return log_services.write(campaign.log_id, who=who.ref, key=key, body={"lay": correction}, act=write)


def approve(
    approval: Approval,
    who: Who,
    *,
    key: str,
    version: int = 0,
    as_person: Person | None = None,
    seen: str | None = None,
    accept_late: bool = False,
    as_side: bool = False,
) -> Answer:
    """Approve a version; ``seen`` is the digest the sender saw. With ``as_person`` someone else answers on
    this phone, and the chronicle records that; a game master with a side then speaks only for that side.
    """
    sent = {"yes": approval.pk, "version": version, "as": as_person and as_person.pk, "late": accept_late}

    def act(locked: LockedCampaign, row: Approval, person: Person) -> Answer:
        chosen = get_version(row, version)
        if seen is not None and chosen["digest"] != seen:
            raise Refusal("This report has changed since then. You see the current version.", status=409)
        speaker = as_person.root if as_person else person
        voices = _require_voices(locked, row, speaker, person, who)
        if as_person and any(theirs["person"] in speaker.all_ids() for _, theirs in current_versions(row)):
            raise Refusal(
                f"{speaker.name} has given a version of their own. They answer on their own phone.", status=409
            )
        if as_side or as_person:
            voices = _without_master(voices)
        chosen["late"] = chosen["late"] or accept_late
        cast_vote(row, voices, make_vote(version, speaker, phone=person))
        return write_if_agreed(locked, row)

    return _answer(approval, who, key, sent, act)


def dispute(
    approval: Approval,
    who: Who,
    *,
    key: str,
    reason: str,
    own_act: Act | None = None,
    played: dt.date | None = None,
    as_person: Person | None = None,
) -> Answer:
    """Dispute it and say why. With ``own_act``, your version is added until the sides or the master decide."""
    reason = require_text(reason, "The reason", most=MAX_WHY, field="reason").strip()
    own_body = codec.write_sent(codec.check_limits(own_act)) if own_act is not None else None
    sent = {"no": approval.pk, "reason": reason, "body": own_body, "as": as_person and as_person.pk}

    def act(locked: LockedCampaign, row: Approval, person: Person) -> Answer:
        speaker = as_person.root if as_person else person
        voices = _require_voices(locked, row, speaker, person, who)
        if own_body is None:
            cast_vote(row, voices, {**make_vote(None, speaker, phone=person), "why": reason})
            return write_if_agreed(locked, row)
        day = valid_played_day(played) if played else dt.date.fromisoformat(row.versions[0]["played"])
        behalf = find_ruler_spoken_for(locked.now, speaker, voices)
        version = make_version(speaker, own_body, day, behalf=behalf, why=reason, late=True)
        judged = judge_version(locked, row.act, version)
        if find_same_version(locked, row, judged) is not None:
            raise Refusal("That is what the report says. Confirm it instead.", field="outcome")
        _add_report(locked, row, speaker, voices, version, judged)
        return write_if_agreed(locked, row)

    return _answer(approval, who, key, sent, act)


def read_own_version(approval: Approval, body: Mapping[str, Any]) -> Act:
    """Somebody's own version of a report, as it was sent."""
    if approval.is_correction:
        raise Refusal("You can only approve or dispute a correction. Describe what is wrong.", field="reason")
    return codec.read_sent(approval.act, body)


def withdraw(approval: Approval, who: Who, *, key: str) -> Answer:
    """Withdraw your own version; the game master withdraws all of them."""

    def act(locked: LockedCampaign, row: Approval, person: Person) -> Answer:
        ids, can_run = person.all_ids(), is_master(locked.now, who)
        withdrawn = [number for number, theirs in current_versions(row) if can_run or theirs["person"] in ids]
        if not withdrawn:
            raise Refusal("Only the person who reported it or the game master can withdraw it.", status=403)
        for number in withdrawn:
            row.versions[number]["gone"] = True
            forget_votes(row, number)
        if not current_versions(row):
            row.stage = Approval.Stage.WITHDRAWN
            return save_approval(row)
        return write_if_agreed(locked, row)

    return _answer(approval, who, key, {"back": approval.pk}, act)


def finalise_due(due: Due) -> None:
    """Seven days without objection: the report is final, if the terms still say so."""
    row = Approval.objects.open().filter(pk=due.ref).select_related("campaign__log").first()
    if row is None:
        return
    if row.campaign.archived_at:
        timers.set_timer(FINALISE_TIMER, row.pk, timezone.now() + dt.timedelta(days=1))
        return

    def write(writer: LogWriter) -> Answer:
        locked = LockedCampaign(row.campaign, writer)
        fresh = require_open(locked, row)
        if fresh.stage != Approval.Stage.WAITING or not fresh.stands_at:
            raise Refusal("Someone has objected.", status=409)
        if get_term(locked.now.terms, "stands") != "on":
            fresh.stands_at = None
            return save_approval(fresh)
        return write_version(locked, fresh, current_versions(fresh)[0][0], [{"stood": FINAL_AFTER.days}])

    log_services.write(row.campaign.log_id, who="clock", key=due.key, body={"stands": row.pk}, act=write)


def _answer(
    approval: Approval,
    who: Who,
    key: str,
    sent: dict[str, object],
    act: Callable[[LockedCampaign, Approval, Person], Answer],
) -> Answer:
    campaign = approval.campaign

    def write(writer: LogWriter) -> Answer:
        locked = LockedCampaign(campaign, writer)
        person = require_member(locked.campaign, who)
        return act(locked, require_open(locked, approval), person)

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def _require_voices(locked: LockedCampaign, row: Approval, speaker: Person, person: Person, who: Who) -> list[str]:
    """The votes of whoever answers on this person's phone."""
    if voices := find_voices(locked.now, kingdoms_of(row), speaker, None, who):
        return voices
    if speaker.pk != person.pk:
        raise Refusal(
            "They cannot answer this. Only the rulers concerned, their regents or the game master can.", status=403
        )
    raise Refusal("Only the rulers concerned, their regents or the game master can answer this.", status=403)


def _without_master(voices: list[str]) -> list[str]:
    """A game master's votes without the deciding one, if they have another."""
    return [key for key in voices if key != consent.MASTER] or voices
