"""The quick fight as JSON: two units, what the players see, the dice so far. Nothing is stored."""

from dataclasses import dataclass
from typing import Annotated, Literal

from rest_framework.request import Request
from rest_framework.views import APIView

import dataclass_json
from battles.tracker.core.fight_progress import NO_TICKS, Ticks
from battles.tracker.core.fight_without_battle import QuickFight, QuickTarget, QuickUnit, resolve_quick_fight
from battles.tracker.core.steps.fights import Faces
from battles.typed_and_rolled_dice import roll_dice
from dataclass_json import Ask, Text, Whole
from pages.api.operations import SentAgain, operation
from people.api_tokens.scopes import READ
from refusal import Refusal
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.battlefield import EVENT
from rulebook.data.units import UNIT
from rulebook.odds.odds_display import Bar

MAX_ROLLS = 12
Key = Annotated[str, Text("The key", 40)]
Marked = Annotated[int, Whole("The number", 0, 20)]


@dataclass(frozen=True, slots=True)
class SentUnit:
    unit: Key
    hero: Key | None = None
    weapon: Key | None = None
    models: Marked | None = None
    wounds: Marked = 0
    hero_wounds: Marked = 0
    shield: bool | None = None
    ladybug: bool | None = None
    flees: bool = False
    blessed: bool = False


@dataclass(frozen=True, slots=True)
class SentFight:
    """``faces``: all dice so far, in the order they were rolled. ``roll``: the site rolls the next, or all that follow.

    ``piece`` and ``hits``: the wall that is fired at, or the building that is set on fire.
    """

    how: Literal["charge", "strike", "shoot", "cast", "rally", "torch", "bombard"]
    attacker: SentUnit
    target: SentUnit
    ticks: Ticks = NO_TICKS
    event: Key | None = None
    piece: Key = "gatehouse"
    hits: Marked = 0
    faces: Faces = ()
    roll: Literal["next", "all"] | None = None


@dataclass(frozen=True)
class NextDice:
    text: str
    side: Literal["attacker", "target"]
    needed: Annotated[tuple[int, ...], Ask("Needed", "for each die")]


@dataclass(frozen=True)
class FightingUnit:
    unit: str
    models: int
    hero: str | None
    wounds: int
    flees: bool


@dataclass(frozen=True)
class QuickFightAnswer:
    api_name = "QuickFight"

    over: bool
    faces: Annotated[tuple[int, ...], Ask("Faces", "send them again with the next dice")]
    ask: Annotated[NextDice | None, Ask("Ask", "the next roll")]
    advantages: int
    disadvantages: int
    odds: Annotated[tuple[Bar, ...], Ask("Odds", "of the whole attack")]
    story: Annotated[tuple[str, ...], Ask("Story", "once it is over")]
    attacker: Annotated[FightingUnit | None, Ask("Attacker", "after the fight; null if it is gone")]
    target: FightingUnit | None


class QuickFightView(APIView):
    scopes = {"POST": READ}
    needs_no_log_in = ("POST",)

    @operation("battles_fight")
    def post(self, request: Request, sent: SentAgain[SentFight]) -> QuickFightAnswer:
        """A fight without a battle: the odds, the next dice to roll, and what came of it."""
        wanted = sent.value
        faces = list(wanted.faces)
        fight = _resolve(wanted, faces)
        for _ in range({"next": 1, "all": MAX_ROLLS}.get(wanted.roll or "", 0)):
            if fight.progress.ask is None:
                break
            faces += roll_dice(fight.progress.ask.count)
            fight = _resolve(wanted, faces)
        return _answer(fight, faces)


def _resolve(sent: SentFight, faces: list[int]) -> QuickFight:
    if sent.event is not None and sent.event not in EVENT:
        raise Refusal("There is no such random event.", field="event")
    attacker, target = _unit(sent.attacker, "attacker"), _unit(sent.target, "target")
    at = QuickTarget(sent.piece, sent.hits)
    return resolve_quick_fight(attacker, target, sent.how, sent.ticks, faces, sent.event, at=at)


def _unit(sent: SentUnit, field: str) -> QuickUnit:
    if sent.unit not in UNIT or UNIT[sent.unit].siege_only:
        raise Refusal("There is no such unit.", field=f"{field}.unit")
    return QuickUnit(**{name: getattr(sent, name) for name in dataclass_json.json_keys(SentUnit)})


def _answer(fight: QuickFight, faces: list[int]) -> QuickFightAnswer:
    ask = fight.progress.ask
    attacker, target = map(_after, fight.after)
    return QuickFightAnswer(
        over=fight.over,
        faces=tuple(faces),
        ask=NextDice(ask.text, ask.side, tuple(die.needed for die in ask.dice)) if ask else None,
        advantages=fight.numbers.advantages,
        disadvantages=fight.numbers.disadvantages,
        odds=tuple(fight.numbers.bars),
        story=tuple(fight.story),
        attacker=attacker,
        target=target,
    )


def _after(unit: UnitInPlay | None) -> FightingUnit | None:
    return FightingUnit(unit.key, unit.models, unit.hero, unit.wounds, unit.fleeing) if unit else None
