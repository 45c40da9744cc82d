"""Reports and corrections that need the word of others: laid, agreed to, objected to, decided; then one line is written.

Every step goes through the door of the campaign's log, so two taps at one moment wait in line, and a petition and the
line it becomes are written in one transaction. Whoever is asked, is asked by the terms of the campaign (annals/consent.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.utils import timezone

from campaign import door, reading, settling
from campaign.annals import consent as terms
from campaign.annals.acts import act_of, words
from campaign.annals.corrections import Choice
from campaign.annals.terms import term_of
from campaign.models import Campaign, Petition
from campaign.settling import STANDS, Answer, Table
from jobs import clock
from jobs.models import Due
from log import door as log_door
from people.models import Person
from people.who import Who
from refusal import Refusal

STANDS_AFTER = dt.timedelta(days=7)
REASON_MOST = 500


# Where another version of a report is written, for the acts that have a form for it.
_forms: dict[str, Callable[[Petition], str]] = {}


def own_version_at(act: str, address: Callable[[Petition], str]) -> None:
    """For apps above: the page on which the other side writes its own version of a report of this act."""
    _forms[act] = address


def own_version_of(petition: Petition) -> str:
    """The address of that page, or nothing where an objection in words must do."""
    found = _forms.get(petition.act)
    return found(petition) if found else ""


def subject_of(attacker: str, target: str, battle: int | None) -> str:
    """What the report of a battle is about: the battle declared, or who attacked what where none was."""
    return f"battle {battle}" if battle else f"{attacker} at {target}"


# --- laying ----------------------------------------------------------------------------------------------------------


def lay(
    campaign: Campaign,
    who: Who,
    *,
    key: str,
    act: str,
    body: Mapping[str, Any],
    subject: str,
    for_kingdom: str | None = None,
    played: dt.date | None = None,
    accept_late: bool = False,
    seen: Mapping[str, Any] | None = None,
    as_side: bool = False,
) -> Answer:
    """Report something. ``{"entry": n, …}`` if it is written at once, ``{"petition": pk}`` if it waits for others.

    ``subject`` names what the report is about ("battle 3"): a second report of the same is a yes if it says the same, and
    the other version if it does not. ``as_side``: a game master who fought in it speaks for their side only, and the
    others are asked as they would be of anybody.
    """
    kind = act_of(act)
    day = door.day_of(played)
    sent = {"lay": act, "subject": subject, "body": dict(body), "played_on": day.isoformat(), "for": for_kingdom}

    def write(pen: log_door.Pen) -> Answer:
        table = Table(campaign, pen)
        person = door.may(table.campaign, who, kind, dict(body), table.now)
        judged = door.judge(table.campaign, kind, body, day, now=table.now, last=table.last, seen=seen)
        door.accept(judged, accept_late)
        mine = settling.voices(table.now, judged.sides, person, for_kingdom)
        if as_side:
            mine = _as_side(mine)
        behalf = settling.behalf_of(table.now, person, mine)
        version = settling.version_of(person, body, day, behalf=behalf, late=accept_late)
        row = Petition.objects.open().filter(campaign=table.campaign, subject=subject).first()
        if row is not None:
            row.campaign = table.campaign
            _second_report(table, row, person, mine, version, judged)
            return settling.settle(table, row)
        asks = terms.asks_of_report(table.now, judged.sides) if kind.confirm else []
        votes = {key: settling.vote_of(0, person) for key in mine}
        if not terms.missing(table.now, asks, votes, 0):
            if said := settling.decided(table.now, asks, judged.sides, votes, 0):
                judged = replace(judged, body={**judged.body, "confirmed": said})
            return door.put(pen, table.campaign, judged, actor=person.pk, behalf=behalf, accept_late=accept_late)
        row = Petition(
            campaign=table.campaign, act=act, subject=subject, sides=list(judged.sides), asks=asks, versions=[version],
            votes=votes, laid_by=person,
        )  # fmt: skip
        if term_of(table.now.terms, "stands") == "on":
            row.stands_at = timezone.now() + STANDS_AFTER
        row.save()
        if row.stands_at:
            clock.wake(STANDS, row.pk, row.stands_at)
        return {"petition": row.pk}

    return log_door.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def _second_report(
    table: Table, row: Petition, person: Person, mine: list[str], version: dict[str, Any], judged: door.Judged
) -> None:
    """One petition per subject: the same again is a yes, one's own again takes the place of the old, else two stand side
    by side.
    """
    at = settling.same_as(table, row, judged)
    if at is None:
        ids = person.all_ids()
        at = next((n for n, one in settling.live(row) if one["person"] in ids), None)
        if at is None:
            at = len(row.versions)
            row.versions.append(version)
        else:
            row.versions[at] = version
            settling.forget_votes(row, at)
    settling.cast(row, mine, settling.vote_of(at, person))


def lay_correction(
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
    """Strike, amend or restore as previewed: at once by the game master; by others, where the table agreed so, with the
    consent of those it touches.
    """
    if door.is_master(reading.state_of(campaign), who):
        return door.correct(
            campaign, who, key=key, kind=kind, target=target, why=why, digest=digest, body=body, choices=choices
        )
    why = door.reason_of(kind, why)
    told = {"kind": kind, "target": target, "why": why, "digest": digest}
    told |= {"body": dict(body) if body else None, "choices": {str(n): one for n, one in (choices or {}).items()}}

    def write(pen: log_door.Pen) -> Answer:
        table = Table(campaign, pen)
        person = door.member(table.campaign, who)
        if term_of(table.now.terms, "correct") != "touched":
            raise Refusal("In this campaign the game master corrects the chronicle.", status=403)
        seen = settling.preview_of(table, told)
        if seen.digest != digest:
            raise Refusal("The chronicle has moved on since you looked. Look at the preview again.", status=409)
        subject = f"entry {target}"
        row = Petition.objects.open().filter(campaign=table.campaign, subject=subject).first()
        mine = settling.voices(table.now, seen.touches, person, None)
        if row is not None:
            row.campaign = table.campaign
            if row.versions[0]["body"]["digest"] != digest:
                raise Refusal(f"Another correction of entry {target} waits already. Answer that one first.", status=409)
            settling.cast(row, mine, settling.vote_of(0, person))
            return settling.settle(table, row)
        asks = terms.asks_of_correction(table.now, seen, settling.is_author(table, target, person))
        votes = {key: settling.vote_of(0, person) for key in mine}
        if not terms.missing(table.now, asks, votes, 0):
            return door.put_right(pen, table.campaign, seen, why=why, actor=person.pk, last=table.last)
        version = settling.version_of(person, {**told, "changes": settling.changes_of(seen)}, timezone.localdate())
        row = Petition.objects.create(
            campaign=table.campaign, act=kind, subject=subject, sides=list(seen.touches), asks=asks, versions=[version],
            votes=votes, laid_by=person,
        )  # fmt: skip
        return {"petition": row.pk}

    return log_door.write(campaign.log_id, who=who.ref, key=key, body={"lay": told}, act=write)


# --- answering ---------------------------------------------------------------------------------------------------------


def consent(
    petition: Petition,
    who: Who,
    *,
    key: str,
    version: int = 0,
    as_person: Person | None = None,
    seen: str | None = None,
    accept_late: bool = False,
    as_side: bool = False,
) -> Answer:
    """Say yes to a version; ``seen`` is its digest as the sender saw it. With ``as_person`` somebody else says it on this
    phone, and the chronicle tells so: there a game master with a side in it speaks for that side only.
    """
    sent = {"yes": petition.pk, "version": version, "as": as_person and as_person.pk, "late": accept_late}

    def act(table: Table, row: Petition, person: Person) -> Answer:
        said = settling.version_at(row, version)
        if seen is not None and said["digest"] != seen:
            raise Refusal("This report was changed since you looked. Here it is as it stands now.", status=409)
        voice = as_person.root if as_person else person
        mine = settling.voices(table.now, settling.kingdoms_of(row), voice, None)
        if not mine:
            raise Refusal(_who_answers(voice, person), status=403)
        if as_side or as_person:
            mine = _as_side(mine)
        said["late"] = said["late"] or accept_late
        settling.cast(row, mine, settling.vote_of(version, voice, phone=person))
        return settling.settle(table, row)

    return _answer(petition, who, key, sent, act)


def decide(
    petition: Petition, who: Who, *, key: str, version: int, seen: str | None = None, accept_late: bool = False
) -> Answer:
    """Choose between versions: the game master for good; a side for itself, and it stands once all sides chose the same."""
    return consent(petition, who, key=key, version=version, seen=seen, accept_late=accept_late)


def object_to(
    petition: Petition,
    who: Who,
    *,
    key: str,
    reason: str,
    body: Mapping[str, Any] | None = None,
    played: dt.date | None = None,
    as_person: Person | None = None,
) -> Answer:
    """Say no, and why; with ``body`` one's own version stands beside the report until the two sides or the master decide."""
    reason = words(reason, "The reason", most=REASON_MOST, field="reason").strip()
    told = dict(body) if body is not None else None
    sent = {"no": petition.pk, "reason": reason, "body": told, "as": as_person and as_person.pk}

    def act(table: Table, row: Petition, person: Person) -> Answer:
        voice = as_person.root if as_person else person
        mine = settling.voices(table.now, settling.kingdoms_of(row), voice, None)
        if not mine:
            raise Refusal(_who_answers(voice, person), status=403)
        if told is None:
            settling.cast(row, mine, {**settling.vote_of(None, voice, phone=person), "why": reason})
        elif row.is_correction:
            raise Refusal("A correction is agreed to or not. Say what is wrong with it in words.", field="reason")
        else:
            day = door.day_of(played) if played else dt.date.fromisoformat(row.versions[0]["played"])
            version = settling.version_of(
                voice, told, day, behalf=settling.behalf_of(table.now, voice, mine), why=reason, late=True
            )
            judged = table.judge(row.act, version)
            if settling.same_as(table, row, judged) is not None:
                raise Refusal("That is what the report says. Confirm it instead.", field="outcome")
            _second_report(table, row, voice, mine, version, judged)
        return settling.settle(table, row)

    return _answer(petition, who, key, sent, act)


