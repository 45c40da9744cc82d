"""The table from above: a scenario as figures and as SVG, and fair terrain layouts. Pure.

``table_svg`` draws a page's picture, ``standalone_table_svg`` a file; both take a ``Layout``.
"""

from musters.terrain.fair_layout import FAIRNESS_NOTE, GAP, Layout, TerrainPair, TerrainPiece, lay_out_terrain
from musters.terrain.scenario_table_drawing import SIDE, Figure, TableDrawing, Token, draw_table, format_half_inches
from musters.terrain.svg import piece_svg, standalone_table_svg, table_svg

__all__ = [
    "FAIRNESS_NOTE",
    "GAP",
    "SIDE",
    "Figure",
    "Layout",
    "TableDrawing",
    "TerrainPair",
    "TerrainPiece",
    "Token",
    "draw_table",
    "format_half_inches",
    "lay_out_terrain",
    "piece_svg",
    "standalone_table_svg",
    "table_svg",
]
