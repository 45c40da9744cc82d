"""Your Majesty with printed cards: set-up for the group's own deck, actions of a turn, salon odds and prestige."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cardgames.engine import Deck, Result
from cardgames.engine.score_sheet import ScoreSheet, SheetWarning
from cardgames.games.majesty.deck_definition import (
    HAND,
    LINGERING,
    cards_of_group,
    every_card,
    normal_actions,
    randomizer_spread,
)
from cardgames.games.majesty.player_numbers import PATTERN, count_box
from cardgames.games.majesty.salon_arithmetic import (
    FEWEST,
    LEVELS,
    OTHER_MUSE,
    OWN_MUSE,
    salon_chance,
    winning_randomizers,
)
from cardgames.games.majesty.scoring import (
    LIMIT_SHARED,
    NO_PAYCHECK,
    OUTCOMES,
    REACHED,
    ROUND_LIMIT,
    SHARED,
    CourtCount,
    highest,
    prestige_lines,
    prestige_of,
    target_of,
    winners_at_once,
)
from refusal import Refusal

MAX_FIGURE = 30
# The most cards of one kind that a group's own box may have.
MAX_CARDS = 99
MAX_ACTIONS = 2
# The six types of action, each at most once in a turn (Y31, Y32).
ACTIONS = {
    "colony": "Choose a colony",
    "philosophe": "Draw a philosophe",
    "event": "Play an event",
    "campaign": "Campaign",
    "salon": "Host a salon",
    "refill": "Refill the hand",
}
# What is counted at each court for the prestige sheet.
FIGURES = {
    "ones": "Philosophes worth 1",
    "twos": "Philosophes worth 2",
    "level1": "Reforms of level 1",
    "level3": "Reforms of level 3",
    "level5": "Reforms of level 5",
    "slaves": "Slave colonies",
    "wealth": "Wealth in coins",
}


def take_action(taken: Sequence[str], action: str) -> list[str]:
    """The actions of this turn with one more; a repeat and a third are refused."""
    if action not in ACTIONS:
        raise Refusal("Choose one of the six types of action.", field="what")
    if action in taken:
        raise Refusal(f"“{ACTIONS[action]}” was already used this turn. Choose another type of action.", status=409)
    if len(taken) >= MAX_ACTIONS:
        raise Refusal("Both actions of this turn are used. Start the next turn.", status=409)
    return [*taken, action]


def lingering_cards(deck: Deck) -> dict[str, str]:
    """The lingering events of a deck, by the id of their row."""
    return {face.row: face.name for face in every_card(deck) if face.kind == LINGERING}


def court_of(figures: Mapping[str, int]) -> CourtCount:
    for key, number in figures.items():
        if key not in FIGURES or type(number) is not int or not 0 <= number <= MAX_FIGURE:
            raise Refusal(f"Enter whole numbers from 0 to {MAX_FIGURE}.", field=key)

    def count(key: str) -> int:
        return figures.get(key, 0)

    reforms = (1,) * count("level1") + (3,) * count("level3") + (5,) * count("level5")
    return CourtCount((1,) * count("ones") + (2,) * count("twos"), reforms, count("slaves"), count("wealth"))


def score_sheet(
    counts: Sequence[Mapping[str, int]],
    deck: Deck,
    *,
    abolished: bool = False,
    paycheck: str = NO_PAYCHECK,
    is_over: bool = False,
    rounds: int = 0,
) -> ScoreSheet:
    """Prestige as it is now. Somebody has won at the target; a game ended by hand goes to the highest."""
    courts = [court_of(each) for each in counts]
    scores = tuple(prestige_of(court, abolished=abolished, paycheck=paycheck) for court in courts)
    lines = tuple(prestige_lines(court, abolished=abolished, paycheck=paycheck) for court in courts)
    winners = winners_at_once(scores, [court.reforms for court in courts], paycheck)
    outcome = SHARED if len(winners) > 1 else REACHED
    if not winners and is_over:
        winners = highest(scores)
        outcome = LIMIT_SHARED if len(winners) > 1 else ROUND_LIMIT
    options = {"paycheck": paycheck}
    warnings = tuple(_count_warnings(courts, deck))
    if not winners:
        return ScoreSheet(scores, lines, options, warnings)
    facts = {"target": target_of(paycheck), "rounds": rounds}
    return ScoreSheet.of(
        Result(outcome, winners, scores, lambda: list(lines), facts), OUTCOMES[outcome], options, warnings
    )


def _count_warnings(courts: Sequence[CourtCount], deck: Deck) -> list[SheetWarning | str]:
    warnings: list[SheetWarning | str] = []
    in_deck = Counter(face.level for face in cards_of_group(deck, "reform"))
    entered = Counter(level for court in courts for level in court.reforms)
    for level in LEVELS:
        if entered[level] > in_deck[level]:
            reforms = f"{entered[level]} reforms of level {level}"
            warnings.append(f"{reforms} entered, but the deck has only {in_deck[level]}.")
    slaves = sum(face.is_slave for face in cards_of_group(deck, "colony"))
    if sum(court.slave_colonies for court in courts) > slaves:
        warnings.append(f"The deck has only {slaves} slave colonies. Correct the counts.")
    return warnings


def set_up(
    deck: Deck,
    players: int,
    two_players: str = PATTERN,
    *,
    colonies: int | None = None,
    per_muse: int | None = None,
) -> list[str]:
    """What to do before the first turn, in order. A group may say how many colonies and philosophes its box has."""
    muses = Counter(face.muse for face in cards_of_group(deck, "philosophe"))
    if per_muse is not None:
        muses = Counter(dict.fromkeys(muses, per_muse))
    in_box = len(cards_of_group(deck, "colony")) if colonies is None else colonies
    box = count_box(players, in_box, muses, two_players)
    gone = ", ".join(f"{out} of {muse}" for muse, (out, _) in box.muses.items() if out)
    steps = []
    if box.colonies_out:
        steps.append(f"Shuffle the colonies and take out {box.colonies_out} at random. {box.colonies_left} are left.")
    if gone:
        steps.append(f"Take out philosophes at random: {gone}. {box.philosophes_left} are left.")
    return [
        *steps,
        "Lay all colonies and all reforms open in the middle.",
        "Put the Reshuffle card aside.",
        f"Shuffle the philosophes and the {normal_actions(deck)} action cards into two decks.",
        f"Deal {HAND} action cards to each player, face down.",
        "Choose the first player at random. Play goes clockwise.",
    ]


@dataclass(frozen=True, slots=True)
class SalonOdds:
    """What a salon comes to. ``why_not`` says why it cannot be held."""

    sophia: int
    against: int
    wins_on: tuple[int, ...]
    chance: Fraction
    why_not: str = ""

    @property
    def percent(self) -> int:
        return round(100 * self.chance)


def work_out_salon(
    deck: Deck,
    *,
    level: int,
    of_muse: int,
    others: int,
    wealth: int,
    scandals: int = 0,
    extra: int = 0,
    faux_pas: bool = False,
) -> SalonOdds:
    """The exact chance with the randomizers of the whole deck."""
    if level not in LEVELS:
        raise Refusal("A reform has level 1, 3 or 5.", field="level")
    for name, number in (("of_muse", of_muse), ("others", others), ("wealth", wealth), ("scandals", scandals)):
        if type(number) is not int or not 0 <= number <= MAX_FIGURE:
            raise Refusal(f"Enter whole numbers from 0 to {MAX_FIGURE}.", field=name)
    sophia = OWN_MUSE * of_muse + OTHER_MUSE * others + extra
    why_not = ""
    if of_muse + others < FEWEST:
        why_not = "At least two must attend."
    elif of_muse + others > wealth:
        why_not = f"Your wealth seats only {wealth}."
    wins = () if why_not else winning_randomizers(sophia, level, scandals, faux_pas=faux_pas)
    spread = randomizer_spread(deck)
    chance = Fraction(0) if why_not else salon_chance(sophia, level, scandals, spread, faux_pas=faux_pas)
    return SalonOdds(sophia, level + scandals, wins, chance, why_not)
