"""House rules: every point where groups may play differently, and our default reading."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal

from dataclass_json import PageOnly
from refusal import Refusal
from rulebook.input_checks import quote_value
from text import join_list

Value = str | int | bool | None
Part = Literal["muster", "dice", "battle", "map"]


@dataclass(frozen=True, slots=True)
class OptionChoice:
    value: Value
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class OptionRow:
    part: PageOnly[Part]  # under which heading it is read
    key: str
    title: str
    text: str
    choices: tuple[OptionChoice, ...]
    default: Value
    rules: tuple[str, ...]
    # For a number: its bounds.
    least: int | None = None
    most: int | None = None

    @property
    def ruling(self) -> str:
        return self.rules[0]

    @property
    def kind(self) -> Literal["switch", "pick", "number"]:
        if self.least is not None:
            return "number"
        return "switch" if isinstance(self.default, bool) else "pick"

    def allowed(self) -> str:
        if self.kind == "switch":
            return "on or off"
        words = [str(choice.value) if choice.value is not None else "none" for choice in self.choices]
        if self.kind == "number":
            words = [word for word in words if not word.lstrip("-").isdigit()]
            words.append(f"a number from {self.least} to {self.most}")
        return join_list(words, "or")

    def read(self, value: object) -> Value:
        if self.kind == "switch":
            if isinstance(value, bool):
                return value
            if value in ("on", "off"):
                return value == "on"
        elif self.kind == "number":
            if value in ("none", "", None) and any(choice.value is None for choice in self.choices):
                return None
            number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
            if type(number) is int and self.least is not None and self.most is not None:  # noqa: SIM102
                if self.least <= number <= self.most:
                    return number
        elif isinstance(value, str) and any(choice.value == value for choice in self.choices):
            return value
        raise self.refusal(value)

    def refusal(self, value: object) -> Refusal:
        return Refusal(
            f"House rule {self.key} cannot be {quote_value(value)}. Choose {self.allowed()}.", field=self.key
        )

    def format_value(self, value: Value) -> str:
        if self.kind == "number" and value is not None:
            return str(value)
        return next(choice.title for choice in self.choices if choice.value == value)

    def meaning(self, value: Value) -> str:
        if self.kind == "number" and value is not None:
            return NUMBER_TEXT[self.key].format(n=value)
        return next(choice.text for choice in self.choices if choice.value == value)


def _switch(part: Part, key: str, title: str, text: str, default: bool, on: str, off: str, ruling: str) -> OptionRow:
    choices = (OptionChoice(True, "On", on), OptionChoice(False, "Off", off))
    return OptionRow(part, key, title, text, choices if default else choices[::-1], default, (ruling,))


def _pick(part: Part, key: str, title: str, text: str, ruling: str, *choices: tuple[str, str, str]) -> OptionRow:
    rows = tuple(OptionChoice(*choice) for choice in choices)
    return OptionRow(part, key, title, text, rows, rows[0].value, (ruling,))


# In the order of the book's chapters; the first choice of each is the default.
# fmt: off
OPTIONS: tuple[OptionRow, ...] = (
    _pick(
        "muster", "fealty_regain", "House won back",
        "When a house won back for 2 VP sends a unit again.", "R-02",
        ("next_muster", "From the next muster",
         "The house sends a unit from the next muster on, but not today."),
        ("roll_at_once", "At once", "The house rolls in the same muster in which it is won back."),
    ),
    _pick(
        "muster", "lesser_unit", "A lesser unit",
        "Which lower rows a King can take instead of the one rolled.", "R-05",
        ("any_lower", "Any lower row", "Any row below the one rolled."),
        ("next_lower", "Only the next row", "Only the row just below the one rolled."),
    ),
    OptionRow(
        "muster", "loyalty_cap", "Loyalty limit", "How far loyalty can rise or fall.",
        (
            OptionChoice(None, "No limit", "Loyalty has no limit."),
            OptionChoice(3, "A limit", "Loyalty stays within this number above and below 0."),
        ),
        None, ("R-07",), least=1, most=20,
    ),
    _pick(
        "muster", "unique_heroes", "Same hero twice", "What happens when you roll a hero the army already has.", "R-09",
        ("choice", "Keep or roll again", "Keep the second hero or roll again, as often as it repeats."),
        ("forced", "Always roll again", "Roll again until it is a new hero."),
    ),
    _pick(
        "dice", "double_rule", "Twice the [A]", "When [A] are worth +2 instead of +1.", "R-13",
        ("min_two", "At least two", "+2 needs at least two [A], and at least twice as many as there are [D]."),
        ("literal", "To the letter",
         "+2 as soon as there are twice as many [A] as [D]. One [A] against none is enough."),
        ("difference", "By difference", "+2 needs two more [A] than [D]."),
    ),
    _switch(
        "dice", "bad_goings_all", "Bad goings on every roll",
        "Whether bad goings also hurt shooting, saves and morale.", True,
        "A unit in bad goings has a [D] on hits, saves and morale.",
        "Bad goings give a [D] only to hit in melee, as the printed list says.", "R-18",
    ),
    _pick(
        "dice", "natural_one_morale", "A natural 1 on morale",
        "What a 1 on the die does when the total would pass.", "R-22",
        ("table", "Read the table", "Read the table, but the unit cannot stand: at best it flees."),
        ("scatter", "Scatter", "The unit scatters, whatever the total."),
    ),
    _pick(
        "dice", "outnumber_by", "Outnumbered by", "What to count when comparing two units for morale.", "R-23",
        ("models", "Models", "Count the models left on the table."),
        ("wounds", "Wounds", "Count the wounds left, so a Battle Cat counts 4."),
    ),
    _switch(
        "dice", "flank_stacks", "Every flanker counts", "Whether several flanking units count several times.", False,
        "Each flanking unit counts.", "Flanked counts once, however many units flank.", "R-24",
    ),
    _switch(
        "dice", "machines_aim", "War machines aim",
        "Whether a Ballista or Cat-non that did not move gets the [A] for aiming.", False,
        "War machines aim like any shooter.", "War machines never get the [A] for aiming.", "R-27",
    ),
    _pick(
        "dice", "champion_scope", "The Champion's charge", "Who gets the [A] of a charging Champion.", "R-32",
        ("unit", "His unit", "Every die of his unit."),
        ("model", "Only he", "Only his own dice."),
    ),
    _pick(
        "dice", "barbarian", "The Barbarian's attacks", "How many dice a Barbarian rolls.", "R-33",
        ("plus_one", "One more die", "One more die than his model normally rolls, in melee and shooting."),
        ("double", "Twice the dice", "Twice the dice his model normally rolls."),
        ("melee_only", "One more in melee", "One more die, but only in melee."),
    ),
    _switch(
        "dice", "bearers_stack", "Standards add up", "Whether two Standard Bearers near a unit are worth +2.", False,
        "Each bearer within 8\" adds +1 to morale.", "+1 to morale, however many bearers.", "R-37",
    ),
    _pick(
        "map", "castle_within", "Fighting inside the castle",
        "Between which pieces of one castle there is neither cover nor high ground.", "R-20",
        ("all", "Everywhere inside", "The whole castle is open ground to whoever stands in it."),
        ("adjacent", "Only next to each other",
         "Only pieces that touch, and the courtyard, are open ground to each other."),
    ),
    _switch(
        "battle", "torch_in_melee", "Fire in the middle of a melee",
        "Whether a unit in melee can set a building on fire in Chevauchee.", False,
        "A unit in contact with an enemy can attack a building instead.",
        "A unit in contact with an enemy fights it first.", "R-93",
    ),
    _pick(
        "battle", "initiative", "Initiative", "Who activates first in each round.", "R-48",
        ("once", "Rolled once", "Roll once. The same side starts every round."),
        ("each_round", "Every round", "Roll at the start of every round."),
        ("alternate", "Taking turns", "Roll once. Then the sides take turns to start."),
    ),
    _switch(
        "battle", "base_vp_when_silent", "VP missing from a scenario's list",
        "Whether kills and the win give VP when the scenario's list has neither.", False,
        "Add 1 VP per kill and 2 VP for the win if the scenario's list leaves them out.",
        "Only the scenario's own list counts.", "R-53",
    ),
    _switch(
        "battle", "reroll_enemy_dice", "Re-roll the enemy's dice", "Whose dice you can re-roll for VP.", False,
        "You can also re-roll an enemy die.", "You can only re-roll your own dice.", "R-57",
    ),
    _switch(
        "battle", "rout_ends_battle", "A rout ends the battle",
        "Whether an army loses when all its units are fleeing at the end of a round.", True,
        "An army loses when all its units are fleeing at the end of a round.",
        "A battle ends only by destruction, reaching the goal or yielding.", "R-59",
    ),
    _pick(
        "battle", "break_free_winner", "Who wins Break Free",
        "The scenario gives points but does not say who wins.", "R-60",
        ("any_escape", "One is enough", "Side A wins if at least one unit escapes."),
        ("majority", "Majority", "Compare escaped units with eliminated ones. Equal is a draw."),
    ),
    _switch(
        "battle", "attacker_is_side_a", "The attacker is side A",
        "Who plays sides A and B of a scenario in a campaign.", False,
        "The kingdom that attacks plays side A.", "The scenario's roll-off decides.", "R-66",
    ),
    _switch(
        "map", "third_party_attacks", "Attack a conqueror",
        "Whether a third kingdom can attack land that one rival took from another.", False,
        "A third kingdom can attack it.", "Only its original King can retake it.", "R-70",
    ),
    OptionRow(
        "map", "kingdoms_to_hold", "Kingdoms to win",
        "How many castles win the campaign, including the King's own.",
        (OptionChoice(2, "2", "His own and one more."), OptionChoice(3, "More", "Including his own castle.")),
        2, ("R-71",), least=2, most=100,
    ),
    _pick(
        "map", "attacker_choice", "Who attacks", "Who attacks when there are three or more kingdoms.", "R-73",
        ("all_roll", "All roll", "Every King rolls. The highest attacks, and the holder of the land defends."),
        ("agreed_pair", "Two agree", "The players pick two kingdoms, and those two roll."),
    ),
    _pick(
        "map", "siege_win", "Castle taken", "When a castle falls.", "R-79",
        ("destroy", "Defenders gone", "When every defender is removed or routed, or the defender yields."),
        ("sole_occupant", "Alone inside", "Also when only attackers stand in the castle at the end of a round."),
    ),
    _switch(
        "map", "sauce_morale", "Sauce shakes morale",
        "Whether losing a model to boiling cheese sauce causes a morale test.", True,
        "The unit tests morale before it attacks.", "The unit attacks without a test.", "R-82",
    ),
    _switch(
        "map", "sauce_kills_multiwound", "Sauce kills outright",
        "What the sauce does to a model that takes several wounds.", False,
        "The model is removed, however many wounds it had left.", "The model takes 1 wound.", "R-82",
    ),
    _pick(
        "map", "rebel_zero", "Rebels on exactly 0", "What a rebel total of 0 gives.", "R-83",
        ("hoppers", "Hoppers", "0 is below 1, so Hoppers join."),
        ("none", "Nobody", "Nobody joins on 0. Totals below 0 give Hoppers."),
    ),
    _switch(
        "map", "rebel_loyalty", "Loyalty for rebels", "Whether the attacker's loyalty is added to rebel rolls.", False,
        "The attacker's loyalty is added.", "Loyalty is not added: rebels are the enemy's vassals.", "R-83",
    ),
    _switch(
        "map", "ai_spends_vp", "The solo opponent spends VP", "Whether the solo opponent re-rolls dice for VP.", False,
        "It re-rolls its first failed die each round while it has VP.", "It spends no VP.", "R-89",
    ),
    _switch(
        "battle", "random_events", "Random events", "Whether to roll for a random event each round.", False,
        "Roll a d10 each round. On 8+ a second d10 gives the event.", "No events.", "EVENT-01",
    ),
)
# fmt: on

NUMBER_TEXT = {
    "loyalty_cap": "Loyalty stays between −{n} and +{n}.",
    "kingdoms_to_hold": "The King must hold {n} castles, including his own.",
}

OPTION: dict[str, OptionRow] = {row.key: row for row in OPTIONS}


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules in force. Without arguments, the book as we read it."""

    fealty_regain: Literal["next_muster", "roll_at_once"] = "next_muster"
    lesser_unit: Literal["any_lower", "next_lower"] = "any_lower"
    loyalty_cap: int | None = None
    unique_heroes: Literal["choice", "forced"] = "choice"
    double_rule: Literal["min_two", "literal", "difference"] = "min_two"
    bad_goings_all: bool = True
    natural_one_morale: Literal["table", "scatter"] = "table"
    outnumber_by: Literal["models", "wounds"] = "models"
    flank_stacks: bool = False
    machines_aim: bool = False
    champion_scope: Literal["unit", "model"] = "unit"
    barbarian: Literal["plus_one", "double", "melee_only"] = "plus_one"
    bearers_stack: bool = False
    castle_within: Literal["all", "adjacent"] = "all"
    torch_in_melee: bool = False
    initiative: Literal["once", "each_round", "alternate"] = "once"
    base_vp_when_silent: bool = False
    reroll_enemy_dice: bool = False
    rout_ends_battle: bool = True
    break_free_winner: Literal["any_escape", "majority"] = "any_escape"
    attacker_is_side_a: bool = False
    third_party_attacks: bool = False
    kingdoms_to_hold: int = 2
    attacker_choice: Literal["all_roll", "agreed_pair"] = "all_roll"
    siege_win: Literal["destroy", "sole_occupant"] = "destroy"
    sauce_morale: bool = True
    sauce_kills_multiwound: bool = False
    rebel_zero: Literal["hoppers", "none"] = "hoppers"
    rebel_loyalty: bool = False
    ai_spends_vp: bool = False
    random_events: bool = False

    def __post_init__(self) -> None:
        # Options built directly are checked like those from a form.
        for row in OPTIONS:
            value = getattr(self, row.key)
            if row.read(value) != value:
                raise row.refusal(value)

    @classmethod
    def from_differences(cls, differences: Mapping[str, object]) -> "Options":
        """The book with these changes. Switches take on/off or true/false."""
        read: dict[str, Value] = {}
        for key, value in differences.items():
            if key not in OPTION:
                raise Refusal(
                    f"There is no house rule {quote_value(key)}. Choose one of {join_list(OPTION)}.", field=str(key)
                )
            read[key] = OPTION[key].read(value)
        return _checked(tuple(sorted(read.items())))

    def differences(self) -> dict[str, Value]:
        """The differences from the book as JSON data; from_differences() reads them."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


@lru_cache(maxsize=256)
def _checked(house_rules: tuple[tuple[str, Value], ...]) -> Options:
    """Cached, because every entry of a chronicle asks for the rules in force."""
    return Options(**dict(house_rules))  # type: ignore[arg-type]


BY_THE_BOOK = Options()
