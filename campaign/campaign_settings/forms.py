"""Forms for kingdoms and a campaign's settings: names, rulers, status, game masters, house rules."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms

from campaign.chronicle.acts.administration import (
    HOUSE_NUMBERS,
    AddKingdom,
    ChangeHouseRules,
    ChangeNamesAndArms,
    SetKingdomStatus,
)
from campaign.chronicle.effects import MAX_RULES_TEXT
from campaign.chronicle.fields import MAX_NAME, HouseLooks
from campaign.chronicle.state import FREE_TERMS, FROZEN, GONE, PLACE_KEYS, PLAYING, SOLO, TERM, TERMS, Kingdom, State
from campaign.forms import CampaignForm
from people.name_validation import MAX_STORED
from rulebook.campaign.campaign_map import parse_territory
from rulebook.data.house_rules import OPTIONS, OptionRow

MAX_KINGDOMS = 12  # named here; a file may bring more

STATUS_CHOICES = (
    (PLAYING, "In play"),
    (FROZEN, "Frozen: cannot attack or be attacked"),
    (SOLO, "Played by the solo rules"),
    (GONE, "Dissolved: leaves the war for good"),
)

# The options changed most often; the others are behind "more".
COMMON_OPTIONS = ("loyalty_cap", "initiative", "attacker_choice", "kingdoms_to_hold", "random_events")

# Suggests the names listed on the page.
SUGGEST_NAMES = {"list": "known", "autocomplete": "off"}


HOUSE_LABELS = ("First house", "Second house", "Third house", "Fourth house")


class KingdomForm(forms.Form):
    """A new kingdom, with suggested names."""

    name = forms.CharField(label="Kingdom", max_length=MAX_NAME)
    ruler = forms.CharField(
        label="Ruled by", max_length=MAX_STORED, required=False, help_text="A name is enough; they need no account."
    )
    solo = forms.BooleanField(label="Nobody: play it by the solo rules", required=False)
    castle, lands, border_1, border_2, house_1, house_2, house_3, house_4 = (
        forms.CharField(label=label, max_length=MAX_NAME)
        for label in ("Castle", "Lands", "First borderland", "Second borderland", *HOUSE_LABELS)
    )

    def clean(self) -> Mapping[str, object]:
        data = self.cleaned_data
        if data.get("solo") and data.get("ruler"):
            self.add_error("solo", "Choose a ruler or the solo rules, not both.")
        return data

    @staticmethod
    def initial_of(suggested: AddKingdom) -> dict[str, str]:
        houses = {f"house_{n}": house.name for n, house in enumerate(suggested.houses, 1)}
        return {"name": suggested.name, **suggested.places, **houses}

    def act(self, suggested: AddKingdom, ruler: int | None) -> AddKingdom:
        """The suggested kingdom with the names of the form."""
        data = self.cleaned_data
        houses = tuple(replace(house, name=data[f"house_{n}"]) for n, house in enumerate(suggested.houses, 1))
        places = {place: data[place] for place in PLACE_KEYS}
        # A castle named after the kingdom is renamed with it.
        if data["name"] != suggested.name and places["castle"] == suggested.places["castle"]:
            places["castle"] = f"{data['name']} Castle"[:MAX_NAME]
        return replace(suggested, name=data["name"], houses=houses, places=places, ruler=ruler)


def _name_field(label: str, hint: str) -> forms.Field:
    box = forms.TextInput(attrs=SUGGEST_NAMES)
    return forms.CharField(label=label, max_length=MAX_STORED, required=False, widget=box, help_text=hint)


class RulerForm(CampaignForm):
    ruler = _name_field("Ruled by", "A name is enough; they need no account. Leave empty for nobody.")


class RegentForm(CampaignForm):
    regent = _name_field("Regent", "Acts for the ruler. Leave empty when the ruler is back.")


class StatusForm(CampaignForm):
    """The status of a kingdom; if dissolved, who gets the land it had won."""

    to = forms.ChoiceField(label="Status", choices=STATUS_CHOICES, widget=forms.RadioSelect)

    def __init__(self, *args: Any, state: State, kingdom: Kingdom, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kingdom = kingdom
        self.gains = [
            key for key, by in state.holders.items() if by == kingdom.id and parse_territory(key).kingdom != kingdom.id
        ]
        others = [other for other in state.in_play() if other.id != kingdom.id]
        for key in self.gains:
            owner = parse_territory(key).kingdom
            back = [(other.id, f"{other.name}, as before" if other.id == owner else other.name) for other in others]
            back.sort(key=lambda row: row[0] != owner)
            self.fields[f"heir-{key}"] = forms.ChoiceField(
                label=f"If dissolved, {state.place_name(key)} goes to", choices=back, required=False
            )

    def act(self) -> SetKingdomStatus:
        data = self.cleaned_data
        heirs = {key: data[f"heir-{key}"] for key in self.gains if data[f"heir-{key}"]}
        return SetKingdomStatus(self.kingdom.id, data["to"], heirs if data["to"] == GONE else {})


class KingdomNamesForm(CampaignForm):
    """Every name of a kingdom. Only changes are written."""

    name = forms.CharField(label="Kingdom", max_length=MAX_NAME)
    castle, lands, border_1, border_2, house_1, house_2, house_3, house_4 = (
        forms.CharField(label=KingdomForm.base_fields[name].label, max_length=MAX_NAME)
        for name in (*PLACE_KEYS, "house_1", "house_2", "house_3", "house_4")
    )

    hero_1, hero_2, hero_3, hero_4 = (
        forms.CharField(label=label, max_length=MAX_NAME, required=False, help_text="Empty: we suggest a name.")
        for label in (f"Hero of the {house.lower()}" for house in HOUSE_LABELS)
    )

    @staticmethod
    def initial_of(kingdom: Kingdom) -> dict[str, str]:
        houses = {f"house_{n}": house.name for n, house in enumerate(kingdom.houses, 1)}
        heroes = {f"hero_{n}": house.hero for n, house in enumerate(kingdom.houses, 1)}
        return {"name": kingdom.name, **kingdom.places, **houses, **heroes}

    def act(self, kingdom: Kingdom) -> ChangeNamesAndArms:
        was, data = self.initial_of(kingdom), self.cleaned_data
        changed = {key: data[key] for key, value in was.items() if data[key] != value}
        places = {key: value for key, value in changed.items() if key in PLACE_KEYS}
        houses = {
            number: HouseLooks(changed.get(f"house_{number}"), hero=changed.get(f"hero_{number}") or None)
            for number in HOUSE_NUMBERS
            if f"house_{number}" in changed or changed.get(f"hero_{number}")
        }
        return ChangeNamesAndArms(kingdom.id, name=changed.get("name"), places=places, houses=houses)


class AddMasterForm(CampaignForm):
    person = forms.TypedChoiceField(label="New game master", coerce=int)

    def __init__(self, *args: Any, people: Iterable[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["person"].choices = list(people)


class StepDownForm(CampaignForm):
    to = forms.TypedChoiceField(label="Hand over to", coerce=int, required=False, empty_value=None)

    def __init__(self, *args: Any, people: Iterable[tuple[int, str]], alone: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].choices = [*([] if alone else [("", "Nobody: the other game masters carry on")]), *people]
        self.fields["to"].required = alone


class HouseRulesForm(CampaignForm):
    """All house rules, in the order of the rulebook's list."""

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for term in TERMS:
            self.fields[term.key] = make_term_field(term.key, state.terms.get(term.key, term.default))
        for key in FREE_TERMS:
            self.fields[key] = make_term_field(key, state.terms.get(key, ""))
        for row in OPTIONS:
            self.fields[f"o-{row.key}"] = make_option_field(row, state.options.get(row.key, row.default))

    def terms(self) -> list[Any]:
        return [self[term.key] for term in TERMS]

    def texts(self) -> list[Any]:
        return [self[key] for key in FREE_TERMS]

    def common(self) -> list[Any]:
        return [self[f"o-{row.key}"] for row in OPTIONS if row.key in COMMON_OPTIONS]

    def more(self) -> list[Any]:
        return [self[f"o-{row.key}"] for row in OPTIONS if row.key not in COMMON_OPTIONS]

    def act(self, state: State) -> ChangeHouseRules:
        """Only what changed."""
        defaults = {term.key: term.default for term in TERMS} | dict.fromkeys(FREE_TERMS, "")
        sent = {key: self.cleaned_data[key] for key in defaults}
        terms = {key: text for key, text in sent.items() if text != state.terms.get(key, defaults[key])}
        read = [(row, row.read(self.cleaned_data[f"o-{row.key}"])) for row in OPTIONS]
        options = {row.key: value for row, value in read if value != state.options.get(row.key, row.default)}
        return ChangeHouseRules(options, terms)


