"""Every write to a campaign: an act is judged by the current state and written with its effects and the snapshot,
all while the log is locked.
"""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

import campaign.chronicle.acts.starting_position  # noqa: F401  (registers the acts)
from campaign import selectors
from campaign.chronicle import codec, consent, corrections
from campaign.chronicle.acts.administration import AddNote, OpenSeason, RenameCampaign, TakeThrone
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.acts.war import DeclareBattle, ReportResult
from campaign.chronicle.effects import Effect, apply_effects
from campaign.chronicle.entries_and_fold import RESTORE, ChronicleEntry
from campaign.chronicle.seasons.season_records import find_season_as_closed, suggest_season_name
from campaign.chronicle.seasons.story import build_season_page
from campaign.chronicle.state import State
from campaign.models import Campaign, Member, SeasonPage, Snapshot
from campaign.permissions import can_run, check_permission, is_master, require_member
from log import services as log_services
from log.models import Entry, Log
from people.models import Person
from people.name_validation import clean_name, clean_text
from people.requester import Who
from refusal import Refusal

MAX_REASON = 500


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """An entry just written, for follow-ups in the same transaction while the logs are locked."""

    campaign: Campaign
    writer: log_services.LogWriter
    entry: Entry
    state: State  # after the entry
    brought: Any = None  # passed on by the caller of ``write``
    who: Who | None = None  # who wrote it, if it was not written by the votes of several


def save_season_page(campaign: Campaign, entry: int, entries: Sequence[ChronicleEntry]) -> None:
    """Save the page of the season that this entry closed."""
    if record := find_season_as_closed(entries, entry):
        defaults = {"season": record.number, "content": build_season_page(record)}
        SeasonPage.objects.get_or_create(campaign=campaign, entry=entry, defaults=defaults)


def _save_closed_season(written: WrittenEntry) -> None:
    save_season_page(written.campaign, written.entry.number, selectors.entries_of(written.campaign))


_follow_ups: dict[str, list[Callable[[WrittenEntry], None]]] = {"season_closed": [_save_closed_season]}


def register_follow_up(act: str, write: Callable[[WrittenEntry], None]) -> None:
    """Call ``write`` after each entry of this act, or of this correction."""
    _follow_ups.setdefault(act, []).append(write)


def write(
    campaign: Campaign,
    who: Who,
    act: Act,
    *,
    key: str,
    played_on: dt.date | None = None,
    on_behalf_of: int | None = None,
    seen: Mapping[str, Any] | None = None,
    accept_late: bool = False,
    beside: Sequence[int] = (),
    brought: Any = None,
) -> log_services.Answer:
    """Write one act into the chronicle, once per key. ``seen`` is what the sender saw of what the act touches.

    ``beside``: other logs that follow-ups write to; ``brought`` is passed on to them.
    """
    decided = codec.check_limits(act)
    day = valid_played_day(played_on)
    sent = {"act": act.key, "body": codec.write_sent(decided), "played_on": day.isoformat() if played_on else None}

    def write(writer: log_services.LogWriter) -> dict[str, object]:
        fresh = lock_campaign(campaign, writer)
        now, last = current_state(fresh)
        person = check_permission(fresh, who, decided, now)
        if isinstance(decided, TakeThrone) and decided.person not in person.all_ids():
            raise Refusal("You can only take a throne for yourself.", field="person", status=403)
        now, last = open_season_for_battle(writer, fresh, decided, day, now=now, last=last, actor=person.pk)
        judged = judge_act(fresh, decided, day, now=now, last=last, seen=seen)
        if decided.confirm and not is_master(now, who):
            asks = consent.find_report_approvers(now, judged.sides)
            if any(not consent.can_speak_for(now, key, set(person.all_ids())) for key in asks):
                raise Refusal("Results need confirmation in this campaign. Report this one instead.", status=409)
        return append_entry(
            writer,
            fresh,
            judged,
            actor=person.pk,
            behalf=on_behalf_of,
            accept_late=accept_late,
            brought=brought,
            who=who,
        )

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write, beside=beside)


def preview_act(campaign: Campaign, who: Who, act: Act) -> tuple[corrections.StateChange, ...]:
    """What the act would change now. Refused as the act itself would be; nothing is written."""
    now = selectors.state_as_read(campaign)
    check_permission(campaign, who, act, now)
    after = now.copy()
    apply_effects(after, codec.check_limits(act).decide(now, now.rules()))
    return corrections.diff_states(now, after)


