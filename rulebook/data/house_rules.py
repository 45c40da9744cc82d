"""House rules: every point where tables may differ, with the reading this book of ours takes by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal

from refusal import Refusal
from rulebook.rolls import listed, shown

Value = str | int | bool | None


@dataclass(frozen=True, slots=True)
class OptionChoice:
    value: Value
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class OptionRow:
    key: str
    title: str
    text: str
    choices: tuple[OptionChoice, ...]
    default: Value
    rules: tuple[str, ...]
    # A number may be given beside the choices listed, within these bounds.
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
        return listed(words, "or")

    def read(self, value: object) -> Value:
        """The value as it is kept, or a refusal that names it and what is allowed."""
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
        raise Refusal(f"The house rule {self.key} is {shown(value)}; it can be {self.allowed()}.", field=self.key)

    def said(self, value: Value) -> str:
        """The chosen value as a page shows it."""
        if self.kind == "number" and value is not None:
            return str(value)
        return next(choice.title for choice in self.choices if choice.value == value)

    def meaning(self, value: Value) -> str:
        """The sentence of the chosen value."""
        if self.kind == "number" and value is not None:
            return NUMBER_TEXT[self.key].format(n=value)
        return next(choice.text for choice in self.choices if choice.value == value)


def _switch(key: str, title: str, text: str, default: bool, on: str, off: str, ruling: str) -> OptionRow:
    choices = (OptionChoice(True, "On", on), OptionChoice(False, "Off", off))
    return OptionRow(key, title, text, choices if default else choices[::-1], default, (ruling,))


def _pick(key: str, title: str, text: str, ruling: str, *choices: tuple[str, str, str]) -> OptionRow:
    rows = tuple(OptionChoice(*choice) for choice in choices)
    return OptionRow(key, title, text, rows, rows[0].value, (ruling,))


# In the order of the book's chapters; the first choice of each is the default.
OPTIONS: tuple[OptionRow, ...] = (
    _pick(
        "fealty_regain", "A house bought back", "When a house whose fealty was bought back with 2 VP sends mice again.", "R-02",
        ("next_muster", "From the next muster", "The house sends a unit from the next muster on; what is missing today stays missing."),
        ("roll_at_once", "At once", "The house rolls in the very muster in which it was bought back."),
    ),
    _pick(
        "lesser_unit", "A lesser unit", "How far down the muster table a King may go when he wants less than was rolled.", "R-05",
        ("any_lower", "Any lower row", "Any row below the one rolled may be taken."),
        ("next_lower", "Only the next row", "Only the row just below the one rolled may be taken."),
    ),
    OptionRow(
        "loyalty_cap", "Limit of loyalty", "How far loyalty can rise or fall.",
        (
            OptionChoice(None, "No limit", "Loyalty may rise and fall without end."),
            OptionChoice(3, "A limit", "Loyalty stays within a number above and below 0."),
        ),
        None, ("R-07",), least=1, most=20,
    ),
    _pick(
        "unique_heroes", "A hero twice", "What happens when a hero is rolled that the army already has.", "R-09",
        ("choice", "Keep or roll again", "The King keeps the second hero or rolls again, as often as it repeats."),
        ("forced", "Always roll again", "A repeat is rolled again until it is a new hero."),
    ),
    _pick(
        "double_rule", "Twice the [A]", "When Advantages are worth +2 instead of +1.", "R-13",
        ("min_two", "At least two", "+2 needs at least two [A], and at least twice as many as there are [D]."),
        ("literal", "To the letter", "+2 as soon as the [A] are twice the [D]; one [A] against none is already double."),
        ("difference", "By difference", "+2 needs two more [A] than [D]."),
    ),
    _switch(
        "bad_goings_all", "Bad goings on every roll", "Whether bad goings also hurt shooting, saves and morale.", True,
        "A unit in bad goings has a [D] on hits, saves and morale.",
        "Bad goings are a [D] only where a printed list names them: hitting in melee.", "R-18",
    ),
    _pick(
        "natural_one_morale", "A natural 1 on morale", "What a 1 on the die does when the total would still stand.", "R-22",
        ("table", "Read the table", "The unit cannot stand; the table is read, and at best the unit flees."),
        ("scatter", "Scatter", "The unit scatters whatever its total."),
    ),
    _pick(
        "outnumber_by", "Outnumbered by", "What is counted when two units are compared for morale.", "R-23",
        ("models", "Models", "Models left on the table are counted."),
        ("wounds", "Wounds", "Wounds left are counted, so a Battle Cat weighs 4."),
    ),
    _switch(
        "flank_stacks", "Every flanker counts", "Whether several flanking units are several marks.", False,
        "Each flanking unit is a mark of its own.", "Flanked is one mark however many units flank.", "R-24",
    ),
    _switch(
        "machines_aim", "War machines aim", "Whether a Ballista or Cat-non that stood still has the [A] for aiming.", False,
        "War machines aim like any shooter.", "War machines never have the [A] for aiming.", "R-27",
    ),
    _pick(
        "champion_scope", "The Champion's charge", "Who gains the [A] of a charging Champion.", "R-32",
        ("unit", "His unit", "Every die of his unit has the [A]."),
        ("model", "Only he", "Only his own dice have the [A]."),
    ),
    _pick(
        "barbarian", "The Barbarian's attacks", "How many dice a Barbarian throws.", "R-33",
        ("plus_one", "One die more", "One die more than his model throws, in melee and shooting."),
        ("double", "Twice the dice", "Twice the dice his model throws."),
        ("melee_only", "One more in melee", "One die more, but only in melee."),
    ),
    _switch(
        "bearers_stack", "Standards add up", "Whether two Standard Bearers near a unit are worth +2.", False,
        "Each bearer within 8\" adds +1 to morale.", "One bearer or several: +1 to morale.", "R-37",
    ),
    _pick(
        "initiative", "Initiative", "Who activates first in each round.", "R-48",
        ("once", "Rolled once", "One roll for the battle; the same side begins every round."),
        ("each_round", "Every round", "Rolled anew at the start of every round."),
        ("alternate", "In turn", "Rolled once; then the sides begin by turns."),
    ),
    _switch(
        "base_vp_when_silent", "General VP where a list is silent", "Whether kills and the win pay where a scenario names neither.", False,
        "1 VP a kill and 2 VP for the win are added where the scenario's own list leaves them out.",
        "The scenario's own list is all that is paid.", "R-53",
    ),
    _switch(
        "reroll_enemy_dice", "Re-roll the enemy's dice", "Whose dice a VP may re-roll.", False,
        "A VP may re-roll a die of the enemy too.", "A VP re-rolls a die of one's own.", "R-57",
    ),
    _switch(
        "rout_ends_battle", "A rout ends the battle", "Whether an army of which every unit flees at a round's end has lost.", True,
        "An army whose every unit is fleeing at the end of a round has lost.", "Only destruction, the goal or yielding end a battle.", "R-59",
    ),
    _pick(
        "break_free_winner", "Who wins Break Free", "The scenario names points but no winner.", "R-60",
        ("any_escape", "One is enough", "Side A wins if at least one unit escaped."),
        ("majority", "The greater number", "Escaped units against eliminated ones; equal is a draw."),
    ),
    _switch(
        "attacker_is_side_a", "The attacker is side A", "How sides A and B of a scenario are settled in a campaign.", False,
        "The kingdom that attacks plays side A.", "The scenario's own roll-off settles the sides.", "R-66",
    ),
    _switch(
        "third_party_attacks", "Attack a conqueror", "Whether land one rival took from another may be attacked by a third.", False,
        "A third kingdom may attack it.", "It is safe from third kingdoms; only its own King can retake it.", "R-70",
    ),
    OptionRow(
        "kingdoms_to_hold", "Kingdoms to win", "How many castles a King must hold to win the campaign, his own included.",
        (OptionChoice(2, "2", "His own and one taken."), OptionChoice(3, "More", "More castles, his own included.")),
        2, ("R-71",), least=2, most=100,
    ),
    _pick(
        "attacker_choice", "Who attacks", "How the attacker is found among three kingdoms or more.", "R-73",
        ("all_roll", "All roll", "Every King rolls; the highest attacks, and the holder of the land defends."),
        ("agreed_pair", "Two agree", "The players agree on two kingdoms, and those two roll."),
    ),
    _pick(
        "siege_win", "Castle taken", "When a castle has fallen.", "R-79",
        ("destroy", "Defenders gone", "When every defender is removed or routed, or they yield."),
        ("sole_occupant", "Alone inside", "Also when only attackers stand in the castle at the end of a round."),
    ),
    _switch(
        "sauce_morale", "Sauce shakes morale", "Whether a model lost to boiling cheese sauce calls for a morale test.", True,
        "The unit tests morale before it attacks.", "The unit attacks without a test.", "R-82",
    ),
    _switch(
        "sauce_kills_multiwound", "Sauce kills outright", "What the sauce does to a model that takes several wounds.", False,
        "The model is removed whatever wounds it had left.", "The model takes 1 wound.", "R-82",
    ),
    _pick(
        "rebel_zero", "Rebels on exactly 0", "What a rebel roll of 0 gives.", "R-83",
        ("hoppers", "Hoppers", "0 is below 1, so Hoppers join."),
        ("none", "Nobody", "0 sends nobody; only totals below 0 give Hoppers."),
    ),
    _switch(
        "rebel_loyalty", "Loyalty sways rebels", "Whether the attacker's loyalty is added to rebel rolls.", False,
        "The attacker's loyalty is added.", "Rebels are the enemy's vassals; loyalty is not added.", "R-83",
    ),
    _switch(
        "ai_spends_vp", "The solo opponent spends VP", "Whether the solo opponent re-rolls dice for VP.", False,
        "It re-rolls its first failed die of a round while it has VP.", "It spends no VP.", "R-89",
    ),
    _switch(
        "random_events", "Random events", "Whether each round begins with a roll for a random event.", False,
        "A d10 each round; on 8 or more a second d10 names the event.", "No events.", "EVENT-01",
    ),
)  # fmt: skip

NUMBER_TEXT = {
    "loyalty_cap": "Loyalty stays between −{n} and +{n}.",
    "kingdoms_to_hold": "The King must hold {n} castles, his own included.",
}

OPTION: dict[str, OptionRow] = {row.key: row for row in OPTIONS}


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules in force. Without arguments: the book as we read it."""

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
        # Whoever builds Options directly is checked by the same rows as a form.
        for row in OPTIONS:
            value = getattr(self, row.key)
            if row.read(value) != value:
                raise Refusal(f"The house rule {row.key} is {shown(value)}; it can be {row.allowed()}.", field=row.key)

    @classmethod
    def from_differences(cls, differences: Mapping[str, object]) -> Options:
        """The book with these house rules changed. Switches take on/off or true/false."""
        read: dict[str, Value] = {}
        for key, value in differences.items():
            if key not in OPTION:
                raise Refusal(f"There is no house rule {shown(key)}; there are {listed(OPTION)}.", field=str(key))
            read[key] = OPTION[key].read(value)
        return _checked(tuple(sorted(read.items())))

    def differences(self) -> dict[str, Value]:
        """What differs from the book, ready for JSON; from_differences() takes it back."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


@lru_cache(maxsize=256)
def _checked(house_rules: tuple[tuple[str, Value], ...]) -> Options:
    """Folding a chronicle asks for the rules in force at every entry; they are the same few."""
    return Options(**dict(house_rules))  # type: ignore[arg-type]


BY_THE_BOOK = Options()