def make_option_field(row: OptionRow, now: Any) -> forms.Field:
    if row.kind == "number":
        may_be_none = any(choice.value is None for choice in row.choices)
        hint = f"{row.text} From {row.least} to {row.most}." + (" Leave empty for no limit." if may_be_none else "")
        return forms.IntegerField(
            label=row.title,
            help_text=hint,
            min_value=row.least,
            max_value=row.most,
            required=not may_be_none,
            initial=now,
        )
    if row.kind == "switch":
        choices = [("on" if choice.value else "off", choice.title) for choice in row.choices]
        return forms.ChoiceField(label=row.title, help_text=row.text, choices=choices, initial="on" if now else "off")
    choices = [(str(choice.value), choice.title) for choice in row.choices]
    return forms.ChoiceField(label=row.title, help_text=row.text, choices=choices, initial=now)


def make_term_field(key: str, now: Any, **more: Any) -> forms.Field:
    """The field of an agreement: a choice, or a text in the players' own words."""
    if key in TERM:
        return forms.ChoiceField(label=TERM[key].title, choices=TERM[key].choices, initial=now, **more)
    box = {"widget": forms.Textarea(attrs={"rows": 3}), **more}
    return forms.CharField(
        label=FREE_TERMS.get(key, key), required=False, max_length=MAX_RULES_TEXT, initial=now, **box
    )