def open_season_for_battle(
    writer: log_services.LogWriter,
    campaign: Campaign,
    act: Act,
    day: dt.date,
    *,
    now: State,
    last: dt.date,
    actor: int,
) -> tuple[State, dt.date]:
    """The state in which to judge the act. Every battle belongs to a season: where none is open, the next one opens."""
    new_battle = isinstance(act, DeclareBattle) or (isinstance(act, ReportResult) and act.battle not in now.battles)
    if not new_battle or now.season_open or now.winner:
        return now, last
    if now.season and day < last:
        then = corrections.state_before(selectors.entries_of(campaign), (day.isoformat(), campaign.log.length + 1))
        if then.season_open or then.season != now.season:
            return now, last
    opened = judge_act(campaign, OpenSeason(suggest_season_name(day)), day, now=now, last=last)
    append_entry(writer, campaign, opened, actor=actor, accept_late=True)
    return current_state(campaign)


@dataclass(frozen=True, slots=True)
class JudgedAct:
    """A legal act with its effects, not written yet."""

    act: Act
    day: dt.date
    body: dict[str, object]  # as it will be stored
    effects: list[Effect]
    flags: tuple[corrections.AffectedEntry, ...]  # later entries it affects, if it was played before them
    state: State
    is_late: bool

    @property
    def sides(self) -> tuple[str, ...]:
        return consent.find_sides(self.act.key, self.body, self.effects, self.act.kingdoms())


def judge_act(
    campaign: Campaign,
    act: Act,
    day: dt.date,
    *,
    now: State,
    last: dt.date,
    seen: Mapping[str, Any] | None = None,
    confirmed: Sequence[Mapping[str, object]] = (),
) -> JudgedAct:
    """What the act does, or a refusal. The log is locked: ``now`` is its newest state, ``last`` the last day played."""
    number = campaign.log.length + 1
    is_late = day < last
    entries = selectors.entries_of(campaign) if is_late else []
    state = corrections.state_before(entries, (day.isoformat(), number)) if is_late else now
    _require_people(act)
    act = act.numbered(now, number)  # the newest state numbers it: a late entry must not reuse a number
    whole = codec.write_body(act, options=state.options, entry=number, confirmed=confirmed)
    if seen:
        _require_unchanged(now, seen)
    if is_late:
        _require_joined(act, day, state, now)
        _require_season(act, day, state)
        _require_declared(act, day, state, now)
    effects = act.decide(state, state.rules())
    flags: tuple[corrections.AffectedEntry, ...] = ()
    if is_late:
        flags = corrections.preview_late_entry(
            entries, ChronicleEntry(number, act.key, whole, effects, day.isoformat())
        ).flags
    return JudgedAct(act, day, whole, effects, flags, state, is_late)


def append_entry(
    writer: log_services.LogWriter,
    campaign: Campaign,
    judged: JudgedAct,
    *,
    actor: int,
    behalf: int | None = None,
    accept_late: bool = False,
    brought: Any = None,
    who: Who | None = None,
) -> dict[str, object]:
    """Write a judged act and update the snapshot."""
    check_late_entry(judged, accept_late)
    written_effects = codec.write_effects(judged.effects)
    entry = writer.append(
        judged.act.key,
        actor=actor,
        body=judged.body,
        effects=written_effects,
        played_on=judged.day,
        on_behalf_of=behalf,
    )
    if judged.is_late:
        state = selectors.refold(campaign, since=(judged.day, entry.number))
        update_projections(campaign, state)
    else:
        state = judged.state  # not used unchanged any more
        cast = _name_and_people(state)
        apply_effects(state, judged.effects)
        kept = Snapshot(campaign=campaign, length=entry.number, last_played=judged.day, state=state.to_json())
        selectors.save_snapshot(campaign, kept)
        if _name_and_people(state) != cast:
            update_projections(campaign, state)
    for write in _follow_ups.get(judged.act.key, ()):
        write(WrittenEntry(campaign, writer, entry, state, brought, who))
    flagged = [flag.number for flag in judged.flags]
    return {"entry": entry.number, "body": judged.body, "effects": written_effects, "flagged": flagged}


