"""Forms around a campaign's files: one to send, one to take in, one to end it all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from campaign.annals.parcel import MOST_MB
from pages.forms import KeyForm
from people.names import STORED


class FileForm(forms.Form):
    file = forms.FileField(
        label="File of a campaign",
        help_text=f"As a site like this one wrote it, up to {MOST_MB} MB. Nothing is imported yet.",
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        error_messages={"empty": "The file is empty.", "required": "Choose a file."},
    )


class TakeInForm(KeyForm):
    me = forms.TypedChoiceField(
        label="Which of them are you",
        required=False,
        coerce=int,
        empty_value=None,
        help_text="The others arrive as people you keep, without accounts. They can claim themselves by a link.",
    )

    def __init__(self, *args: Any, people: Iterable[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(one.number, f"{one.name}, game master" if one.is_master else one.name) for one in people]
        self.fields["me"].choices = [("", "None of them"), *named]


class DeleteForm(forms.Form):
    name = forms.CharField(
        label="Name of the campaign", max_length=STORED, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
