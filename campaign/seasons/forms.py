"""The form that opens a season."""

from __future__ import annotations

from django import forms

from campaign.chronicle.acts.administration import OpenSeason
from campaign.chronicle.fields import MAX_NAME
from pages.key_form import KeyForm


class SeasonForm(KeyForm):
    name = forms.CharField(label="Name of the season", max_length=MAX_NAME)
    new_war = forms.BooleanField(
        label="Start a new war",
        required=False,
        help_text="Same kingdoms, rulers and arms; land, loyalty and VP start over.",
    )

    def act(self) -> OpenSeason:
        return OpenSeason(self.cleaned_data["name"], self.cleaned_data["new_war"])
