"""What the table comes to: the report the rules score, VP so far, and whether the battle is decided."""

from __future__ import annotations

from dataclasses import dataclass

from battles.tracker.table import Table, Terms
from refusal import Refusal
from rulebook.burning import BUILDING_WOUNDS, VILLAGE
from rulebook.scenarios import SideKey
from rulebook.scoring import Report, Score, SideReport, score
from rulebook.siege import Force, holders, siege_end
from rulebook.spoils import purse as purse_of


def rounds_played(table: Table) -> int:
    """Rounds that are over."""
    if table.cells.get("over"):
        return int(table.cells["over"])
    return max(0, table.round - 1)


def report(table: Table, terms: Terms, *, stopped: bool | None = None) -> Report:
    """The battle as the rulebook's scoring wants it, filled in from the table."""
    if tuple(table.sides) != ("A", "B"):
        raise Refusal("A battle of more than two sides is scored by hand.", status=409)
    row = terms.row
    length = None
    if row.rounds is not None:
        length = max(1, min(row.rounds, rounds_played(table)))
    mounds: tuple[dict[str, int], ...] = ()
    if terms.scenario == "hold_the_hills":
        told = [table.cells.get(f"held/{number}") for number in range(1, rounds_played(table) + 1)]
        late = table.cells.get(f"held/{table.round}")
        mounds = tuple(
            dict(one or {}) for one in [*told, *([late] if late and rounds_played(table) < table.round else [])]
        )
    return Report(
        terms.scenario,
        _side(table, "A"),
        _side(table, "B"),
        length,
        crossings=_crossings(table, terms),
        mounds=mounds,
        ablaze=ablaze(table) if terms.scenario == "chevauchee" else 0,
        holder=_holder(table, terms),
        stopped=bool(table.cells.get("stopped")) if stopped is None else stopped,
    )


def _side(table: Table, side: str) -> SideReport:
    units = table.units(side)
    return SideReport(
        len(units),
        removed=sum(unit.gone is not None and unit.gone["how"] == "removed" for unit in units),
        fleeing=sum(unit.here and unit.fleeing for unit in units),
        escaped=sum(unit.gone is not None and unit.gone["how"] == "escaped" for unit in units),
        yielded=bool(table.cells.get(f"yielded/{side}")),
    )


def _crossings(table: Table, terms: Terms) -> dict[str, int]:
    """A crossing is held by a unit that stands; what a side lost since it was told is not held any more."""
    if terms.scenario != "secure_the_crossing":
        return {}
    told = table.cells.get("crossings") or {}
    return {side: min(int(told.get(side, 0)), _side(table, side).standing) for side in ("A", "B")}


def _holder(table: Table, terms: Terms) -> SideKey | None:
    if terms.scenario == "siege" and table.has_castle:
        inside = holders(table.castle())
        return "A" if inside == {"attacker"} else "B" if inside == {"defender"} else None
    side = table.cells.get("holder")
    if terms.scenario != "take_the_fortress" or side not in ("A", "B"):
        return None
    return side if _side(table, side).standing else None


def ablaze(table: Table) -> int:
    return sum(table.cells.get(f"building/{number}") == BUILDING_WOUNDS for number in range(1, VILLAGE + 1))


def so_far(table: Table, terms: Terms) -> Score | None:
    """The score if the battle were left here: what is earned already, and the win only where it is decided."""
    if not table.laid or tuple(table.sides) != ("A", "B"):
        return None
    return score(report(table, terms, stopped=True), terms.options)


def earned(table: Table, terms: Terms, side: str) -> int:
    """VP in hand from this battle: kills and goals so far. The win pays when it is confirmed."""
    found = so_far(table, terms)
    return sum(line.vp for line in found.lines if line.side == side and line.key != "win") if found else 0


def purse(table: Table, terms: Terms, side: str) -> int:
    """What a side can spend now: what it came with, what it earned here, less what it spent here (R-57)."""
    try:
        return purse_of(table.purse(side), earned(table, terms, side), table.spent(side))
    except Refusal:
        return 0  # the table spent more than it had; the result form says so


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the battle is decided, and how."""

    over: bool
    winner: str | None
    reason: str


def verdict(table: Table, terms: Terms, *, round_over: bool = False) -> Verdict:
    """Looked at after every step; routs only when a round is over (R-59)."""
    if not table.laid:
        return Verdict(False, None, "")
    if table.cells.get("stopped"):
        return Verdict(True, None, "The battle was left undecided.")
    if tuple(table.sides) != ("A", "B"):
        return _of_many(table)
    told = report(table, terms, stopped=False)
    if terms.siege:
        a, b = told.a, told.b
        yields = "attacker" if a.yielded else "defender" if b.yielded else None
        end = siege_end(
            Force(a.left, a.fleeing),
            Force(b.left, b.fleeing),
            yields=yields,
            round_over=round_over,
            castle=table.castle(),
            options=terms.options,
        )
        winner = {"attacker": "A", "defender": "B"}.get(end.winner or "")
        return Verdict(end.winner is not None, winner, end.text if end.winner else "")
    try:
        found = score(told, terms.options)
    except Refusal:
        return Verdict(False, None, "")
    if found.how == "routed" and not round_over:
        return Verdict(False, None, "Every unit left of one side is fleeing. If none rallies by the end of the round, it has lost.")  # fmt: skip
    return Verdict(True, found.winner, found.reason)


def _of_many(table: Table) -> Verdict:
    """Of more than two armies the one that is left alone has won; the others were destroyed or have yielded."""
    still = [
        side
        for side in table.sides
        if not table.cells.get(f"yielded/{side}") and any(unit.here for unit in table.units(side))
    ]
    if len(still) > 1:
        return Verdict(False, None, "")
    winner = still[0] if still else None
    return Verdict(True, winner, f"Nobody but {table.side_name(winner)} is left." if winner else "Nobody is left.")
