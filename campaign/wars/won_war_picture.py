"""The crowned wreath around the winner's arms: rays, two branches, a crown and a ribbon."""

from __future__ import annotations

import math

from text import SafeMarkup

# The left branch as a cubic curve from the ribbon to its tip.
BRANCH = ((200, 352), (96, 340), (40, 236), (84, 108))
LEAF = "M0 0C8 -13 26 -13 36 0C26 9 9 10 0 0z"
CROWN = "M-44 22L-52 -14L-30 4L-19 -26L0 0L19 -26L30 4L52 -14L44 22z"
MOTTO = "Victoria et Caseum"


def draw_wreath() -> SafeMarkup:
    """Decoration only: what it says stands beside it in words."""
    branch = _draw_branch()
    parts = (
        f'<path class="ray" d="{_rays()}"/>',
        f'<g>{branch}</g><g transform="matrix(-1 0 0 1 400 0)">{branch}</g>',
        '<g transform="translate(200 57)"><path class="cap-in" d="M-34 8C-36 -18 -18 -30 0 -30C18 -30 36 -18 34 8z"/>',
        f'<path class="gold" d="{CROWN}"/><path class="gold" d="M-46 18H46V34H-46z"/></g>',
        '<path class="rib-back" d="M58 352L30 338V372L58 386zM342 352L370 338V372L342 386z"/>',
        '<path class="rib" d="M58 344Q200 384 342 344V378Q200 418 58 378z"/>',
        '<path id="motto-line" class="line" d="M58 369Q200 409 342 369"/>',
        f'<text class="motto"><textPath href="#motto-line" startOffset="50%">{MOTTO}</textPath></text>',
    )
    return SafeMarkup(f'<svg class="wreath" viewBox="0 0 400 404" aria-hidden="true">{"".join(parts)}</svg>')


def _rays() -> str:
    lines = []
    for number in range(72):
        turn = math.radians(number * 5)
        far = 206 if number % 2 else 190
        (x1, y1), (x2, y2) = ((200 + r * math.cos(turn), 196 + r * math.sin(turn)) for r in (100, far))
        lines.append(f"M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}")
    return "".join(lines)


def _draw_branch() -> str:
    drawn = ['<path class="stem" d="M200 352C96 340 40 236 84 108"/>']
    for number in range(12):
        at = 0.18 + number * 0.068
        x, y = _point(at)
        ahead = _point(at + 0.01)
        turn = math.degrees(math.atan2(ahead[1] - y, ahead[0] - x))
        size = 1.14 - number * 0.04
        for side in (-46, 46):
            place = f"translate({x:.1f} {y:.1f}) rotate({turn + side:.1f}) scale({size:.2f})"
            drawn.append(f'<path class="leafs" transform="{place}" d="{LEAF}"/>')
        if number % 3 == 1:
            drawn.append(f'<circle class="berry" cx="{x + 8:.1f}" cy="{y - 3:.1f}" r="4.6"/>')
    return "".join(drawn)


def _point(at: float) -> tuple[float, float]:
    weights = ((1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at**2 * (1 - at), at**3)
    return (
        sum(w * p[0] for w, p in zip(weights, BRANCH, strict=True)),
        sum(w * p[1] for w, p in zip(weights, BRANCH, strict=True)),
    )
