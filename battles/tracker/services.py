"""Every write to a tracker: a step is checked against the current cells and written with the cells it changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils.crypto import salted_hmac

from battles.battle_stage import stage_when_set_up
from battles.models import EDIT_PASS, REPORT_PASS, Battle
from battles.tracker import forms
from battles.tracker.core import logged_steps
from battles.tracker.core.fight_progress import progress_of
from battles.tracker.core.logged_steps import UNDO, LoggedStep, find_dependent_steps, judge_step
from battles.tracker.core.steps.fights import AddDice, StartFight
from battles.tracker.core.steps.solo_turn import LEADS_TO, pending_decision
from battles.tracker.core.steps.tracker_step import TrackerStep
from battles.tracker.core.steps.units import ActivateWithoutDice, BlessUnit, KissUnit, MarkMoved
from battles.tracker.selectors import (
    PREFIX,
    TrackerSnapshot,
    load_snapshot,
    rebuild_snapshot,
    snapshot_after,
    steps_of,
    terms_of,
)
from battles.typed_and_rolled_dice import roll_dice
from campaign.models import Campaign
from campaign.permissions import roles_in
from log import services as log_services
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.data.battlefield import has_event


def can_step_filter(who: Who) -> Q:
    """Battles this person can track: own campaigns, battles created or fought, and battles with a pass."""
    held = [row.target for row in who.passes if row.kind in (EDIT_PASS, REPORT_PASS)]
    allowed = Q(pk__in=held)
    if who.person is not None:
        ids = who.person.all_ids()
        fought = Battle.people.through.objects.filter(person__in=ids).values("battle")
        allowed |= Q(campaign__in=Campaign.objects.of(who)) | Q(made_by__in=ids) | Q(pk__in=fought)
    return allowed


def visible_battles(who: Who) -> QuerySet[Battle]:
    """Visible battles, each with ``can_step``: whether this person can change the tracker."""
    mine = Battle.objects.filter(can_step_filter(who), pk=OuterRef("pk"))
    return Battle.objects.visible_to(who).select_related("log", "campaign").annotate(can_step=Exists(mine))


@prepared_query
def _battle_by_code(code: str) -> QuerySet[Battle]:
    return Battle.objects.filter(code=code).select_related("log", "campaign")


def get_visible_battle(who: Who, code: str) -> Battle:
    """The battle with ``can_step``, as ``visible_battles`` has it. Two small queries cost less than its large one."""
    battle: Battle | None = _battle_by_code.first(code)
    if battle is None:
        raise Http404
    battle.can_step = _can_step(battle, who)
    public = battle.campaign is not None and battle.campaign.visibility == Campaign.Visibility.PUBLIC
    if not battle.can_step and not public:
        raise Http404
    return battle


def _can_step(battle: Battle, who: Who) -> bool:
    if any(row.target == battle.pk and row.kind in (EDIT_PASS, REPORT_PASS) for row in who.passes):
        return True
    if who.person is None:
        return False
    ids = who.person.all_ids()
    if battle.made_by_id in ids:
        return True
    if battle.campaign is not None and roles_in(battle.campaign, who):
        return True
    return bool(Battle.people.through.objects.filter(battle=battle.pk, person__in=ids).exists())


def require_can_step(battle: Battle) -> None:
    if not battle.can_step:
        raise Refusal("Only the players of this battle can change the tracker. You can watch.", status=403)
    if battle.is_over:
        raise Refusal("This battle is over. Its tracker can no longer change.", status=409)


class WriteResult:
    """The state after a write, so the response need not load it again."""

    def __init__(self) -> None:
        self.snapshot: TrackerSnapshot | None = None
        self.version = 0


@dataclass(frozen=True, slots=True)
class StepTaken:
    """What a step wrote: the number of its entry (none if nothing changed) and its sentences."""

    entry: int | None
    said: tuple[str, ...]


class StepWriter:
    """Writes steps while the log is held. Each is checked against the cells that the one before left."""

    def __init__(self, battle: Battle, who: Who, writer: log_services.LogWriter) -> None:
        self.battle = _locked_battle(battle, writer)
        self.snapshot = load_snapshot(self.battle)
        self._writer, self._actor = writer, who.person.pk if who.person else None
        self._has_written = False

    def take(self, step: TrackerStep, *, seen: Mapping[str, object] | None = None, tap: int | None = None) -> StepTaken:
        before = self.snapshot
        done = judge_step(before.cells, terms_of(self.battle), step)
        if done.changes_nothing:
            # Two phones entered the same: accept the second too.
            return StepTaken(None, ("Nothing changed.",))
        if seen:
            now = {cell: before.cells.get(cell) for cell in seen}
            log_services.refuse_if_changed(
                seen, now, "This unit has changed since you looked. Here is its current state."
            )
        body, effects = logged_steps.write_entry(done, tap)
        entry = self._writer.append(f"{PREFIX}{step.kind}", actor=self._actor, body=body, effects=effects)
        written = logged_steps.read_entry(entry.number, step.kind, body, effects)
        self.snapshot = snapshot_after(before, written, self._writer.log.length)
        self._has_written = True
        return StepTaken(entry.number, tuple(body[logged_steps.SENTENCES]))

    def save(self, written: WriteResult | None) -> None:
        if self._has_written:
            _save_snapshot(self.battle, self.snapshot, self._writer, written)
        else:
            _note_result(written, self.snapshot, self._writer)


def take_step(
    battle: Battle,
    who: Who,
    step: TrackerStep,
    *,
    key: str,
    seen: Mapping[str, object] | None = None,
    written: WriteResult | None = None,
    then: Callable[[StepWriter, StepTaken], None] | None = None,
) -> StepTaken:
    """Take one step, once per key. ``seen``: cells that must be unchanged.

    ``then`` takes more steps in the same transaction: if one of them is refused, nothing is written at all.
    """
    require_can_step(battle)

    def act(writer: log_services.LogWriter) -> logged_steps.Body:
        steps = StepWriter(battle, who, writer)
        taken = steps.take(step, seen=seen)
        if then is not None:
            then(steps, taken)
        steps.save(written)
        return {"entry": taken.entry, "said": list(taken.said)}

    sent = {"kind": step.kind, **logged_steps.write_sent(step)}
    done = log_services.write(battle.log_id, who=who.ref, key=key, body=sent, act=act)
    return StepTaken(done["entry"], tuple(done["said"]))


def find_steps_to_undo(battle: Battle, number: int) -> list[LoggedStep]:
    """What ``undo_step`` would undo: the step and every later one that depends on it."""
    steps = steps_of(battle)
    going = set(_numbers_to_undo(steps, number))
    return [step for step in steps if step.number in going]


@dataclass(frozen=True, slots=True)
class StepsUndone:
    api_name = "Undone"

    entry: int
    steps: tuple[int, ...]


def undo_step(
    battle: Battle, who: Who, *, key: str, number: int, seen: int | None = None, written: WriteResult | None = None
) -> StepsUndone:
    """Undo a step with all that depend on it. ``seen``: how many steps the sender agreed to undo."""
    require_can_step(battle)

    def act(writer: log_services.LogWriter) -> logged_steps.Body:
        fresh = _locked_battle(battle, writer)
        steps = steps_of(fresh)
        going = _numbers_to_undo(steps, number)
        if seen is not None and seen != len(going):
            raise Refusal("More has happened since you looked. Check again what will be undone.", status=409)
        person = who.person.pk if who.person else None
        entry = writer.append(f"{PREFIX}{UNDO}", actor=person, body=logged_steps.write_undo(going))
        _save_snapshot(fresh, rebuild_snapshot(fresh), writer, written)
        return {"entry": entry.number, "steps": list(going)}

    done = log_services.write(battle.log_id, who=who.ref, key=key, body={"take_back": number}, act=act)
    return StepsUndone(done["entry"], tuple(done["steps"]))


def _numbers_to_undo(steps: list[LoggedStep], number: int) -> tuple[int, ...]:
    """A step and its dependents; or an undo itself, while it is the latest step."""
    chosen = next((step for step in steps if step.number == number), None)
    if chosen is None:
        raise Refusal("This tracker has no such step.", status=404)
    if chosen.kind == UNDO:
        if steps[-1].number != number:
            raise Refusal("There are newer steps, so this undo cannot be redone.", status=409)
        return (number,)
    return find_dependent_steps(steps, number)


def _locked_battle(battle: Battle, writer: log_services.LogWriter) -> Battle:
    """The battle, read again and locked with its log."""
    rows = Battle.objects.only("snapshot", "stage", "scenario", "siege", "options", "log_id")
    fresh = rows.select_for_update().get(pk=battle.pk)  # the chronicle's writers change its stage
    fresh.log = writer.log
    if fresh.is_over:
        raise Refusal("This battle is over. Its tracker can no longer change.", status=409)
    return fresh


def _save_snapshot(
    battle: Battle, after: TrackerSnapshot, writer: log_services.LogWriter, written: WriteResult | None
) -> None:
    stage = stage_when_set_up(battle) if after.tracker.is_set_up else battle.stage
    Battle.objects.filter(pk=battle.pk).update(snapshot=after.to_json(), stage=stage)
    _note_result(written, after, writer)


def _note_result(written: WriteResult | None, after: TrackerSnapshot, writer: log_services.LogWriter) -> None:
    if written is not None:
        written.snapshot, written.version = after, writer.log.version + 1


# ── Dice that the site rolls ─────────────────────────────────────────────────────────────────────────────


def seed_of(who: Who, battle: Battle, key: str) -> bytes:
    return salted_hmac("battles.typed_and_rolled_dice", f"{battle.log_id}/{who.ref}/{key}").digest()


def roll_tie(who: Who, battle: Battle, key: str) -> int:
    """The second number of the solo opponent's die, when the players rolled the first."""
    return roll_dice(1, seed_of(who, battle, key))[0]


