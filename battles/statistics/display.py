"""Statistics ready to draw: tables of win rates with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from battles.result.core.win_rates import Tallies, Tally
from dataclass_json import Ask, PageOnly
from people.models import Person
from people.requester import Who
from rulebook.data.heroes import HERO
from rulebook.data.scenarios import SCENARIO
from rulebook.data.units import UNIT


@dataclass(frozen=True, slots=True)
class TallyRow:
    name: str
    under: str
    tally: PageOnly[Tally]
    played: int
    won: int
    drawn: int
    share: Annotated[int, Ask("Share", "percent; a draw is half a win")]
    low: Annotated[int, Ask("From", "lower end of the interval, percent")]
    high: int
    units_fielded: int
    units_removed: int

    @property
    def width(self) -> int:
        return max(self.high - self.low, 1)

    @property
    def survivors(self) -> str:
        """Units left at the end, out of those fielded."""
        if not self.units_fielded:
            return ""
        return f"{self.units_fielded - self.units_removed} of {self.units_fielded}"


@dataclass(frozen=True, slots=True)
class TallyTable:
    key: str
    title: str
    first_column: PageOnly[str]
    note: PageOnly[str]
    rows: tuple[TallyRow, ...]


def _row(name: str, under: str, tally: Tally) -> TallyRow:
    low, high = (round(end * 100) for end in tally.interval)
    return TallyRow(
        name,
        under,
        tally,
        played=tally.played,
        won=tally.won,
        drawn=tally.drawn,
        share=round(tally.share * 100),
        low=low,
        high=high,
        units_fielded=tally.fielded,
        units_removed=tally.removed,
    )


def tally_tables(found: Tallies, who: Who) -> tuple[TallyTable, ...]:
    rows = (
        TallyTable(
            "scenarios",
            "By scenario",
            "Scenario",
            "Won by the attacker, or by side A outside a campaign.",
            _scenarios(found),
        ),
        TallyTable("sides", "By side", "Side", "Only scenarios where the sides have different goals.", _sides(found)),
        TallyTable(
            "kingdoms", "By kingdom", "Kingdom", "", _sorted(_row(t.name, "", t) for t in found.kingdoms.values())
        ),
        TallyTable("people", "By person", "Person", "The person who led the side that day.", _people(found, who)),
        TallyTable(
            "units",
            "By unit",
            "Unit",
            "How often a side with this unit won, and how many of these units were left.",
            _named(found.units, UNIT),
        ),
        TallyTable("heroes", "By hero", "Hero", "How often a side with this hero won.", _named(found.heroes, HERO)),
    )
    return tuple(table for table in rows if table.rows)


def _sorted(rows: Iterable[TallyRow]) -> tuple[TallyRow, ...]:
    return tuple(sorted(rows, key=lambda row: (-row.played, row.name)))


def _scenarios(found: Tallies) -> tuple[TallyRow, ...]:
    return _sorted(
        _row(SCENARIO[key].name if key in SCENARIO else "Unknown", "", t) for key, t in found.scenarios.items()
    )


def _sides(found: Tallies) -> tuple[TallyRow, ...]:
    rows = []
    for key, tally in found.sides.items():
        scenario, _, letter = key.partition(":")
        row = SCENARIO.get(scenario)
        if row is None or row.equal:
            continue
        side = next(side for side in row.sides if side.key == letter)
        rows.append(_row(side.name, f"{row.name}, side {letter}", tally))
    return _sorted(rows)


def _people(found: Tallies, who: Who) -> tuple[TallyRow, ...]:
    """Only people the requester knows. Merged people count as one."""
    ids = [int(key) for key in found.people]
    seen = Person.objects.visible_to(who).filter(pk__in=ids).select_related("merged_into") if who.is_known else ()
    merged: dict[int, Tally] = {}
    for person in seen:
        root, tally = person.root, found.people[str(person.pk)]
        if root.is_forgotten:
            continue
        if root.pk not in merged:
            merged[root.pk] = Tally(str(root.pk), root.name)
        into = merged[root.pk]
        for name in ("played", "won", "drawn", "fielded", "removed"):
            setattr(into, name, getattr(into, name) + getattr(tally, name))
    return _sorted(_row(tally.name, "", tally) for tally in merged.values())


def _named(table: dict[str, Tally], rows: Mapping[str, Any]) -> tuple[TallyRow, ...]:
    return _sorted(_row(rows[key].name, "", tally) for key, tally in table.items() if key in rows)
