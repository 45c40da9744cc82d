"""The one view: what a seat may know of a table. No game makes its own, so no game can show too much.

A view is typed inside and becomes JSON at the edge, with ``as_json``. Views are named tuples, because every request and
every imagined game makes many of them.
"""

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict

from cardgames.engine.cards import SpotsPerSeatView, SpotsView, ZonePerSeatView, ZoneView, make_named_tuple

if TYPE_CHECKING:
    from cardgames.engine.game_definition import Result
    from cardgames.engine.questions import Question
    from cardgames.engine.seat_reading import SeatReading

# Not a seat: shows every card of a finished table.
OPEN = -2

AnyZoneView = ZoneView | ZonePerSeatView | SpotsView | SpotsPerSeatView


class QuestionView(NamedTuple):
    """The open question of the seat that reads the view."""

    kind: str
    keys: tuple[str, ...]
    about: Any

    def as_json(self) -> Mapping[str, Any]:
        return {"kind": self.kind, "keys": list(self.keys), "about": self.about}


class NoteView(NamedTuple):
    """Cards that the seat was shown. ``is_stale``: they may have moved since."""

    key: str
    params: Mapping[str, Any]
    cards: tuple[str, ...]
    is_stale: bool

    def as_json(self) -> Mapping[str, Any]:
        return {"key": self.key, "params": self.params, "cards": list(self.cards), "stale": self.is_stale}


class ViewJson(TypedDict):
    """In the API."""

    game: str
    seat: int | None
    seats: int
    version: int
    stamp: int
    fields: Mapping[str, Any]
    own: Mapping[str, Any]
    zones: list[Mapping[str, Any]]
    asked: list[int]
    kind: str | None
    ask: Mapping[str, Any] | None
    undo: bool
    window: float | None
    result: Mapping[str, Any] | None
    notes: NotRequired[list[Mapping[str, Any]]]


class View(NamedTuple):
    """What a seat may know; seat None is the TV. ``fields`` are public, ``own`` are this seat's secret values.

    ``kind`` is the kind of the open question, which everybody may know; ``question`` is this seat's own.
    """

    game: str
    seat: int | None
    seats: int
    version: int
    stamp: int
    fields: Mapping[str, Any]
    own: Mapping[str, Any]
    zones: list[AnyZoneView]
    asked_seats: tuple[int, ...]
    kind: str | None
    question: QuestionView | None
    can_undo: bool
    window: float | None
    result: "Result | None"
    notes: tuple[NoteView, ...] | None

    def zone(self, label: str) -> ZoneView:
        """A pile of the whole table, as ``Table.zone`` made it."""
        return next(zone for zone in self.zones if zone.zone == label and isinstance(zone, ZoneView))

    def zones_named(self, label: str) -> list[ZoneView]:
        """All piles of this name, such as the rows of a Bazaar within a Bazaar; there may be none."""
        return [zone for zone in self.zones if zone.zone == label and isinstance(zone, ZoneView)]

    def zones_each(self, label: str) -> ZonePerSeatView:
        """A pile for each seat, as ``Table.zones_each`` made them."""
        return next(zone for zone in self.zones if zone.zone == label and isinstance(zone, ZonePerSeatView))

    def spots(self, label: str) -> SpotsView:
        """The piles of ``Table.spots``."""
        return next(zone for zone in self.zones if zone.zone == label and isinstance(zone, SpotsView))

    def spots_each(self, label: str) -> SpotsPerSeatView:
        """The piles for each seat of ``Table.spots_each``."""
        return next(zone for zone in self.zones if zone.zone == label and isinstance(zone, SpotsPerSeatView))

    @property
    def is_player(self) -> bool:
        """Whether a seat reads it, and not the TV or whoever sees the open cards afterwards."""
        return self.seat is not None and self.seat != OPEN

    @property
    def reader(self) -> int:
        """The seat that reads the view, where one is known to read it."""
        assert self.seat is not None
        return self.seat

    @property
    def asked(self) -> QuestionView:
        """The open question, where one is known to be open."""
        assert self.question is not None
        return self.question

    @property
    def role(self) -> ZonePerSeatView | None:
        """The role cards, if the game deals roles."""
        return next((zone for zone in self.zones if zone.zone == "role" and isinstance(zone, ZonePerSeatView)), None)

    def as_json(self) -> ViewJson:
        data: ViewJson = {
            "game": self.game,
            "seat": self.seat,
            "seats": self.seats,
            "version": self.version,
            "stamp": self.stamp,
            "fields": self.fields,
            "own": self.own,
            "zones": [zone.as_json() for zone in self.zones],
            "asked": list(self.asked_seats),
            "kind": self.kind,
            "ask": None if self.question is None else self.question.as_json(),
            "undo": self.can_undo,
            "window": self.window,
            "result": None if self.result is None else self.result.as_json(),
        }
        if self.notes is not None:
            data["notes"] = [note.as_json() for note in self.notes]
        return data


def view_of(running: "SeatReading", seat: int | None) -> View:
    """What this seat sees; None is the TV, which shows what everybody sees."""
    table = running.table
    if seat is None:
        bit = 1 << table.seats
    elif seat == OPEN:
        bit = 0
    else:
        bit = 1 << seat
    kind = type(table)
    fields = {}
    for key in kind.PUBLIC_FIELDS:
        fields[key] = getattr(table, key)
    for key in kind.COPIED_FIELDS:
        fields[key] = copy(fields[key])
    own = {}
    for key in kind.SECRET_FIELDS:
        own[key] = _own_value(getattr(table, key), seat)
    zones: list[AnyZoneView] = []
    for zone in table.zones:
        zones.append(zone.view_for(bit))
    notes = None
    if table.notes:
        notes = tuple(
            NoteView(note.key, note.params, note.faces, note.is_stale())
            for note in table.notes
            if note.seat == seat or not bit
        )
    head, known = (running.game.key, seat, table.seats), (fields, own, zones)
    ask = running.single
    if ask is not None:
        # The common case: one seat is asked.
        version = len(running.rows)
        question = _question(ask) if ask.seat == seat else None
        can_undo = len(running.events_before) > running.barrier and running.last_chooser == seat
        return make_named_tuple(
            View, (*head, version, version, *known, (ask.seat,), ask.kind, question, can_undo, None, None, notes)
        )
    window, mine = running.window, None if seat is None else running.question_for(seat)
    # Inside a reaction window nobody sees that others have answered.
    version = len(running.rows) if window is None else running.stamp + (seat in running.answered_seats)
    question = None if mine is None else _question(mine)
    asked = (running.asked_seats, running.kind, question)
    can_undo = seat is not None and running.can_undo(seat)
    hold = None if window is None else window.hold
    return make_named_tuple(
        View, (*head, version, running.stamp, *known, *asked, can_undo, hold, running.result, notes)
    )


def _question(ask: "Question") -> QuestionView:
    return make_named_tuple(QuestionView, (ask.kind, tuple(ask.options), ask.about))


def _own_value(values: list[Any], seat: int | None) -> Any:
    """A secret value as its seat sees it; the open view has all of them, the TV none."""
    if seat is None:
        return None
    return copy(values if seat == OPEN else values[seat])
