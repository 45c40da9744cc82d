"""Every write to a campaign: an act is judged by the current state and written with its effects and the snapshot,
all while the log is locked.

An example: Oakhold (k1) spends 3 VP on loyalty, ``write(campaign, who, SpendVp("k1", "loyalty"), key=key)``.

1. ``codec.check_limits`` checks the fields; ``log.services.write`` locks the log, or answers a key it knows.
2. ``LockedCampaign`` has the newest state, ``check_permission`` finds that ``who`` rules Oakhold.
3. ``judge`` decides: a ``JudgedAct`` with ``VpChanged("k1", -3, …)`` and ``LoyaltyChanged("k1", 1, …)``, or a refusal.
4. ``append`` writes entry, effects and the new snapshot, and calls the follow-ups of apps above.

Reports that others confirm (``approvals``) and corrections go through the same ``LockedCampaign``.
"""

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
from campaign.chronicle.fields import MAX_WHY
from campaign.chronicle.seasons.cut_into_seasons import find_season_as_closed, suggest_season_name
from campaign.chronicle.seasons.story import build_season_page
from campaign.chronicle.state import State
from campaign.models import Campaign, Member, SeasonPage, Snapshot
from campaign.permissions import can_run, check_permission, is_master, require_member
from log import services as log_services
from log.models import Entry, Log
from log.services import Answer, LogWriter
from people.models import Person
from people.name_validation import clean_name, clean_text
from people.requester import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class WrittenEntry:
    """An entry just written, for follow-ups in the same transaction while the logs are locked."""

    campaign: Campaign
    writer: LogWriter
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
) -> Answer:
    """Write one act into the chronicle, once per key. ``seen`` is what the sender saw of what the act touches.

    ``beside``: other logs that follow-ups write to; ``brought`` is passed on to them.
    """
    decided = codec.check_limits(act)
    day = valid_played_day(played_on)
    sent = {"act": act.key, "body": codec.write_sent(decided), "played_on": day.isoformat() if played_on else None}

    def write(writer: LogWriter) -> Answer:
        locked = LockedCampaign(campaign, writer)
        person = check_permission(locked.campaign, who, decided, locked.now)
        if isinstance(decided, TakeThrone) and decided.person not in person.all_ids():
            raise Refusal("You can only take a throne for yourself.", field="person", status=403)
        locked.open_season_for(decided, day, actor=person.pk)
        judged = locked.judge(decided, day, seen=seen)
        if decided.confirm and not is_master(locked.now, who):
            asks = consent.find_report_approvers(locked.now, judged.sides)
            if any(not consent.can_speak_for(locked.now, key, set(person.all_ids())) for key in asks):
                raise Refusal("Results need confirmation in this campaign. Report this one instead.", status=409)
        return locked.append(
            judged, actor=person.pk, behalf=on_behalf_of, accept_late=accept_late, brought=brought, who=who
        )

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write, beside=beside)


def preview_act(campaign: Campaign, who: Who, act: Act) -> tuple[corrections.StateChange, ...]:
    """What the act would change now. Refused as the act itself would be; nothing is written."""
    now = selectors.state_as_read(campaign)
    check_permission(campaign, who, act, now)
    return corrections.diff_states(now, state_after(act, now))


def state_after(act: Act, now: State) -> State:
    """The state this act would lead to, or its refusal."""
    after = now.copy()
    apply_effects(after, codec.check_limits(act).decide(now, now.rules()))
    return after


@dataclass(frozen=True, slots=True)
class JudgedAct:
    """A legal act with its effects, not written yet."""

    act: Act
    day: dt.date
    body: dict[str, object]  # as it will be stored
    effects: list[Effect]
    state: State  # in which it was judged
    is_late: bool  # played before entries that are there already
    flags: tuple[corrections.AffectedEntry, ...] = ()  # those that it affects

    @property
    def sides(self) -> tuple[str, ...]:
        return consent.find_sides(self.act.key, self.body, self.effects, self.act.kingdoms())

    def require_accepted(self, accept_late: bool) -> None:
        """An entry that affects later ones needs explicit consent."""
        if self.flags and not accept_late:
            numbers = [flag.number for flag in self.flags]
            listed = ", ".join(map(str, numbers))
            sentence = f"This was played before entries it affects ({listed})."
            raise Refusal(
                f"{sentence} They stay unchanged if you record it anyway.", status=409, fresh={"flagged": numbers}
            )


