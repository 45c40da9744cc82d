"""A random game from a word: scenario, roll-offs, first turn, events, terrain. Pure; nothing is stored.

The word and the choices in the URL decide everything, so everyone with the link sees the same game.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any
from urllib.parse import urlencode

from chance import Dice, normalise_word, seal_words
from dataclass_json import Check, Clean, Says, Text, Whole, enum_of
from musters.core.army_code import MAX_WORDS, DiceSource, code_of
from musters.core.auto_roll import MAX_WORD_LENGTH, NUMBER, dice_from_words, draw_words, play_muster
from musters.core.battlefield_svg import Token
from musters.core.fair_terrain import Layout, lay_out_terrain
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff, RollOffStep
from rulebook.data.battlefield import EVENT, Event, has_event, round_event
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import SCENARIO, SIDES, AftermathSpot, Scenario, aftermath_spot, scenario_for_roll
from rulebook.muster.army import Siege

MAX_NAME_LENGTH = 40
MAX_ROUNDS = 20
MAX_LAYOUTS = 999
UNITS_PLACED = 5
NO_EVENTS = "none"
WITH_EVENTS = Options(random_events=True)
ONE, TWO = "Army one", "Army two"
SIEGE_ROLL = "Roll off: the winner chooses to attack or defend. In a campaign the map decides."


def draw_game_word(dice: Dice) -> str:
    return "-".join(draw_words(dice, 2))


def clean_line(text: str) -> str:
    """Typed text without invisible characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _check_word(word: str) -> None:
    if not normalise_word(word):
        raise Refusal("Enter a word. Any word will do.", field="word")


def _check_scenario(key: str) -> None:
    if key and key not in SCENARIO:
        raise Refusal(f"“{key[:40]}” is not a known scenario.", field="scenario")


def _check_event(key: str) -> None:
    if key and key not in (*EVENT, NO_EVENTS):
        raise Refusal(f"“{key[:40]}” is not a known event.", field="event")


def check_names_differ(one: str, two: str) -> None:
    if normalise_word(one) == normalise_word(two):
        raise Refusal("Both armies have the same name. Give them different names.", field="two")


Word = Annotated[str, Clean(clean_line), Text("The word", MAX_WORD_LENGTH, empty=True), Check(_check_word)]
ArmyName = Annotated[str, Clean(clean_line), Text("A name", MAX_NAME_LENGTH, empty=True)]


@dataclass(frozen=True, slots=True)
class GameRequest:
    """The choices in the URL. The word decides what is empty."""

    word: Annotated[Word, "Any word; drawn at random if missing."] = ""
    scenario: Annotated[str, Clean(str.strip), Check(_check_scenario), enum_of(SCENARIO)] = ""
    event: Annotated[str, Clean(str.strip), Check(_check_event), enum_of((NO_EVENTS, *EVENT))] = ""
    round: Annotated[int, Whole("The round", 0, MAX_ROUNDS), Says(f"Enter a number from 0 to {MAX_ROUNDS}.")] = 0
    # Which terrain layout; 0 is an empty table.
    ground: Annotated[int, Whole("The terrain", 0, MAX_LAYOUTS), Says(f"Enter a number from 0 to {MAX_LAYOUTS}.")] = 0
    one: ArmyName = ""
    two: ArmyName = ""

    def address(self, **changes: Any) -> str:
        fields = asdict(replace(self, **changes))
        return urlencode({name: value for name, value in fields.items() if value})

    @property
    def names(self) -> dict[str, str]:
        return {"one": self.one or ONE, "two": self.two or TWO}


@dataclass(frozen=True, slots=True)
class RollOffResult:
    """A roll-off: what it decides, each die, and the winner."""

    what: str
    steps: tuple[str, ...]
    winner: str


@dataclass(frozen=True, slots=True)
class GameRound:
    api_name = "Round"

    number: int
    die: int
    table_die: Annotated[int | None, "Only if the first die is 8 or more."]
    event: Event | None


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    """A unit of Aftermath at its rolled position, or as near as possible."""

    token: Token
    spot: AftermathSpot