def roll_here(who: Who, battle: Battle, snapshot: TrackerSnapshot, kind: str, key: str, fight: str) -> forms.RolledHere:
    """Roll dice on the server. They depend on the key, so a request sent twice rolls the same."""
    seed = seed_of(who, battle, key)
    if kind == "dice":
        told_fight = snapshot.tracker.fights().get(fight)
        if told_fight is None:
            raise Refusal("This fight is over.", status=409)
        ask = progress_of(snapshot.tracker, terms_of(battle), told_fight).ask
        return forms.RolledHere(faces=tuple(roll_dice(ask.count if ask else 0, seed)))
    if kind in ("begin", "round_over"):
        sides = snapshot.tracker.sides
        faces = roll_dice(40, seed)
        # Ties re-roll: take the first rolls with a single winner.
        pairs = [faces[at : at + len(sides)] for at in range(0, len(faces) - len(sides), len(sides))]
        clear = next((pair for pair in pairs if pair.count(max(pair)) == 1), pairs[0])
        return forms.RolledHere(rolls=dict(zip(sides, clear, strict=True)))
    if kind == "solo_die":
        first, second = roll_dice(2, seed)
        return forms.RolledHere(roll=first, second=second)
    if kind == "event":
        first, second = roll_dice(2, seed)
        return forms.RolledHere(roll=first, second=second if has_event(first) else None)
    face = roll_dice(1, seed)[0]
    return forms.RolledHere(face=face) if kind == "rerolled" else forms.RolledHere(roll=face)


