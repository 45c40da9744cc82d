"""The API's schema of a seat's view names what the engine writes, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, get_origin, get_type_hints

import pytest

from cardgames.engine.cards import SpotsPerSeatView, SpotsView, ZonePerSeatView, ZoneView
from cardgames.engine.game_definition import QuestionDisplay, Result
from cardgames.engine.seat_view import NoteView, QuestionView, View, ViewJson
from cardgames.tables import api as shapes

ZONES = (
    ZoneView("deck", 2, [None, "fox"]),
    ZonePerSeatView("hand", [1], [["fox"]]),
    SpotsView("pens", ("fox",), [1], [["fox"]]),
    SpotsPerSeatView("pens", ("fox",), [[1]], [[["fox"]]]),
)
QUESTION = QuestionView("play", ("fox",), None)
NOTE = NoteView("keyhole", {}, ("fox",), False)
RESULT = Result("won", (0,), (1,), lambda: ((),), {})
VIEW = View("menagerie", 0, 1, 1, 1, {}, {}, list(ZONES), (0,), "play", QUESTION, False, None, RESULT, (NOTE,))


def names(shape: Any, *, required: bool = False) -> set[str]:
    hints = get_type_hints(shape, include_extras=True)
    return {name for name, hint in hints.items() if not required or get_origin(hint) is not NotRequired}


@pytest.mark.parametrize("required", [True, False])
def test_schema_has_the_fields_of_the_engine(required):
    assert names(shapes.CardView, required=required) == names(ViewJson, required=required)


@pytest.mark.parametrize(
    ("written", "shape"),
    [
        (VIEW.as_json(), shapes.CardView),
        (QUESTION.as_json(), shapes.CardOpenQuestion),
        (NOTE.as_json(), shapes.CardNote),
        (RESULT.as_json(), shapes.CardEnding),
        ({"seat": 0, "kind": "play", "stamp": 1, **QuestionDisplay("Which?", ()).as_json()}, shapes.CardAsk),
    ],
)
def test_schema_has_what_is_written(written: Mapping[str, Any], shape: Any):
    assert set(written) == names(shape)


def test_schema_of_a_pile_has_what_every_kind_of_pile_writes():
    assert set().union(*(zone.as_json() for zone in ZONES)) == names(shapes.CardZone)
    assert set.intersection(*(set(zone.as_json()) for zone in ZONES)) == names(shapes.CardZone, required=True)
