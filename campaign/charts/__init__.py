"""Charts of a campaign, drawn by the server: plain frozen data in, markup out, each with a table that says the same.

Ink lines, hatched bars, one red mark for the thing worth seeing, a plain sentence beneath. Knows no Django.
"""

from campaign.charts.bars import ScenarioChart, ScenarioRow, scenario_bars
from campaign.charts.lines import LinesChart, Mark, Series, lines_chart
from campaign.charts.meetings import HeadToHead, Side, head_to_head
from campaign.charts.odds import MusterOdds, OddsColumn, muster_odds, odds_of
from campaign.charts.waterfall import Step, Waterfall, waterfall

__all__ = [
    "HeadToHead",
    "LinesChart",
    "Mark",
    "MusterOdds",
    "OddsColumn",
    "ScenarioChart",
    "ScenarioRow",
    "Series",
    "Side",
    "Step",
    "Waterfall",
    "head_to_head",
    "lines_chart",
    "muster_odds",
    "odds_of",
    "scenario_bars",
    "waterfall",
]
