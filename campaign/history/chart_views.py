"""Charts of a campaign: over all its battles, or over those of one season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign import reading
from campaign.annals.chapters import Chapter, chapters
from campaign.annals.courses import Course, by_scenario, courses, meetings
from campaign.annals.fought import Fought, battles
from campaign.annals.lines import effective
from campaign.annals.wording import counted, listed, number
from campaign.charts import (
    HeadToHead,
    LinesChart,
    Mark,
    ScenarioChart,
    ScenarioRow,
    Series,
    Side,
    head_to_head,
    lines_chart,
    scenario_bars,
)
from campaign.drawn import Drawn
from campaign.map.sheet import Crown, crowns_of
from campaign.views import visible
from rulebook.scenarios import SCENARIOS


@dataclass(frozen=True, slots=True)
class Measure:
    key: str
    heading: str
    title: str
    most: str  # the sentence about who is first
    level: str  # and where several are


MEASURES = (
    Measure("holds", "Land", "Territories held, battle by battle", "{name} holds the most land, {n}.", "{names} hold the most land, {n} each."),
    Measure("loyalty", "Loyalty", "Loyalty, battle by battle", "The nobles of {name} are the most loyal, at {n}.", "The nobles of {names} are the most loyal, at {n}."),
    Measure("vp", "VP", "VP, battle by battle", "{name} has the most VP, {n}.", "{names} have the most VP, {n} each."),
)  # fmt: skip


@require_GET
def charts(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    order = effective(reading.lines_of(campaign))
    told = chapters(order)
    chapter = _chosen(request, told)
    state = chapter.after if chapter else reading.state_of(campaign)
    fought = chapter.fought() if chapter else battles(order)
    course = courses(chapter.lines[1:], chapter.before) if chapter else courses(order)
    crowns = crowns_of(state)
    context = {
        "campaign": campaign,
        "seasons": told,
        "chosen": chapter,
        "battles": len(fought),
        "lines": [(measure.heading, _lines(measure, course, crowns)) for measure in MEASURES] if fought else (),
        "meetings": _meetings(fought, crowns) if fought else "",
        "scenarios": _scenarios(fought) if fought else "",
    }
    return render(request, "campaign/charts.html", context)


def _chosen(request: HttpRequest, told: Sequence[Chapter]) -> Chapter | None:
    wanted = request.GET.get("season", "")
    if not wanted:
        return None
    found = next((chapter for chapter in told if str(chapter.season) == wanted), None)
    if found is None:
        raise Http404
    return found


def _lines(measure: Measure, course: Sequence[Course], crowns: Sequence[Crown]) -> Drawn:
    known = {one.kingdom: one.line(measure.key) for one in course}
    series = tuple(Series(crown.name, crown.livery, known.get(crown.id, ())) for crown in crowns)
    ends = [(row.points[-1][1], at) for at, row in enumerate(series) if row.points]
    best = max((value for value, _ in ends), default=0)
    first = [at for value, at in ends if value == best]
    shown = f"{best:+g}".replace("-", "−") if measure.key == "loyalty" else f"{best:g}"
    mark = None
    if len(first) == 1:
        leader = series[first[0]]
        sentence = measure.most.format(name=leader.name, n=shown)
        mark = Mark(first[0], leader.points[-1][0])
    elif len(first) == len(ends):
        sentence = "All are level."
    else:
        sentence = measure.level.format(names=listed([series[at].name for at in first]), n=shown)
    return lines_chart(LinesChart(measure.title, sentence, series, mark=mark), ident=f"chart-{measure.key}")


def _meetings(fought: Sequence[Fought], crowns: Sequence[Crown]) -> Drawn:
    met = meetings(fought)
    sides = tuple(Side(crown.id, crown.name, crown.arms) for crown in crowns)
    names = {side.id: side.name for side in sides}
    pairs = {tuple(sorted((b.attacker, b.defender))): 0 for b in fought}
    for battle in fought:
        pairs[tuple(sorted((battle.attacker, battle.defender)))] += 1
    most = max(pairs.values())
    often = [pair for pair, count in pairs.items() if count == most and set(pair) <= names.keys()]
    sentence = ""
    if len(often) == 1:
        sentence = f"{listed([names[key] for key in often[0]])} met most often: {counted(most, 'battle')}."
    return head_to_head(HeadToHead("Who beat whom.", sentence, sides, met.won, met.drawn))


def _scenarios(fought: Sequence[Fought]) -> Drawn:
    found = by_scenario(fought)
    named = [(row.name, found[row.key]) for row in SCENARIOS if row.key in found]
    named.sort(key=lambda row: -row[1].total())
    if None in found:
        named.append(("Not told", found[None]))
    rows = tuple(ScenarioRow(name, c["attacker"], c["defender"], c["draw"]) for name, c in named)
    wins = sum(row.attacker for row in rows)
    sentence = f"The attacker won {number(wins)} of {counted(sum(row.total for row in rows), 'battle')}."
    return scenario_bars(ScenarioChart("Battles by scenario", sentence, rows), ident="chart-scenarios")
