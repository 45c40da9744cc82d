"""Reports and corrections that need approval: submitted, agreed to, disputed, decided; then one entry is written.

Every step locks the campaign's log: simultaneous taps queue, and an approval and its entry are written in one
transaction. The terms of the campaign decide who is asked (chronicle/consent.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from campaign import selectors, services
from campaign.approvals import versions_and_votes
from campaign.approvals.pending_list import reports_and_votes_of
from campaign.approvals.versions_and_votes import FINALISE_TIMER, Answer, LockedCampaign
from campaign.chronicle import codec
from campaign.chronicle import consent as terms
from campaign.chronicle.acts.registry import Act, require_text
from campaign.chronicle.corrections import Choice
from campaign.chronicle.state import get_term
from campaign.models import Approval, Campaign
from campaign.permissions import check_permission, is_master, require_member
from jobs import timers
from jobs.models import Due
from log import services as log_services
from log.models import Log
from pages.number_parsing import parse_int
from people import privacy
from people.models import Person
from people.requester import Who
from refusal import Refusal

FINAL_AFTER = dt.timedelta(days=7)
MAX_REASON = 500


# The form for another version of a report, for acts that have one.
_own_version_urls: dict[str, Callable[[Approval], str]] = {}


def register_own_version_url(act: str, address: Callable[[Approval], str]) -> None:
    """For apps above: the page where the other side enters its own version of such a report."""
    _own_version_urls[act] = address


def own_version_url(approval: Approval) -> str:
    """The address of that page, or nothing if there is none."""
    found = _own_version_urls.get(approval.act)
    return found(approval) if found else ""


def register() -> None:
    register_own_version_url(
        "result", lambda row: reverse("campaign:approval_own_version", args=[row.campaign.code, row.pk])
    )
    privacy.register_part("petitions", reports_and_votes_of)


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


# --- submitting ----------------------------------------------------------------------


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
    day = services.valid_played_day(played)
    body = codec.write_sent(decided)
    sent = {
        "lay": act.key,
        "subject": subject,
        "body": body,
        "played_on": day.isoformat() if played else None,
        "for": for_kingdom,
    }

    def write(writer: log_services.LogWriter) -> Answer:
        table = LockedCampaign(campaign, writer)
        person = check_permission(table.campaign, who, decided, table.now)
        table.open_season_for(decided, day, actor=person.pk)
        judged = services.judge_act(table.campaign, decided, day, now=table.now, last=table.last, seen=seen)
        services.check_late_entry(judged, accept_late)
        mine = versions_and_votes.find_voices(table.now, judged.sides, person, for_kingdom, who)
        if as_side:
            mine = _without_master(mine)
        behalf = versions_and_votes.find_ruler_spoken_for(table.now, person, mine)
        version = versions_and_votes.make_version(person, body, day, behalf=behalf, late=accept_late)
        row = table.find_open(subject, waiting)
        if row is not None:
            _second_report(table, row, person, mine, version, judged)
            return versions_and_votes.write_if_agreed(table, row)
        asks = terms.find_report_approvers(table.now, judged.sides) if decided.confirm else []
        votes = {key: versions_and_votes.make_vote(0, person) for key in mine}
        if not terms.find_missing_votes(table.now, asks, votes, 0):
            if decisions := versions_and_votes.master_decisions(table.now, asks, judged.sides, votes, 0):
                judged = replace(judged, body={**judged.body, "confirmed": decisions})
            return services.append_entry(
                writer, table.campaign, judged, actor=person.pk, behalf=behalf, accept_late=accept_late
            )
        row = Approval(
            campaign=table.campaign,
            act=act.key,
            subject=subject,
            sides=list(judged.sides),
            asks=asks,
            versions=[version],
            votes=votes,
            laid_by=person,
        )
        if get_term(table.now.terms, "stands") == "on":
            row.stands_at = timezone.now() + FINAL_AFTER
        row.save()
        if row.stands_at:
            timers.set_timer(FINALISE_TIMER, row.pk, row.stands_at)
        return {"petition": row.pk}

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def _second_report(
    table: LockedCampaign,
    row: Approval,
    person: Person,
    mine: list[str],
    version: versions_and_votes.Version,
    judged: services.JudgedAct,
) -> None:
    """One approval per subject: the same report approves it; a reporter's new one replaces their old."""
    at = versions_and_votes.find_same_version(table, row, judged)
    if at is None:
        ids = person.all_ids()
        at = next((n for n, one in versions_and_votes.current_versions(row) if one["person"] in ids), None)
        if at is None:
            at = len(row.versions)
            row.versions.append(version)
        else:
            row.versions[at] = version
            versions_and_votes.forget_votes(row, at)
    versions_and_votes.cast_vote(row, mine, versions_and_votes.make_vote(at, person))


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
        return services.write_correction(
            campaign, who, key=key, kind=kind, target=target, why=why, digest=digest, body=body, choices=choices
        )
    why = services.check_reason(kind, why)
    correction = {"kind": kind, "target": target, "why": why, "digest": digest}
    correction |= {"body": dict(body) if body else None, "choices": {str(n): one for n, one in (choices or {}).items()}}

    def write(writer: log_services.LogWriter) -> Answer:
        table = LockedCampaign(campaign, writer)
        person = require_member(table.campaign, who)
        if get_term(table.now.terms, "correct") != "touched":
            raise Refusal("Only the game master can correct the chronicle of this campaign.", status=403)
        seen = versions_and_votes.preview_again(table, correction)
        if seen.digest != digest:
            raise Refusal("The chronicle has changed since then. Check the new preview.", status=409)
        subject = f"entry {target}"
        row = Approval.objects.open().filter(campaign=table.campaign, subject=subject).first()
        mine = versions_and_votes.find_voices(table.now, seen.touches, person, None, who)
        if row is not None:
            row.campaign = table.campaign
            if row.versions[0]["body"]["digest"] != digest:
                raise Refusal(f"Another correction of entry {target} is pending. Answer that one first.", status=409)
            versions_and_votes.cast_vote(row, mine, versions_and_votes.make_vote(0, person))
            return versions_and_votes.write_if_agreed(table, row)
        asks = terms.find_correction_approvers(table.now, seen, versions_and_votes.is_author(table, target, person))
        votes = {key: versions_and_votes.make_vote(0, person) for key in mine}
        if not terms.find_missing_votes(table.now, asks, votes, 0):
            return services.apply_correction(writer, table.campaign, seen, why=why, actor=person.pk, last=table.last)
        version = versions_and_votes.make_version(
            person, {**correction, "changes": versions_and_votes.changes_of(seen)}, timezone.localdate()
        )
        row = Approval.objects.create(
            campaign=table.campaign,
            act=kind,
            subject=subject,
            sides=list(seen.touches),
            asks=asks,
            versions=[version],
            votes=votes,
            laid_by=person,
        )
        return {"petition": row.pk}

    return log_services.write(campaign.log_id, who=who.ref, key=key, body={"lay": correction}, act=write)


