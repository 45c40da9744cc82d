"""The one door of a campaign: every act is judged against the state it finds, written with its effects, and carried into
the snapshot, all while the log is held.
"""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

import campaign.annals.founding
import campaign.annals.standing
import campaign.annals.war  # noqa: F401  (registers the acts)
from campaign import reading
from campaign.annals import consent, corrections
from campaign.annals.acts import MASTER, MEMBER, RULER, RULES_VERSION, Act, act_of
from campaign.annals.effects import Effect, apply
from campaign.annals.lines import RESTORE, Line
from campaign.annals.state import State
from campaign.models import Campaign, Member, Snapshot
from log import door
from log.models import Entry
from people.models import Person
from people.who import Who
from refusal import Refusal

WHY_MOST = 500


@dataclass(frozen=True, slots=True)
class Written:
    """A line just written, for whatever else belongs to it: the logs are still held, and all is one transaction."""

    campaign: Campaign
    pen: door.Pen
    line: Entry
    state: State  # with the line
    brought: Any = None  # what the caller of ``do`` had found out already


_afterwards: dict[str, list[Callable[[Written], None]]] = {}


def afterwards(act: str, write: Callable[[Written], None]) -> None:
    """What else is written when a line of this kind is."""
    _afterwards.setdefault(act, []).append(write)


def do(
    campaign: Campaign,
    who: Who,
    *,
    key: str,
    act: str,
    body: Mapping[str, Any],
    played_on: dt.date | None = None,
    on_behalf_of: int | None = None,
    seen: Mapping[str, Any] | None = None,
    accept_late: bool = False,
    beside: Sequence[int] = (),
    brought: Any = None,
) -> dict[str, Any]:
    """Write one act into the chronicle, once per key. ``seen`` is what the sender saw of what the act touches.

    ``beside`` names logs in which ``afterwards`` writes as well, ``brought`` is handed on to it.
    """
    kind = act_of(act)
    day = day_of(played_on)
    sent = {"act": act, "body": dict(body), "played_on": day.isoformat()}

    def write(pen: door.Pen) -> dict[str, Any]:
        fresh = held(campaign, pen)
        now, last = newest(fresh)
        person = may(fresh, who, kind, dict(body), now)
        judged = judge(fresh, kind, body, day, now=now, last=last, seen=seen)
        if kind.confirm and not is_master(now, who):
            asks = consent.asks_of_report(now, judged.sides)
            if any(not consent.speaks_for(now, key, set(person.all_ids())) for key in asks):
                raise Refusal("In this campaign others confirm a result. Report it, and they are asked.", status=409)
        return put(pen, fresh, judged, actor=person.pk, behalf=on_behalf_of, accept_late=accept_late, brought=brought)

    return door.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write, beside=beside)


@dataclass(frozen=True, slots=True)
class Judged:
    """An act found lawful in the state in which it was played, with what it does. Nothing of it is written yet."""

    kind: Act
    day: dt.date
    body: dict[str, Any]
    effects: list[Effect]
    flags: tuple[corrections.Flag, ...]  # later lines that it touches, if it was played before them
    state: State
    is_late: bool

    @property
    def sides(self) -> tuple[str, ...]:
        return consent.sides_of(self.kind.key, self.body, self.effects, self.kind.kingdoms(self.body))


def judge(
    campaign: Campaign,
    kind: Act,
    body: Mapping[str, Any],
    day: dt.date,
    *,
    now: State,
    last: dt.date,
    seen: Mapping[str, Any] | None = None,
    confirmed: list[dict[str, Any]] | None = None,
) -> Judged:
    """What the act does, or a refusal. The campaign is held: ``now`` is its newest state, ``last`` the last day played."""
    number = campaign.log.length + 1
    is_late = day < last
    lines = reading.lines_of(campaign) if is_late else []
    state = corrections.state_before(lines, (day.isoformat(), number)) if is_late else now
    whole = {**body, "in_force": {"options": state.options, "rules": RULES_VERSION}, "line": number}
    whole.pop("confirmed", None)  # said by the petition only, never by the sender
    if confirmed:
        whole["confirmed"] = confirmed
    if kind.prepare:
        whole = kind.prepare(now, whole)  # numbers are given by the newest state, or a late line would take one twice
    if seen:
        _still(now, seen)
    if is_late:
        _had_joined(kind, whole, day, state, now)
    effects = kind.effects(state, whole, state.rules())
    flags: tuple[corrections.Flag, ...] = ()
    if is_late:
        flags = corrections.preview_late(lines, Line(number, kind.key, whole, effects, day.isoformat())).flags
    return Judged(kind, day, whole, effects, flags, state, is_late)


