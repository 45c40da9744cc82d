"""Forms to amend an entry: each shows the fields of its act that can be mistyped; the rest stays as it was written.

Battles have forms of their own. Entries without a form are struck and entered again.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from django import forms

from campaign.campaign_settings.forms import make_option_field, make_term_field
from campaign.chronicle import codec
from campaign.chronicle.acts.administration import AddKingdom, AddNote, ChangeHouseRules, OpenSeason
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.acts.war import AgreeChange, DeclareBattle, RollForAttack, SpendVp, WinCampaign
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.fields import MAX_NAME
from campaign.chronicle.state import PLACE_KEYS, State
from campaign.forms import CampaignForm, NoteForm, SeasonForm
from campaign.wars.forms import AgreedChangeForm, WinnerForm
from rulebook.campaign.vp_spending import PRICES
from rulebook.data.house_rules import OPTION
from rulebook.data.scenarios import SCENARIO

PREFIX = "line"  # keeps its fields apart from those of the correction


class ActForm(CampaignForm):
    """A form filled in from the act that is to be amended, ``before``, and the state before it."""

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state = state
        self.before = self.initial["act"]
        self.add_fields()

    def add_fields(self) -> None:
        """For fields that depend on the act."""


class AmendNoteForm(ActForm, NoteForm):
    before: AddNote

    def act(self) -> AddNote:
        return replace(self.before, text=self.cleaned_data["text"])


class AmendSeasonForm(ActForm, SeasonForm):
    """Only the name. To undo a new war, strike the entry."""

    before: OpenSeason

    def add_fields(self) -> None:
        del self.fields["new_war"]

    def act(self) -> OpenSeason:
        return replace(self.before, name=self.cleaned_data["name"])


class AmendSpendingForm(ActForm):
    before: SpendVp
    what = forms.ChoiceField(label="Bought", choices=[(price.key, price.name) for price in PRICES])
    times = forms.IntegerField(label="How often", min_value=1, max_value=99)

    def add_fields(self) -> None:
        kingdom = self.state.kingdoms.get(self.before.kingdom)
        houses = [(str(n), house.name) for n, house in enumerate(kingdom.houses, 1)] if kingdom else []
        self.fields["house"] = forms.ChoiceField(
            label="House", choices=[("", "none"), *houses], required=False, help_text="Only to win back a house."
        )

    def act(self) -> SpendVp:
        data = self.cleaned_data
        house = int(data["house"]) if data["house"] else None
        return replace(self.before, what=data["what"], times=data["times"], house=house)


class AmendRollOffForm(ActForm):
    """The dice as they fell; who attacks follows from them."""

    before: RollForAttack

    def add_fields(self) -> None:
        for number, throw in enumerate(self.before.throws):
            name = self.state.kingdoms[throw.kingdom].name if throw.kingdom in self.state.kingdoms else throw.kingdom
            self.fields[f"roll{number}"] = forms.IntegerField(
                label=f"{name}, bought re-roll" if throw.bought else name, min_value=1, max_value=10, initial=throw.roll
            )

    def act(self) -> RollForAttack:
        throws = tuple(
            replace(throw, roll=self.cleaned_data[f"roll{number}"]) for number, throw in enumerate(self.before.throws)
        )
        return replace(self.before, throws=throws, winner=None)


class AmendDeclarationForm(ActForm):
    before: DeclareBattle

    def add_fields(self) -> None:
        places = [(key, self.state.place_name(key)) for key in self.state.holders]
        self.fields["target"] = forms.ChoiceField(label="Target", choices=places)
        scenarios = [("", "not chosen"), *((key, row.name) for key, row in SCENARIO.items())]
        self.fields["scenario"] = forms.ChoiceField(label="Scenario", choices=scenarios, required=False)

    def act(self) -> DeclareBattle:
        data = self.cleaned_data
        return replace(
            self.before, target=data["target"], scenario=data["scenario"] or None, seen_holder=None, defender=None
        )


class AmendHouseRulesForm(ActForm):
    """Only the rules this entry changed."""

    before: ChangeHouseRules

    def add_fields(self) -> None:
        for key, value in self.before.options.items():
            if key in OPTION:
                self.fields[f"o-{key}"] = make_option_field(OPTION[key], OPTION[key].read(value))
        for key, text in self.before.terms.items():
            self.fields[key] = make_term_field(key, text)

    def act(self) -> ChangeHouseRules:
        data = self.cleaned_data
        options = {
            key: OPTION[key].read(data[f"o-{key}"]) if key in OPTION else value
            for key, value in self.before.options.items()
        }
        return ChangeHouseRules(options, {key: data[key] for key in self.before.terms})


class AmendKingdomForm(ActForm):
    """The names with which a kingdom joined."""

    before: AddKingdom
    name = forms.CharField(label="Name of the kingdom", max_length=MAX_NAME)

    def add_fields(self) -> None:
        for number, house in enumerate(self.before.houses, 1):
            self.fields[f"house{number}"] = forms.CharField(
                label=f"House {number}", max_length=MAX_NAME, initial=house.name
            )
        for key in PLACE_KEYS:
            label = key.replace("_", " ").replace("border", "borderland").capitalize()
            self.fields[key] = forms.CharField(
                label=label, max_length=MAX_NAME, initial=self.before.places.get(key, "")
            )

    def act(self) -> AddKingdom:
        data = self.cleaned_data
        houses = tuple(
            replace(house, name=data[f"house{number}"]) for number, house in enumerate(self.before.houses, 1)
        )
        places = {key: data[key] for key in PLACE_KEYS}
        return replace(self.before, name=data["name"], houses=houses, places=places)


FORMS: dict[type[Act], type[Any]] = {
    AddNote: AmendNoteForm,
    AgreeChange: AgreedChangeForm,
    OpenSeason: AmendSeasonForm,
    WinCampaign: WinnerForm,
    SpendVp: AmendSpendingForm,
    RollForAttack: AmendRollOffForm,
    DeclareBattle: AmendDeclarationForm,
    ChangeHouseRules: AmendHouseRulesForm,
    AddKingdom: AmendKingdomForm,
}
AMENDABLE_ACTS = tuple(act.key for act in FORMS)


def make_amend_form(entry: ChronicleEntry, then: State, data: Any) -> Any:
    """The form of this entry, filled in; nothing if it has none. ``then`` is the state before it.

    An entry by which Oakhold spent 3 VP on loyalty has the form ``AmendSpendingForm``, which shows ``line-what``
    "loyalty" and ``line-times`` 3; its ``act()`` is the entry's ``SpendVp`` with what was typed instead.
    """
    act = codec.read_stored(entry.act, entry.body)
    initial = _initial_of(act)
    if type(act) not in FORMS or initial is None:
        return None
    sent = data if any(name.startswith(f"{PREFIX}-") for name in data) else None
    form = FORMS[type(act)](sent, prefix=PREFIX, initial=initial, state=then)
    del form.fields["key"]
    return form


def _initial_of(act: Act) -> Mapping[str, object] | None:
    """The act as form data; nothing if it has more than its form can show."""
    if isinstance(act, RollForAttack) and not act.throws:
        return None
    if isinstance(act, AgreeChange):
        return _initial_of_change(act)
    return {"act": act, **{field.name: getattr(act, field.name) for field in fields(act)}}


def _initial_of_change(act: AgreeChange) -> Mapping[str, object] | None:
    """The change of one kingdom; nothing if it affects several."""
    named = {*act.vp, *act.loyalty, *act.hold.values()} or {row.kingdom for row in act.houses}
    houses = {"house_lost" if row.lost else "house_back": f"{row.kingdom}/{row.house}" for row in act.houses}
    if len(named) != 1 or len(act.hold) > 1 or len(houses) != len(act.houses):
        return None
    (kingdom,) = named
    return {
        "kingdom": kingdom,
        "vp": act.vp.get(kingdom, 0),
        "loyalty": act.loyalty.get(kingdom, 0),
        "why": act.why,
        "territory": next(iter(act.hold), ""),
        **houses,
    }
