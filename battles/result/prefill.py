"""What the tracker saw, for the result form and the battle's page: the form filled in, the rounds told, the luck of the dice."""

from __future__ import annotations

from typing import Any

from battles.models import Battle
from battles.table_reading import kept, terms_of
from battles.telling.fielded import FieldUnit
from battles.tracker.goals import report, verdict
from battles.tracker.lines import Step, counting
from battles.tracker.luck import Luck, luck
from battles.tracker.table import Table, Terms
from refusal import Refusal
from rulebook.scoring import score

SAID_MOST = 120  # sentences of a story; the whole log stands on the table's own page
# What only moves a token or opens a fight is no story.
QUIET = frozenset(
    ("token", "did", "moved", "stands_at", "contact", "set", "held", "crossings", "solo", "fight", "laid")
)
FIGURES = (" to hit: ", " to save: ", "Initiative: ", " is over.")


def rounds_of(steps: list[Step]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """What was said, round by round, in the order it happened."""
    rounds: dict[int, list[str]] = {}
    told = 0
    for step in counting(steps):
        if step.kind in QUIET or told >= SAID_MOST:
            continue
        # Faces of dice stand in the table's own history; a story tells what came of them.
        words = [sentence for sentence in step.said if not any(part in sentence for part in FIGURES)]
        rounds.setdefault(int(step.body.get("round", 0)), []).extend(words)
        told += len(words)
    return tuple((at, tuple(said)) for at, said in sorted(rounds.items()) if said)


def luck_of(steps: list[Step]) -> tuple[Luck, ...]:
    return luck(counting(steps))


def tracked_values(battle: Battle) -> dict[str, Any] | None:
    """The result form as the tracker would fill it in, or nothing where no table was laid."""
    table = kept(battle).table
    if not table.laid or tuple(table.sides) != ("A", "B") or not battle.scenario:
        return None
    keys = _keys(table)
    gone = {how: {side: [] for side in "AB"} for how in ("removed", "escaped")}
    for unit in table.units():
        if unit.gone is not None:
            gone[unit.gone["how"]][unit.side].append(keys[unit.id])
    terms = terms_of(battle)
    found = report(table, terms)
    return {
        "ending": _ending(table, terms),
        "removed": {side: tuple(gone["removed"][side]) for side in "AB"},
        "escaped": tuple(gone["escaped"]["A"]),
        "crossings": {side: n for side, n in found.crossings.items() if n},
        "mounds": tuple((held.get("A", 0), held.get("B", 0)) for held in found.mounds),
        "ablaze": found.ablaze,
        "spent": {side: table.spent(side) for side in "AB"},
        "silent": {},
    }


def tracked_many(battle: Battle) -> dict[str, Any]:
    """The form of more than two armies as far as the tracker knows it: what each lost, who yielded, who alone is left."""
    table = kept(battle).table
    if not table.laid or len(table.sides) < 3:
        return {}
    lost = {side: sum(unit.gone is not None for unit in table.units(side)) for side in table.sides}
    yielded = [side for side in table.sides if table.cells.get(f"yielded/{side}")]
    found = verdict(table, terms_of(battle))
    return {"lost": lost, "yielded": yielded, "winner": (found.winner or "draw") if found.over else ""}


def tracked_units(battle: Battle) -> dict[str, tuple[FieldUnit, ...]] | None:
    """Who stood at the table, where no muster says so."""
    table = kept(battle).table
    if not table.laid or tuple(table.sides) != ("A", "B"):
        return None
    keys = _keys(table)
    found: dict[str, tuple[FieldUnit, ...]] = {}
    for side in "AB":
        found[side] = tuple(
            FieldUnit(
                keys[unit.id], unit.mustered.slot.origin, unit.mustered.slot.number, unit.mustered.unit, unit.mustered.hero, unit.mustered.weapon
            )
            for unit in table.units(side)
        )  # fmt: skip
    return found


def _keys(table: Table) -> dict[str, str]:
    """The slot of each unit, as musters name them; a second unit of one slot has its number behind it."""
    seen: dict[tuple[str, str], int] = {}
    keys = {}
    for unit in table.units():
        slot = unit.mustered.slot.key
        seen[unit.side, slot] = seen.get((unit.side, slot), 0) + 1
        nth = seen[unit.side, slot]
        keys[unit.id] = slot if nth == 1 else f"{slot}-{nth}"
    return keys


def _ending(table: Table, terms: Terms) -> str:
    for side in "AB":
        if table.cells.get(f"yielded/{side}"):
            return f"yielded-{side}"
    if table.cells.get("stopped"):
        return "draw"
    if not verdict(table, terms, round_over=True).over:
        return ""
    try:
        found = score(report(table, terms, stopped=False), terms.options)
    except Refusal:
        return ""
    loser = {"A": "B", "B": "A"}.get(found.winner or "", "")
    if found.how in ("destroyed", "routed"):
        return f"{found.how}-{loser}" if loser else "draw"
    if found.how == "held out":
        return "held_out"
    goals = {"secure_the_crossing": "counted", "break_free": "over", "chevauchee": "ablaze", "siege": "castle"}
    if terms.scenario == "take_the_fortress":
        return f"fortress-{found.winner}"
    if terms.scenario == "last_stand":
        return "routed-A"
    return goals.get(terms.scenario, "draw" if found.winner is None else "")