# --- answering ------------------------------------------------------------------------------------


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

    def act(table: LockedCampaign, row: Approval, person: Person) -> Answer:
        chosen = versions_and_votes.get_version(row, version)
        if seen is not None and chosen["digest"] != seen:
            raise Refusal("This report has changed since then. You see the current version.", status=409)
        voice = as_person.root if as_person else person
        mine = versions_and_votes.find_voices(table.now, versions_and_votes.kingdoms_of(row), voice, None, who)
        if not mine:
            raise Refusal(_not_asked_text(voice, person), status=403)
        if as_person and any(one["person"] in voice.all_ids() for _, one in versions_and_votes.current_versions(row)):
            raise Refusal(f"{voice.name} has given a version of their own. They answer on their own phone.", status=409)
        if as_side or as_person:
            mine = _without_master(mine)
        chosen["late"] = chosen["late"] or accept_late
        versions_and_votes.cast_vote(row, mine, versions_and_votes.make_vote(version, voice, phone=person))
        return versions_and_votes.write_if_agreed(table, row)

    return _answer(approval, who, key, sent, act)


def decide(
    approval: Approval, who: Who, *, key: str, version: int, seen: str | None = None, accept_late: bool = False
) -> Answer:
    """Choose a version. The game master's choice is final; otherwise all sides have to choose the same one."""
    return approve(approval, who, key=key, version=version, seen=seen, accept_late=accept_late)


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
    reason = require_text(reason, "The reason", most=MAX_REASON, field="reason").strip()
    own_body = codec.write_sent(codec.check_limits(own_act)) if own_act is not None else None
    sent = {"no": approval.pk, "reason": reason, "body": own_body, "as": as_person and as_person.pk}

    def act(table: LockedCampaign, row: Approval, person: Person) -> Answer:
        voice = as_person.root if as_person else person
        mine = versions_and_votes.find_voices(table.now, versions_and_votes.kingdoms_of(row), voice, None, who)
        if not mine:
            raise Refusal(_not_asked_text(voice, person), status=403)
        if own_body is None:
            versions_and_votes.cast_vote(
                row, mine, {**versions_and_votes.make_vote(None, voice, phone=person), "why": reason}
            )
        else:
            day = services.valid_played_day(played) if played else dt.date.fromisoformat(row.versions[0]["played"])
            version = versions_and_votes.make_version(
                voice,
                own_body,
                day,
                behalf=versions_and_votes.find_ruler_spoken_for(table.now, voice, mine),
                why=reason,
                late=True,
            )
            judged = table.judge(row.act, version)
            if versions_and_votes.find_same_version(table, row, judged) is not None:
                raise Refusal("That is what the report says. Confirm it instead.", field="outcome")
            _second_report(table, row, voice, mine, version, judged)
        return versions_and_votes.write_if_agreed(table, row)

    return _answer(approval, who, key, sent, act)