def write_correction(
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
) -> dict[str, object]:
    """Strike, amend or restore, as previewed; refused if the preview is out of date."""
    why = check_reason(kind, why)
    sent = {"act": kind, "target": target, "digest": digest, "why": why}

    def write(writer: log_services.LogWriter) -> dict[str, object]:
        fresh = lock_campaign(campaign, writer)
        now, last = current_state(fresh)
        person = require_member(fresh, who)
        if not is_master(now, who):
            raise Refusal("Only the game master can correct the chronicle of this campaign.", status=403)
        seen = preview_correction(selectors.entries_of(fresh), kind, target, body, choices)
        if seen.digest != digest:
            raise Refusal("The chronicle has changed since then. Check the new preview.", status=409)
        return apply_correction(writer, fresh, seen, why=why, actor=person.pk, last=last)

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def check_reason(kind: str, why: str) -> str:
    if len(why) > MAX_REASON:
        raise Refusal(f"The reason has {len(why)} characters; the limit is {MAX_REASON}.", field="why")
    if kind != RESTORE and not why.strip():
        raise Refusal("Give a short reason. It is shown with the entry.", field="why")
    return why


def apply_correction(
    writer: log_services.LogWriter,
    campaign: Campaign,
    seen: corrections.CorrectionPreview,
    *,
    why: str,
    actor: int,
    last: dt.date,
    confirmed: Sequence[Mapping[str, object]] = (),
) -> dict[str, object]:
    """Write an agreed correction and fold everything again."""
    written: dict[str, object] = {"target": seen.target, "why": why, "bundle": seen.bundle}
    if seen.kind == RESTORE:
        written = {"restores": seen.target, "why": why}
    if confirmed:
        written["confirmed"] = list(confirmed)
    entry = writer.append(seen.kind, actor=actor, body=written, played_on=max(timezone.localdate(), last))
    state = selectors.refold(campaign)
    update_projections(campaign, state)
    for write in _follow_ups.get(seen.kind, ()):
        write(WrittenEntry(campaign, writer, entry, state, None))
    return {"entry": entry.number}


def preview_correction(
    entries: list[ChronicleEntry],
    kind: str,
    target: int,
    body: Mapping[str, Any] | None = None,
    choices: Mapping[int, corrections.Choice] | None = None,
) -> corrections.CorrectionPreview:
    if kind == "strike":
        return corrections.preview_strike(entries, target, choices)
    if kind == "amend":
        return corrections.preview_amend(entries, target, dict(body or {}), choices)
    if kind == RESTORE:
        return corrections.preview_restore(entries, target)
    raise Refusal(f"A correction is strike, amend or restore, not {kind!r}.", field="kind")


def lock_campaign(campaign: Campaign, writer: log_services.LogWriter) -> Campaign:
    """The current campaign while its log is locked; refused if it is archived.

    What was read with the log is not read again if the log has not changed.
    """
    if has_not_changed(campaign, writer):
        selectors.snapshot_of(campaign)  # kept there too, for a page that shows the refusal
        fresh = copy.copy(campaign)  # a refusal must not change the caller's copy
    else:
        fresh = Campaign.objects.select_related("snapshot").get(pk=campaign.pk)
    if fresh.archived_at:
        raise Refusal("This campaign is archived. Take it out of the archive first.", status=409)
    fresh.log = writer.log
    return fresh


def has_not_changed(campaign: Campaign, writer: log_services.LogWriter) -> bool:
    """Whether the log is as it was when this campaign was read: so are its state and its approvals."""
    log: Log | None = campaign._state.fields_cache.get("log")
    return log is not None and log.version == writer.log.version


def current_state(campaign: Campaign) -> tuple[State, dt.date]:
    """State and last day of a locked campaign. A snapshot of the log's length is the newest."""
    kept = selectors.snapshot_of(campaign)
    return State.from_json(kept.state), kept.last_played


def valid_played_day(played_on: dt.date | None) -> dt.date:
    today = timezone.localdate()
    if played_on is None:
        return today
    # Tomorrow is already today somewhere.
    if played_on > today + dt.timedelta(days=1):
        raise Refusal("The day played is in the future.", field="played_on")
    if played_on.year < 1970:
        raise Refusal("The day played is too long ago.", field="played_on")
    return played_on


def _require_people(act: Act) -> None:
    """Refuse an act that names somebody who is not here."""
    ids = codec.person_ids(act)
    if ids and Person.objects.filter(pk__in=ids).count() < len(ids):
        raise Refusal("There is no such person.", field=codec.person_keys(act.key)[0])


