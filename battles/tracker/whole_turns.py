"""A whole attack, or a whole turn of the solo opponent, in one tap. Page and API take the same steps.

All steps of a tap are written in one transaction: if one is refused, none is written. Those after the first name it as
their tap, so that one undo takes all of them back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from battles.models import Battle
from battles.tracker import services
from battles.tracker.core.fight_progress import progress_of
from battles.tracker.core.steps.fights import AddDice, StartFight
from battles.tracker.core.steps.registry import TrackerStep
from battles.tracker.core.steps.solo_turn import LEADS_TO, pending_decision
from battles.tracker.core.steps.units import ActivateWithoutDice, BlessUnit, KissUnit, MarkMoved
from battles.tracker.rolled_here import roll_here
from battles.tracker.selectors import terms_of
from people.requester import Who

MAX_ROLLS = 12


class StepsAfter:
    """What follows from the first step of a tap. Dice rolled here depend on the key: nobody can roll them again."""

    def __init__(self, who: Who, key: str, steps: services.StepWriter, first: services.StepTaken) -> None:
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
        self.written = services.WriteResult()
        self.entries: list[int] = []

    def take(
        self,
        step: TrackerStep,
        seen: Mapping[str, object] | None = None,
        follow: Callable[[StepsAfter], None] | None = None,
    ) -> None:
        """Take the first step, then what ``follow`` adds; once, however often it is sent. ``seen``: unchanged cells."""

        def then(steps: services.StepWriter, first: services.StepTaken) -> None:
            after = StepsAfter(self.who, self.key, steps, first)
            if follow is not None:
                follow(after)
            self.entries = after.entries

        taken = services.take_step(
            self.battle, self.who, step, key=self.key, seen=seen, written=self.written, then=then
        )
        if not self.entries and taken.entry is not None:  # the same was sent before
            self.entries = [taken.entry]
