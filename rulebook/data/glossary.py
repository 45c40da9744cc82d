"""Every term of the game in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rulebook.basics.input_checks import look_up


@dataclass(frozen=True, slots=True)
class Term:
    key: str
    name: str
    text: str
    rules: tuple[str, ...] = ()


# fmt: off
GLOSSARY: tuple[Term, ...] = (
    Term("advantage",     "[A], Advantage",
         "A point in your favour on a roll; more [A] than [D] is +1; at least two and twice as many is +2.",
         ("MOD-02", "MOD-03")),
    Term("ac",            "AC, armour class",     "The total an attack die must reach to hit the unit.", ("UNIT-07",)),
    Term("activation",    "Activation",
         "A unit's turn in a round: its hero's power, then nothing, a move, an attack, or a charge.",
         ("ROUND-04", "ROUND-05")),
    Term("aiming",        "Aiming",
         "Shooting without moving in the same activation, which gives an [A].", ("ROUND-07",)),
    Term("bad_goings",    "Bad goings",
         "Swamps, fords, rubble: a unit that enters stops, and has a [D] on its Q rolls inside.", ("TERRAIN-09",)),
    Term("battle_back",   "Battle back",
         "The defender's own attack right after being attacked in melee, with a [D].", ("MELEE-06",)),
    Term("battlement",    "Battlement",          "A castle wall between two towers; one of the four is the gatehouse.",
         ("SIEGE-04",)),
    Term("borderlands",   "Borderlands",
         "The two outer territories of a kingdom; both must fall before its lands can be attacked.", ("MAP-01",)),
    Term("casualty",      "Casualty",
         "A model removed from play; a wound that a model survives does not count.", ("SAVE-04", "R-34")),
    Term("castle",        "Castle",              "The heart of a kingdom, taken only by siege.", ("CAMP-01",)),
    Term("cat_non",       "Cat-non",             "The siege gun that breaks castle walls and nothing else.",
         ("UNIT-26",)),
    Term("charge",        "Charge",
         "A move that ends against an enemy and lets the unit attack at once, with an [A].", ("MOVE-05",)),
    Term("disadvantage",  "[D], Disadvantage",
         "A point against you on a roll; more [D] than [A] is −1, however many.", ("MOD-04",)),
    Term("d10",           "d10",                 "A ten-sided die; the 0 counts as 10.", ()),
    Term("engaged",       "Engaged",             "In base contact with an enemy; an engaged unit can only attack.",
         ("MELEE-01", "ROUND-06")),
    Term("fealty",        "Fealty",
         "The allegiance of one noble house; once lost, the house sends nobody until it is won back.",
         ("MUSTER-05", "MUSTER-06")),
    Term("flank",         "Flanked",             "In contact with another enemy unit besides the attacker.",
         ("R-24",)),
    Term("flee",          "Flee",
         'Run 4" towards your own edge with a flee token, until the unit rallies, leaves the table or is charged.',
         ("FLEE-01",)),
    Term("gatehouse",     "Gatehouse",           "The one castle piece that falls to a single hit.", ("SIEGE-05",)),
    Term("hero",          "Hero",                "A leader with a special power, rolled for at the muster.",
         ("HERO-02",)),
    Term("house",         "House",
         "One of the four noble families of a kingdom; each sends a unit to every battle.", ("MUSTER-01",)),
    Term("initiative",    "Initiative",          "The roll for who activates first.", ("ROUND-01",)),
    Term("kingdom",       "Kingdom",             "A castle, its lands and two borderlands under one King.",
         ("CAMP-01",)),
    Term("lands",         "Lands",
         "The territory between borderlands and castle; whoever holds it may besiege the castle.", ("MAP-09",)),
    Term("leader",        "Leader",              "The model a unit moves and sees from, and the last one it loses.",
         ("UNIT-04",)),
    Term("long_range",    "Long range",          'More than 8" between shooter and target, which is a [D].',
         ("SHOOT-06",)),
    Term("los",           "LoS, line of sight",
         "A straight line from the leader to any enemy base, not crossed by blocking terrain or another unit.",
         ("SHOOT-04",)),
    Term("loyalty",       "Loyalty",
         "A kingdom's score, added to its muster rolls; +1 for a victory, −1 for a defeat.",
         ("MUSTER-03", "MUSTER-04")),
    Term("model",         "Model",
         "One base on the table; it has one attack die and one wound unless stated otherwise.", ("UNIT-08",)),
    Term("morale",        "Morale test",
         "The d10 + Q a unit rolls after losing models: 9+ stands, 6 to 8 flees, less scatters.",
         ("MORALE-01",)),
    Term("mounted",       "Mounted",
         'Rat Riders and Battle Cats: they move 8" and fight units on foot with an [A].', ("UNIT-15", "UNIT-17")),
    Term("muster",        "Muster",
         "Calling the army together before a battle: the King's unit and a roll for each house.", ("MUSTER-01",)),
    Term("natural",       "Natural 1, natural 10", "The face of the die: a 1 always fails, a 10 always succeeds.",
         ("ROUND-08", "R-21")),
    Term("occupy",        "Occupy",              "To be inside a piece of terrain as a unit; a piece holds one unit.",
         ("TERRAIN-02", "TERRAIN-04")),
    Term("q",             "Q, quality",          "What a unit adds to its dice to attack, save or test morale.",
         ("UNIT-05",)),
    Term("rally",         "Rally",
         "When a fleeing unit tests morale and gets 9+; it acts again from the next round.", ("FLEE-03",)),
    Term("rebels",        "Rebels",              "Vassals of the besieged King who join the attacker for 5 VP a roll.",
         ("REBEL-01",)),
    Term("removed",       "Removed from play",
         "Gone for this battle: destroyed, scattered, fled off the table or charged while fleeing.", ("R-54",)),
    Term("round",         "Round",               "Every unit activates once in a round.", ("ROUND-04",)),
    Term("rout",          "Rout",
         "When every unit an army has left is fleeing at the end of a round; that army has lost.", ("R-59",)),
    Term("save",          "Save",                "A d10 + Q against each hit: 9+ ignores it.", ("SAVE-01",)),
    Term("scatter",       "Scatter",             "To break up for good, on a morale total of 5 or less.",
         ("MORALE-04",)),
    Term("siege",         "Siege",               "The battle for a castle, and the end of the campaign if it falls.",
         ("CAMP-02",)),
    Term("sq",            "SQ, shooting quality", "What a unit adds to its dice instead of Q when it shoots.",
         ("UNIT-06",)),
    Term("str",           "Str, strength",       "How many models a unit has at the start.", ("UNIT-08",)),
    Term("unit",          "Unit",                "Models that move, fight and flee together.", ("UNIT-01",)),
    Term("vp",            "VP, victory points",
         "Earned in battle, spent on re-rolls, lost houses, loyalty and rebels.", ("VP-01", "VP-04")),
    Term("war_machine",   "War machine",         "Ballista or Cat-non: a crew that moves or shoots, never both.",
         ("UNIT-25",)),
    Term("wound",         "Wound",               "What an unsaved hit does; most models fall to one.", ("SAVE-02",)),
    Term("yield",         "Yield",
         "To give up a battle: it is lost, but units still on the table are not scored.", ("VP-07", "R-55")),
)
# fmt: on


@cache
def _by_name() -> Mapping[str, Term]:
    """The rows by key and by each of their names ("AC, armour class" has two), whatever the capitals."""
    rows: dict[str, Term] = {}
    for row in GLOSSARY:
        for name in row.name.split(", "):
            rows.setdefault(name.strip("[]").casefold(), row)
    rows.update((row.key, row) for row in GLOSSARY)
    return rows


def term_of(word: str) -> Term:
    """The entry of a word: its key or one of its names."""
    return look_up(word.strip("[]").casefold(), _by_name(), "word")