class LockedCampaign:
    """A campaign while its log is locked: its newest state, and what is judged by it and written."""

    def __init__(self, campaign: Campaign, writer: LogWriter) -> None:
        """Refused if it is archived. What was read with the log is not read again if the log has not changed."""
        self.writer = writer
        log: Log | None = campaign._state.fields_cache.get("log")
        self.is_as_read = log is not None and log.version == writer.log.version
        if self.is_as_read:
            selectors.snapshot_of(campaign)  # kept there too, for a page that shows the refusal
            self.campaign = copy.copy(campaign)  # a refusal must not change the caller's copy
        else:
            self.campaign = Campaign.objects.select_related("snapshot").get(pk=campaign.pk)
        if self.campaign.archived_at:
            raise Refusal("This campaign is archived. Take it out of the archive first.", status=409)
        self.campaign.log = writer.log
        self._read_state()

    def _read_state(self) -> None:
        """The newest state and the last day played. A snapshot of the log's length is the newest."""
        snapshot = selectors.snapshot_of(self.campaign)
        self.now, self.last = State.from_json(snapshot.state), snapshot.last_played

    def open_season_for(self, act: Act, day: dt.date, *, actor: int) -> None:
        """Every battle belongs to a season: where none is open, the next one opens."""
        now = self.now
        new_battle = isinstance(act, DeclareBattle) or (isinstance(act, ReportResult) and act.battle not in now.battles)
        if not new_battle or now.season_open or now.winner:
            return
        if now.season and day < self.last:
            place = (day.isoformat(), self.campaign.log.length + 1)
            then = corrections.state_before(selectors.entries_of(self.campaign), place)
            if then.season_open or then.season != now.season:
                return
        self.append(self.judge(OpenSeason(suggest_season_name(day)), day), actor=actor, accept_late=True)
        self._read_state()

    def judge(
        self,
        act: Act,
        day: dt.date,
        *,
        seen: Mapping[str, Any] | None = None,
        confirmed: Sequence[Mapping[str, object]] = (),
    ) -> JudgedAct:
        """What the act does in the state of its day, or a refusal."""
        number = self.campaign.log.length + 1
        is_late = day < self.last
        entries = selectors.entries_of(self.campaign) if is_late else []
        then = corrections.state_before(entries, (day.isoformat(), number)) if is_late else self.now
        _require_people(act)
        act = act.numbered(self.now, number)  # the newest state numbers it: a late entry must not reuse a number
        body = codec.write_body(act, options=then.options, entry=number, confirmed=confirmed)
        if seen:
            _require_unchanged(self.now, seen)
        if is_late:
            _require_possible_day(act, day, then, self.now)
        effects = act.decide(then, then.rules())
        if not is_late:
            return JudgedAct(act, day, body, effects, then, is_late)
        preview = corrections.preview_late_entry(
            entries, ChronicleEntry(number, act.key, body, effects, day.isoformat())
        )
        return JudgedAct(act, day, body, effects, then, is_late, preview.flags)

    def append(
        self,
        judged: JudgedAct,
        *,
        actor: int,
        behalf: int | None = None,
        accept_late: bool = False,
        brought: Any = None,
        who: Who | None = None,
    ) -> Answer:
        """Write a judged act and update the snapshot."""
        judged.require_accepted(accept_late)
        effects = codec.write_effects(judged.effects)
        entry = self.writer.append(
            judged.act.key, actor=actor, body=judged.body, effects=effects, played_on=judged.day, on_behalf_of=behalf
        )
        if judged.is_late:
            state = selectors.refold(self.campaign, since=(judged.day, entry.number))
            update_projections(self.campaign, state)
        else:
            state = judged.state  # not used unchanged any more
            before = _name_and_people(state)
            apply_effects(state, judged.effects)
            snapshot = Snapshot(
                campaign=self.campaign, length=entry.number, last_played=judged.day, state=state.to_json()
            )
            selectors.save_snapshot(self.campaign, snapshot)
            if _name_and_people(state) != before:
                update_projections(self.campaign, state)
        self._follow_up(WrittenEntry(self.campaign, self.writer, entry, state, brought, who))
        flagged = [flag.number for flag in judged.flags]
        return {"entry": entry.number, "body": judged.body, "effects": effects, "flagged": flagged}

    def correct(
        self,
        preview: corrections.CorrectionPreview,
        *,
        why: str,
        actor: int,
        confirmed: Sequence[Mapping[str, object]] = (),
    ) -> Answer:
        """Write an agreed correction and fold everything again."""
        body: dict[str, object] = {"target": preview.target, "why": why, "bundle": preview.bundle}
        if preview.kind == RESTORE:
            body = {"restores": preview.target, "why": why}
        if confirmed:
            body["confirmed"] = list(confirmed)
        played_on = max(timezone.localdate(), self.last)
        entry = self.writer.append(preview.kind, actor=actor, body=body, played_on=played_on)
        state = selectors.refold(self.campaign)
        update_projections(self.campaign, state)
        self._follow_up(WrittenEntry(self.campaign, self.writer, entry, state))
        return {"entry": entry.number}

    def _follow_up(self, written: WrittenEntry) -> None:
        for follow_up in _follow_ups.get(written.entry.act, ()):
            follow_up(written)


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
) -> Answer:
    """Strike, amend or restore, as previewed; refused if the preview is out of date."""
    why = check_reason(kind, why)
    sent = {"act": kind, "target": target, "digest": digest, "why": why}

    def write(writer: LogWriter) -> Answer:
        locked = LockedCampaign(campaign, writer)
        person = require_member(locked.campaign, who)
        if not is_master(locked.now, who):
            raise Refusal("Only the game master can correct the chronicle of this campaign.", status=403)
        preview = preview_correction(selectors.entries_of(locked.campaign), kind, target, body, choices)
        preview.require_digest(digest)
        return locked.correct(preview, why=why, actor=person.pk)

    return log_services.write(campaign.log_id, who=who.ref, key=key, body=sent, act=write)


