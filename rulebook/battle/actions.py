"""Whose turn it is, and what a unit can do: act, move, charge, enter terrain, see, shoot, battle back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from refusal import Refusal
from rulebook.battle.dice import shooting_pools
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay
from rulebook.data.battlefield import MUD_NEEDS, allows_move, check_can_enter, event_of, move_count, terrain_of
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.rule_texts import Rule
from rulebook.input_checks import Answer, check_count, check_d10, check_inches, check_one_of, no, yes
from text import join_list


@dataclass(frozen=True, slots=True)
class FirstSide:
    """Who activates first, or who has to roll (again)."""

    side: str | None
    roll_again: tuple[str, ...]
    reason: str
    rules: tuple[str, ...]


def decide_initiative(rolls: Mapping[str, int]) -> FirstSide:
    """One d10 each: the highest begins, and the highest among equals roll again."""
    if len(rolls) < 2:
        raise Refusal(f"Initiative needs one die for each side, not {len(rolls)}.", field="initiative roll")
    best = max(check_d10(roll, "initiative roll") for roll in rolls.values())
    leaders = tuple(side for side, roll in rolls.items() if roll == best)
    if len(leaders) > 1:
        return FirstSide(None, leaders, f"{join_list(leaders)} tie on {best} and roll again.", ("ROUND-01", "R-68"))
    return FirstSide(leaders[0], (), f"{leaders[0]} has the highest roll, {best}.", ("ROUND-01",))


def decide_first_side(
    number: int,
    sides: Sequence[str],
    winner: str,
    options: Options = BY_THE_BOOK,
    rolls: Mapping[str, int] | None = None,
) -> FirstSide:
    """Who begins a later round. ``sides`` in the order of the table, ``winner`` of the first roll (R-48)."""
    check_count(number, "round", least=1)
    check_one_of(winner, sides, "winner of the initiative")
    if options.initiative == "each_round" and number > 1:
        if rolls is None:
            return FirstSide(None, tuple(sides), "House rule: roll initiative every round.", ("R-48",))
        return decide_initiative(rolls)
    if options.initiative == "alternate":
        at = (list(sides).index(winner) + number - 1) % len(sides)
        return FirstSide(sides[at], (), "House rule: the sides take turns to start.", ("R-48",))
    return FirstSide(winner, (), "Initiative is rolled once; the same side starts every round.", ("R-48",))


def next_side(sides: Sequence[str], last: str | None, waiting: Mapping[str, int]) -> str | None:
    """Who activates next: turn about, and whoever has units left when the others have none (ROUND-02, ROUND-03).

    ``sides`` with the one that begins first, ``last`` the side that has just acted, ``waiting`` the units of each
    that have not acted yet. None when the round is over.
    """
    for side in sides:
        check_count(waiting.get(side), f"number of units of {side} still to act")
    start = 0 if last is None else list(sides).index(check_one_of(last, sides, "side")) + 1
    for step in range(len(sides)):
        side = sides[(start + step) % len(sides)]
        if waiting[side]:
            return side
    return None


def can_activate(*, activated: bool) -> Answer:
    """Each unit acts once a round."""
    if activated:
        return no("The unit is already marked as activated this round.", "ROUND-04")
    return yes("The unit has not acted this round.", "ROUND-04")


# fmt: off
ACTIVATION_CHOICES: tuple[Rule, ...] = (
    Rule("nothing",         "Nothing", "The unit does nothing.", ("ROUND-05",)),
    Rule("move",            "Move", "The unit moves.", ("ROUND-05",)),
    Rule("attack",          "Attack", "The unit shoots, or attacks an enemy in contact.", ("ROUND-05",)),
    Rule("move_and_shoot",  "Move, then shoot", "The unit moves and shoots without aiming.", ("ROUND-05", "R-28")),
    Rule("charge",          "Charge", "The unit moves into contact and attacks.", ("ROUND-05", "MOVE-05")),
    Rule("rally",           "Rally", "The fleeing unit tests morale, and runs on if it fails.", ("FLEE-02",)),
)
# fmt: on
def activation_choices(
    unit: UnitInPlay, *, engaged: bool = False, immobile: bool = False, options: Options = BY_THE_BOOK
) -> dict[str, Answer]:
    """What a unit may do with its activation, each with the reason. ``immobile``: a garrison Ballista on its tower."""
    name = unit.unit.name
    if unit.fleeing:
        only = no("The unit is fleeing and can only try to rally.", "FLEE-02")
        return {choice.key: only for choice in ACTIVATION_CHOICES} | {
            "rally": yes("It tests when activated.", "FLEE-02")
        }
    shoots = bool(shooting_pools(unit, options))
    answers = {"nothing": yes("A unit can always do nothing.", "ROUND-05")}
    if engaged:
        stuck = no("The unit is in melee and can only attack.", "ROUND-06")
        answers |= dict.fromkeys(("move", "move_and_shoot", "charge"), stuck)
        answers["attack"] = yes("It attacks the enemy in contact.", "ROUND-06", "MELEE-04")
    else:
        rooted = no(f"The garrison {name} cannot leave its tower.", "SIEGE-13")
        free = yes("It is free to move.", "ROUND-05")
        answers["move"] = answers["charge"] = rooted if immobile else free
        if not shoots:
            answers["attack"] = no(f"{name}: no enemy in contact and no shooting attack.", "SHOOT-01", "MELEE-01")
            answers["move_and_shoot"] = no(f"{name}: no shooting attack.", "SHOOT-01")
        else:
            answers["attack"] = yes("It can shoot.", "SHOOT-01")
            answers["move_and_shoot"] = (
                rooted if immobile else yes("It can shoot after moving, without aiming.", "R-28")
            )
            if unit.unit.war_machine and not immobile:
                answers["move_and_shoot"] = no("A war machine moves or shoots, never both.", "UNIT-25", "ROUND-07")
    answers["rally"] = no("The unit is not fleeing.", "FLEE-01")
    return {choice.key: answers[choice.key] for choice in ACTIVATION_CHOICES}


def can_use_power(*, has_acted: bool) -> Answer:
    """A hero's power comes before anything else the unit does."""
    if has_acted:
        return no("The unit has already moved or attacked. A hero's power comes first.", "HERO-06")
    return yes("The activation starts with the hero's power.", "HERO-06")


