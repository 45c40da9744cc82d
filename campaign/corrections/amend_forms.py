"""Forms to amend an entry: notes, changes by agreement, seasons, victories; ``act_forms`` has the others.

Battles have forms of their own. Entries without a form are struck and entered again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from campaign.chronicle import codec
from campaign.chronicle.acts.administration import AddKingdom, AddNote, ChangeHouseRules, OpenSeason
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.acts.war import AgreeChange, DeclareBattle, RollForAttack, SpendVp, WinCampaign
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.state import State
from campaign.corrections import act_forms
from campaign.forms import NoteForm
from campaign.seasons.forms import SeasonForm
from campaign.wars.forms import AgreedChangeForm, WinnerForm

PREFIX = "line"  # keeps its fields apart from those of the correction


class _AmendNoteForm(NoteForm):
    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = "Note"

    def act(self) -> AddNote:
        return AddNote(self.cleaned_data["text"], self.initial["battle"])


class _AmendSeasonForm(SeasonForm):
    """Only the name. To undo a new war, strike the entry."""

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["new_war"]

    def act(self) -> OpenSeason:
        return OpenSeason(self.cleaned_data["name"], self.initial["new_war"])


Initial = Mapping[str, object]


def _agreed_change_initial(act: AgreeChange) -> Initial | None:
    """The change of one kingdom as form data; nothing if it affects several."""
    named = {*act.vp, *act.loyalty, *act.hold.values()} or {row.kingdom for row in act.houses}
    house_fields = {"house_lost" if row.lost else "house_back": f"{row.kingdom}/{row.house}" for row in act.houses}
    if len(named) != 1 or len(act.hold) > 1 or len(house_fields) != len(act.houses):
        return None
    (kingdom,) = named
    found = {"kingdom": kingdom, "vp": act.vp.get(kingdom, 0), "loyalty": act.loyalty.get(kingdom, 0), "why": act.why}
    return found | {"territory": next(iter(act.hold), "")} | house_fields


def _find_form(act: Act) -> tuple[type[Any], Initial | None] | None:
    match act:
        case AddNote():
            return _AmendNoteForm, {"text": act.text, "battle": act.battle}
        case AgreeChange():
            return AgreedChangeForm, _agreed_change_initial(act)
        case OpenSeason():
            return _AmendSeasonForm, {"name": act.name, "new_war": act.new_war}
        case WinCampaign():
            return WinnerForm, {"kingdom": act.kingdom, "why": act.why}
        case SpendVp():
            return act_forms.AmendSpendingForm, {"act": act}
        case RollForAttack() if act.throws:
            return act_forms.AmendRollOffForm, {"act": act}
        case DeclareBattle():
            return act_forms.AmendDeclarationForm, {"act": act}
        case ChangeHouseRules():
            return act_forms.AmendHouseRulesForm, {"act": act}
        case AddKingdom():
            return act_forms.AmendKingdomForm, {"act": act}
    return None


AMENDABLE_ACTS = (
    AddNote.key,
    AgreeChange.key,
    OpenSeason.key,
    WinCampaign.key,
    SpendVp.key,
    RollForAttack.key,
    DeclareBattle.key,
    ChangeHouseRules.key,
    AddKingdom.key,
)


def make_amend_form(entry: ChronicleEntry, then: State, data: Any) -> forms.Form | None:
    """The form of this entry, filled in; nothing if it has none. ``then`` is the state before it."""
    found = _find_form(codec.read_stored(entry.act, entry.body))
    if found is None or found[1] is None:
        return None
    made, initial = found
    sent = data if any(name.startswith(f"{PREFIX}-") for name in data) else None
    form = made(sent, prefix=PREFIX, initial=initial, state=then)
    del form.fields["key"]
    return form
