"""Statistics: tables with intervals, so that three games do not look like proof."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from battles.statistics import campaigns_of, games_of
from battles.telling.tally import Tallies, Tally, tallied
from campaign.models import Campaign
from people.models import Person
from people.who import Who
from rulebook.heroes import HERO
from rulebook.scenarios import SCENARIO
from rulebook.units import UNIT


@dataclass(frozen=True, slots=True)
class TallyRow:
    name: str
    under: str
    tally: Tally

    @property
    def low(self) -> int:
        return round(self.tally.interval[0] * 100)

    @property
    def high(self) -> int:
        return round(self.tally.interval[1] * 100)

    @property
    def share(self) -> int:
        return round(self.tally.share * 100)

    @property
    def width(self) -> int:
        return max(self.high - self.low, 1)

    @property
    def kept(self) -> str:
        """Units still there at the end, of those that took the field."""
        if not self.tally.fielded:
            return ""
        return f"{self.tally.fielded - self.tally.removed} of {self.tally.fielded}"


@dataclass(frozen=True, slots=True)
class TallyTable:
    key: str
    title: str
    first: str
    words: str
    rows: tuple[TallyRow, ...]


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    campaigns = list(campaigns_of(request.who))
    chosen = None
    if code := request.GET.get("campaign", ""):
        chosen = get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log"), code=code)
    games = games_of(request.who, [chosen] if chosen else campaigns, alone=chosen is None)
    found = tallied(games)
    context = {"tables": tables(found, request.who), "battles": found.battles, "campaigns": campaigns, "chosen": chosen}
    return render(request, "battles/statistics.html", context)


def tables(found: Tallies, who: Who) -> tuple[TallyTable, ...]:
    rows = (
        TallyTable("scenarios", "By scenario", "Scenario", "Won by the attacker; outside a campaign by side A.", _scenarios(found)),
        TallyTable("sides", "By side", "Side", "Where the two sides have different tasks.", _sides(found)),
        TallyTable("kingdoms", "By kingdom", "Kingdom", "", _sorted(TallyRow(t.name, "", t) for t in found.kingdoms.values())),
        TallyTable("people", "By person", "Person", "Whoever led the side on that day.", _people(found, who)),
        TallyTable("units", "By unit", "Unit", "How often a side with this unit won, and how often the unit was still there.", _named(found.units, UNIT)),
        TallyTable("heroes", "By hero", "Hero", "How often a side with this hero won.", _named(found.heroes, HERO)),
    )  # fmt: skip
    return tuple(table for table in rows if table.rows)


def _sorted(rows) -> tuple[TallyRow, ...]:
    return tuple(sorted(rows, key=lambda row: (-row.tally.played, row.name)))


def _scenarios(found: Tallies) -> tuple[TallyRow, ...]:
    return _sorted(TallyRow(SCENARIO[key].name if key in SCENARIO else "Not told", "", t) for key, t in found.scenarios.items())  # fmt: skip


def _sides(found: Tallies) -> tuple[TallyRow, ...]:
    rows = []
    for key, tally in found.sides.items():
        scenario, _, letter = key.partition(":")
        row = SCENARIO.get(scenario)
        if row is None or row.equal:
            continue
        side = next(side for side in row.sides if side.key == letter)
        rows.append(TallyRow(side.name, f"{row.name}, side {letter}", tally))
    return _sorted(rows)


def _people(found: Tallies, who: Who) -> tuple[TallyRow, ...]:
    """Only people the viewer knows; those who turned out to be one are one."""
    ids = [int(key) for key in found.people]
    seen = Person.objects.visible_to(who).filter(pk__in=ids).select_related("merged_into") if who.is_known else ()
    merged: dict[int, TallyRow] = {}
    for person in seen:
        root, tally = person.root, found.people[str(person.pk)]
        if root.is_forgotten:
            continue
        if root.pk not in merged:
            merged[root.pk] = TallyRow(root.name, "", Tally(str(root.pk), root.name))
        into = merged[root.pk].tally
        for name in ("played", "won", "drawn", "fielded", "removed"):
            setattr(into, name, getattr(into, name) + getattr(tally, name))
    return _sorted(merged.values())


def _named(table: dict[str, Tally], rows) -> tuple[TallyRow, ...]:
    return _sorted(TallyRow(rows[key].name, "", tally) for key, tally in table.items() if key in rows)
