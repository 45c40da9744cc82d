"""Entries that are written anew on the form they were written with: notes, changes by agreement, seasons, victories.

Battles have forms of their own. Whatever else stands in the chronicle is struck, and entered again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from campaign.annals.lines import Line
from campaign.annals.state import State
from campaign.forms import AgreedForm, NoteForm, SeasonForm, WonForm

PREFIX = "line"  # its fields stand beside those of the correction, which has a reason of its own


class _Note(NoteForm):
    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = "The note"

    def body(self) -> dict[str, Any]:
        return {"text": self.cleaned_data["text"]}


class _Season(SeasonForm):
    """Its name. Whether a new war began is no slip of the pen: that is struck."""

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["new_war"]

    def body(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"]}


def _agreed(body: dict[str, Any]) -> dict[str, Any] | None:
    """A change of one kingdom, as its form has it; several at once came from elsewhere and do not fit it."""
    vp, loyalty, hold = (body.get(part) or {} for part in ("vp", "loyalty", "hold"))
    houses = body.get("houses") or []
    named = {*vp, *loyalty, *hold.values()} or {row["kingdom"] for row in houses}
    told = {"house_lost" if row["lost"] else "house_back": f"{row['kingdom']}/{row['house']}" for row in houses}
    if len(named) != 1 or len(hold) > 1 or len(told) != len(houses):
        return None
    (kingdom,) = named
    found = {"kingdom": kingdom, "vp": vp.get(kingdom, 0), "loyalty": loyalty.get(kingdom, 0), "why": body["why"]}
    return found | {"territory": next(iter(hold), "")} | told


_FORMS: dict[str, tuple[type[Any], Callable[[dict[str, Any]], dict[str, Any] | None]]] = {
    "note": (_Note, lambda body: {"text": body["text"]}),
    "agreed_change": (AgreedForm, _agreed),
    "season_opened": (_Season, lambda body: {"name": body["name"]}),
    "campaign_won": (WonForm, lambda body: {"kingdom": body["kingdom"], "why": body["why"]}),
}

REWRITTEN = tuple(_FORMS)


def form_of(line: Line, then: State, data: Any) -> forms.Form | None:
    """The form of this entry, filled in as it stands; nothing where it has none. ``then`` is the state it found."""
    made, told = _FORMS.get(line.act, (None, None))
    initial = told(line.body) if told else None
    if made is None or initial is None:
        return None
    sent = data if any(name.startswith(f"{PREFIX}-") for name in data) else None
    form = made(sent, prefix=PREFIX, initial=initial, state=then)
    del form.fields["key"]
    return form
