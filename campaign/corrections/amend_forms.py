"""Forms to amend an entry: notes, changes by agreement, seasons, victories.

Battles have forms of their own. Other entries are struck and entered again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from campaign.chronicle.entries import ChronicleEntry
from campaign.chronicle.state import State
from campaign.forms import AgreedChangeForm, NoteForm, SeasonForm, WinnerForm

PREFIX = "line"  # keeps its fields apart from those of the correction


class _AmendNoteForm(NoteForm):
    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = "Note"

    def body(self) -> dict[str, Any]:
        return {"text": self.cleaned_data["text"]}


class _AmendSeasonForm(SeasonForm):
    """Only the name. To undo a new war, strike the entry."""

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["new_war"]

    def body(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"]}


def _agreed_change_initial(body: dict[str, Any]) -> dict[str, Any] | None:
    """The change of one kingdom as form data; nothing if it affects several."""
    vp, loyalty, hold = (body.get(part) or {} for part in ("vp", "loyalty", "hold"))
    houses = body.get("houses") or []
    named = {*vp, *loyalty, *hold.values()} or {row["kingdom"] for row in houses}
    house_fields = {"house_lost" if row["lost"] else "house_back": f"{row['kingdom']}/{row['house']}" for row in houses}
    if len(named) != 1 or len(hold) > 1 or len(house_fields) != len(houses):
        return None
    (kingdom,) = named
    found = {"kingdom": kingdom, "vp": vp.get(kingdom, 0), "loyalty": loyalty.get(kingdom, 0), "why": body["why"]}
    return found | {"territory": next(iter(hold), "")} | house_fields


_FORMS: dict[str, tuple[type[Any], Callable[[dict[str, Any]], dict[str, Any] | None]]] = {
    "note": (_AmendNoteForm, lambda body: {"text": body["text"]}),
    "agreed_change": (AgreedChangeForm, _agreed_change_initial),
    "season_opened": (_AmendSeasonForm, lambda body: {"name": body["name"]}),
    "campaign_won": (WinnerForm, lambda body: {"kingdom": body["kingdom"], "why": body["why"]}),
}

AMENDABLE_ACTS = tuple(_FORMS)


def make_amend_form(entry: ChronicleEntry, then: State, data: Any) -> forms.Form | None:
    """The form of this entry, filled in; nothing if it has none. ``then`` is the state before it."""
    made, initial_of = _FORMS.get(entry.act, (None, None))
    initial = initial_of(entry.body) if initial_of else None
    if made is None or initial is None:
        return None
    sent = data if any(name.startswith(f"{PREFIX}-") for name in data) else None
    form = made(sent, prefix=PREFIX, initial=initial, state=then)
    del form.fields["key"]
    return form
