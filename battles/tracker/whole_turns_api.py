"""A whole attack, or a whole turn of the solo opponent, in one call: its steps and dice, sent or rolled here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from rest_framework.request import Request
from rest_framework.views import APIView

from battles.models import Battle
from battles.tracker import services
from battles.tracker.api import FightAnswer, answer_fight, answer_steps
from battles.tracker.core import logged_steps
from battles.tracker.core.logged_steps import judge_solo_turn
from battles.tracker.core.solo_questions import ANSWERS, SoloQuestion, current_turn, have_all_acted
from battles.tracker.core.steps.fights import Faces, StartFight
from battles.tracker.core.steps.solo_turn import DecideSoloTurn, RollSoloDie
from battles.tracker.core.steps.tracker_step import Number
from battles.tracker.display import fight_row
from battles.tracker.selectors import RecentStep, TrackerSnapshot, load_snapshot, steps_of, terms_of
from battles.tracker.services import StepsAfter, Tap, roll_here, roll_tie
from dataclass_json import Count, Shape, Text
from log.services import find_answer
from pages.api.operations import Query, Sent, operation
from pages.fields.columns_and_rows import extend, take
from people.requester import Who
from refusal import Refusal

MAX_TAP_KEY = 60  # steps that follow from the first have longer keys


@dataclass(frozen=True, slots=True)
class TapTaken:
    entry: Annotated[int | None, "undo this step to undo all"]
    steps: tuple[RecentStep, ...]
    fights: Annotated[tuple[FightAnswer, ...], "whose dice are still missing"]


def _new_tap(battle: Battle, who: Who, key: str) -> Tap:
    if len(key) > MAX_TAP_KEY:
        raise Refusal(f"The key has {len(key)} characters. The limit is {MAX_TAP_KEY}.", field="key")
    return Tap(battle, who, key)


def _answer_tap(battle: Battle, who: Who, entries: Sequence[int]) -> TapTaken:
    """What a tap wrote: now, or when the same was sent before."""
    battle = services.get_visible_battle(who, battle.code)
    first = entries[0] if entries else None
    steps = answer_steps(step for step in steps_of(battle) if step.tap == first or step.number in entries)
    tracker, terms = load_snapshot(battle).tracker, terms_of(battle)
    fights = [answer_fight(fight_row(tracker, terms, key, fight)) for key, fight in tracker.fights().items()]
    return TapTaken(first, steps, tuple(fights))


# ── A whole attack ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MakeAttack:
    """``attack`` as in the step ``fight``, with the dice of the table in the order they were rolled, or rolled here.

    Its key has at most 60 characters.
    """

    attack: StartFight
    faces: Faces = ()
    roll: Literal["all", "first"] | None = None
    seen: Annotated[Mapping[str, Any], Count("Cells", 4)] = field(default_factory=dict)


class WholeAttack(APIView):
    @operation("battle_table_attack")
    def post(self, request: Request, code: str, sent: Sent[MakeAttack]) -> TapTaken:
        """Attack, and resolve it. Send `faces`, or let the site roll the first dice or all of them.

        With too few `faces` nothing is written, unless they are enough for the first rolls: then `fights` says what
        to roll next.
        """
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        wanted = sent.value
        if wanted.faces and wanted.roll:
            raise Refusal("Send the dice, or let the site roll them. Not both.", field="roll")

        def follow(after: StepsAfter) -> None:
            if wanted.roll:
                after.add_first_dice(wanted.attack.unit)
            if wanted.roll == "all":
                after.roll_on(wanted.attack.unit)
            if wanted.faces:
                after.add_all_dice(wanted.attack.unit, wanted.faces)

        tap = _new_tap(battle, request.who, sent.key)
        tap.take(wanted.attack, wanted.seen, follow)
        return _answer_tap(battle, request.who, tap.entries)


# ── The solo opponent: its die, the next question, or the step that carries out its turn ─────────────────


@dataclass(frozen=True, slots=True)
class SoloStep:
    kind: str
    body: Annotated[Mapping[str, Any], Shape(logged_steps.step_schema(DecideSoloTurn.kind))]


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    api_name = "SoloDecision"

    unit: str | None
    does: Annotated[str | None, "shoot, charge, attack, seek_shot, advance, rally, stand …"]
    target: str | None
    piece: Annotated[str | None, "the wall that it fires at"]
    hero: Annotated[str | None, "uses a power first"]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SoloOpponentAnswer:
    api_name = "SoloOpponent"

    side: str
    roll: Annotated[int | None, "null: its die is rolled with the turn"] = None
    question: SoloQuestion | None = None
    step: Annotated[SoloStep | None, "the decision, for table/steps/"] = None
    decision: Annotated[DecisionAnswer | None, "what its unit will do"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloTurnTaken(TapTaken):
    question: Annotated[SoloQuestion | None, "answer it and send all answers again"] = None


Answer = Annotated[str, Text("The answer", 40)]


@dataclass(frozen=True, slots=True)
class PlaySoloTurn:
    """``roll``: its die, if it was rolled at the table. ``shoots``: a unit that moves to shoot sees its target now.

    Its key has at most 60 characters.
    """

    answers: Annotated[Mapping[str, Annotated[tuple[Answer, ...], Count("Answers", 30)]], Count("Answers", 20)] = field(
        default_factory=dict
    )
    roll: Number | None = None
    shoots: bool = False


def _require_solo(snapshot: TrackerSnapshot) -> str:
    if not snapshot.tracker.is_set_up or snapshot.tracker.solo is None:
        raise Refusal("This battle has no solo opponent.", status=404)
    return snapshot.tracker.solo


@dataclass(frozen=True, slots=True)
class GiveSoloAnswers:
    """The answers so far."""

    shooter: tuple[str, ...] = ()
    shot_at: tuple[str, ...] = ()
    wall: tuple[str, ...] = ()
    charger: tuple[str, ...] = ()
    charged: tuple[str, ...] = ()
    movers: tuple[str, ...] = ()
    toward: tuple[str, ...] = ()
    friend: tuple[str, ...] = ()


class SoloOpponent(APIView):
    @operation("battle_table_solo")
    def get(self, request: Request, code: str, query: Query[GiveSoloAnswers]) -> SoloOpponentAnswer:
        """What the solo opponent asks next; the answers so far travel in the address."""
        battle = services.get_visible_battle(request.who, code)
        snapshot = load_snapshot(battle)
        side, given = _require_solo(snapshot), query.value
        turn = current_turn(snapshot.tracker, {name: texts for name in ANSWERS if (texts := getattr(given, name))})
        if turn is None:
            return SoloOpponentAnswer(side)
        if isinstance(turn.next, SoloQuestion):
            return SoloOpponentAnswer(side, turn.die.roll, question=turn.next)
        decided = judge_solo_turn(snapshot.cells, terms_of(battle), turn.next)
        return SoloOpponentAnswer(
            side,
            turn.die.roll,
            step=SoloStep(turn.next.kind, logged_steps.write_sent(turn.next)),
            decision=take(DecisionAnswer, decided, hero=decided.hero.hero if decided.hero else None),
        )

    @operation("battle_table_solo_turn")
    def post(self, request: Request, code: str, sent: Sent[PlaySoloTurn]) -> SoloTurnTaken:
        """One whole turn: the die, the decision, and all that its unit does, with every die rolled here.

        While an answer is missing only the die is written, and `question` asks for it.
        """
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        return _take_turn(battle, request.who, sent.value, _new_tap(battle, request.who, sent.key))


def _take_turn(battle: Battle, who: Who, wanted: PlaySoloTurn, tap: Tap) -> SoloTurnTaken:
    def answer(entries: Sequence[int], question: SoloQuestion | None = None) -> SoloTurnTaken:
        return extend(SoloTurnTaken, _answer_tap(battle, who, entries), question=question)

    if before := find_answer(battle.log_id, who=who.ref, key=tap.key):
        return answer([before["entry"]] if before["entry"] else [])
    snapshot = load_snapshot(battle)
    _require_solo(snapshot)
    turn = current_turn(snapshot.tracker, wanted.answers)
    rolled: list[int] = []
    if turn is None and not have_all_acted(snapshot.tracker):
        snapshot, rolled = _roll_die(snapshot, wanted, tap)
        turn = current_turn(snapshot.tracker, wanted.answers)
    if turn is None:
        raise Refusal("All its units have acted this round.", status=409)
    if isinstance(turn.next, SoloQuestion):
        return answer(rolled, turn.next)
    tap.take(turn.next, follow=lambda after: after.carry_out_solo_turn(shoots=wanted.shoots))
    return answer(tap.entries)


def _roll_die(snapshot: TrackerSnapshot, wanted: PlaySoloTurn, turn: Tap) -> tuple[TrackerSnapshot, list[int]]:
    """The die is a tap of its own, as on the page: it stays when the turn is undone."""
    battle, who = turn.battle, turn.who
    die = Tap(battle, who, f"{turn.key}-die")
    if wanted.roll is None:
        rolled = roll_here(who, battle, snapshot, RollSoloDie.kind, die.key, "")
        step = RollSoloDie(rolled.roll or 1, rolled.second or 1)
    else:
        step = RollSoloDie(wanted.roll, roll_tie(who, battle, die.key))
    die.take(step)
    return die.written.snapshot or load_snapshot(services.get_visible_battle(who, battle.code)), die.entries