def put(
    pen: door.Pen,
    campaign: Campaign,
    judged: Judged,
    *,
    actor: int,
    behalf: int | None = None,
    accept_late: bool = False,
    brought: Any = None,
) -> dict[str, Any]:
    """Write what was judged, and carry it into the snapshot."""
    accept(judged, accept_late)
    line = pen.line(
        judged.kind.key,
        actor=actor,
        body=judged.body,
        effects=judged.effects,
        played_on=judged.day,
        on_behalf_of=behalf,
    )
    if judged.is_late:
        state = reading.refold(campaign, since=(judged.day, line.number))
        project(campaign, state)
    else:
        state = judged.state  # nobody reads it as it was any more
        cast = _cast(state)
        apply(state, judged.effects)
        kept = Snapshot(campaign=campaign, length=line.number, last_played=judged.day, state=state.to_json())
        reading.keep(campaign, kept)
        if _cast(state) != cast:
            project(campaign, state)
    for write in _afterwards.get(judged.kind.key, ()):
        write(Written(campaign, pen, line, state, brought))
    flagged = [flag.number for flag in judged.flags]
    return {"entry": line.number, "body": judged.body, "effects": judged.effects, "flagged": flagged}


def correct(
    campaign: Campaign,
    who: Who,
    *,
    key: str,
    kind: str,
    target: int,
    why: str,
    digest: str,
    body: Mapping[str, Any] | None = None,
    choices: Mapping[int, corrections.Choice] | None = None,
) -> dict[str, Any]:
    """Strike, amend or restore, as previewed. If what was seen has moved since, the fresh preview is needed."""
    why = reason_of(kind, why)
    sent = {"act": kind, "target": target, "digest": digest, "why": why}

    def write(pen: door.Pen) -> dict[str, Any]:
        fresh = held(campaign, pen)
        now, last = newest(fresh)
        person = member(fresh, who)
        if not is_master(now, who):
            raise Refusal("In this campaign the game master corrects the chronicle.", status=403)
        seen = preview(reading.lines_of(fresh), kind, target, body, choices)
        if seen.digest != digest:
            raise Refusal("The chronicle has moved on since you looked. Look at the preview again.", status=409)
        return put_right(pen, fresh, seen, why=why, actor=person.pk, last=last)

    return door.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def reason_of(kind: str, why: str) -> str:
    if len(why) > WHY_MOST:
        raise Refusal(f"The reason has {len(why)} characters. {WHY_MOST} is the most.", field="why")
    if kind != RESTORE and not why.strip():
        raise Refusal("Say why, in a few words. They stay readable beside the entry.", field="why")
    return why


