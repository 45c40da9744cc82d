"""Exact melee odds: an attack with its battle back, and a melee until one unit is gone or flees."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Literal

from rulebook.battle.actions import can_battle_back
from rulebook.battle.attack_situations import Melee
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.attack import AttackEnd, AttackOdds, melee_odds
from rulebook.odds.distribution import Distribution, make_distribution

Fate = Literal[
    "target destroyed", "target scatters", "target flees", "attacker destroyed", "attacker scatters", "attacker flees"
]
FATES: tuple[Fate, ...] = (
    "target destroyed",
    "target scatters",
    "target flees",
    "attacker destroyed",
    "attacker scatters",
    "attacker flees",
)
TARGET_FATES = FATES[:3]
_TARGET: dict[str, Fate] = {"destroyed": FATES[0], "scatter": FATES[1], "flee": FATES[2]}
_OTHER_SIDE: dict[Fate, Fate] = dict(zip(FATES, FATES[3:] + FATES[:3], strict=True))
_ATTACKER: dict[str, Fate] = {"destroyed": FATES[3], "scatter": FATES[4], "flee": FATES[5]}


@dataclass(frozen=True, slots=True)
class ExchangeEnd:
    """Both units after an exchange. ``fate`` is None while the melee goes on."""

    attacker: UnitInPlay | None
    target: UnitInPlay | None
    fate: Fate | None
    ways: int


@dataclass(frozen=True, slots=True)
class ExchangeOdds:
    attack: AttackOdds
    target_lost: Distribution  # models lost to the attack
    attacker_lost: Distribution  # models lost to the battle back, none where there was none
    ends: tuple[ExchangeEnd, ...]
    total: int

    @property
    def fates(self) -> Mapping[Fate, Fraction]:
        return {fate: self._chance(fate) for fate in FATES}

    @property
    def goes_on(self) -> Fraction:
        return self._chance(None)

    def _chance(self, fate: Fate | None) -> Fraction:
        return Fraction(sum(end.ways for end in self.ends if end.fate == fate), self.total)


def exchange_odds(situation: Melee, options: Options = BY_THE_BOOK) -> ExchangeOdds:
    return _exchange(situation, options, {})


_Known = dict[Melee, AttackOdds]


def _strike(situation: Melee, options: Options, known: _Known) -> AttackOdds:
    if situation not in known:
        known[situation] = melee_odds(situation, options)
    return known[situation]


@dataclass(frozen=True, slots=True)
class _BattleBack:
    """An end of the attack that is answered: what is left of the target, and the odds of its own attack."""

    end: AttackEnd
    target: UnitInPlay
    odds: AttackOdds


def _exchange(situation: Melee, options: Options, known: _Known) -> ExchangeOdds:
    first = _strike(situation, options, known)
    backs: list[_BattleBack] = []
    closed: list[AttackEnd] = []
    for end in first.ends:
        after = end.after
        if after is None or not can_battle_back(after):
            closed.append(end)
        else:
            odds = _strike(situation.battle_back(situation.attacker, after), options, known)
            backs.append(_BattleBack(end, after, odds))
    # All totals are powers of ten, so the longest is a common one.
    longest = max((back.odds.total for back in backs), default=1)
    ends: list[ExchangeEnd] = []
    lost = [0] * (situation.attacker.models + 1)
    for end in closed:
        ends.append(ExchangeEnd(situation.attacker, end.after, _TARGET[end.outcome], end.ways * longest))
        lost[0] += end.ways * longest
    for back in backs:
        times = back.end.ways * (longest // back.odds.total)
        for answer in back.odds.ends:
            fate = _ATTACKER.get(answer.outcome)
            ends.append(ExchangeEnd(answer.after, back.target, fate, times * answer.ways))
        scale = back.end.ways * (longest // back.odds.models_lost.total)
        for number, ways in enumerate(back.odds.models_lost.ways):
            lost[number] += scale * ways
    total = first.total * longest
    return ExchangeOdds(first, first.models_lost, make_distribution(lost, total), tuple(ends), total)


@dataclass(frozen=True, slots=True)
class FightOdds:
    """A melee to its end. The attacker is whoever struck first."""

    ends: Mapping[tuple[Fate, int], Fraction]  # with the models of the unit that is left standing
    exchanges: Fraction  # expected, each an attack and its answer

    @property
    def fates(self) -> Mapping[Fate, Fraction]:
        chances = dict.fromkeys(FATES, Fraction(0))
        for (fate, _), chance in self.ends.items():
            chances[fate] += chance
        return chances

    @property
    def attacker_wins(self) -> Fraction:
        return sum((chance for (fate, _), chance in self.ends.items() if fate in TARGET_FATES), Fraction(0))

    @property
    def target_wins(self) -> Fraction:
        return 1 - self.attacker_wins

    def winner_models(self, side: Literal["attacker", "target"]) -> dict[int, Fraction]:
        models: dict[int, Fraction] = {}
        for (fate, left), chance in self.ends.items():
            if (fate in TARGET_FATES) == (side == "attacker"):
                models[left] = models.get(left, Fraction(0)) + chance
        return dict(sorted(models.items()))


_Pair = tuple[UnitInPlay, UnitInPlay]  # the attacker of the whole melee, then its target
_Stop = tuple[Fate, int]


@dataclass(frozen=True, slots=True)
class _Turn:
    """What one exchange makes of a pair, in ways of a total."""

    on: dict[_Pair, int]
    ended: dict[_Stop, int]
    total: int


def _turn(situation: Melee, answering: bool, options: Options, known: _Known) -> _Turn:
    """One exchange. ``answering``: the target of the whole melee is the one that attacks now."""
    odds = _exchange(situation, options, known)
    on: dict[_Pair, int] = {}
    ended: dict[_Stop, int] = {}
    for end in odds.ends:
        one, other = (end.target, end.attacker) if answering else (end.attacker, end.target)
        if end.fate is None:
            assert one is not None
            assert other is not None
            on[one, other] = on.get((one, other), 0) + end.ways
        else:
            fate = _OTHER_SIDE[end.fate] if answering else end.fate
            winner = one if fate in TARGET_FATES else other
            assert winner is not None
            ended[fate, winner.models] = ended.get((fate, winner.models), 0) + end.ways
    # Short numbers stay quick: what all ways share is taken out.
    shared = gcd(odds.total, *on.values(), *ended.values())
    return _Turn(
        {pair: ways // shared for pair, ways in on.items()},
        {stop: ways // shared for stop, ways in ended.items()},
        odds.total // shared,
    )


def fight_odds(situation: Melee, options: Options = BY_THE_BOOK) -> FightOdds:
    """A melee carried on by turns until one unit is gone or flees.

    The attacker opens, with the marks of a charge if it charged; from then on nobody charges. Two exchanges are a
    round, and what lasts a round (event, blessing, kiss, Messenger) ends with the first.
    """
    known: _Known = {}
    # The opening attack, then the other side's own attack in the same round.
    opening = _turn(situation, False, options, known)
    answers = {
        pair: _turn(situation.next_exchange(*pair, situation.event), True, options, known) for pair in opening.on
    }
    scale = lcm(*(answer.total for answer in answers.values()))
    over = opening.total * scale
    ended = {stop: ways * scale for stop, ways in opening.ended.items()}
    exchanges = over
    mine: dict[_Pair, int] = {}
    for pair, ways in opening.on.items():
        answer = answers[pair]
        exchanges += ways * scale
        ways *= scale // answer.total
        for stop, more in answer.ended.items():
            ended[stop] = ended.get(stop, 0) + ways * more
        for (one, other), more in answer.on.items():
            rested = one.round_over(), other.round_over()
            mine[rested] = mine.get(rested, 0) + ways * more
    return _later_rounds(_Ledger(over, ended, exchanges, mine, {}), situation, options, known)


@dataclass(slots=True)
class _Ledger:
    """Ways over one common total: what has ended, and which pairs fight on with whose turn next."""

    over: int
    ended: dict[_Stop, int]
    exchanges: int
    mine: dict[_Pair, int]  # the attacker's turn
    theirs: dict[_Pair, int]  # the target's turn

    def scale(self, factor: int) -> None:
        self.over *= factor
        self.exchanges *= factor
        self.ended = {stop: ways * factor for stop, ways in self.ended.items()}
        self.mine = {pair: ways * factor for pair, ways in self.mine.items()}
        self.theirs = {pair: ways * factor for pair, ways in self.theirs.items()}


def _later_rounds(ledger: _Ledger, situation: Melee, options: Options, known: _Known) -> FightOdds:
    """All later rounds, each like the next.

    A pair comes back to itself only when nobody was hurt, so pairs are settled from the most wounds left to the
    fewest, and the endless row of exchanges in which nothing happens is summed at once.
    """
    while ledger.mine or ledger.theirs:
        pair = max((*ledger.mine, *ledger.theirs), key=_strength)
        attacker, target = pair
        here = Melee(attacker, target, situation.at, situation.target_at, adjacent=situation.adjacent)
        _settle(
            ledger,
            pair,
            _turn(here, False, options, known),
            _turn(here.next_exchange(attacker, target, None), True, options, known),
        )
    ends = {stop: Fraction(ways, ledger.over) for stop, ways in sorted(ledger.ended.items())}
    return FightOdds(ends, Fraction(ledger.exchanges, ledger.over))


def _strength(pair: _Pair) -> int:
    return sum(unit.wounds_left + unit.shield for unit in pair)


def _settle(ledger: _Ledger, pair: _Pair, my_turn: _Turn, their_turn: _Turn) -> None:
    """Let a pair fight until something happens to it, and hand its ways on.

    With m and t the ways in which the pair waits for either turn, and p and q the chances that such a turn changes
    nothing, it sees (m + q t) / (1 - p q) turns of the attacker and (t + p m) / (1 - p q) of the target. Where half of
    all turns change nothing and the attacker is next, these are 1 / (3/4) = 4/3 of his turns and 2/3 of the other's.
    """
    waiting_mine = ledger.mine.pop(pair, 0)
    waiting_theirs = ledger.theirs.pop(pair, 0)
    same_mine, same_theirs = my_turn.on.get(pair, 0), their_turn.on.get(pair, 0)
    ledger.scale(my_turn.total * their_turn.total - same_mine * same_theirs)
    turns_mine = waiting_mine * their_turn.total + same_theirs * waiting_theirs
    turns_theirs = waiting_theirs * my_turn.total + same_mine * waiting_mine
    ledger.exchanges += turns_mine * my_turn.total + turns_theirs * their_turn.total
    for turns, turn, book in ((turns_mine, my_turn, ledger.theirs), (turns_theirs, their_turn, ledger.mine)):
        for stop, ways in turn.ended.items():
            ledger.ended[stop] = ledger.ended.get(stop, 0) + turns * ways
        for other, ways in turn.on.items():
            if other != pair:
                book[other] = book.get(other, 0) + turns * ways
