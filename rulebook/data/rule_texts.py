"""Rules that are only text: how to play, rule by rule, and every term of the game in one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rulebook.input_checks import look_up


@dataclass(frozen=True, slots=True)
class Rule:
    key: str
    title: str
    text: str
    rules: tuple[str, ...]


# ── How to play ──────────────────────────────────────────────────────────────────────────────────────────


# fmt: off
ROUND_RULES: tuple[Rule, ...] = (
    Rule("initiative",  "Initiative",
         "After deployment each player rolls a d10. The higher roll activates a unit first. Ties roll again.",
         ("ROUND-01", "R-48", "R-68")),
    Rule("by_turns",    "Taking turns",
         "Players take turns to activate one unit. "
         "When one side has no units left to activate, the other activates the rest.", ("ROUND-02", "ROUND-03")),
    Rule("tokens",      "Activation tokens",
         "Each unit acts once a round and then gets a token. Remove all tokens at the end of the round.",
         ("ROUND-04",)),
    Rule("activation",  "An activation",
         "First the hero's power. Then the unit does nothing, moves, attacks, or moves and then attacks.",
         ("ROUND-05", "HERO-06")),
    Rule("engaged",     "In melee", "A unit in melee can only attack.", ("ROUND-06",)),
    Rule("aiming",      "Aiming",
         "Shooters that did not move aim, which gives an [A]. War machines move or shoot, and never aim.",
         ("ROUND-07", "R-27", "R-28")),
    Rule("natural",     "Natural 1 and 10",
         "A 1 on the die always fails and a 10 always succeeds. This does not apply to rolls on tables.",
         ("ROUND-08", "R-04", "R-21")),
)

MARK_RULES: tuple[Rule, ...] = (
    Rule("count",       "Count them", "Count all [A] and all [D] that apply to a roll, and compare.",
         ("MOD-01", "MOD-05")),
    Rule("worth",       "What they are worth",
         "More [A] than [D] is +1; at least two [A], and twice the [D] or more, is +2. More [D] is −1, however many.",
         ("MOD-02", "MOD-03", "MOD-04", "R-13", "R-14")),
    Rule("every_die",   "On every die", "Add the result to each Q or SQ die of that action.", ("MOD-06",)),
    Rule("once",        "Once each", "Each circumstance counts once, even if listed twice.", ("MOD-07", "R-15")),
    Rule("flat",        "Flat bonuses", "Plain +1 and −1 values are separate and are added afterwards.",
         ("MOD-08", "R-16")),
)

MOVE_RULES: tuple[Rule, ...] = (
    Rule("reach",       "How far", 'Up to 4", mounted units 8", with as many turns as you like.', ("MOVE-01",)),
    Rule("together",    "Stay together", "Models stay within one base of each other.", ("MOVE-02", "UNIT-01")),
    Rule("stops",       "What stops a move",
         "Entering a tall patch, barrier, bad goings, fortress or building ends the move.", ("MOVE-03",)),
    Rule("others",      "Other units",
         "You can move through your own units. Stay one base away from enemies unless you charge.",
         ("MOVE-04",)),
    Rule("charge",      "Charge", "A move into contact with an enemy unit, followed by a melee attack.",
         ("MOVE-05",)),
)

SHOOT_RULES: tuple[Rule, ...] = (
    Rule("who",         "Who can shoot",
         "Units and models with a shooting attack that are not in melee. In any direction, at any distance.",
         ("SHOOT-01", "SHOOT-02")),
    Rule("not_into",    "Not into melee", "You cannot shoot at a unit in melee or inside a building.",
         ("SHOOT-03", "SHOOT-08")),
    Rule("sight",       "Line of sight",
         "A straight line from the leader's base to any base of the target, "
         "not crossed by blocking terrain or another unit.", ("SHOOT-04", "R-52")),
    Rule("dice",        "Dice",
         "Roll a d10 + SQ for each model. A Battle Cat rolls one, a war machine two. AC or more hits.", ("SHOOT-05",)),
    Rule("after",       "Then", "The target saves against each hit, and tests morale if a model was lost.",
         ("SHOOT-06", "SHOOT-07")),
)

MELEE_RULES: tuple[Rule, ...] = (
    Rule("contact",     "Contact", "Once two bases touch, both units are in melee, each as a whole.",
         ("MELEE-01", "MELEE-02")),
    Rule("until",       "Until when", "Until one of them is eliminated or flees.", ("MELEE-03",)),
    Rule("dice",        "Dice",
         "Roll a d10 + Q for each model; some units roll more. AC or more hits. Then saves and morale.",
         ("MELEE-04", "MELEE-05", "MELEE-08")),
    Rule("battle_back", "Battle back",
         "A target that is not destroyed or fleeing attacks back at once, with a [D]. "
         "This does not use its activation and is not answered.", ("MELEE-06", "MELEE-07")),
    Rule("fleeing",     "Charging a fleeing unit", "A fleeing unit that is charged is destroyed without a roll.",
         ("MELEE-09", "FLEE-06")),
)

SAVE_RULES: tuple[Rule, ...] = (
    Rule("save",        "Save",
         "Roll a d10 + Q for each hit: 9+ ignores it. Cover does not help; it already counted against the attack.",
         ("SAVE-01", "SAVE-05", "R-17")),
    Rule("losses",      "Losses",
         "Each failed save removes a model, or wounds one that takes several. "
         "Plain models fall first, the leader last.", ("SAVE-02", "SAVE-03", "R-46")),
    Rule("surplus",     "Too many hits", "Hits beyond the last model are lost.", ("SAVE-06", "R-45")),
    Rule("nerve",       "When to test", "Test morale only if a model was removed, not for a wound.",
         ("SAVE-04",)),
)

MORALE_RULES: tuple[Rule, ...] = (
    Rule("test",        "Morale test",
         "Roll one d10 + Q after each attack that removed models. A destroyed unit does not test.",
         ("MORALE-01", "MORALE-03", "MORALE-08", "R-47")),
    Rule("table",       "The result", "9+ stands, 6 to 8 flees, less scatters.",
         ("MORALE-02", "MORALE-04", "MORALE-05", "MORALE-06")),
    Rule("never",       "Who never fails", "A Battle Cat does not test, and a Musician's unit always passes.",
         ("MORALE-07",)),
)

FLEE_RULES: tuple[Rule, ...] = (
    Rule("token",       "Flee token", "A fleeing unit has a token and can only try to rally.",
         ("FLEE-01", "FLEE-02")),
    Rule("rally",       "Rally",
         "It tests at each activation. On 9+ it rallies: swap the token for an activation token. It acts next "
         "round.", ("FLEE-03", "R-49", "R-51")),
    Rule("rally_marks", "Modifiers of a rally",
         "A rally has no attacker, so nobody is outnumbered or flanked. "
         "The King, a Ladybug, a standard and bad goings count as usual.", ("R-26",)),
    Rule("run",         "Running on", 'On 6 to 8 it runs another 4", on less it scatters.', ("FLEE-04",)),
    Rule("way",         "Which way",
         "Away from all enemies and around terrain, straight to the edge it came from. "
         "A unit without an edge of its own runs to the nearest one that takes it further from every enemy, "
         "or else to the nearest.", ("FLEE-05", "R-50", "R-102")),
    Rule("edge",        "Over the edge",
         "A unit that leaves the table is gone. In Break Free, side A runs to the far edge and escapes there.",
         ("FLEE-07", "FLEE-08")),
)
# fmt: on

# The sections of the chapter in the order of the book.
PLAYING: tuple[tuple[str, str, tuple[Rule, ...]], ...] = (
    ("round", "The round", ROUND_RULES),
    ("marks", "Advantage and Disadvantage", MARK_RULES),
    ("move", "Moving", MOVE_RULES),
    ("shoot", "Shooting", SHOOT_RULES),
    ("melee", "Melee", MELEE_RULES),
    ("save", "Saves", SAVE_RULES),
    ("morale", "Morale", MORALE_RULES),
    ("flee", "Flight", FLEE_RULES),
)


# ── Every term in one sentence ───────────────────────────────────────────────────────────────────────────


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
