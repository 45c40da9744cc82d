"""The chapter on play, told row by row: the round, marks, moves, shooting, melee, saves, morale and flight."""

from __future__ import annotations

from rulebook.rows import Rule

# fmt: off
ROUND_RULES: tuple[Rule, ...] = (
    Rule("initiative",  "Initiative", "Once the armies stand, each player rolls a d10, and the higher one activates a unit first. Ties roll again.", ("ROUND-01", "R-48", "R-68")),
    Rule("by_turns",    "By turns", "Players activate one unit at a time, turn about. A side with units to spare activates them in a row at the end.", ("ROUND-02", "ROUND-03")),
    Rule("tokens",      "Activation tokens", "Each unit acts once a round and then gets a token. All tokens come off when the round is over.", ("ROUND-04",)),
    Rule("activation",  "An activation", "First the hero's power. Then the unit does nothing, moves, attacks, or moves and then attacks.", ("ROUND-05", "HERO-06")),
    Rule("engaged",     "In melee", "A unit in melee can only attack.", ("ROUND-06",)),
    Rule("aiming",      "Aiming", "Shooters that have not moved aim, which is an [A]. War machines move or shoot and never aim.", ("ROUND-07", "R-27", "R-28")),
    Rule("natural",     "Natural 1 and 10", "Whatever is added, a 1 on the die fails and a 10 succeeds. Table look-ups know neither.", ("ROUND-08", "R-04", "R-21")),
)

MARK_RULES: tuple[Rule, ...] = (
    Rule("count",       "Count the marks", "All [A] and all [D] that hold for a roll are counted and compared.", ("MOD-01", "MOD-05")),
    Rule("worth",       "What they are worth", "More [A] than [D] is +1; at least two [A], and twice the [D] or more, is +2. More [D] is −1, however many.", ("MOD-02", "MOD-03", "MOD-04", "R-13", "R-14")),
    Rule("every_die",   "On every die", "The result goes onto each Q or SQ die of that action.", ("MOD-06",)),
    Rule("once",        "Once each", "One circumstance is one mark, even if two pages name it.", ("MOD-07", "R-15")),
    Rule("flat",        "Flat bonuses", "Plain +1 and −1 values stand beside the marks and are added afterwards.", ("MOD-08", "R-16")),
)

MOVE_RULES: tuple[Rule, ...] = (
    Rule("reach",       "How far", 'Up to 4", mounted units 8", with as many turns as one likes.', ("MOVE-01",)),
    Rule("together",    "Stay together", "Models keep within a base of one another.", ("MOVE-02", "UNIT-01")),
    Rule("stops",       "What stops a move", "Tall patch, barrier, bad goings, fortress and building end the move of a unit that enters.", ("MOVE-03",)),
    Rule("others",      "Other units", "One's own units may be crossed. From the enemy a unit keeps one base away unless it goes in to fight.", ("MOVE-04",)),
    Rule("charge",      "Charge", "A move that ends against an enemy unit, with a melee attack to follow.", ("MOVE-05",)),
)

SHOOT_RULES: tuple[Rule, ...] = (
    Rule("who",         "Who may shoot", "Units and models with a shooting attack that are not in melee, all round and at any distance.", ("SHOOT-01", "SHOOT-02")),
    Rule("not_into",    "Not into melee", "A target in melee cannot be shot at, nor a unit inside a building.", ("SHOOT-03", "SHOOT-08")),
    Rule("sight",       "Line of sight", "A straight line from the leader's base to any base of the target, crossed by no blocking terrain and no unit.", ("SHOOT-04", "R-52")),
    Rule("dice",        "Dice", "A d10 + SQ for each model; a Battle Cat throws one, a machine two. Reaching the AC hits.", ("SHOOT-05",)),
    Rule("after",       "Then", "The target saves against each hit, and tests morale if a model was lost.", ("SHOOT-06", "SHOOT-07")),
)

MELEE_RULES: tuple[Rule, ...] = (
    Rule("contact",     "Contact", "Once two bases touch both units are in melee, each as a whole.", ("MELEE-01", "MELEE-02")),
    Rule("until",       "Until when", "Until one of them is eliminated or flees.", ("MELEE-03",)),
    Rule("dice",        "Dice", "A d10 + Q for each model, more where a unit throws more. Reaching the AC hits; saves and morale follow.", ("MELEE-04", "MELEE-05", "MELEE-08")),
    Rule("battle_back", "Battle back", "A target neither destroyed nor fleeing strikes back at once with a [D]. That costs it no activation, and nobody answers it.", ("MELEE-06", "MELEE-07")),
    Rule("fleeing",     "Charging the fleeing", "A fleeing unit that is charged is destroyed without dice.", ("MELEE-09", "FLEE-06")),
)

SAVE_RULES: tuple[Rule, ...] = (
    Rule("save",        "Save", "A d10 + Q for each hit; 9 or more shrugs it off. Cover has already counted and does not help here.", ("SAVE-01", "SAVE-05", "R-17")),
    Rule("losses",      "Losses", "Each failure removes a model, or marks a wound on one that takes several. Plain models fall first, the leader last.", ("SAVE-02", "SAVE-03", "R-46")),
    Rule("surplus",     "Too many hits", "Hits beyond the last model are lost.", ("SAVE-06", "R-45")),
    Rule("nerve",       "When to test", "Only a removed model calls for a morale test, a marked wound does not.", ("SAVE-04",)),
)

MORALE_RULES: tuple[Rule, ...] = (
    Rule("test",        "Morale test", "One d10 + Q after each attack that removed models. A unit destroyed outright has nothing left to test.", ("MORALE-01", "MORALE-03", "MORALE-08", "R-47")),
    Rule("table",       "The result", "9 or more stands, 6 to 8 flees, less scatters.", ("MORALE-02", "MORALE-04", "MORALE-05", "MORALE-06")),
    Rule("never",       "Those who never fail", "A Battle Cat takes no tests, and a Musician's unit passes them all.", ("MORALE-07",)),
)

FLEE_RULES: tuple[Rule, ...] = (
    Rule("token",       "Flee token", "A fleeing unit carries a token and can only try to rally.", ("FLEE-01", "FLEE-02")),
    Rule("rally",       "Rally", "It tests at each activation. 9 or more rallies it: the token becomes an activation mark and it acts next round.", ("FLEE-03", "R-49", "R-51")),
    Rule("rally_marks", "Marks of a rally", "A rally has no attacker, so nobody is outnumbered or flanked in it. The King, a Ladybug, a standard and bad goings count as ever.", ("R-26",)),
    Rule("run",         "Running on", '6 to 8 runs another 4", less scatters.', ("FLEE-04",)),
    Rule("way",         "Which way", "From all enemies, round terrain, straight to its own edge; a unit that came from no edge makes for the nearest.", ("FLEE-05", "R-50")),
    Rule("edge",        "Over the edge", "A unit that leaves the table is gone. In Break Free side A runs for the far edge and has escaped there.", ("FLEE-07", "FLEE-08")),
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