def check_reason(kind: str, why: str) -> str:
    if len(why) > MAX_WHY:
        raise Refusal(f"The reason has {len(why)} characters; the limit is {MAX_WHY}.", field="why")
    if kind != RESTORE and not why.strip():
        raise Refusal("Give a short reason. It is shown with the entry.", field="why")
    return why


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


def _require_possible_day(act: Act, day: dt.date, then: State, now: State) -> None:
    """Refuse a late entry on a day on which it could not have been."""
    if problem := _find_problem_of_day(act, f"{day.day} {day:%B %Y}", then, now):
        raise Refusal(problem, field="played_on")


def _find_problem_of_day(act: Act, on: str, then: State, now: State) -> str:
    for key in act.kingdoms():
        if key in now.kingdoms and key not in then.kingdoms:
            name = now.kingdoms[key].name
            return f"{name} had not joined the war on {on}. Enter the day it joined or a later one."
    if not isinstance(act, DeclareBattle | ReportResult):
        return ""
    if then.season and not then.season_open and not then.winner:  # the battle would belong to no season
        between = f"season {then.season} was closed and the next one had not begun"
        return f"No season was open on {on}: {between}. Enter a day inside a season."
    if isinstance(act, ReportResult) and act.battle in now.battles and act.battle not in then.battles:
        # The declaration would open the battle once more.
        return f"Battle {act.battle} was declared after {on}. Enter the day it was declared or a later one."
    return ""


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


def add_note(campaign: Campaign, who: Who, *, key: str, text: str, battle: int = 0) -> Answer:
    """A note; with ``battle`` a written report of it. Line breaks stay."""
    lines = [clean_text(line) for line in text.splitlines()]
    return write(campaign, who, AddNote("\n".join(lines).strip(), battle), key=key)


def rename_campaign(campaign: Campaign, who: Who, *, key: str, name: str, seen: str) -> Answer:
    """Rename the campaign; ``seen`` is the name the sender saw."""
    if not can_run(campaign, who):
        raise Refusal("Only the game master can rename a campaign.", status=403)
    name = clean_name(name, "name of the campaign")
    return write(campaign, who, RenameCampaign(to=name, was=seen), key=key, seen={"name": seen})


def take_throne(campaign: Campaign, who: Who, *, key: str, kingdom: str) -> Answer:
    """A member without a kingdom takes a vacant one; the game master finds it on their home page."""
    return write(campaign, who, TakeThrone(kingdom, who.require_person().pk), key=key)
