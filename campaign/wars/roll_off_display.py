"""The roll-off ready to draw: a row for each kingdom with its dice, who leads, and what a re-roll could do."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.chronicle.state import Kingdom, State
from rulebook.campaign.roll_off import RollOff
from rulebook.odds.rolls import reroll_odds


@dataclass(frozen=True, slots=True)
class DieFace:
    roll: int
    kept: bool
    bought: bool


@dataclass(frozen=True, slots=True)
class RollOffRow:
    kingdom: Kingdom
    dice: tuple[DieFace, ...]
    vp: int
    mark: str  # leads, tied, passes or nothing


@dataclass(frozen=True, slots=True)
class RerollChance:
    """What a bought die could do for a kingdom that is behind. The better die counts."""

    kingdom: Kingdom
    die: int
    vp: int
    wins: str  # "8, 9 or 10", or nothing
    ties: str
    share: int  # per cent that win


def roll_off_rows(state: State, rolling: RollOff) -> tuple[RollOffRow, ...]:
    winner, waiting = rolling.winner, rolling.waiting
    rows = []
    for player in rolling.players:
        rolled = bool([throw for throw in rolling.throws if throw.player == player])
        mark = "leads" if player == winner else "tied" if rolled and player in waiting else ""
        if player in rolling.passing:
            mark = "has nothing to attack"
        rows.append(RollOffRow(state.kingdoms[player], _dice_of(rolling, player), rolling.vp_left(player), mark))
    return tuple(rows)


def _dice_of(rolling: RollOff, player: str) -> tuple[DieFace, ...]:
    """A player's dice in the order they fell. Of a die and its re-roll, one is struck out."""
    found: list[DieFace] = []
    for throw in rolling.throws:
        if throw.player != player:
            continue
        bought = throw.buyer is not None
        if bought and throw.kept:
            last = max(at for at, die in enumerate(found) if die.kept)
            found[last] = DieFace(found[last].roll, False, found[last].bought)
        found.append(DieFace(throw.roll, throw.kept is not False, bought))
    return tuple(found)


def reroll_chances(state: State, rolling: RollOff) -> tuple[RerollChance, ...]:
    """Whoever can pay and does not lead, in the order in which they decide (R-103)."""
    if rolling.winner is None:
        return ()
    return tuple(
        _chance(state, rolling, player)
        for player in rolling.may_buy(state.rules())
        if player != rolling.winner and player not in rolling.passing
    )


def _chance(state: State, rolling: RollOff, player: str) -> RerollChance:
    die = rolling.hands[rolling.players.index(player)][-1]
    odds = reroll_odds(rolling, player, state.rules())
    return RerollChance(
        state.kingdoms[player],
        die,
        rolling.vp_left(player),
        _faces(odds.wins),
        _faces(odds.ties),
        round(odds.wins_at_once * 100),
    )


def _faces(faces: tuple[int, ...]) -> str:
    if len(faces) < 2:
        return "".join(str(face) for face in faces)
    return f"{', '.join(str(face) for face in faces[:-1])} or {faces[-1]}"