def withdraw(petition: Petition, who: Who, *, key: str) -> Answer:
    """Take one's own version back. Whoever runs the campaign can take the whole petition off the table."""

    def act(table: Table, row: Petition, person: Person) -> Answer:
        mine = [n for n, one in settling.live(row) if one["person"] in person.all_ids()]
        if door.is_master(table.now, who):
            mine = [n for n, _ in settling.live(row)]
        if not mine:
            raise Refusal("Only who reported it takes it back, or the game master.", status=403)
        for n in mine:
            row.versions[n]["gone"] = True
            settling.forget_votes(row, n)
        if not settling.live(row):
            row.stage = Petition.Stage.WITHDRAWN
            return settling.kept(row)
        return settling.settle(table, row)

    return _answer(petition, who, key, {"back": petition.pk}, act)


def stand(due: Due) -> None:
    """Seven days without objection: the report stands, if the table still has it so."""
    row = Petition.objects.open().filter(pk=due.ref).select_related("campaign__log").first()
    if row is None:
        return
    if row.campaign.archived_at:
        clock.wake(STANDS, row.pk, timezone.now() + dt.timedelta(days=1))
        return

    def write(pen: log_door.Pen) -> Answer:
        table = Table(row.campaign, pen)
        fresh = table.open(row)
        if fresh.stage != Petition.Stage.WAITING or not fresh.stands_at:
            raise Refusal("There was an objection meanwhile.", status=409)
        if term_of(table.now.terms, "stands") != "on":
            fresh.stands_at = None
            return settling.kept(fresh)
        return settling.write_down(table, fresh, settling.live(fresh)[0][0], [{"stood": STANDS_AFTER.days}])

    log_door.write(row.campaign.log_id, who="clock", key=due.key, body={"stands": row.pk}, act=write)


