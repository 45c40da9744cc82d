"""Seasons: opening and closing one, the page of each, the hall of fame, the standings over all, and charts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from campaign import selectors, services
from campaign.charts.bars import (
    ChartKingdom,
    HeadToHead,
    ScenarioChart,
    ScenarioRow,
    draw_head_to_head,
    draw_scenario_bars,
)
from campaign.charts.line_chart import Highlight, LineChart, Series, draw_line_chart
from campaign.chronicle.acts.administration import CloseSeason, OpenSeason
from campaign.chronicle.battles_from_entries import BattleRecord, count_by_scenario, count_head_to_head, list_battles
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import KingdomSeries, build_series
from campaign.chronicle.seasons.cut_into_seasons import SeasonRecord, split_seasons
from campaign.chronicle.sentences import count_noun, spell_number
from campaign.chronicle.state import State
from campaign.corrections.preview_and_confirm import PreviewTexts, preview_act
from campaign.forms import Answers, SeasonForm
from campaign.map.display import MapKingdom, list_map_kingdoms
from campaign.map_link_preview import campaign_link_preview
from campaign.models import Campaign
from campaign.permissions import can_run
from campaign.seasons.display import build_season_display, build_seasons_display
from log.services import new_key
from refusal import Refusal
from rulebook.data.scenarios import SCENARIOS
from text import SafeMarkup, join_list


@require_http_methods(["GET", "POST"])
def open_or_close_season(request: HttpRequest, code: str) -> HttpResponse:
    """Open a season or close the open one. The form says which, so a second tap changes nothing."""
    campaign, state = selectors.get_campaign_with_state(request.who, code, as_master=True)
    # After a won war, the next season starts a new one unless the players say otherwise.
    form = SeasonForm(request.POST or None, initial={"new_war": bool(state.winner)})
    closing, refused = request.POST.get("turn") == "close", None

    def open_season(data: Answers) -> HttpResponse:
        opened = form.act()
        if opened.new_war and (page := _preview_new_war(request, campaign, state, opened)):
            return page
        services.write(campaign, request.who, opened, key=data["key"])
        return redirect(campaign)

    if closing:
        try:
            done = services.write(campaign, request.who, CloseSeason(), key=request.POST.get("key", ""))
        except Refusal as refusal:
            refused = refusal
        else:
            if state.winner and request.POST.get("back") == "victory":
                return redirect("campaign:victory", code, state.war)
            season = next(effect["season"] for effect in done["effects"] if effect["do"] == "season")
            return redirect("campaign:season_page", code, season)
    elif response := form.submit(open_season):
        return response
    context = {"campaign": campaign, "state": state, "form": form, "key": new_key(), "refused": refused}
    return render(
        request, "campaign/seasons/open_or_close.html", context, status=422 if request.method == "POST" else 200
    )


def _preview_new_war(request: HttpRequest, campaign: Campaign, state: State, opened: OpenSeason) -> HttpResponse | None:
    words = PreviewTexts(
        heading="Start a new war",
        lead=f"Season {state.season + 1}, {opened.name}, opens with a new war: "
        "land, loyalty, VP and houses start over.",
        undo="The old war stays in the chronicle and the hall of fame. Strike the entry to go back to it.",
        button="Start the new war",
        back=reverse("campaign:open_or_close_season", args=[campaign.code]),
    )
    return preview_act(request, campaign, state, opened, words)


@require_GET
def seasons(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    runs = can_run(campaign, request.who)
    context = {"campaign": campaign, "display": build_seasons_display(campaign), "can_run": runs}
    return render(request, "campaign/seasons/seasons.html", context)


@require_GET
def season(request: HttpRequest, code: str, season: int) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    display = build_season_display(campaign, season)
    if display is None:
        raise Http404
    words = f"{campaign.name}: season {season}, {display.page['name']}"
    runs, now = can_run(campaign, request.who), selectors.state_of(campaign)
    context = {
        "campaign": campaign,
        "display": display,
        "can_run": runs,
        "can_open": runs and not now.season_open and now.season == season,
        "share": campaign_link_preview(campaign, words, title=display.page["name"], path=request.path),
    }
    return render(request, "campaign/seasons/season.html", context)


# --- Charts over all battles, or over those of one season ----------------------------------------------------


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
    campaign = selectors.get_visible_campaign(request.who, code)
    order = effective_entries(selectors.entries_of(campaign))
    seasons = split_seasons(order)
    season = _chosen_season(request, seasons)
    state = season.after if season else selectors.state_of(campaign)
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
    for season in seasons:
        if str(season.number) == wanted:
            return season
    raise Http404


def _line_chart(measure: Measure, course: Sequence[KingdomSeries], kingdoms: Sequence[MapKingdom]) -> SafeMarkup:
    known = {series.kingdom: series.values_of(measure.key) for series in course}
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
    pairs = Counter(tuple(sorted((battle.attacker, battle.defender))) for battle in fought)
    most = max(pairs.values())
    often = [pair for pair, count in pairs.items() if count == most and set(pair) <= names.keys()]
    sentence = ""
    if len(often) == 1:
        sentence = f"{join_list([names[key] for key in often[0]])} met most often: {count_noun(most, 'battle')}."
    return draw_head_to_head(HeadToHead("Who beat whom.", sentence, sides, met.won, met.drawn))


def _scenario_chart(fought: Sequence[BattleRecord]) -> SafeMarkup:
    outcomes = count_by_scenario(fought)
    named = [(row.name, outcomes[row.key]) for row in SCENARIOS if row.key in outcomes]
    named.sort(key=lambda row: -row[1].total())
    if None in outcomes:
        named.append(("Not recorded", outcomes[None]))
    rows = tuple(ScenarioRow(name, c["attacker"], c["defender"], c["draw"]) for name, c in named)
    wins = sum(row.attacker for row in rows)
    sentence = f"The attacker won {spell_number(wins)} of {count_noun(sum(row.total for row in rows), 'battle')}."
    return draw_scenario_bars(ScenarioChart("Battles by scenario", sentence, rows), ident="chart-scenarios")
