"""Saves the result of a game with printed cards, as if it had been played here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.companion import services
from cardgames.companion.display import ScoreDisplay, SheetSeatRow
from cardgames.games import find_companion, house_deck
from cardgames.models import Result, Sheet
from cardgames.results.services import save_printed_result
from log import services as log_services
from people import guests as guests_services
from people.models import Person
from people.requester import Who
from refusal import Refusal


def save_sheet_result(
    sheet: Sheet,
    who: Who,
    seats: Sequence[SheetSeatRow],
    score: ScoreDisplay,
    who_is: Sequence[str],
    *,
    key: str,
    seconds: int | None = None,
) -> Result:
    """Each seat is credited by name to somebody the user knows, or to a new guest. No name means nobody."""
    keeper = who.require_person()
    log_services.check_key(key)
    if sheet.result_id is not None:
        raise Refusal("The result of this game is already saved.", status=409)
    if not sheet.state["over"]:
        raise Refusal("The game is not over yet.", status=409)
    if score.refusal:
        raise Refusal(score.refusal)
    if not score.outcome:
        raise Refusal(score.why_no_winner)
    places = []
    for seat, count, name in zip(seats, score.counts, who_is, strict=True):
        person = _find_or_add_person(who, name, key=f"{key}-{seat.number}")
        role = seat.role or str(sheet.entered[seat.number].get("role", ""))
        places.append((person, role, count.total, count.won or len(seats) == 1))
    result = save_printed_result(
        keeper,
        key=key,
        game=sheet.game,
        places=places,
        outcome=score.outcome,
        options=sheet.options,
        deck_title=sheet.deck_title,
        own_deck=services.deck_of(sheet) != house_deck(sheet.game),
        seconds=seconds,
        kept=_ending_data(sheet, score),
    )
    Sheet.objects.filter(pk=sheet.pk, result=None).update(result=result)
    return result


def _ending_data(sheet: Sheet, score: ScoreDisplay) -> Mapping[str, Any]:
    """The data of the final sentence, in the shape in which a table's result has it."""
    assert score.played is not None
    played = score.played.as_json()
    result = {key: played[key] for key in ("outcome", "winners", "scores", "facts")}
    cards = {face.id: face.name for face in find_companion(sheet.game).roles(services.deck_of(sheet))}
    return {"outcome": score.played.sentence, "result": result, "cards": cards, "labels": {}}


def _find_or_add_person(who: Who, name: str, *, key: str) -> Person | None:
    name = name.strip()
    if not name:
        return None
    known = Person.objects.known_to(who).roots()
    return known.filter(name__iexact=name).order_by("pk").first() or guests_services.add_guest(who, name, key=key)
