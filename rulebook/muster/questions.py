"""The questions of a muster and the sentences about its answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from refusal import Refusal
from rulebook.data.heroes import HERO, HEROES, MUSICIAN_FROM, bearer_for_roll, hero_for_roll
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import REBEL_PRICE, REGAIN_PRICE, MusterCall, lesser_units, muster_row, rebel_unit
from rulebook.data.units import SHIELD_FROM, SPEARS_FROM, UNIT, WEAPON_NAMES, Unit, brings_hero, weapon_for_roll
from rulebook.input_checks import check_d10, quote_value
from rulebook.muster.army import MusteredUnit, Slot
from rulebook.odds.muster import rebel_odds
from text import format_bonus, join_list

Kind = Literal["hero_chance", "hero", "repeat", "musician", "muster", "lesser", "weapon", "regain", "rebel"]

CHOICE_KINDS: frozenset[Kind] = frozenset({"lesser", "repeat", "regain", "rebel"})

# What the course asks: kind, slot, bonus of the die, and the unit or hero in question. A bare tuple, because a
# quick army asks a dozen of them and needs none of the words.
RawQuestion = tuple[Kind, Slot, int, str]


class MusterProgress:
    __slots__ = ("lost", "regained", "results", "silent", "units", "vp")

    def __init__(self, vp: int) -> None:
        self.units: list[MusteredUnit] = []
        self.results: set[int] = set()  # faces of the hero table already in the army
        self.lost: list[int] = []
        self.silent: list[int] = []
        self.regained: list[int] = []
        self.vp = vp


@dataclass(frozen=True, slots=True)
class Choice:
    api_name = "MusterChoice"

    key: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class FaceRange:
    low: int
    high: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked now: a d10 with what its faces bring, or a choice with what follows."""

    key: str
    number: int  # of the question in this muster, from 1
    kind: Kind
    slot: Slot
    title: str
    text: str
    die: Literal["d10"] | None
    bonus: int  # added to the die before the table is read
    faces: tuple[FaceRange, ...]
    choices: tuple[Choice, ...]
    default: str | None


@dataclass(frozen=True, slots=True)
class MusterAnswer:
    """A die or a choice. A die re-rolled for VP keeps all its throws, in order."""

    value: int | str
    thrown: tuple[int, ...] = ()

    @property
    def rerolls(self) -> int:
        return max(0, len(self.thrown) - 1)

    def plain(self) -> int | str | dict[str, object]:
        """Ready for JSON; ``MusterAnswer.read`` reads it back."""
        return {"kept": self.value, "thrown": list(self.thrown)} if self.rerolls else self.value

    @classmethod
    def read(cls, plain: object) -> "MusterAnswer":
        if isinstance(plain, Mapping):
            thrown = plain.get("thrown")
            if not isinstance(thrown, Sequence) or isinstance(thrown, str) or not thrown:
                raise Refusal("A re-rolled die needs “kept” and “thrown”, the list of its faces.", field="answer")
            faces = tuple([check_d10(face, "re-rolled die") for face in thrown])
            kept = check_d10(plain.get("kept"), "kept die")
            if kept not in faces:
                raise Refusal(f"{kept} was kept, but the rolls were {join_list(faces)}.", field="answer")
            return cls(kept, faces)
        if type(plain) is int:
            return cls(check_d10(plain, "die"), (plain,))
        if isinstance(plain, str):
            return cls(plain)
        raise Refusal(f"{quote_value(plain)} is not an answer. Give a d10 or the key of a choice.", field="answer")


@dataclass(frozen=True, slots=True)
class MusterStep:
    number: int
    kind: Kind
    slot: Slot
    answer: MusterAnswer
    total: int | None
    text: str


def check_answer(question: Question, given: object) -> MusterAnswer:
    """The answer, if it is one to this question."""
    if isinstance(given, MusterAnswer):
        value, thrown = given.value, given.thrown
    else:
        value, thrown = given, ()  # type: ignore[assignment]
    if question.die:
        face = check_d10(value, _DIE_NAMES[question.kind])
        return MusterAnswer(face, thrown or (face,))
    if isinstance(value, str) and any(choice.key == value for choice in question.choices):
        return MusterAnswer(value)
    keys = join_list((choice.key for choice in question.choices), "or")
    raise Refusal(f"{question.title}: {quote_value(value)} is not a choice. Choose {keys}.", field=question.kind)


_DIE_NAMES: dict[str, str] = {
    "hero_chance": "hero chance roll",
    "hero": "hero roll",
    "musician": "musician roll",
    "muster": "muster roll",
    "weapon": "weapon roll",
}