# ── A whole attack, or a whole turn of the solo opponent, in one tap ─────────────────────────────────────
# All steps of a tap are one transaction: if one is refused, none is written. Those after the first name it as their
# tap, so that one undo takes all of them back.


MAX_ROLLS = 12


class StepsAfter:
    """What follows from the first step of a tap. Dice rolled here depend on the key: nobody can roll them again."""

    def __init__(self, who: Who, key: str, steps: StepWriter, first: StepTaken) -> None:
        self.who, self.key = who, key
        self.entries = [] if first.entry is None else [first.entry]
        self._steps, self._first = steps, first.entry

    def _take(self, step: TrackerStep) -> None:
        taken = self._steps.take(step, tap=self._first)
        if taken.entry is not None:
            self.entries.append(taken.entry)

    def _roll(self, key: str, fight: str) -> tuple[int, ...]:
        return roll_here(self.who, self._steps.battle, self._steps.snapshot, "dice", key, fight).faces or ()

    def add_first_dice(self, fight: str, faces: Sequence[int] | None = None) -> None:
        """The dice that were sent together with the attack; without ``faces`` the site rolls them."""
        if fight not in self._steps.snapshot.tracker.fights():
            return  # decided without dice
        given = self._roll(f"{self.key}-dice", fight) if faces is None else tuple(faces)
        self._take(AddDice(fight, given, 0, faces is None))

    def add_all_dice(self, fight: str, faces: Sequence[int]) -> None:
        """Dice of several rolls, as they were made at the table. Refused if there are too few or too many."""
        snapshot = self._steps.snapshot
        begun = snapshot.tracker.fights().get(fight)
        if begun is None:
            return  # decided without dice
        terms = terms_of(self._steps.battle)
        at = 0
        for _, given in progress_of(snapshot.tracker, terms, replace(begun, faces=tuple(faces))).rolled:
            self._take(AddDice(fight, given, at))
            at += len(given)

    def roll_on(self, fight: str, key: str = "") -> None:
        """Roll saves, morale and the battle back too, until no more dice are needed."""
        for number in range(MAX_ROLLS):
            tracker = self._steps.snapshot.tracker
            unfinished = tracker.fights().get(fight)
            if unfinished is None or progress_of(tracker, terms_of(self._steps.battle), unfinished).ask is None:
                return
            faces = self._roll(f"{key or self.key}-{number}", fight)
            self._take(AddDice(fight, faces, len(unfinished.faces), True))

    def carry_out_solo_turn(self, *, shoots: bool) -> None:
        """Let the solo opponent's unit act: its hero's power first, then the attack with all its dice, or the move.

        ``shoots``: it moved to see a target, and sees one.
        """
        tracker = self._steps.snapshot.tracker
        decided = pending_decision(tracker)
        if not decided or not decided.unit:
            return
        unit, hero = tracker.unit(decided.unit), decided.hero
        if hero and hero.on and not unit.power_used:
            if hero.hero == "cleric":
                self._take(BlessUnit(unit.id, hero.on[0]))
            elif hero.hero == "princess":
                self._take(KissUnit(unit.id, hero.on[0]))
            else:
                self._fight(StartFight(unit.id, "cast", hero.on[0]), "hero")
        if decided.piece:
            self._fight(StartFight(unit.id, "bombard", piece=decided.piece), "act")
        elif how := LEADS_TO.get(decided.does or ""):
            self._fight(StartFight(unit.id, how, decided.target), "act")
        elif decided.does == "seek_shot" and shoots:
            self._take(MarkMoved(unit.id))
            self._fight(StartFight(unit.id, "shoot", decided.target), "act")
        else:
            self._take(ActivateWithoutDice(unit.id, "nothing" if decided.does == "stand" else "move"))

    def _fight(self, step: StartFight, part: str) -> None:
        self._take(step)
        self.roll_on(step.unit, f"{self.key[:60]}-{part}")


class Tap:
    """One tap: the first step, and what follows from it."""

    def __init__(self, battle: Battle, who: Who, key: str) -> None:
        self.battle, self.who, self.key = battle, who, key
        self.written = WriteResult()
        self.entries: list[int] = []

    def take(
        self,
        step: TrackerStep,
        seen: Mapping[str, object] | None = None,
        follow: Callable[[StepsAfter], None] | None = None,
    ) -> None:
        """Take the first step, then what ``follow`` adds; once, however often it is sent. ``seen``: unchanged cells."""

        def then(steps: StepWriter, first: StepTaken) -> None:
            after = StepsAfter(self.who, self.key, steps, first)
            if follow is not None:
                follow(after)
            self.entries = after.entries

        taken = take_step(self.battle, self.who, step, key=self.key, seen=seen, written=self.written, then=then)
        if not self.entries and taken.entry is not None:  # the same was sent before
            self.entries = [taken.entry]
