"""Charts of a campaign, drawn by the server: plain frozen data in, markup out, each with a table that says the same.

Ink lines, hatched bars, one red mark for the thing worth seeing, a plain sentence beneath. Knows no Django.
"""

from campaign.charts.head_to_head import ChartKingdom, HeadToHead, draw_head_to_head
from campaign.charts.line_chart import Highlight, LineChart, Series, draw_line_chart
from campaign.charts.muster_odds import MusterOdds, OddsColumn, compute_muster_odds, draw_muster_odds
from campaign.charts.scenario_bars import ScenarioChart, ScenarioRow, draw_scenario_bars
from campaign.charts.score_waterfall import Waterfall, WaterfallStep, draw_waterfall

__all__ = [
    "ChartKingdom",
    "HeadToHead",
    "Highlight",
    "LineChart",
    "MusterOdds",
    "OddsColumn",
    "ScenarioChart",
    "ScenarioRow",
    "Series",
    "Waterfall",
    "WaterfallStep",
    "compute_muster_odds",
    "draw_head_to_head",
    "draw_line_chart",
    "draw_muster_odds",
    "draw_scenario_bars",
    "draw_waterfall",
]
