"""Engraved lines for a tincture inside a box, so that colour never stands alone. Plain paths: no ids, no patterns."""

from __future__ import annotations


def hatch_lines(tincture: str, x: float, y: float, w: float, h: float, gap: float) -> str:
    """The path of the hatching: upright for gules, level for azure, falling for vert and purpure, both for tenne."""
    if tincture == "gules":
        return _vertical_lines(x, y, w, h, gap)
    if tincture == "azure":
        return _horizontal_lines(x, y, w, h, gap)
    if tincture == "vert":
        return _diagonal_lines(x, y, w, h, gap * 1.4, False)
    if tincture == "purpure":
        return _diagonal_lines(x, y, w, h, gap * 1.4, True)
    if tincture == "tenne":
        return _horizontal_lines(x, y, w, h, gap * 1.3) + _diagonal_lines(x, y, w, h, gap * 1.9, True)
    if tincture == "or":
        return _dots(x, y, w, h, gap)
    return ""


def _vertical_lines(x: float, y: float, w: float, h: float, gap: float) -> str:
    return "".join(f"M{x + step:g} {y:g}v{h:g}" for step in _steps(w, gap))


def _horizontal_lines(x: float, y: float, w: float, h: float, gap: float) -> str:
    return "".join(f"M{x:g} {y + step:g}h{w:g}" for step in _steps(h, gap))


def _dots(x: float, y: float, w: float, h: float, gap: float) -> str:
    """Strokes of no length with round ends are dots."""
    out = []
    for row, down in enumerate(_steps(h, gap)):
        shift = gap / 2 if row % 2 else 0
        out += [f"M{x + across:g} {y + down:g}h0" for across in _steps(w - shift, gap, shift)]
    return "".join(out)


def _diagonal_lines(x: float, y: float, w: float, h: float, gap: float, rising: bool) -> str:
    out = []
    for step in _steps(w + h, gap):
        # Along the upper and one side edge; each line is cut where it leaves the box.
        left, right = max(0.0, step - h), min(step, w)
        top, bottom = step - right, step - left
        if rising:
            out.append(f"M{x + left:g} {y + bottom:g}L{x + right:g} {y + top:g}")
        else:
            out.append(f"M{x + w - left:g} {y + bottom:g}L{x + w - right:g} {y + top:g}")
    return "".join(out)


def _steps(length: float, gap: float, start: float = 0) -> list[float]:
    at, out = start + gap / 2, []
    while at < start + length:
        out.append(round(at, 2))
        at += gap
    return out
