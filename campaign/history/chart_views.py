"""Charts of a campaign: over all its battles, or over those of one season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaign import selectors as campaign_selectors
from campaign.charts.bars import (
    ChartKingdom,
    HeadToHead,
    ScenarioChart,
    ScenarioRow,
    draw_head_to_head,
    draw_scenario_bars,
)
from campaign.charts.line_chart import Highlight, LineChart, Series, draw_line_chart
from campaign.chronicle.battle_records import BattleRecord, count_by_scenario, count_head_to_head, list_battles
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import KingdomSeries, build_series
from campaign.chronicle.seasons.season_records import SeasonRecord, split_seasons
from campaign.chronicle.sentences import count_noun, spell_number
from campaign.map.display import MapKingdom, list_map_kingdoms
from rulebook.data.scenarios import SCENARIOS
from text import SafeMarkup, join_list


@dataclass(frozen=True, slots=True)
class Measure:
    key: str
    heading: str
    title: str
    most: str  # the sentence about the leader
    level: str  # the same for several leaders


MEASURES = (
    Measure(
        "holds",
        "Land",
        "Territories held, battle by battle",
        "{name} holds the most land, {n}.",
        "{names} hold the most land, {n} each.",
    ),
    Measure(
        "loyalty",
        "Loyalty",
        "Loyalty, battle by battle",
        "The nobles of {name} are the most loyal, at {n}.",
        "The nobles of {names} are the most loyal, at {n}.",
    ),
    Measure("vp", "VP", "VP, battle by battle", "{name} has the most VP, {n}.", "{names} have the most VP, {n} each."),
)


@require_GET
def charts(request: HttpRequest, code: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    order = effective_entries(campaign_selectors.entries_of(campaign))
    seasons = split_seasons(order)
    season = _chosen_season(request, seasons)
    state = season.after if season else campaign_selectors.state_of(campaign)
    fought = season.battles() if season else list_battles(order)
    course = build_series(season.entries[1:], season.before) if season else build_series(order)
    kingdoms = list_map_kingdoms(state)
    context = {
        "campaign": campaign,
        "seasons": seasons,
        "chosen": season,
        "battles": len(fought),
        "lines": [(measure.heading, _line_chart(measure, course, kingdoms)) for measure in MEASURES] if fought else (),
        "meetings": _head_to_head(fought, kingdoms) if fought else "",
        "scenarios": _scenario_chart(fought) if fought else "",
    }
    return render(request, "campaign/history/charts.html", context)


def _chosen_season(request: HttpRequest, seasons: Sequence[SeasonRecord]) -> SeasonRecord | None:
    wanted = request.GET.get("season", "")
    if not wanted:
        return None
    found = next((season for season in seasons if str(season.number) == wanted), None)
    if found is None:
        raise Http404
    return found


def _line_chart(measure: Measure, course: Sequence[KingdomSeries], kingdoms: Sequence[MapKingdom]) -> SafeMarkup:
    known = {one.kingdom: one.values_of(measure.key) for one in course}
    series = tuple(Series(kingdom.name, kingdom.livery, known.get(kingdom.id, ())) for kingdom in kingdoms)
    ends = [(row.points[-1][1], at) for at, row in enumerate(series) if row.points]
    best = max((value for value, _ in ends), default=0)
    first = [at for value, at in ends if value == best]
    shown = f"{best:+g}".replace("-", "−") if measure.key == "loyalty" else f"{best:g}"
    mark = None
    if len(first) == 1:
        leader = series[first[0]]
        sentence = measure.most.format(name=leader.name, n=shown)
        mark = Highlight(first[0], leader.points[-1][0])
    elif len(first) == len(ends):
        sentence = "All are level."
    else:
        sentence = measure.level.format(names=join_list([series[at].name for at in first]), n=shown)
    return draw_line_chart(LineChart(measure.title, sentence, series, mark=mark), ident=f"chart-{measure.key}")


def _head_to_head(fought: Sequence[BattleRecord], kingdoms: Sequence[MapKingdom]) -> SafeMarkup:
    met = count_head_to_head(fought)
    sides = tuple(ChartKingdom(kingdom.id, kingdom.name, kingdom.arms) for kingdom in kingdoms)
    names = {side.id: side.name for side in sides}
    pairs = {tuple(sorted((b.attacker, b.defender))): 0 for b in fought}
    for battle in fought:
        pairs[tuple(sorted((battle.attacker, battle.defender)))] += 1
    most = max(pairs.values())
    often = [pair for pair, count in pairs.items() if count == most and set(pair) <= names.keys()]
    sentence = ""
    if len(often) == 1:
        sentence = f"{join_list([names[key] for key in often[0]])} met most often: {count_noun(most, 'battle')}."
    return draw_head_to_head(HeadToHead("Who beat whom.", sentence, sides, met.won, met.drawn))


def _scenario_chart(fought: Sequence[BattleRecord]) -> SafeMarkup:
    found = count_by_scenario(fought)
    named = [(row.name, found[row.key]) for row in SCENARIOS if row.key in found]
    named.sort(key=lambda row: -row[1].total())
    if None in found:
        named.append(("Not recorded", found[None]))
    rows = tuple(ScenarioRow(name, c["attacker"], c["defender"], c["draw"]) for name, c in named)
    wins = sum(row.attacker for row in rows)
    sentence = f"The attacker won {spell_number(wins)} of {count_noun(sum(row.total for row in rows), 'battle')}."
    return draw_scenario_bars(ScenarioChart("Battles by scenario", sentence, rows), ident="chart-scenarios")
