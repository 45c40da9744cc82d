"""Your Majesty with printed cards: set-up for the group's own deck, and the odds of a salon."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from cardgames.engine import Deck
from cardgames.games.majesty.deck_faces import HAND, cards_of_group, normal_actions, randomizer_spread
from cardgames.games.majesty.player_numbers import PATTERN, count_box
from cardgames.games.majesty.salon import (
    FEWEST,
    LEVELS,
    OTHER_MUSE,
    OWN_MUSE,
    salon_chance,
    winning_randomizers,
)
from refusal import Refusal

MOST = 30


def set_up(deck: Deck, players: int, two_players: str = PATTERN) -> list[str]:
    """What to do before the first turn, in order."""
    muses = Counter(face.muse for face in cards_of_group(deck, "philosophe"))
    box = count_box(players, len(cards_of_group(deck, "colony")), muses, two_players)
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
        if type(number) is not int or not 0 <= number <= MOST:
            raise Refusal(f"Enter whole numbers from 0 to {MOST}.", field=name)
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
