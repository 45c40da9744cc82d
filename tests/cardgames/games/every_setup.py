"""Every game and set-up on which the game laws are tested."""

from __future__ import annotations

from cardgames.engine import Deck, Game
from cardgames.games import find_game, house_deck
from tests.cardgames.engine.game_laws import Start, starts
from tests.cardgames.engine.toy_games import SEATS, TOYS


def _real(key: str, seats: int, **options: object) -> tuple[Game, Start]:
    return find_game(key), starts(find_game(key), house_deck(key), seats, **options)


def _toy(pair: tuple[Game, Deck]) -> tuple[Game, Start]:
    return pair[0], starts(*pair, SEATS)


REAL: dict[str, tuple[Game, Start]] = {
    "menagerie": _real("menagerie", 4),
    "menagerie, end-stage at once": _real("menagerie", 4, endstage_immediate=True, sum_tie="nobody"),
    "monarchs, solo": _real("monarchs", 1),
    "monarchs, two": _real("monarchs", 2),
    "monarchs, two, brisk, stacks hidden": _real("monarchs", 2, brisk_court=True, stacks_browsable=False),
    "monarchs, three, family": _real("monarchs", 3, family_scoring=True, tiebreak="crowns"),
    "monarchs, four, going on after a reveal": _real("monarchs", 4, after_reveal_continue=True, tiebreak="cards"),
    "moods, two": _real("moods", 2),
    "moods, three, somebody says who begins": _real("moods", 3, first_player="ask", two_cards_when_same=True),
    "moods, four": _real("moods", 4),
    "majesty, two, ask before paying": _real("majesty", 2, negotiate_first=True, two_player_setup="as_three"),
    "majesty, three, edges": _real(
        "majesty", 3, gaming_debts_edge=True, philosophe_autoreshuffle=True, allow_empty_plays=True, round_limit=20
    ),
    "majesty, four": _real("majesty", 4),
    "majesty, five, paid philosophes": _real("majesty", 5, paycheck="wealth", faux_pas=True, round_limit=20),
    "majesty, six, muse attends": _real("majesty", 6, paycheck="reform", muse_must_attend=True, round_limit=20),
}
EVERY: dict[str, tuple[Game, Start]] = {**REAL, **{key: _toy(pair) for key, pair in TOYS.items()}}
