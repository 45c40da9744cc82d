"""The book of a season: story, titles, standings, charts, and every battle with its map, its reports and photos."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from campaign import selectors as campaign_selectors
from campaign.chronicle.battles_from_entries import is_battle, read_battle
from campaign.chronicle.effects import apply_effects
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.scores import build_series
from campaign.chronicle.seasons.cut_into_seasons import SeasonRecord, split_seasons
from campaign.chronicle.sentences import Names, describe_entry, format_day
from campaign.display import effect_rows, names_for
from campaign.map.display import build_map_display, list_map_kingdoms
from campaign.models import Campaign
from campaign.seasons.display import SeasonDisplay, build_season_display
from campaign.selectors import photos_of_battles
from people.requester import Who
from photos.display import PhotoRow
from printing.sheet_json_and_fingerprint import PrintedPhoto, printed_photo
from printing.sheet_registry import CAMPAIGN, Content, Sheet, Subject, pick, register_sheets
from rulebook.data.scenarios import SCENARIO
from text import format_signed

# More lines in one chart are unreadable; the standings show the rest.
MAX_CHART_LINES = 12
PHOTOS_PER_PAGE = 3
# Shown elsewhere in the book.
SKIPPED_ACTS = ("founded", "season_opened", "season_closed")
MEASURES = (("holds", "Territories"), ("loyalty", "Loyalty"), ("vp", "Victory points"))


@dataclass(frozen=True, slots=True)
class Season:
    campaign: Campaign
    number: int


def find(who: Who, subject: str) -> Season:
    code, _, number = subject.rpartition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 6):
        raise Http404
    return Season(campaign_selectors.get_visible_campaign(who, code), int(number))


def subjects(who: Who) -> Iterator[Subject]:
    for campaign, state in campaign_selectors.own_campaigns(who).running[:12]:
        for number in range(1, state.season + 1):
            yield Subject(f"{campaign.code}-{number}", f"{campaign.name}, season {number}")


def gather(season: Season) -> Content:
    campaign = season.campaign
    sheet = build_season_display(campaign, season.number)
    order = list(effective_entries(campaign_selectors.entries_of(campaign)))
    records = [record for record in split_seasons(order) if record.number == season.number]
    if sheet is None or not records:
        raise Http404
    record = records[-1]
    names = names_for(campaign, record.after)
    return {
        "campaign": campaign.name,
        "season": sheet.page["season"],
        "name": sheet.page["name"],
        "opened": format_day(sheet.page["opened_on"]),
        "closed": format_day(sheet.page["closed_on"]) if sheet.page["closed_on"] else "",
        "winner": sheet.page["winner"],
        "count": sheet.page["battles"],
        "story": [[sentence["text"] for sentence in paragraph] for paragraph in sheet.page["story"]],
        "titles": [
            {"name": title["name"], "what": title["what"], "said": title["said"], "arms": title["arms"][:1]}
            for title in sheet.titles
        ],
        "ranks": [rank_row(rank) for rank in sheet.ranks],
        "corrected": correction_notes(sheet),
        "charts": charts(record),
        "before": realm_map(record.before, campaign, "Before the first battle"),
        "after": realm_map(record.after, campaign, "At the end" if record.closed else "Now"),
        "battles": list(battle_pages(record, campaign, names, written_reports(order, names))),
    }


def written_reports(order: Iterable[ChronicleEntry], names: Names) -> dict[int, list[dict[str, str]]]:
    """What players wrote about each battle, also after the season closed."""
    by_battle: dict[int, list[dict[str, str]]] = {}
    for entry in order:
        if entry.act == "note" and entry.body.get("battle"):
            row = {"text": str(entry.body.get("text", "")), "by": names.person(entry.actor)}
            by_battle.setdefault(entry.body["battle"], []).append(row)
    return by_battle


def rank_row(rank: Content) -> Content:
    record = rank["record"]
    return {
        **{name: rank[name] for name in ("place", "name", "arms", "holds", "vp", "sworn")},
        **{name: record[name] for name in ("won", "drawn", "lost", "taken", "earned", "spent")},
        "loyalty": format_signed(rank["loyalty"]),
    }


def correction_notes(sheet: SeasonDisplay) -> list[str]:
    return [f"entry {mark.entry}, {format_day(mark.on.isoformat())}" for mark in sheet.marks]


def realm_map(state: Any, campaign: Campaign, title: str) -> Any:
    return build_map_display(state, seed=campaign.code, title=title) if state.in_play() else None


def charts(season: SeasonRecord) -> list[Content]:
    """One chart per measure, battle by battle, the highest first."""
    kingdoms = {kingdom.id: kingdom for kingdom in list_map_kingdoms(season.after)}
    course = [series for series in build_series(season.entries[1:], season.before) if series.kingdom in kingdoms]
    drawn = []
    for key, title in MEASURES:
        points = [(kingdoms[series.kingdom], series.values_of(key)) for series in course]
        points.sort(key=lambda line: -(line[1][-1][1] if line[1] else 0))
        lines = [
            {"name": kingdom.name, "ink": kingdom.livery.row.line, "points": values}
            for kingdom, values in points[:MAX_CHART_LINES]
        ]
        drawn.append({"title": title, "series": lines, "left_out": max(0, len(course) - MAX_CHART_LINES)})
    return drawn


def battle_pages(
    season: SeasonRecord, campaign: Campaign, names: Names, reports: Mapping[int, list[dict[str, str]]]
) -> Iterator[Content]:
    """Every battle with what came before it, what it changed, the map after it, what was written and its photos."""
    fought = [entry.body["battle"] for entry in season.entries[1:] if is_battle(entry) and entry.body.get("battle")]
    photos = photos_of_battles(campaign, fought)
    state = season.before.copy()
    since: list[ChronicleEntry] = []
    number = 0
    for entry in season.entries[1:]:
        apply_effects(state, entry.effects)
        if not is_battle(entry):
            since.append(entry)
            continue
        number += 1
        battle = read_battle(entry)
        left = build_map_display(state, seed=campaign.code, title=f"The realm after battle {number}")
        arms = {kingdom.id: kingdom.arms for kingdom in left.kingdoms}
        sides = [
            {
                "name": names.kingdom(side),
                "arms": [arms[side]] if side in arms else [],
                "won": battle.winner == side,
                "earned": battle.earned.get(side, 0),
            }
            for side in (battle.attacker, battle.defender)
        ]
        yield {
            "number": number,
            "entry": entry.number,
            "day": format_day(entry.played_on),
            "sides": sides,
            "place": names.place(battle.target),
            "scenario": SCENARIO[battle.scenario].name if battle.scenario in SCENARIO else "",
            "draw": battle.winner is None,
            "taken": bool(battle.taken),
            "tale": describe_entry(entry, names),
            "effects": [
                {**pick(row, "text", "why", "name"), "arms": [row.arms] if row.arms else []}
                for row in effect_rows(entry.effects, names)
            ],
            "before": rows_between(since, names),
            "map": left,
            "reports": reports.get(entry.body.get("battle", 0), []),
            "photos": battle_photos(photos.get(entry.body.get("battle", 0), ()), number),
        }
        since = []
    if rows := rows_between(since, names):  # no page for the end of the season alone
        yield {"number": 0, "before": rows}


def battle_photos(rows: Sequence[PhotoRow], number: int) -> list[PrintedPhoto]:
    photos = [
        printed_photo(row, f"Photo {at} of battle {number}, by {row.by}")
        for at, row in enumerate(rows[:PHOTOS_PER_PAGE], 1)
    ]
    return [photo for photo in photos if photo is not None]


def rows_between(entries: Iterable[ChronicleEntry], names: Names) -> list[dict[str, str]]:
    """What happened between two battles; notes are quoted with their author."""
    rows = []
    for entry in entries:
        if entry.act == "note" and entry.body.get("battle"):
            continue  # stands on the page of its battle
        if entry.act == "note":
            text, by = str(entry.body.get("text", "")), names.person(entry.actor)
            rows.append({"day": format_day(entry.played_on), "text": text, "by": by})
        elif entry.act not in SKIPPED_ACTS and entry.effects:
            rows.append({"day": format_day(entry.played_on), "text": describe_entry(entry, names), "by": ""})
    return rows


def back(season: Season) -> tuple[str, str]:
    return f"{season.campaign.get_absolute_url()}seasons/{season.number}/", f"Season {season.number}"


def book_title(season: Season) -> str:
    return f"{season.campaign.name}, season {season.number}"


register_sheets(
    Sheet(
        "chronicle",
        "Chronicle of a season",
        "The book of a season: story, titles, standings, charts, and every battle with its map, reports and photos.",
        CAMPAIGN,
        "chronicle.typ",
        gather,
        find=find,
        name=book_title,
        subjects=subjects,
        back=back,
        hint="One page per battle: a long season makes a thick book.",
    )
)