def put_right(
    pen: door.Pen,
    campaign: Campaign,
    seen: corrections.Preview,
    *,
    why: str,
    actor: int,
    last: dt.date,
    confirmed: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Write a correction that was seen and agreed to, and fold everything anew."""
    written: dict[str, Any] = {"target": seen.target, "why": why, "bundle": seen.bundle}
    if seen.kind == RESTORE:
        written = {"restores": seen.target, "why": why}
    if confirmed:
        written["confirmed"] = confirmed
    line = pen.line(seen.kind, actor=actor, body=written, played_on=max(timezone.localdate(), last))
    project(campaign, reading.refold(campaign))
    return {"entry": line.number}


def preview(
    lines: list[Line],
    kind: str,
    target: int,
    body: Mapping[str, Any] | None = None,
    choices: Mapping[int, corrections.Choice] | None = None,
) -> corrections.Preview:
    if kind == "strike":
        return corrections.preview_strike(lines, target, choices)
    if kind == "amend":
        return corrections.preview_amend(lines, target, dict(body or {}), choices)
    if kind == RESTORE:
        return corrections.preview_restore(lines, target)
    raise Refusal(f"A chronicle is corrected by strike, amend or restore; not by {kind!r}.", field="kind")


# --- who may -------------------------------------------------------------------------------------------------------


def may(campaign: Campaign, who: Who, kind: Act, body: dict[str, Any], state: State) -> Person:
    """The Person who acts, or a refusal that says who could. Masters and rulers are members: ``project`` sees to that."""
    if who.person is not None:
        if is_master(state, who):
            return who.person
        if kind.by == RULER:
            ruled = state.ruled_by(set(who.person.all_ids()))
            if any(realm.id in kind.rulers(body) for realm in ruled):
                return who.person
    person = member(campaign, who)
    if kind.by == MEMBER:
        return person
    if kind.by == MASTER:
        raise Refusal("Only the game master does this.", status=403)
    raise Refusal("Only the ruler of this kingdom does this, their regent, or the game master.", status=403)


def is_master(state: State, who: Who) -> bool:
    return who.person is not None and bool(set(state.masters) & set(who.person.all_ids()))


def member(campaign: Campaign, who: Who) -> Person:
    person = who.must_be_known()
    if not Member.objects.filter(campaign=campaign, person__in=person.all_ids()).exists():
        raise Refusal("Only members of this campaign write in its chronicle.", status=403)
    return person


# --- inside the door --------------------------------------------------------------------------------------------------


def held(campaign: Campaign, pen: door.Pen) -> Campaign:
    """The campaign as it is while its log is held; one in the archive is not written in.

    What was read together with the log stands if the log has not moved since, and is not read again.
    """
    if _came_with(campaign, "log") and campaign.log.version == pen.log.version:
        fresh = copy.copy(campaign)  # what is refused must leave no trace in the caller's
    else:
        fresh = Campaign.objects.select_related("snapshot").get(pk=campaign.pk)
    if fresh.archived_at:
        raise Refusal("This campaign is in the archive. Take it out before you write in it.", status=409)
    fresh.log = pen.log
    return fresh


def newest(campaign: Campaign) -> tuple[State, dt.date]:
    """Where a held campaign stands. Every change is one more line, so a snapshot of the log's length is the newest."""
    kept = campaign.snapshot if _came_with(campaign, "snapshot") else None
    if kept is None or kept.length != campaign.log.length:
        kept = reading.snapshot_of(campaign)
    return State.from_json(kept.state), kept.last_played


def _came_with(campaign: Campaign, name: str) -> bool:
    return campaign._state.fields_cache.get(name) is not None


def day_of(played_on: dt.date | None) -> dt.date:
    today = timezone.localdate()
    if played_on is None:
        return today
    # A day ahead is still today somewhere on earth.
    if played_on > today + dt.timedelta(days=1):
        raise Refusal("The day played lies in the future.", field="played_on")
    if played_on.year < 1970:
        raise Refusal("The day played lies too far back.", field="played_on")
    return played_on


def _had_joined(kind: Act, body: dict[str, Any], day: dt.date, then: State, now: State) -> None:
    """A kingdom of today that was not in the war on the day told: say so, not that there is none such."""
    for key in kind.kingdoms(body):
        if key in now.kingdoms and key not in then.kingdoms:
            told = f"{now.kingdoms[key].name} had not joined the war on {day.day} {day:%B %Y}."
            raise Refusal(f"{told} Give the day it joined, or a later one.", field="played_on")


def _still(state: State, seen: Mapping[str, Any]) -> None:
    """``seen`` names things the act touches: "holder:k1.lands", "vp:k1", "loyalty:k1", "name", "battle:3"."""
    now: dict[str, Any] = {}
    for name in seen:
        what, _, subject = name.partition(":")
        realm = state.kingdoms.get(subject)
        if what == "holder":
            now[name] = state.holders.get(subject)
        elif what in ("vp", "loyalty") and realm:
            now[name] = getattr(realm, what)
        elif what == "battle":
            now[name] = int(subject) in state.battles
        elif what == "name":
            now[name] = state.name
    door.still(seen, now, "This has changed since you looked. Here it is as it stands now.")


def accept(judged: Judged, accept_late: bool) -> None:
    """A line that touches later ones is written only by somebody who was told so."""
    if judged.flags and not accept_late:
        numbers = [flag.number for flag in judged.flags]
        said = ", ".join(map(str, numbers))
        sentence = f"This was played before entries that it touches ({said}). They stay as they are if you write it all the same."
        raise Refusal(sentence, status=409, fresh={"flagged": numbers})


def _cast(state: State) -> tuple[Any, ...]:
    """All of a state that other tables keep as well."""
    rulers = {person for realm in state.in_play() for person in (realm.ruler, realm.regent) if person}
    return state.name, set(state.masters), rulers


def project(campaign: Campaign, state: State) -> None:
    """What other tables keep of a state: the name, and who belongs to the campaign in which role."""
    name, masters, rulers = _cast(state)
    if campaign.name != name:
        Campaign.objects.filter(pk=campaign.pk).update(name=name)
    members = {member.person_id: member for member in Member.objects.filter(campaign=campaign)}
    for person in (masters | rulers) - set(members):
        members[person] = Member.objects.create(campaign=campaign, person_id=person)
    for person, member in members.items():
        role = Member.Role.MASTER if person in masters else Member.Role.PLAYER
        if member.role != role:
            Member.objects.filter(pk=member.pk).update(role=role)
