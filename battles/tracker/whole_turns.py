"""A whole attack, or a whole turn of the solo opponent, in one tap. Page and API take the same steps.

Every step is written with a key of its own, as if it had been tapped alone. Those after the first name it as their
tap, so that one undo takes all of them back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from battles.models import Battle
from battles.tracker import services
from battles.tracker.core.fight import Fight
from battles.tracker.core.fight_progress import progress_of
from battles.tracker.core.steps.fights import AddDice, StartFight
from battles.tracker.core.steps.registry import TrackerStep
from battles.tracker.core.steps.solo_turn import LEADS_TO, pending_decision
from battles.tracker.core.steps.step_check import judge_step
from battles.tracker.core.steps.units import ActivateWithoutDice, BlessUnit, KissUnit, MarkMoved
from battles.tracker.rolled_here import roll_here
from battles.tracker.selectors import TrackerSnapshot, load_snapshot, terms_of
from log.services import find_answer
from people.requester import Who

MOST_ROLLS = 12


class Tap:
    """One tap: the first step, and what follows from it."""

    def __init__(self, battle: Battle, who: Who, key: str) -> None:
        self.battle, self.who, self.key = battle, who, key
        self.written = services.WriteResult()
        self.entries: list[int] = []
        self._first: int | None = None

    def begin(self, step: TrackerStep, seen: Mapping[str, object] | None = None) -> None:
        """Take the first step. ``seen``: cells that must be unchanged."""
        taken = services.take_step(self.battle, self.who, step, key=self.key, seen=seen, written=self.written)
        self._first = taken.entry
        self._note(taken)

    def _take(self, step: TrackerStep, key: str) -> None:
        """Take a step that belongs to the first."""
        self._note(services.take_step(self.battle, self.who, step, key=key, written=self.written, tap=self._first))

    def _note(self, taken: services.StepTaken) -> None:
        if taken.entry is not None:
            self.entries.append(taken.entry)

    def add_first_dice(self, fight: str, faces: Sequence[int] | None = None) -> None:
        """The dice that were sent together with the attack; without ``faces`` the site rolls them."""
        key = f"{self.key}-dice"
        snapshot = self.written.snapshot or load_snapshot(services.get_visible_battle(self.who, self.battle.code))
        if fight not in snapshot.tracker.fights() or find_answer(self.battle.log_id, who=self.who.ref, key=key):
            return
        here = faces is None
        if faces is None:
            faces = roll_here(self.who, self.battle, snapshot, "dice", key, fight).faces or ()
        self._take(AddDice(fight, tuple(faces), 0, here), key)

    def add_rolls(self, fight: str, rolls: Sequence[Sequence[int]]) -> None:
        """Dice of several rolls, as they were made at the table."""
        at = 0
        for number, faces in enumerate(rolls):
            self._take(AddDice(fight, tuple(faces), at), f"{self.key}-{number}")
            at += len(faces)

    def roll_on(self, fight: str, key: str = "") -> None:
        """Roll saves, morale and the battle back too, until no more dice are needed."""
        for number in range(MOST_ROLLS):
            snapshot = self.written.snapshot
            unfinished = snapshot.tracker.fights().get(fight) if snapshot else None
            if snapshot is None or unfinished is None:
                return
            if progress_of(snapshot.tracker, terms_of(self.battle), unfinished).ask is None:
                return
            again = f"{key or self.key}-{number}"
            faces = roll_here(self.who, self.battle, snapshot, "dice", again, fight).faces or ()
            self._take(AddDice(fight, faces, len(unfinished.faces), True), again)

    def carry_out_solo_turn(self, *, shoots: bool) -> None:
        """Let the solo opponent's unit act: its hero's power first, then the attack with all its dice, or the move.

        ``shoots``: it moved to see a target, and sees one.
        """
        decided = self.written.snapshot and pending_decision(self.written.snapshot.tracker)
        if not self.written.snapshot or not decided or not decided.unit:
            return
        unit, hero = self.written.snapshot.tracker.unit(decided.unit), decided.hero
        if hero and hero.on and not unit.power_used:
            if hero.hero == "cleric":
                self._take(BlessUnit(unit.id, hero.on[0]), self._part("hero"))
            elif hero.hero == "princess":
                self._take(KissUnit(unit.id, hero.on[0]), self._part("hero"))
            else:
                self._fight(StartFight(unit.id, "cast", hero.on[0]), "hero")
        if decided.piece:
            self._fight(StartFight(unit.id, "bombard", piece=decided.piece), "act")
        elif how := LEADS_TO.get(decided.does or ""):
            self._fight(StartFight(unit.id, how, decided.target), "act")
        elif decided.does == "seek_shot" and shoots:
            self._take(MarkMoved(unit.id), self._part("move"))
            self._fight(StartFight(unit.id, "shoot", decided.target), "act")
        else:
            step = ActivateWithoutDice(unit.id, "nothing" if decided.does == "stand" else "move")
            self._take(step, self._part("act"))

    def _part(self, name: str) -> str:
        return f"{self.key[:60]}-{name}"

    def _fight(self, step: StartFight, part: str) -> None:
        self._take(step, self._part(part))
        self.roll_on(step.unit, self._part(part))


def split_into_rolls(
    battle: Battle, snapshot: TrackerSnapshot, attack: StartFight, faces: Sequence[int]
) -> list[tuple[int, ...]]:
    """The dice of each roll of an attack. Refused like the attack itself, or if there are too few or too many."""
    terms = terms_of(battle)
    cell = judge_step(snapshot.cells, terms, attack).writes.get(f"fight/{attack.unit}")
    if not cell:
        return []  # decided without dice
    fight = replace(Fight.from_cell(cell), faces=tuple(faces))
    return [given for _, given in progress_of(snapshot.tracker, terms, fight).rolled]