# ── Moves, charges and terrain ───────────────────────────────────────────────────────────────────────────


def moves_allowed(unit: UnitInPlay, event: str | None = None) -> int:
    """How many moves its activation has: two after a speech for the first unit of its army (EVENT-07, R-97)."""
    now = None if event is None else event_of(event)
    return move_count(now, first_of_its_army=unit.first_activated)


def can_move_again(unit: UnitInPlay, moves_made: int, event: str | None = None) -> Answer:
    """Whether a unit has another move in this activation. Each is a move of its own, with a move's limits."""
    if check_count(moves_made, "number of moves made") >= moves_allowed(unit, event):
        return no("The unit has already moved this activation.", "ROUND-05")
    if moves_made:
        return yes("The speech gives it a second move. What stopped the first does not stop this one.", "R-97")
    return yes("The unit has not moved yet.", "ROUND-05")


def can_move(
    unit: UnitInPlay,
    distance: float,
    *,
    engaged: bool = False,
    crossed: Iterable[str] = (),
    event: str | None = None,
    mud_roll: int | None = None,
) -> Answer:
    """Whether a unit may move so far in one move. ``crossed``: kinds of terrain it would enter before its end."""
    far = check_inches(distance, "distance")
    if unit.fleeing:
        return no("The unit is fleeing and cannot choose its move.", "FLEE-02")
    if engaged:
        return no("The unit is in melee and can only attack.", "ROUND-06")
    try:
        free = allows_move(None if event is None else event_of(event), mud_roll)
    except Refusal as refusal:  # in mud, and nobody has rolled yet
        return no(refusal.sentence, "EVENT-04")
    if not free:
        return no(f"The unit is stuck: it needs {MUD_NEEDS}+ and rolled {mud_roll}.", "EVENT-04", "R-91")
    for key in crossed:
        ground = terrain_of(key)
        if not ground.enterable:
            return no(f"{ground.name} cannot be crossed.", *ground.rules)
        stop = ends_move(key)
        if stop:
            return no(stop.reason, *stop.rules)
    most = unit.unit.move
    if far > most:
        return no(f'{unit.unit.name} can move {most}", not {far:g}".', "MOVE-01")
    return yes(f'{far:g}" is within the {most}" that {unit.unit.name} can move.', "MOVE-01")


def can_charge(
    unit: UnitInPlay,
    distance: float,
    *,
    engaged: bool = False,
    crossed: Iterable[str] = (),
    event: str | None = None,
    mud_roll: int | None = None,
) -> Answer:
    """Whether a unit can charge an enemy that far away: a charge is a move into contact, with a move's limits."""
    way = can_move(unit, distance, engaged=engaged, crossed=crossed, event=event, mud_roll=mud_roll)
    if not way:
        return no(way.reason, "MOVE-05", *way.rules)
    return yes("The unit can move into contact and attack.", "MOVE-05", *way.rules)


def can_pass(other: str, bases_away: float, *, charging: bool = False) -> Answer:
    """Whether a move may come so close to another unit; ``other`` is friend or enemy."""
    gap = check_inches(bases_away, "gap in bases")
    if other == "friend":
        return yes("You can move through your own units.", "MOVE-04")
    if other != "enemy":
        raise Refusal(f"The other unit is {other!r}; it is friend or enemy.", field="other")
    if charging:
        return yes("The unit is charging.", "MOVE-04", "MOVE-05")
    if gap < 1:
        return no("A unit stays one base away from enemies unless it charges.", "MOVE-04")
    return yes("It stays far enough from the enemy.", "MOVE-04")


