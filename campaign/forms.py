"""Forms of a campaign's own pages: a note, a season, its file, its deletion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from campaign.chronicle.acts.administration import MAX_NOTE, OpenSeason
from campaign.chronicle.export_and_import import MAX_MB
from campaign.chronicle.fields import MAX_NAME
from pages.key_form import KeyForm
from people.name_validation import MAX_STORED


class NoteForm(KeyForm):
    text = forms.CharField(
        label="Note",
        max_length=MAX_NOTE,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
    )


class SeasonForm(KeyForm):
    name = forms.CharField(label="Name of the season", max_length=MAX_NAME)
    new_war = forms.BooleanField(
        label="Start a new war",
        required=False,
        help_text="Same kingdoms, rulers and arms; land, loyalty and VP start over.",
    )

    def act(self) -> OpenSeason:
        return OpenSeason(self.cleaned_data["name"], self.cleaned_data["new_war"])


class UploadForm(forms.Form):
    file = forms.FileField(
        label="Campaign file",
        help_text=f"Exported from a site like this one, up to {MAX_MB} MB. Nothing is imported yet.",
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        error_messages={"empty": "The file is empty.", "required": "Choose a file."},
    )


class ImportForm(KeyForm):
    me = forms.TypedChoiceField(
        label="Which of them are you?",
        required=False,
        coerce=int,
        empty_value=None,
        help_text="The others become guests you look after. They can claim their names with a link.",
    )

    def __init__(self, *args: Any, people: Iterable[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(one.number, f"{one.name}, game master" if one.is_master else one.name) for one in people]
        self.fields["me"].choices = [("", "None of them"), *named]


class DeleteForm(forms.Form):
    name = forms.CharField(
        label="Name of the campaign", max_length=MAX_STORED, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
