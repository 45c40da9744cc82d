"""The exact odds of rolls outside a fight: dice together, random events, roll-offs, walls, cheese sauce, fire."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from refusal import Refusal
from rulebook.battle.assault import SCALDS_FROM, SHOT_DICE, Bombardment, bombardment_tally, scald_unit, wall_saves_from
from rulebook.battle.castle import RING, piece_of
from rulebook.battle.combat import BuildingAttack, building_attack_dice, can_attack_building
from rulebook.battle.morale import MAX_ROUNDS, must_test_morale
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.campaign.roll_off import RollOff
from rulebook.data.battlefield import EVENT_FROM, EVENTS
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.input_checks import check_count, check_one_of
from rulebook.odds.distribution import Distribution, add_ways, binomial, chance_to_roll, hits_then_saves


def chance_of_at_least(total: int, dice: int) -> Fraction:
    return 1 - chance_of_at_most(total - 1, dice)


def chance_of_at_most(total: int, dice: int) -> Fraction:
    """The exact chance of this total or less, by inclusion and exclusion of dice above 10."""
    if total < dice:
        return Fraction(0)
    ways = sum(
        (-1) ** over * comb(dice, over) * comb(total - 10 * over, dice) for over in range((total - dice) // 10 + 1)
    )
    return Fraction(ways, 10**dice)


def chance_of_successes(number: int, chances: Sequence[Fraction]) -> Fraction:
    """The exact chance of this many successes or more. Equal chances are grouped, for speed."""
    ways, every = [1], 1
    for chance, times in Counter(chances).items():
        ways = add_ways(ways, binomial(times, chance.numerator, chance.denominator))
        every *= chance.denominator**times
    return Fraction(sum(ways[number:]), every)


def event_odds(rounds: int = 1) -> Mapping[str, Fraction]:
    """The chance that each event comes up at least once in so many rounds."""
    check_count(rounds, "number of rounds", least=1, most=MAX_ROUNDS)
    any_event = chance_to_roll(EVENT_FROM)
    return {event.key: 1 - (1 - any_event * Fraction(event.high - event.low + 1, 10)) ** rounds for event in EVENTS}


def event_count_odds(rounds: int) -> Distribution:
    check_count(rounds, "number of rounds", least=1, most=MAX_ROUNDS)
    return hits_then_saves(rounds, chance_to_roll(EVENT_FROM))


FACES = 10


def roll_off_odds(rolling: RollOff) -> dict[str, Fraction]:
    """Each player's chance to win with these dice, if nobody buys a re-roll. Those who pass cannot win."""
    if rolling.offer is not None:
        raise Refusal(f"{rolling.offer.buyer} still has to choose which die to keep.", field="roll-off")
    rolled: dict[str, tuple[int, ...]] = {}
    still: list[str] = []
    for player, hand in zip(rolling.players, rolling.hands, strict=True):
        if player in rolling.passing:
            continue
        if hand:
            rolled[player] = hand
        else:
            still.append(player)
    chances, others = _win_chances(rolled, len(still), 0)
    chances |= {player: others / len(still) for player in still}
    return {player: chances.get(player, Fraction(0)) for player in rolling.players}


def _win_chances(hands: dict[str, tuple[int, ...]], others: int, depth: int) -> tuple[dict[str, Fraction], Fraction]:
    """The chances of those with dice, and of ``others`` together, who have none from this depth on.

    Whoever has no die at this depth is like any other without one: they roll alike, so they share what they win.
    """
    rolled = {player: hand for player, hand in hands.items() if len(hand) > depth}
    free = len(hands) - len(rolled) + others
    if not rolled:
        each = Fraction(1, free)
        return dict.fromkeys(hands, each), each * others
    best = max(hand[depth] for hand in rolled.values())
    leaders = {player: hand for player, hand in rolled.items() if hand[depth] == best}
    chances = dict.fromkeys(rolled, Fraction(0))
    # Somebody free rolls higher than the best die on the table.
    free_win = 1 - Fraction(best, FACES) ** free
    for equal in range(free + 1):
        chance = comb(free, equal) * Fraction(1, FACES) ** equal * Fraction(best - 1, FACES) ** (free - equal)
        if not chance:
            continue
        if len(leaders) == 1 and not equal:
            known, anonymous = dict.fromkeys(leaders, Fraction(1)), Fraction(0)
        else:
            known, anonymous = _win_chances(leaders, equal, depth + 1)
        for player, part in known.items():
            chances[player] += chance * part
        free_win += chance * anonymous
    each = free_win / free if free else Fraction(0)
    for player in hands:
        chances.setdefault(player, each)
    return chances, each * others


