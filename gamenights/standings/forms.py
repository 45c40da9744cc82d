"""Which standings to show, and a new season."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.http import QueryDict

from gamenights.plays.values import format_day
from gamenights.standings.core.tally import Slot
from gamenights.standings.models import Season
from gamenights.standings.selectors import ALL_TIME, Period
from groups.models import Group
from pages.number_parsing import parse_int
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class Choice:
    """What the address asks for: ``?season=3&game=7&variant=brisk`` or ``?from=2026-01-01&to=2026-03-31``."""

    period: Period
    slot: Slot | None
    season: Season | None
    start: str
    end: str

    @property
    def time_name(self) -> str:
        if self.season:
            return self.season.name
        days = [f"from {format_day(self.period.start)}"] if self.period.start else []
        days += [f"to {format_day(self.period.end)}"] if self.period.end else []
        return " ".join(days) or "all time"


def read_choice(group: Group, query: QueryDict, seasons: list[Season]) -> Choice:
    """The season asked for; without one, the running season, or all time."""
    start, end = _read_day(query, "from"), _read_day(query, "to")
    if start and end and start > end:
        raise Refusal("The first day is after the last day.", field="from")
    season = None
    period = Period(start, end, is_kept=False) if start or end else ALL_TIME
    wanted = query.get("season", "")
    if not (start or end) and wanted != "all":
        number = parse_int(wanted)
        season = next((one for one in seasons if one.pk == number), None) or next(
            (one for one in seasons if one.last_day is None and not wanted), None
        )
        period = Period(season.first_day, season.last_day) if season else ALL_TIME
    game = parse_int(query.get("game", ""))
    slot = Slot(str(game), query.get("variant", "")[:200]) if game else None
    return Choice(period, slot, season, query.get("from", ""), query.get("to", ""))


def _read_day(query: QueryDict, name: str) -> dt.date | None:
    text = query.get(name, "").strip()
    if not text:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise Refusal("Enter a valid date.", field=name) from None
