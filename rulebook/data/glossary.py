"""The words of the game, one sentence each."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.rolls import known


@dataclass(frozen=True, slots=True)
class Word:
    key: str
    name: str
    text: str
    rules: tuple[str, ...] = ()


# fmt: off
GLOSSARY: tuple[Word, ...] = (
    Word("advantage",     "[A], Advantage",      "A mark in your favour on a roll; more [A] than [D] is +1, at least two and twice as many is +2.", ("MOD-02", "MOD-03")),
    Word("ac",            "AC, armor class",     "What an attack die has to reach to hit the unit.", ("UNIT-07",)),
    Word("activation",    "Activation",          "A unit's turn in a round: its hero's power, then nothing, a move, an attack, or a charge.", ("ROUND-04", "ROUND-05")),
    Word("aiming",        "Aiming",              "Shooting without having moved in the same activation, which is an [A].", ("ROUND-07",)),
    Word("bad_goings",    "Bad goings",          "Swamps, fords, rubble: a unit stops there and has a [D] on its Q rolls.", ("TERRAIN-09",)),
    Word("battle_back",   "Battle back",         "The defender's own attack straight after being attacked in melee, with a [D].", ("MELEE-06",)),
    Word("battlement",    "Battlement",          "A castle wall between two towers; one of the four is the gatehouse.", ("SIEGE-04",)),
    Word("borderlands",   "Borderlands",         "The two outer territories of a kingdom; both must fall before its lands can be attacked.", ("MAP-01",)),
    Word("casualty",      "Casualty",            "A model removed from play; a wound on a model that survives it is none.", ("SAVE-04", "R-34")),
    Word("castle",        "Castle",              "The heart of a kingdom, taken only by siege.", ("CAMP-01",)),
    Word("cat_non",       "Cat-non",             "The siege gun that breaks castle walls and nothing else.", ("UNIT-26",)),
    Word("charge",        "Charge",              "A move that ends against an enemy and lets the unit attack at once, with an [A].", ("MOVE-05",)),
    Word("disadvantage",  "[D], Disadvantage",   "A mark against you on a roll; more [D] than [A] is −1, however many.", ("MOD-04",)),
    Word("d10",           "d10",                 "A ten-sided die; the 0 counts as 10.", ()),
    Word("engaged",       "Engaged",             "In base contact with an enemy; an engaged unit can only attack.", ("MELEE-01", "ROUND-06")),
    Word("fealty",        "Fealty",              "The faith of one noble house; once lost, the house sends nobody until it is won back.", ("MUSTER-05", "MUSTER-06")),
    Word("flank",         "Flanked",             "In contact with a second enemy unit besides the one that attacks.", ("R-24",)),
    Word("flee",          "Flee",                'Run 4" towards one\'s own edge under a token, until the unit rallies, leaves the table or is charged.', ("FLEE-01",)),
    Word("gatehouse",     "Gatehouse",           "The one castle piece that falls to a single hit.", ("SIEGE-05",)),
    Word("hero",          "Hero",                "A leader with a power of his own, found at the muster.", ("HERO-02",)),
    Word("house",         "House",               "One of the four noble families of a kingdom; each sends a unit to every battle.", ("MUSTER-01",)),
    Word("initiative",    "Initiative",          "The roll for who activates first.", ("ROUND-01",)),
    Word("kingdom",       "Kingdom",             "A castle, its lands and two borderlands under one King.", ("CAMP-01",)),
    Word("lands",         "Lands",               "The territory between borderlands and castle; whoever holds it may besiege the castle.", ("MAP-09",)),
    Word("leader",        "Leader",              "The model a unit moves and sees from, and the last one it loses.", ("UNIT-04",)),
    Word("long_range",    "Long range",          'More than 8" between shooter and target, which is a [D].', ("SHOOT-06",)),
    Word("los",           "LoS, line of sight",  "A straight line from the leader to any enemy base that no blocking terrain and no unit crosses.", ("SHOOT-04",)),
    Word("loyalty",       "Loyalty",             "A kingdom's score, added to its muster rolls; +1 for a victory, −1 for a defeat.", ("MUSTER-03", "MUSTER-04")),
    Word("model",         "Model",               "One base on the table, with one attack die and one wound where nothing else is said.", ("UNIT-08",)),
    Word("morale",        "Morale test",         "The d10 + Q a unit throws after losing models: 9 or more stands, 6 to 8 flees, less scatters.", ("MORALE-01",)),
    Word("mounted",       "Mounted",             'Rat Riders and Battle Cats: they move 8" and fight units on foot with an [A].', ("UNIT-15", "UNIT-17")),
    Word("muster",        "Muster",              "Calling the army together before a battle: the King's unit and a roll for each house.", ("MUSTER-01",)),
    Word("natural",       "Natural 1, natural 10", "What the die itself shows: a 1 always fails, a 10 always succeeds.", ("ROUND-08", "R-21")),
    Word("occupy",        "Occupy",              "To stand as a unit in a piece of terrain; a piece holds one unit.", ("TERRAIN-02", "TERRAIN-04")),
    Word("q",             "Q, quality",          "What a unit adds to its dice when it attacks, saves or tests morale.", ("UNIT-05",)),
    Word("rally",         "Rally",               "A fleeing unit's morale test of 9 or more; it acts again from the next round.", ("FLEE-03",)),
    Word("rebels",        "Rebels",              "Vassals of the besieged King who join the attacker for 5 VP a roll.", ("REBEL-01",)),
    Word("removed",       "Removed from play",   "Gone for this battle: destroyed, scattered, fled off the table or charged while fleeing.", ("R-54",)),
    Word("round",         "Round",               "The time in which every unit has one activation.", ("ROUND-04",)),
    Word("rout",          "Rout",                "An army of which every unit left is fleeing at the end of a round; it has lost.", ("R-59",)),
    Word("save",          "Save",                "The d10 + Q against each hit; 9 or more ignores it.", ("SAVE-01",)),
    Word("scatter",       "Scatter",             "To break up for good after a morale total of 5 or less.", ("MORALE-04",)),
    Word("siege",         "Siege",               "The battle for a castle, and the end of the campaign if it falls.", ("CAMP-02",)),
    Word("sq",            "SQ, shooting quality", "What a unit adds to its dice instead of Q when it shoots.", ("UNIT-06",)),
    Word("str",           "Str, strength",       "How many models a unit has at the start.", ("UNIT-08",)),
    Word("unit",          "Unit",                "Models that move, fight and flee together.", ("UNIT-01",)),
    Word("vp",            "VP, victory points",  "Earned in battle, spent on re-rolls, lost houses, loyalty and rebels.", ("VP-01", "VP-04")),
    Word("war_machine",   "War machine",         "Ballista or Cat-non: a crew that moves or shoots, never both.", ("UNIT-25",)),
    Word("wound",         "Wound",               "What an unsaved hit does; most models fall to one.", ("SAVE-02",)),
    Word("yield",         "Yield",               "To give a battle up: it is lost, but units still on the table are not scored.", ("VP-07", "R-55")),
)
# fmt: on

WORD: dict[str, Word] = {word.key: word for word in GLOSSARY}


def word_of(key: object) -> Word:
    return known(key, WORD, "word")