def _require_joined(act: Act, day: dt.date, then: State, now: State) -> None:
    """Refuse a day on which one of the kingdoms had not joined yet."""
    for key in act.kingdoms():
        if key in now.kingdoms and key not in then.kingdoms:
            problem = f"{now.kingdoms[key].name} had not joined the war on {day.day} {day:%B %Y}."
            raise Refusal(f"{problem} Enter the day it joined or a later one.", field="played_on")


def _require_season(act: Act, day: dt.date, then: State) -> None:
    """Refuse a battle on a day between two seasons: it would belong to none of them."""
    if isinstance(act, DeclareBattle | ReportResult) and then.season and not then.season_open and not then.winner:
        between = f"season {then.season} was closed and the next one had not begun"
        raise Refusal(
            f"No season was open on {day.day} {day:%B %Y}: {between}. Enter a day inside a season.", field="played_on"
        )


def _require_declared(act: Act, day: dt.date, then: State, now: State) -> None:
    """Refuse a result on a day before its battle was declared: the declaration would open the battle once more."""
    if isinstance(act, ReportResult) and act.battle in now.battles and act.battle not in then.battles:
        problem = f"Battle {act.battle} was declared after {day.day} {day:%B %Y}."
        raise Refusal(f"{problem} Enter the day it was declared or a later one.", field="played_on")


def _require_unchanged(state: State, seen: Mapping[str, Any]) -> None:
    """``seen`` names what the act depends on: "holder:k1.lands", "vp:k1", "loyalty:k1", "name", "battle:3"."""
    now: dict[str, object] = {}
    for name in seen:
        what, _, subject = name.partition(":")
        kingdom = state.kingdoms.get(subject)
        if what == "holder":
            now[name] = state.holders.get(subject)
        elif what in ("vp", "loyalty") and kingdom:
            now[name] = getattr(kingdom, what)
        elif what == "battle":
            now[name] = int(subject) in state.battles
        elif what == "name":
            now[name] = state.name
    log_services.refuse_if_changed(seen, now, "This has changed since then. You see the current version.")


def check_late_entry(judged: JudgedAct, accept_late: bool) -> None:
    """An entry that affects later ones needs explicit consent."""
    if judged.flags and not accept_late:
        numbers = [flag.number for flag in judged.flags]
        listed = ", ".join(map(str, numbers))
        sentence = f"This was played before entries it affects ({listed}). They stay unchanged if you record it anyway."
        raise Refusal(sentence, status=409, fresh={"flagged": numbers})


def _name_and_people(state: State) -> tuple[Any, ...]:
    """The parts of a state that database tables hold too."""
    rulers = {person for kingdom in state.in_play() for person in (kingdom.ruler, kingdom.regent) if person}
    return state.name, set(state.masters), rulers


def update_projections(campaign: Campaign, state: State) -> None:
    """Update the campaign's name and its members' roles from the state."""
    name, masters, rulers = _name_and_people(state)
    if campaign.name != name:
        Campaign.objects.filter(pk=campaign.pk).update(name=name)
    members = {member.person_id: member for member in Member.objects.filter(campaign=campaign)}
    for person in (masters | rulers) - set(members):
        members[person] = Member.objects.create(campaign=campaign, person_id=person)
    for person, member in members.items():
        role = Member.Role.MASTER if person in masters else Member.Role.PLAYER
        if member.role != role:
            Member.objects.filter(pk=member.pk).update(role=role)


# --- what needs no page of its own ------------------------------------------------------------------------------


def add_note(campaign: Campaign, who: Who, *, key: str, text: str, battle: int = 0) -> dict[str, object]:
    """A note; with ``battle`` a written report of it. Line breaks stay."""
    lines = [clean_text(line) for line in text.splitlines()]
    return write(campaign, who, AddNote("\n".join(lines).strip(), battle), key=key)


def rename_campaign(campaign: Campaign, who: Who, *, key: str, name: str, seen: str) -> dict[str, object]:
    """Rename the campaign; ``seen`` is the name the sender saw."""
    if not can_run(campaign, who):
        raise Refusal("Only the game master can rename a campaign.", status=403)
    name = clean_name(name, "name of the campaign")
    return write(campaign, who, RenameCampaign(to=name, was=seen), key=key, seen={"name": seen})


def take_throne(campaign: Campaign, who: Who, *, key: str, kingdom: str) -> dict[str, object]:
    """A member without a kingdom takes a vacant one; the game master finds it on their home page."""
    return write(campaign, who, TakeThrone(kingdom, who.require_person().pk), key=key)
