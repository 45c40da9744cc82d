"""A game with printed cards becomes a result with its people, as if it had been played here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgames.companion_sheet import Score, SeatRow
from cardgames.games.menagerie.faces import ROLE_FACES
from cardgames.keeping import keep_by_hand
from cardgames.models import Result, Sheet
from log import door
from people import keeping
from people.models import Person
from people.who import Who
from refusal import Refusal


def keep_sheet(
    sheet: Sheet,
    who: Who,
    seats: Sequence[SeatRow],
    score: Score,
    who_is: Sequence[str],
    *,
    key: str,
    seconds: int | None = None,
) -> Result:
    """Each seat by the name given for it: somebody the keeper knows, or somebody new to write down. No name is nobody."""
    keeper = who.must_be_known()
    door.must_be_key(key)
    if sheet.result_id is not None:
        raise Refusal("The result of this game is kept already.", status=409)
    if not sheet.state["over"]:
        raise Refusal("The game is not over yet.", status=409)
    if score.refusal:
        raise Refusal(score.refusal)
    if not score.outcome:
        raise Refusal("Without the four roles nobody has won yet. Enter them in the score sheet.")
    places = []
    for seat, count, name in zip(seats, score.counts, who_is, strict=True):
        person = _person(who, name, key=f"{key}-{seat.number}")
        role = seat.role or str(sheet.entered[seat.number].get("role", ""))
        places.append((person, role, count.total, count.won or len(seats) == 1))
    result = keep_by_hand(
        keeper,
        key=key,
        game=sheet.game,
        places=places,
        outcome=score.outcome,
        options=sheet.options,
        deck_title=sheet.deck_title,
        seconds=seconds,
        kept=_told(score),
    )
    Sheet.objects.filter(pk=sheet.pk, result=None).update(result=result)
    return result


def _told(score: Score) -> dict[str, Any]:
    """What the ending is told from, in the shape a table's own is kept in."""
    assert score.played is not None
    result = {key: score.played[key] for key in ("outcome", "winners", "scores", "facts")}
    cards = {face.id: face.name for face in ROLE_FACES}
    return {"outcome": score.played["sentence"], "result": result, "cards": cards, "labels": {}}


def _person(who: Who, name: str, *, key: str) -> Person | None:
    name = name.strip()
    if not name:
        return None
    known = Person.objects.in_circle_of(who).roots()
    return known.filter(name__iexact=name).order_by("pk").first() or keeping.add(who, name, key=key)