@dataclass(frozen=True, slots=True)
class RerollOdds:
    """What a bought die could do for a player: the faces that win at once, those that tie, and the chance in the end.

    The better die is kept, so a lower face changes nothing.
    """

    wins: tuple[int, ...]
    ties: tuple[int, ...]
    before: Fraction
    after: Fraction

    @property
    def wins_at_once(self) -> Fraction:
        return Fraction(len(self.wins), FACES)


def reroll_odds(rolling: RollOff, player: str, options: Options = BY_THE_BOOK) -> RerollOdds:
    """What one re-roll of a player's newest die is worth."""
    wins, ties = [], []
    before = roll_off_odds(rolling)[player]
    chance = Fraction(0)
    for face in range(1, FACES + 1):
        after = rolling.buy_reroll(player, face, options=options).keep_die("new")
        if after.winner == player:
            wins.append(face)
        elif player in after.waiting:
            ties.append(face)
        chance += max(before, roll_off_odds(after)[player]) / FACES
    kept = rolling.hands[rolling.players.index(player)][-1]
    return RerollOdds(
        tuple(face for face in wins if face > kept), tuple(face for face in ties if face > kept), before, chance
    )


def through_chance(shot: Bombardment, options: Options = BY_THE_BOOK) -> Fraction:
    fails = wall_saves_from(piece_of(shot.piece).kind) - 1
    return Fraction(bombardment_tally(shot, options).faces * fails, 100)


def levelling_odds(
    shot: Bombardment, shots: int, options: Options = BY_THE_BOOK, *, damage: int = 0
) -> tuple[Fraction, ...]:
    """The chance that the piece lies in rubble after 1, 2, ... shots like this one, by one gun or several."""
    kind = piece_of(check_one_of(shot.piece, RING, "wall")).kind
    hits = kind.hits or 0
    left = hits - check_count(damage, "damage so far", most=hits - 1)
    through = through_chance(shot, options)
    return tuple(
        hits_then_saves(SHOT_DICE * number, through).at_least(left)
        for number in range(1, check_count(shots, "number of shots", least=1, most=200) + 1)
    )


SCALD_CHANCE = chance_to_roll(SCALDS_FROM)


@dataclass(frozen=True, slots=True)
class SauceOdds:
    model_lost: Fraction
    wounded_only: Fraction
    unit_gone: Fraction
    morale_test: Fraction


def sauce_odds(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> SauceOdds:
    losses = scald_unit(unit, options)
    tests = (
        losses.after is not None and options.sauce_morale and bool(must_test_morale(losses.after, losses.models_lost))
    )
    never = Fraction(0)
    return SauceOdds(
        model_lost=SCALD_CHANCE if losses.fallen else never,
        wounded_only=never if losses.fallen else SCALD_CHANCE,
        unit_gone=SCALD_CHANCE if losses.destroyed else never,
        morale_test=SCALD_CHANCE if tests else never,
    )


def ablaze_odds(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> Fraction:
    can_attack_building(torching).require("building")
    # Counted in hundredths of a die, so that a re-roll is a whole number; more hits than needed are one case.
    needed = torching.building.wounds_left
    ways = [1] + [0] * needed
    dice = 0
    for throw in building_attack_dice(torching, options):
        faces = throw.tally.faces
        hit = faces * 10 + (10 - faces) * faces if throw.rerolls else faces * 10
        for _ in range(throw.dice):
            ways = [
                ways[k] * (100 if k == needed else 100 - hit) + (ways[k - 1] * hit if k else 0)
                for k in range(needed + 1)
            ]
            dice += 1
    return Fraction(ways[needed], 100**dice)
