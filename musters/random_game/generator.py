"""A one-off evening from a word: scenario, roll-offs, who begins, events round by round, terrain. Pure; nothing is stored.

Everything follows from the word and the choices, and both stand in the address: whoever opens it sees the same evening.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

from chance import Dice, normal_word, seal
from musters.ground import Layout, Token, lay_out
from musters.rolls.code import WORDS_MOST, Source, code_of
from musters.rolls.course import dice_of, played
from musters.rolls.words import NUMBER, WORD_MOST, drawn_words
from refusal import Refusal
from rulebook.army import Siege
from rulebook.events import EVENT, Event, event_strikes, round_event
from rulebook.muster_table import Call
from rulebook.options import Options
from rulebook.rolloff import RollOff, Step
from rulebook.scenarios import SCENARIO, Scenario, SideKey, Spot, aftermath_spot, scenario_rolled

NAME_MOST = 40
ROUNDS = 20
GROUNDS = 999
UNITS_PLACED = 5
SIDES: tuple[SideKey, SideKey] = ("A", "B")
NO_EVENTS = "none"
WITH_EVENTS = Options(random_events=True)
ONE, TWO = "Army one", "Army two"
SIEGE_ROLL = "Roll off: the higher die chooses to attack or to defend. In a campaign the map says who does."


def fresh_word(dice: Dice) -> str:
    """For those who bring none."""
    return "-".join(drawn_words(dice, 2))


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address says. Empty fields are left to the word."""

    word: str
    scenario: str = ""
    event: str = ""  # a chosen one, or none at all
    round: int = 0  # how many rounds have been opened
    ground: int = 0  # which drawing of the terrain; 0 is a bare table
    one: str = ""
    two: str = ""

    def address(self, **changes: Any) -> str:
        """The query of this evening, or of one that differs a little."""
        fields = asdict(replace(self, **changes))
        return urlencode({name: value for name, value in fields.items() if value})

    @property
    def next_round(self) -> str:
        return self.address(round=self.round + 1)

    @property
    def next_ground(self) -> str:
        return self.address(ground=self.ground + 1)

    @property
    def last_ground(self) -> str:
        return self.address(ground=self.ground - 1)

    @property
    def bare_ground(self) -> str:
        return self.address(ground=0)

    @property
    def names(self) -> dict[str, str]:
        return {"one": self.one or ONE, "two": self.two or TWO}


def asked_for(given: Mapping[str, str]) -> Asked:
    """An evening's address read field by field; what makes no sense is refused in a sentence."""
    word = typed(given, "word", WORD_MOST, "The word")
    if not normal_word(word):
        raise Refusal("The word is missing; any word will do, and the same word makes the same evening.", field="word")
    one, two = typed(given, "one", NAME_MOST, "A name"), typed(given, "two", NAME_MOST, "A name")
    if normal_word(one or ONE) == normal_word(two or TWO):
        raise Refusal("Both armies bear the same name; the dice need two.", field="two")
    return Asked(
        word,
        _key(given, "scenario", SCENARIO, "scenario"),
        _key(given, "event", (*EVENT, NO_EVENTS), "event"),
        _number(given, "round", ROUNDS, "round"),
        _number(given, "ground", GROUNDS, "drawing of the ground"),
        one,
        two,
    )


def typed(given: Mapping[str, str], name: str, most: int, what: str) -> str:
    """A word or name as somebody typed it, without signs that cannot be seen."""
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in given.get(name, "")).split())
    if len(text) > most:
        raise Refusal(f"{what} is {len(text)} letters long; {most} are the most.", field=name)
    return text


def _key(given: Mapping[str, str], name: str, known: Any, what: str) -> str:
    key = given.get(name, "").strip()
    if key and key not in known:
        raise Refusal(f"There is no {what} “{key[:40]}”.", field=name)
    return key


def _number(given: Mapping[str, str], name: str, most: int, what: str) -> int:
    text = given.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= most):
        raise Refusal(f"The {what} is “{text[:20]}”; a number from 0 to {most} is needed.", field=name)
    return int(text)


