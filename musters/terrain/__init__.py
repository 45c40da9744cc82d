"""The table from above: a scenario's ground as figures and as SVG, and terrain laid out fairly. Pure.

``svg(scenario)`` draws a page's picture, ``standalone(scenario)`` a file for paper or sharing; both take a ``Layout``.
"""

from musters.ground.layout import FAIR, GAP, Laid, Layout, Pair, lay_out
from musters.ground.shapes import SIDE, Drawing, Figure, Token, drawing, half_inches
from musters.ground.svg import piece_svg, standalone, svg

__all__ = [
    "FAIR",
    "GAP",
    "SIDE",
    "Drawing",
    "Figure",
    "Laid",
    "Layout",
    "Pair",
    "Token",
    "drawing",
    "half_inches",
    "lay_out",
    "piece_svg",
    "standalone",
    "svg",
]
