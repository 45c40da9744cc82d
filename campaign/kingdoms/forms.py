"""A new kingdom: its names and its ruler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django import forms

from campaign.chronicle.acts.administration import AddKingdom
from campaign.chronicle.fields import MAX_NAME
from campaign.chronicle.state import PLACE_KEYS
from people.name_validation import MAX_STORED

MAX_KINGDOMS = 12


class KingdomForm(forms.Form):
    """A new kingdom, with suggested names."""

    name = forms.CharField(label="Kingdom", max_length=MAX_NAME)
    ruler = forms.CharField(
        label="Ruled by", max_length=MAX_STORED, required=False, help_text="A name is enough; they need no account."
    )
    solo = forms.BooleanField(label="Nobody: play it by the solo rules", required=False)
    castle = forms.CharField(label="Castle", max_length=MAX_NAME)
    lands = forms.CharField(label="Lands", max_length=MAX_NAME)
    border_1 = forms.CharField(label="First borderland", max_length=MAX_NAME)
    border_2 = forms.CharField(label="Second borderland", max_length=MAX_NAME)
    house_1 = forms.CharField(label="First house", max_length=MAX_NAME)
    house_2 = forms.CharField(label="Second house", max_length=MAX_NAME)
    house_3 = forms.CharField(label="Third house", max_length=MAX_NAME)
    house_4 = forms.CharField(label="Fourth house", max_length=MAX_NAME)

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
