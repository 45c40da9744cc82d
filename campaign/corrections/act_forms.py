"""Forms that amend entries whose own page is not a plain form: VP spent, roll-offs, house rules, kingdoms, attacks.

Each shows the fields of the act that can be mistyped; the rest of the act stays as it was written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms

from campaign.campaign_settings.forms import make_option_field
from campaign.chronicle.acts.administration import AddKingdom, ChangeHouseRules
from campaign.chronicle.acts.war import DeclareBattle, RollForAttack, SpendVp
from campaign.chronicle.effects import MAX_RULES_TEXT
from campaign.chronicle.fields import MAX_NAME
from campaign.chronicle.state import FREE_TERMS, PLACE_KEYS, TERM, State
from pages.key_form import KeyForm
from rulebook.campaign.vp_spending import PRICES
from rulebook.data.house_rules import OPTION
from rulebook.data.scenarios import SCENARIO


class ActForm(KeyForm):
    """A form made from the act that is to be amended, and the state before it."""

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state = state
        self.before = self.initial["act"]
        self.add_fields()

    def add_fields(self) -> None:
        raise NotImplementedError


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
        self.initial |= {"what": self.before.what, "times": self.before.times, "house": str(self.before.house or "")}

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
        self.fields["target"] = forms.ChoiceField(label="Target", choices=places, initial=self.before.target)
        scenarios = [("", "not chosen"), *((key, row.name) for key, row in SCENARIO.items())]
        self.fields["scenario"] = forms.ChoiceField(
            label="Scenario", choices=scenarios, required=False, initial=self.before.scenario or ""
        )

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
            if key in TERM:
                self.fields[key] = forms.ChoiceField(label=TERM[key].title, choices=TERM[key].choices, initial=text)
            else:
                self.fields[key] = forms.CharField(
                    label=FREE_TERMS.get(key, key),
                    required=False,
                    max_length=MAX_RULES_TEXT,
                    initial=text,
                    widget=forms.Textarea(attrs={"rows": 3}),
                )

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
        self.initial["name"] = self.before.name
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