def _answer(
    petition: Petition, who: Who, key: str, sent: dict[str, Any], act: Callable[[Table, Petition, Person], Answer]
) -> Answer:
    campaign = petition.campaign

    def write(pen: log_door.Pen) -> Answer:
        table = Table(campaign, pen)
        person = door.member(table.campaign, who)
        return act(table, table.open(petition), person)

    return log_door.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def _as_side(mine: list[str]) -> list[str]:
    """The votes of a game master without the deciding one, if they have another."""
    return [key for key in mine if key != terms.MASTER] or mine


def _who_answers(voice: Person, phone: Person) -> str:
    if voice.pk != phone.pk:
        return "They are not asked here. The ruler of a kingdom it concerns answers, their regent, or the game master."
    return "Only the ruler of a kingdom it concerns answers this, their regent, or the game master."


def told_by(ids: tuple[int, ...]) -> list[dict[str, Any]]:
    """What somebody reported and answered, for the file of their own data."""
    found = []
    for row in Petition.objects.filter(campaign__members__person__in=ids).select_related("campaign").distinct():
        versions = [one for one in row.versions if one["person"] in ids]
        votes = {key: vote for key, vote in row.votes.items() if vote["person"] in ids}
        if versions or votes:
            about = {"campaign": row.campaign.code, "about": row.subject, "stage": row.stage, "entry": row.entry}
            found.append(about | {"said": versions, "answered": votes})
    return found