def is_together(gaps_in_bases: Iterable[float]) -> Answer:
    """Whether models keep together; each gap is the distance of a model to its nearest comrade, in bases."""
    if any(check_inches(gap, "gap in bases") > 1 for gap in gaps_in_bases):
        return no("A model is more than one base away from the others.", "MOVE-02", "UNIT-01")
    return yes("Every model is within one base of another.", "MOVE-02", "UNIT-01")


def ends_move(key: str) -> Answer:
    """Whether entering such a piece ends the move."""
    ground = terrain_of(key)
    if ground.stops:
        return yes(f"{ground.name} ends the move of a unit that enters it.", "MOVE-03", *ground.rules)
    return no(f"{ground.name} does not end a move.", *ground.rules)


def can_occupy(unit: UnitInPlay, place: Place, *, occupied: bool = False) -> Answer:
    """Whether a unit can stand in this piece. The courtyard is not a piece, so it has room for several units."""
    try:
        check_can_enter(unit.unit, place.ground, on_wall=place.on_wall, occupied=occupied and not place.in_courtyard)
    except Refusal as refusal:
        return no(refusal.sentence, "TERRAIN-14" if place.on_wall and unit.unit.mounted else "TERRAIN-04")
    return yes(f"The unit can stand in {place.ground.name.lower()}.", *place.ground.rules)


def is_occupying(models_wholly_inside: int) -> Answer:
    """Whether a unit occupies a piece: one model wholly inside takes all the others in."""
    if check_count(models_wholly_inside, "number of models wholly inside"):
        return yes("One model is wholly inside, so the whole unit moves in and occupies the piece.", "TERRAIN-02")
    return no("No model is wholly inside, so the unit stops at the edge.", "TERRAIN-03")


# ── Line of sight, shooting, battle back ─────────────────────────────────────────────────────────────────


# What a line of sight can cross besides terrain.
UNIT_BETWEEN = "unit"


def can_see(at: Place, between: Iterable[str]) -> Answer:
    """Whether the leader sees the target.

    ``between`` is what the straight line crosses: kinds of terrain that neither of the two stands in, and "unit" for
    any other unit. From a mound or fortress one sees over units and barriers.
    """
    above = at.ground.sees_over
    for thing in between:
        if thing == UNIT_BETWEEN:
            if not above:
                return no("Another unit blocks the line of sight.", "SHOOT-04", "R-52")
            continue
        ground = terrain_of(thing)
        if ground.blocks_sight:
            return no(f"{ground.name} blocks the line of sight.", "SHOOT-04", *ground.rules)
    return yes("The line of sight is clear.", "SHOOT-04", "SHOOT-02")


def can_shoot(
    shooter: UnitInPlay,
    *,
    at: Place = OPEN,
    target_at: Place = OPEN,
    between: Iterable[str] = (),
    engaged: bool = False,
    target_engaged: bool = False,
    moved: bool = False,
    options: Options = BY_THE_BOOK,
) -> Answer:
    """Whether a unit may shoot at another unit. Distance and facing do not matter."""
    unit = shooter.unit
    if shooter.fleeing:
        return no("A fleeing unit cannot shoot.", "FLEE-02")
    if unit.siege_only:
        return no("A Cat-non only shoots at castle pieces, never at units.", "UNIT-26")
    if not shooting_pools(shooter, options):
        return no(f"{unit.name}: no shooting attack.", "SHOOT-01")
    if engaged:
        return no("The unit is in melee and cannot shoot.", "SHOOT-01", "UNIT-25")
    if target_engaged:
        return no("The target is in melee and cannot be shot at.", "SHOOT-03")
    if unit.war_machine and moved:
        return no("A war machine moves or shoots, never both.", "UNIT-25")
    if target_at.ground.hides:
        return no("The target is inside a building and cannot be shot at.", "SHOOT-08")
    sight = can_see(at, between)
    if not sight:
        return sight
    return yes("The target is in sight, and neither unit is in melee.", "SHOOT-01", "SHOOT-02")


def is_in_melee(*, in_contact: bool, fleeing: bool = False) -> Answer:
    """Whether two units are in melee: from contact until one is gone or flees."""
    if not in_contact:
        return no("No base touches an enemy.", "MELEE-01")
    if fleeing:
        return no("The unit is fleeing and has left the melee.", "MELEE-03")
    return yes("Bases touch, so both whole units are in melee.", "MELEE-01", "MELEE-02")


# Fixed, because the odds ask for every way a fight can go.
_NOT_ANSWERED = no("A battle back is not answered.", "MELEE-07")
_GONE = no("The unit is gone.", "MELEE-06", "MORALE-08")
_FLEES = no("A fleeing unit does not battle back.", "MELEE-06")
_BATTLES_BACK = yes("It battles back at once with a [D]. This does not use its activation.", "MELEE-06")


def can_battle_back(target: UnitInPlay | None, *, to_battle_back: bool = False) -> Answer:
    """Whether the target of a melee attack strikes back; None when nothing is left of it."""
    if to_battle_back:
        return _NOT_ANSWERED
    if target is None:
        return _GONE
    return _FLEES if target.fleeing else _BATTLES_BACK
