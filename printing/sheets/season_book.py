"""The book of a season: its story, titles and standings, the course of the war, and every battle with the map it left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from campaign import reading
from campaign.annals.chapters import Chapter, chapters
from campaign.annals.courses import courses
from campaign.annals.effects import apply
from campaign.annals.fought import fought, is_battle
from campaign.annals.lines import Line, effective
from campaign.annals.tales import Names, tale
from campaign.annals.wording import day
from campaign.map.sheet import crowns_of, map_sheet
from campaign.models import Campaign
from campaign.seasons import SeasonSheet, season_sheet
from campaign.sheet import effect_rows
from people.who import Who
from printing.sheet import CAMPAIGN, Content, Sheet, Subject, register
from printing.sheets import of_campaigns
from printing.words import loyalty
from rulebook.scenarios import SCENARIO

# So many lines can be told apart in one chart; the standings have the rest.
MOST_LINES = 12
# The book says these elsewhere.
UNTOLD = ("founded", "season_opened", "season_closed")
MEASURES = (("holds", "Territories"), ("loyalty", "Loyalty"), ("vp", "Victory points"))


@dataclass(frozen=True, slots=True)
class Season:
    campaign: Campaign
    number: int


def find(who: Who, subject: str) -> Season:
    code, _, number = subject.rpartition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 6):
        raise Http404
    return Season(of_campaigns.find(who, code), int(number))


def subjects(who: Who) -> Iterator[Subject]:
    for campaign in Campaign.objects.of(who).filter(archived_at=None).select_related("log", "snapshot")[:12]:
        for number in range(1, reading.kept_or_folded(campaign).season + 1):
            yield Subject(f"{campaign.code}-{number}", f"{campaign.name}, season {number}")


def gather(season: Season) -> Content:
    campaign = season.campaign
    sheet = season_sheet(campaign, season.number)
    told = [
        chapter for chapter in chapters(effective(reading.lines_of(campaign))) if chapter.season == season.number
    ]  # fmt: skip
    if sheet is None or not told:
        raise Http404
    chapter = told[-1]
    names = of_campaigns.named(campaign, chapter.after)
    return {
        "campaign": campaign.name,
        "season": sheet.page["season"],
        "name": sheet.page["name"],
        "opened": day(sheet.page["opened_on"]),
        "closed": day(sheet.page["closed_on"]) if sheet.page["closed_on"] else "",
        "winner": sheet.page["winner"],
        "count": sheet.page["battles"],
        "story": [[sentence["text"] for sentence in paragraph] for paragraph in sheet.page["story"]],
        "titles": [
            {"name": title["name"], "what": title["what"], "said": title["said"], "arms": title["arms"][:1]}
            for title in sheet.titles
        ],
        "ranks": [rank_row(rank) for rank in sheet.ranks],
        "corrected": corrected(sheet),
        "charts": charts(chapter),
        "before": picture(chapter.before, campaign, "Before the first battle"),
        "after": picture(chapter.after, campaign, "At the end" if chapter.closed else "Now"),
        "battles": list(battles(chapter, campaign, names)),
    }


def rank_row(rank: dict[str, Any]) -> dict[str, Any]:
    record = rank["record"]
    return {
        "place": rank["place"], "name": rank["name"], "arms": rank["arms"], "holds": rank["holds"], "vp": rank["vp"],
        "loyalty": loyalty(rank["loyalty"]), "sworn": rank["sworn"], "won": record["won"], "drawn": record["drawn"],
        "lost": record["lost"], "taken": record["taken"], "earned": record["earned"], "spent": record["spent"],
    }  # fmt: skip


def corrected(sheet: SeasonSheet) -> list[str]:
    return [f"entry {mark.entry}, {day(mark.on.isoformat())}" for mark in sheet.marks]


def picture(state: Any, campaign: Campaign, title: str) -> Any:
    return map_sheet(state, seed=campaign.code, title=title) if state.in_play() else None


def charts(chapter: Chapter) -> list[dict[str, Any]]:
    """The measures of every kingdom, battle by battle, those who ended highest first."""
    crowns = {crown.id: crown for crown in crowns_of(chapter.after)}
    course = [one for one in courses(chapter.lines[1:], chapter.before) if one.kingdom in crowns]
    drawn = []
    for key, title in MEASURES:
        ranked = sorted(course, key=lambda one: -(one.line(key)[-1][1] if one.line(key) else 0))[:MOST_LINES]
        series = [
            {"name": crowns[one.kingdom].name, "ink": crowns[one.kingdom].livery.row.line, "points": one.line(key)}
            for one in ranked
        ]
        drawn.append({"title": title, "series": series, "left_out": max(0, len(course) - MOST_LINES)})
    return drawn


def battles(chapter: Chapter, campaign: Campaign, names: Names) -> Iterator[dict[str, Any]]:
    """Every battle with what came before it, what it changed, and the map it left."""
    state = chapter.before.copy()
    since: list[Line] = []
    number = 0
    for line in chapter.lines[1:]:
        apply(state, line.effects)
        if not is_battle(line):
            since.append(line)
            continue
        number += 1
        battle = fought(line)
        left = map_sheet(state, seed=campaign.code, title=f"The realm after battle {number}")
        arms = {crown.id: crown.arms for crown in left.crowns}
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
            "entry": line.number,
            "day": day(line.played_on),
            "sides": sides,
            "place": names.place(battle.target),
            "scenario": SCENARIO[battle.scenario].name if battle.scenario in SCENARIO else "",
            "draw": battle.winner is None,
            "taken": bool(battle.taken),
            "tale": tale(line, names),
            "effects": [
                {"text": row.text, "why": row.why, "name": row.name, "arms": [row.arms] if row.arms else []}
                for row in effect_rows(line.effects, names)
            ],
            "before": told(since, names),
            "map": left,
        }
        since = []
    if rows := told(since, names):  # the closing of the season alone is no page
        yield {"number": 0, "before": rows}


def told(lines: Iterable[Line], names: Names) -> list[dict[str, str]]:
    """What happened between two battles; a note is quoted, with who wrote it."""
    rows = []
    for line in lines:
        if line.act == "note":
            rows.append(
                {"day": day(line.played_on), "text": str(line.body.get("text", "")), "by": names.person(line.actor)}
            )
        elif line.act not in UNTOLD and line.effects:
            rows.append({"day": day(line.played_on), "text": tale(line, names), "by": ""})
    return rows


def back(season: Season) -> tuple[str, str]:
    return f"{season.campaign.get_absolute_url()}seasons/{season.number}/", f"Season {season.number}"


def title(season: Season) -> str:
    return f"{season.campaign.name}, season {season.number}"


register(
    Sheet(
        "chronicle",
        "Chronicle of a season",
        "The book of a season: story, titles, standings, charts, and every battle with the map it left.",
        CAMPAIGN,
        "chronicle.typ",
        gather,
        find=find,
        name=title,
        subjects=subjects,
        back=back,
        hint="One page for every battle: a long season makes a thick book.",
    )
)
