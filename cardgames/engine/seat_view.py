"""The one view: what a seat may know of a table, as plain data. No game draws its own, so no game can draw too much."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardgames.engine.seat_reading import SeatReading

# Not a seat: the eye that sees all, for a finished table that is watched again.
OPEN = -2

View = dict[str, Any]


def view_of(live: SeatReading, seat: int | None) -> View:
    """What this seat sees; None is the TV, which shows what everybody sees."""
    table = live.table
    if seat is None:
        bit = 1 << table.seats
    elif seat == OPEN:
        bit = 0
    else:
        bit = 1 << seat
    kind = type(table)
    fields = {}
    for key in kind.SHOWN:
        fields[key] = getattr(table, key)
    for key in kind.COPIED:
        fields[key] = copy(fields[key])
    own = {key: _own(getattr(table, key), seat) for key in kind.KEPT} if kind.KEPT else {}
    zones = [zone.drawn(bit) for zone in table.zones]
    view: View
    ask = live.single
    if ask is not None:
        # The common case: one seat is asked.
        version, line = len(live.rows), live.line
        view = {
            "game": live.game.key,
            "seat": seat,
            "seats": table.seats,
            "version": version,
            "stamp": version,
            "fields": fields,
            "own": own,
            "zones": zones,
            "asked": [ask.seat],
            "kind": ask.kind,
            "ask": {"kind": ask.kind, "keys": list(ask.options), "about": ask.about} if ask.seat == seat else None,
            "undo": len(line) > live.barrier and line[-1][0] == seat,
            "window": None,
            "result": None,
        }
    else:
        window, mine = live.window, None if seat is None else live.ask_of(seat)
        view = {
            "game": live.game.key,
            "seat": seat,
            "seats": table.seats,
            # Inside a reaction window nobody sees that others have answered.
            "version": len(live.rows) if window is None else live.stamp + (seat in live.answered),
            "stamp": live.stamp,
            "fields": fields,
            "own": own,
            "zones": zones,
            "asked": list(live.asked),
            "kind": live.kind,
            "ask": None if mine is None else {"kind": mine.kind, "keys": list(mine.options), "about": mine.about},
            "undo": seat is not None and live.can_undo(seat),
            "window": None if window is None else window.hold,
            "result": None if live.result is None else live.result.as_json(),
        }
    if table.notes:
        view["notes"] = [
            {"key": note.key, "params": note.params, "cards": list(note.faces), "stale": note.stale()}
            for note in table.notes
            if note.seat == seat or not bit
        ]
    return view


def _own(values: list[Any], seat: int | None) -> Any:
    """A secret value as its seat sees it; the open eye sees all of them, the wall none."""
    if seat is None:
        return None
    return copy(values if seat == OPEN else values[seat])


def find_zone(view: View, label: str) -> dict[str, Any]:
    """The first place of this label in a view."""
    for zone in view["zones"]:
        if zone["zone"] == label:
            found: dict[str, Any] = zone
            return found
    raise KeyError(label)