def build_question(ask: RawQuestion, call: MusterCall, tally: MusterProgress, number: int) -> Question:
    """The question in words. Its number tells two alike apart: a hero rolled again, a house won back."""
    kind, slot, bonus, about = ask
    title, text, faces, choices = _WORDS[kind](slot, bonus, about, call, tally)
    die: Literal["d10"] | None = None if choices else "d10"
    default = choices[0].key if choices else None
    return Question(
        f"{number}-{slot.key}-{kind}",
        number,
        kind,
        slot,
        f"{slot.name}: {title}",
        text,
        die,
        bonus,
        faces,
        choices,
        default,
    )


_Words = tuple[str, str, tuple[FaceRange, ...], tuple[Choice, ...]]


def _ask_hero_chance(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    needed = UNIT[about].hero_on or 1
    place = "A hero replaces a guard." if about == "king" else "A hero leads the unit."
    faces = (
        FaceRange(needed, 10, "A hero joins", f"{place} Roll next to see who it is."),
        FaceRange(1, needed - 1, "No hero", "The unit has none."),
    )
    who = "The King's unit has a hero" if about == "king" else f"{UNIT[about].name} have a hero"
    return "is there a hero?", f"{who} on {_format_needed(needed)}.", faces, ()


def _ask_hero(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    faces = tuple(
        FaceRange(hero.roll, hero.roll, hero.name, "Already in the army." if hero.roll in tally.results else hero.text)
        for hero in HEROES
    )
    return "who is the hero?", f"Roll a d10 to see who joins {UNIT[about].some}.", faces, ()


def _ask_repeat(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    name = HERO[about].name
    choices = (
        Choice("keep", f"Keep the {name}", "The army then has this hero twice."),
        Choice("roll_again", "Roll again", "Roll a new d10 on the hero table. The new result counts."),
    )
    return f"another {name}", f"The army already has a {name}. Keep this hero or roll again.", (), choices


def _ask_musician(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    faces = (
        FaceRange(MUSICIAN_FROM, 10, "Musician", HERO["musician"].text),
        FaceRange(1, MUSICIAN_FROM - 1, "Standard Bearer", 'Friendly units within 8" get +1 on morale.'),
    )
    return "bearer or musician?", f"The Standard Bearer is a Musician on {_format_needed(MUSICIAN_FROM)}.", faces, ()


def _ask_muster(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    if slot.origin == "rebel":
        below = "Nobody on 0, Hoppers below it." if call.options.rebel_zero == "none" else "Below 1 it is Hoppers."
        text = f"{format_bonus(bonus)} on the roll. {below}"
    elif bonus:
        text = f"{format_bonus(bonus)} on the roll for loyalty."
    else:
        text = "Loyalty is 0: nothing is added."
    return "who comes?", text, _muster_faces(slot, bonus, call.options), ()


def _muster_faces(slot: Slot, bonus: int, options: Options) -> tuple[FaceRange, ...]:
    grouped: list[FaceRange] = []
    for face in range(1, 11):
        row = muster_row(face + bonus)
        if slot.origin == "rebel":
            unit = rebel_unit(face, bonus, options)
            title, text = (UNIT[unit].name, UNIT[unit].text) if unit else ("Nobody", "Nobody joins on 0.")
        else:
            title, text = row.name, UNIT[row.unit].text if row.unit else row.text
        if grouped and grouped[-1].title == title:
            grouped[-1] = FaceRange(grouped[-1].low, face, title, text)
        else:
            grouped.append(FaceRange(face, face, title, text))
    return tuple(grouped)


def _ask_lesser(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    units = (about, *lesser_units(about, call.options))
    choices = tuple(Choice(key, UNIT[key].name, _describe_unit(UNIT[key])) for key in units)
    them, come = ("them", "come") if UNIT[about].many else ("it", "comes")
    return f"{UNIT[about].some} {come}", f"Take {them}, or choose a lesser unit.", (), choices


def _describe_unit(unit: Unit) -> str:
    models = "1 model" if unit.models == 1 else f"{unit.models} models"
    if unit.always_hero:
        hero = "always a hero"
    elif unit.hero_on is None:
        hero = "no hero"
    else:
        hero = f"a hero on {_format_needed(unit.hero_on)}"
    weapon = ", then roll for the weapon" if unit.rolls_for_weapon else ""
    return f"{models}, Q {format_bonus(unit.q)}, AC {unit.ac}; {hero}{weapon}."


def _ask_weapon(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    if about == "rat_riders":
        faces = (
            FaceRange(SPEARS_FROM, 10, "Spears", "+1 to hit when the unit charges."),
            FaceRange(1, SPEARS_FROM - 1, "No spears", "No bonus."),
        )
        return "are they armed with spears?", f"Rat Riders have spears on {_format_needed(SPEARS_FROM)}.", faces, ()
    text = f"The rider has a spear on {_format_needed(SPEARS_FROM)}, and a shield as well on {SHIELD_FROM}."
    cat = (
        FaceRange(
            SHIELD_FROM, 10, "Spear and shield", "An [A] on a charge, and the shield stops the first hit of the battle."
        ),
        FaceRange(SPEARS_FROM, SHIELD_FROM - 1, "Spear", "An [A] when the cat charges."),
        FaceRange(1, SPEARS_FROM - 1, "Neither", "Just teeth and claws."),
    )
    return "spear or shield?", text, cat, ()


def _ask_regain(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    choices = (
        Choice("leave", "Do not pay", "The house sends nobody today."),
        Choice("regain", "Win it back for 2 VP", f"The house rolls now. {tally.vp - REGAIN_PRICE} VP would be left."),
    )
    return "fealty is lost", f"Win its fealty back for 2 VP? You have {tally.vp}.", (), choices


def _ask_rebel(slot: Slot, bonus: int, about: str, call: MusterCall, tally: MusterProgress) -> _Words:
    nobody = rebel_odds(slot.number, call.loyalty, call.options).get(None)
    risk = f" Nobody joins {float(nobody * 100):.0f} % of the time." if nobody else ""
    choices = (
        Choice("enough", "No rebels" if slot.number == 1 else "Enough", "The muster ends here."),
        Choice(
            "buy",
            "Buy a roll for 5 VP",
            f"A muster roll at {format_bonus(bonus)}.{risk} {tally.vp - REBEL_PRICE} VP would be left.",
        ),
    )
    return "buy rebels?", f"A roll on the muster table costs 5 VP. You have {tally.vp}.", (), choices


_WORDS: dict[str, Callable[[Slot, int, str, MusterCall, MusterProgress], _Words]] = {
    "hero_chance": _ask_hero_chance,
    "hero": _ask_hero,
    "repeat": _ask_repeat,
    "musician": _ask_musician,
    "muster": _ask_muster,
    "lesser": _ask_lesser,
    "weapon": _ask_weapon,
    "regain": _ask_regain,
    "rebel": _ask_rebel,
}


def build_step(ask: RawQuestion, given: MusterAnswer, call: MusterCall, number: int) -> MusterStep:
    kind, slot, bonus, about = ask
    total = None
    if kind in CHOICE_KINDS:
        sentence = _describe_choice(kind, about, str(given.value))
    else:
        face = int(given.value)
        total = face + bonus
        sentence = _describe_die(kind, slot, about, face, bonus, call.options)
        if given.rerolls:
            sentence += f" Rolls: {join_list(given.thrown)}; {given.rerolls} VP spent, keeps {face}."
    return MusterStep(number, kind, slot, given, total, f"{slot.name}: {sentence}")


def _describe_choice(kind: Kind, about: str, value: str) -> str:
    if kind == "lesser":
        if value == about:
            return f"{UNIT[about].some} {'are' if UNIT[about].many else 'is'} taken."
        return f"{UNIT[value].some} instead of {UNIT[about].some}."
    if kind == "repeat":
        return f"a second {HERO[about].name} is kept." if value == "keep" else "the repeated hero is rolled again."
    if kind == "regain":
        return "its fealty is won back for 2 VP." if value == "regain" else "it stays away."
    return "buys a rebel roll for 5 VP." if value == "buy" else "buys no rebel roll."


def _describe_die(kind: Kind, slot: Slot, about: str, face: int, bonus: int, options: Options) -> str:
    if kind == "muster":
        total = f"{face} {'−' if bonus < 0 else '+'} {abs(bonus)} = {face + bonus}" if bonus else str(face)
        if slot.origin == "rebel":
            unit = rebel_unit(face, bonus, options)
            return f"{total}, {UNIT[unit].name if unit else 'nobody'}."
        row = muster_row(face + bonus)
        return f"{total}, {row.name if row.unit else 'nobody; its fealty is lost'}."
    if kind == "hero_chance":
        needed = UNIT[about].hero_on or 1
        joins = "a hero joins" if brings_hero(UNIT[about], face) else "no hero"
        return f"{face}, {joins} ({_format_needed(needed)} needed)."
    if kind == "hero":
        return f"{face}, {hero_for_roll(face).name}."
    if kind == "musician":
        return f"{face}, {bearer_for_roll(face).name}."
    weapon = weapon_for_roll(UNIT[about], face)
    return f"{face}, {WEAPON_NAMES[weapon].lower() if weapon else 'no weapon'}."


def _format_needed(needed: int) -> str:
    return "a 10" if needed == 10 else f"{needed} or more"
