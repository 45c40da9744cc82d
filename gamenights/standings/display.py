"""Standings ready to draw: rows with names and shields, for the page and the API."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from gamenights.standings.core.charts import WinRate, draw_rating_span, draw_win_rates, rating_scale
from gamenights.standings.core.ratings import FEWEST_PLAYS, chance_of_being_better
from gamenights.standings.core.summary import BoardRow, MeetingRow, PersonGameRow, PersonSummary, SlotRow, Summary
from gamenights.standings.core.tally import Slot
from gamenights.standings.selectors import Choice
from heraldry import Arms
from people.models import Person
from people.name_validation import inline_name
from text import SafeMarkup, join_list

FEW_MEETINGS = 8  # fewer plays together say little

MAX_SHOWN = 20
MAX_GAMES = 30
TITLE_ICONS = {"wins": "c-cheese", "nights": "c-candle", "streak": "c-banner", "games": "c-map", "shared": "c-mouse"}


@dataclass(frozen=True, slots=True)
class Someone:
    key: str
    name: str
    arms: Arms | None
    is_you: bool


@dataclass(frozen=True, slots=True)
class BoardLine:
    someone: Someone
    row: BoardRow
    percent: int


@dataclass(frozen=True, slots=True)
class RatingLine:
    someone: Someone
    place: int | None
    plays: int
    lower: str
    mean: str
    margin: str
    span: SafeMarkup
    missing: int  # plays until the rating is shown


@dataclass(frozen=True, slots=True)
class MeetingCell:
    css: str
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class TitleLine:
    icon: str
    name: str
    people: str
    reason: str


@dataclass(frozen=True, slots=True)
class StandingsDisplay:
    plays: int
    nights: int
    slots: tuple[SlotRow, ...]
    board: tuple[BoardLine, ...]
    hidden: int  # rows beyond those shown
    ratings: tuple[RatingLine, ...]
    chance: str
    people: tuple[Someone, ...]  # of the table of who beats whom
    meetings: tuple[tuple[Someone, tuple[MeetingCell, ...]], ...]
    titles: tuple[TitleLine, ...]
    roles: SafeMarkup | None
    starters: str

    @property
    def is_rated(self) -> bool:
        """Somebody has enough plays for a rating to be shown."""
        return any(line.place for line in self.ratings)


class People:
    """Names and shields of everyone on a page, in one query."""

    def __init__(self, keys: Iterable[str], me: set[int]) -> None:
        ids = {int(key) for key in keys}
        self._rows = {str(row.pk): row for row in Person.objects.filter(pk__in=ids)}
        self._me = {str(pk) for pk in me}
        self._found: dict[str, Someone] = {}  # a shield takes a while to draw up

    def get(self, key: str) -> Someone:
        if key not in self._found:
            row = self._rows.get(key)
            arms = row.arms if row else None
            self._found[key] = Someone(key, row.name if row else "Someone", arms, key in self._me)
        return self._found[key]

    def name(self, key: str) -> str:
        row = self._rows.get(key)
        return inline_name(row.name if row else "Someone")


def build_standings(summary: Summary, me: set[int]) -> StandingsDisplay:
    board, ratings = summary.board, summary.ratings
    compared = list(dict.fromkeys(person for row in summary.meetings for person in (row.one, row.other)))
    order = [row.person for row in (summary.ratings or summary.board)]
    compared.sort(key=order.index)
    titled = [person for title in summary.titles for person in title.people]
    people = People({row.person for row in board} | {row.person for row in ratings} | {*compared, *titled}, me)
    shown = [row.rating for row in ratings if row.rating.is_shown]
    scale = rating_scale(shown)
    return StandingsDisplay(
        plays=summary.plays,
        nights=summary.nights,
        slots=summary.slots,
        board=tuple(BoardLine(people.get(row.person), row, _percent(row.wins, row.contests)) for row in board),
        hidden=summary.people - len(board),
        ratings=tuple(
            RatingLine(
                people.get(row.person),
                row.place,
                row.plays,
                f"{row.rating.lower:.1f}",
                f"{row.mean:.1f}",
                f"{row.rating.margin:.1f}",
                draw_rating_span(row.rating, scale) if row.rating.is_shown else SafeMarkup(""),
                max(FEWEST_PLAYS - row.plays, 0),
            )
            for row in ratings
        ),
        chance=_tell_chance(summary, people),
        people=tuple(people.get(key) for key in compared),
        meetings=_build_meetings(summary.meetings, compared, people),
        titles=tuple(
            TitleLine(
                TITLE_ICONS[title.key], title.name, join_list([people.name(key) for key in title.people]), title.reason
            )
            for title in summary.titles
        ),
        roles=_draw_roles(summary),
        starters=_tell_starters(summary),
    )


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0


def _tell_chance(summary: Summary, people: People) -> str:
    first = [row for row in summary.ratings if row.place in (1, 2)]
    if len(first) < 2:
        return ""
    chance = round(100 * chance_of_being_better(first[0].rating, first[1].rating))
    one, other = people.name(first[0].person), people.name(first[1].person)
    return f"The chance that {one} is better than {other} is {chance} in 100."


def _tell_starters(summary: Summary) -> str:
    contests, wins = summary.starters
    return f"The start player won {wins} of {contests} plays." if contests else ""


def _draw_roles(summary: Summary) -> SafeMarkup | None:
    if not summary.roles:
        return None
    rows = [WinRate(row.role, row.wins, row.contests) for row in summary.roles[:12]]
    best = max(rows, key=lambda row: (row.share, row.plays))
    sentence = f"{best.name} wins most often: {best.wins} of {best.plays}."
    return draw_win_rates("Wins by role", sentence, rows, "roles")


def _build_meetings(
    rows: Iterable[MeetingRow], order: list[str], people: People
) -> tuple[tuple[Someone, tuple[MeetingCell, ...]], ...]:
    counts = {}
    for row in rows:
        counts[row.one, row.other] = (row.ahead, row.behind, row.level)
        counts[row.other, row.one] = (row.behind, row.ahead, row.level)
    return tuple(
        (people.get(key), tuple(_cell(counts.get((key, other)), key == other) for other in order)) for key in order
    )


def _cell(counts: tuple[int, int, int] | None, is_self: bool) -> MeetingCell:
    if is_self:
        return MeetingCell("self", "", "same")
    if counts is None:
        return MeetingCell("few", "–", "never met")
    ahead, behind, level = counts
    words = f"ahead {ahead}, behind {behind}" + (f", level {level}" if level else "")
    text = f"{ahead}–{behind}"
    if ahead + behind + level < FEW_MEETINGS:
        return MeetingCell("few", text, words)
    css = "" if ahead == behind else "up" if ahead > behind else "dn"
    is_clear = max(ahead, behind) >= 1.5 * min(ahead, behind) and ahead != behind
    return MeetingCell(css + css[-1:] if is_clear else css, text, words)


@dataclass(frozen=True, slots=True)
class GameLink:
    url: str
    label: str
    is_on: bool


def build_links(summary: Summary, choice: Choice) -> list[GameLink]:
    """One link for each game and variant, in the same time."""
    time = {"season": choice.season.pk if choice.season else "all", "from": choice.start, "to": choice.end}
    time = {name: value for name, value in time.items() if value}
    links = [GameLink(f"?{urlencode(time)}", "All games", choice.slot is None)]
    for row in summary.slots[:MAX_GAMES]:
        query = urlencode({**time, "game": row.game, "variant": row.variant})
        links.append(GameLink(f"?{query}", row.label, choice.slot == Slot(row.game, row.variant)))
    return links


# ── One person ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MeetingLine:
    someone: Someone
    cell: MeetingCell
    plays: int


@dataclass(frozen=True, slots=True)
class PersonDisplay:
    someone: Someone
    summary: PersonSummary
    percent: int
    attendance: int
    first_win: dt.date | None
    nemesis: str
    hours: int
    games: tuple[PersonGameRow, ...]
    meetings: tuple[MeetingLine, ...]


def build_person(summary: PersonSummary, me: set[int]) -> PersonDisplay:
    meetings = summary.meetings[:MAX_SHOWN]
    people = People({summary.person, *(row.other for row in meetings)} | ({summary.nemesis} - {""}), me)
    nemesis = next((row for row in summary.meetings if row.other == summary.nemesis), None)
    return PersonDisplay(
        someone=people.get(summary.person),
        summary=summary,
        percent=_percent(summary.wins, summary.contests),
        attendance=_percent(summary.nights, summary.all_nights),
        first_win=dt.date.fromisoformat(summary.first_win) if summary.first_win else None,
        nemesis=f"{people.name(nemesis.other)}, ahead in {nemesis.behind} of {nemesis.plays} plays" if nemesis else "",
        hours=round(summary.minutes / 60),
        games=summary.games,
        meetings=tuple(
            MeetingLine(people.get(row.other), _cell((row.ahead, row.behind, row.level), False), row.plays)
            for row in meetings
        ),
    )