def read_own_version(approval: Approval, body: Mapping[str, Any]) -> Act:
    """Somebody's own version of a report, as it was sent."""
    if approval.is_correction:
        raise Refusal("You can only approve or dispute a correction. Describe what is wrong.", field="reason")
    return codec.read_sent(approval.act, body)


def withdraw(approval: Approval, who: Who, *, key: str) -> Answer:
    """Withdraw your own version; the game master withdraws all of them."""

    def act(table: LockedCampaign, row: Approval, person: Person) -> Answer:
        mine = [n for n, one in versions_and_votes.current_versions(row) if one["person"] in person.all_ids()]
        if is_master(table.now, who):
            mine = [n for n, _ in versions_and_votes.current_versions(row)]
        if not mine:
            raise Refusal("Only the person who reported it or the game master can withdraw it.", status=403)
        for n in mine:
            row.versions[n]["gone"] = True
            versions_and_votes.forget_votes(row, n)
        if not versions_and_votes.current_versions(row):
            row.stage = Approval.Stage.WITHDRAWN
            return versions_and_votes.save_approval(row)
        return versions_and_votes.write_if_agreed(table, row)

    return _answer(approval, who, key, {"back": approval.pk}, act)


def finalise_due(due: Due) -> None:
    """Seven days without objection: the report is final, if the terms still say so."""
    row = Approval.objects.open().filter(pk=due.ref).select_related("campaign__log").first()
    if row is None:
        return
    if row.campaign.archived_at:
        timers.set_timer(FINALISE_TIMER, row.pk, timezone.now() + dt.timedelta(days=1))
        return

    def write(writer: log_services.LogWriter) -> Answer:
        table = LockedCampaign(row.campaign, writer)
        fresh = table.open(row)
        if fresh.stage != Approval.Stage.WAITING or not fresh.stands_at:
            raise Refusal("Someone has objected.", status=409)
        if get_term(table.now.terms, "stands") != "on":
            fresh.stands_at = None
            return versions_and_votes.save_approval(fresh)
        return versions_and_votes.write_version(
            table, fresh, versions_and_votes.current_versions(fresh)[0][0], [{"stood": FINAL_AFTER.days}]
        )

    log_services.write(row.campaign.log_id, who="clock", key=due.key, body={"stands": row.pk}, act=write)


def _answer(
    approval: Approval,
    who: Who,
    key: str,
    sent: dict[str, object],
    act: Callable[[LockedCampaign, Approval, Person], Answer],
) -> Answer:
    campaign = approval.campaign

    def write(writer: log_services.LogWriter) -> Answer:
        table = LockedCampaign(campaign, writer)
        person = require_member(table.campaign, who)
        return act(table, table.open(approval), person)

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def _without_master(mine: list[str]) -> list[str]:
    """A game master's votes without the deciding one, if they have another."""
    return [key for key in mine if key != terms.MASTER] or mine


def _not_asked_text(voice: Person, phone: Person) -> str:
    if voice.pk != phone.pk:
        return "They cannot answer this. Only the rulers concerned, their regents or the game master can."
    return "Only the rulers concerned, their regents or the game master can answer this."