@dataclass(frozen=True, slots=True)
class RandomGame:
    request: GameRequest
    scenario: Scenario
    die: int | None  # None if the scenario was chosen
    roll_offs: tuple[RollOffResult, ...]
    initiative: RollOffResult | None  # None if the scenario says who goes first
    begins: str
    rounds: tuple[GameRound, ...]  # the rounds rolled so far
    last_round: int
    event: Event | None  # the chosen event
    layout: Layout | None
    spots: tuple[PlacedUnit, ...]  # only in Aftermath

    @property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(spot.token for spot in self.spots)

    @property
    def armies(self) -> tuple[str, str]:
        """Codes of two armies at loyalty 0 from the word; in a siege the first attacks."""
        sides: tuple[Siege, Siege] = ("attacker", "defender")
        return _army(self, sides[0]), _army(self, sides[1])

    @property
    def army_names(self) -> tuple[str, str]:
        if self.scenario.is_siege:
            return self.request.one or "The attacker", self.request.two or "The defender"
        return self.request.one or ONE, self.request.two or TWO

    @property
    def comparison(self) -> str:
        (a, b), (one, two) = self.armies, self.army_names
        return urlencode({"a": a, "b": b, "one": one, "two": two})

    @property
    def now(self) -> GameRound | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def more_rounds(self) -> bool:
        return len(self.rounds) < self.last_round


def generate_game(request: GameRequest) -> RandomGame:
    """Generate the game. Each part has its own dice, so a choice in one leaves the others unchanged."""
    _check_word(request.word)
    check_names_differ(*request.names.values())
    dice = Dice(seal_words((request.word,)))
    die = None if request.scenario else dice.child("scenario").d10()
    scenario = SCENARIO[request.scenario] if die is None else scenario_for_roll(die)
    initiative = None
    if scenario.first_turn is None:
        initiative = _roll_off("After set-up, roll a die each.", request.names, dice.child("initiative"))
    last = scenario.rounds or MAX_ROUNDS
    return RandomGame(
        request,
        scenario,
        die,
        tuple(
            _roll_off(what, request.names, dice.child(f"roll-off {number}"))
            for number, what in enumerate(scenario.roll_offs or (SIEGE_ROLL,))
        ),
        initiative,
        f"{initiative.winner} activates a unit first."
        if initiative
        else f"Side {scenario.first_turn} activates a unit first.",
        () if request.event else tuple(_round(number, dice) for number in range(1, min(request.round, last) + 1)),
        last,
        EVENT.get(request.event),
        lay_out_terrain(scenario, dice.child(f"ground {request.ground}")) if request.ground else None,
        _spots(dice.child("aftermath")) if scenario.placed_by_dice else (),
    )


def _spots(dice: Dice) -> tuple[PlacedUnit, ...]:
    """The King and four houses of each side by turns, each with four dice of its own (SCEN-08)."""
    placed: list[PlacedUnit] = []
    for number in range(1, UNITS_PLACED + 1):
        for side in SIDES:
            enemies = [unit.spot.stands for unit in placed if unit.token.side != side]
            friends = [unit.spot.stands for unit in placed if unit.token.side == side]
            spot = aftermath_spot(side, dice.d10s(2), dice.d10s(2), enemies, friends)
            placed.append(PlacedUnit(Token(side, f"{side}{number}", *spot.stands), spot))
    return tuple(placed)


def _army(game: RandomGame, side: Siege) -> str:
    # The parts of a word we drew have numbers of their own, which keeps the codes short.
    parts = tuple(normalise_word(game.request.word).split("-"))
    ours = len(parts) <= MAX_WORDS and all(part in NUMBER for part in parts)
    words = parts if ours else (game.request.word,)
    call = MusterCall(0, siege=side if game.scenario.is_siege else None)
    return code_of(play_muster(call, dice_from_words(words, side).d10), DiceSource(words, side))


def _roll_off(what: str, names: Mapping[str, str], dice: Dice) -> RollOffResult:
    rolling = RollOff.start(names)
    steps: list[str] = []
    while rolling.winner is None:
        for player in rolling.waiting:
            die = dice.d10()
            rolling = rolling.with_roll(player, die)
            steps.append(RollOffStep("rolled", (player,), (die,)).text(names))
        steps += [step.text(names) for step in rolling.steps() if step.kind == "tie"]
    return RollOffResult(what, tuple(steps), names[rolling.winner])


def _round(number: int, dice: Dice) -> GameRound:
    """A round's own die and, where it is 8 or more, the one for the table (EVENT-01, EVENT-02)."""
    stream = dice.child(f"round {number}")
    die = stream.d10()
    table_die = stream.d10() if has_event(die) else None
    return GameRound(number, die, table_die, round_event(die, table_die, WITH_EVENTS))