@dataclass(frozen=True, slots=True)
class RolledOff:
    """A roll-off settled by the word: what it is about, die by die, and who may choose."""

    what: str
    steps: tuple[str, ...]
    winner: str


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    die: int
    table_die: int | None
    event: Event | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit of Aftermath where its dice put it, or as near to that as it can stand."""

    token: Token
    spot: Spot


@dataclass(frozen=True, slots=True)
class Evening:
    asked: Asked
    scenario: Scenario
    die: int | None  # None where the scenario was chosen
    roll_offs: tuple[RolledOff, ...]
    initiative: RolledOff | None  # None where the scenario says who begins
    begins: str
    rounds: tuple[Round, ...]  # as far as they have been opened
    last_round: int
    event: Event | None  # chosen for the evening
    layout: Layout | None
    spots: tuple[Placed, ...]  # of Aftermath; elsewhere nobody is placed by dice

    @property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(one.token for one in self.spots)

    @property
    def armies(self) -> tuple[str, str]:
        """Codes of two armies of loyalty 0 that follow from the word; in a siege the first one attacks."""
        sides: tuple[Siege, Siege] = ("attacker", "defender")
        return _army(self, sides[0]), _army(self, sides[1])

    @property
    def army_names(self) -> tuple[str, str]:
        if self.scenario.key == "siege":
            return self.asked.one or "The attacker", self.asked.two or "The defender"
        return self.asked.one or ONE, self.asked.two or TWO

    @property
    def comparison(self) -> str:
        """The query that sets the two armies side by side."""
        (a, b), (one, two) = self.armies, self.army_names
        return urlencode({"a": a, "b": b, "one": one, "two": two})

    @property
    def with_events(self) -> bool:
        """Whether dice decide about events."""
        return not self.asked.event

    @property
    def now(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def more_rounds(self) -> bool:
        return len(self.rounds) < self.last_round


def evening(asked: Asked) -> Evening:
    """The whole evening. Each part has a stream of its own, so that a choice in one leaves the others as they are."""
    dice = Dice(seal((asked.word,)))
    die = None if asked.scenario else dice.child("scenario").d10()
    scenario = SCENARIO[asked.scenario] if die is None else scenario_rolled(die)
    initiative = None
    if scenario.first_turn is None:
        initiative = _rolled_off("Once the armies stand, a die each.", asked.names, dice.child("initiative"))
    last = scenario.rounds or ROUNDS
    return Evening(
        asked,
        scenario,
        die,
        tuple(
            _rolled_off(what, asked.names, dice.child(f"roll-off {number}"))
            for number, what in enumerate(scenario.roll_offs or (SIEGE_ROLL,))
        ),
        initiative,
        f"{initiative.winner} activates a unit first."
        if initiative
        else f"Side {scenario.first_turn} activates a unit first.",
        () if asked.event else tuple(_round(number, dice) for number in range(1, min(asked.round, last) + 1)),
        last,
        EVENT.get(asked.event),
        lay_out(scenario, dice.child(f"ground {asked.ground}")) if asked.ground else None,
        _spots(dice.child("aftermath")) if scenario.key == "aftermath" else (),
    )


def _spots(dice: Dice) -> tuple[Placed, ...]:
    """The King and four houses of each side by turns, each with four dice of its own (SCEN-08)."""
    placed: list[Placed] = []
    for number in range(1, UNITS_PLACED + 1):
        for side in SIDES:
            enemies = [one.spot.stands for one in placed if one.token.side != side]
            friends = [one.spot.stands for one in placed if one.token.side == side]
            spot = aftermath_spot(side, dice.d10s(2), dice.d10s(2), enemies, friends)
            placed.append(Placed(Token(side, f"{side}{number}", *spot.stands), spot))
    return tuple(placed)


def _army(sheet: Evening, side: Siege) -> str:
    # The parts of a word we drew have numbers of their own, which keeps the codes short.
    parts = tuple(normal_word(sheet.asked.word).split("-"))
    ours = len(parts) <= WORDS_MOST and all(part in NUMBER for part in parts)
    words = parts if ours else (sheet.asked.word,)
    call = Call(0, siege=side if sheet.scenario.key == "siege" else None)
    return code_of(played(call, dice_of(words, side).d10), Source(words, side))


def _rolled_off(what: str, names: Mapping[str, str], dice: Dice) -> RolledOff:
    rolling = RollOff.start(names)
    told: list[str] = []
    while rolling.winner is None:
        for player in rolling.waiting:
            die = dice.d10()
            rolling = rolling.rolled(player, die)
            told.append(Step("rolled", (player,), (die,)).text(names))
        told += [step.text(names) for step in rolling.steps() if step.kind == "tie"]
    return RolledOff(what, tuple(told), names[rolling.winner])


def _round(number: int, dice: Dice) -> Round:
    """A round's own die and, where it is 8 or more, the one for the table (EVENT-01, EVENT-02)."""
    stream = dice.child(f"round {number}")
    die = stream.d10()
    table_die = stream.d10() if event_strikes(die) else None
    return Round(number, die, table_die, round_event(die, table_die, WITH_EVENTS))
