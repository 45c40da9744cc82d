"""How to play, rule by rule: the round, advantages, moves, shooting, melee, saves, morale and flight."""

from __future__ import annotations

from rulebook.data.text_rule import Rule

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
