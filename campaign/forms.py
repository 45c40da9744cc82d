"""What the forms of a campaign have in common, and those of its own pages: a note, a season, its file, its deletion."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from campaign.chronicle.acts.administration import MAX_NOTE, OpenSeason
from campaign.chronicle.export_and_import import MAX_MB
from campaign.chronicle.fields import MAX_NAME
from log.services import new_key
from pages.key_form import KeyForm
from pages.refusal_handling import add_refusal_to_form
from people.name_validation import MAX_STORED
from refusal import Refusal

T = TypeVar("T")
Answers = Mapping[str, Any]  # to the questions of a form


class RefusableForm(forms.Form):
    """A form that shows why what it sent was refused."""

    refusal: Refusal | None = None

    def submit(self, write: Callable[[Answers], T]) -> T | None:
        """What ``write`` made of the answers; nothing if none were sent, they are wrong, or it was refused."""
        if not self.is_valid():
            return None
        try:
            return write(self.cleaned_data)
        except Refusal as refusal:
            self.refusal = refusal
            add_refusal_to_form(self, refusal)
            return None

    @property
    def is_late(self) -> bool:
        """Refused because it affects later entries: it is written once somebody accepts that."""
        return bool(self.refusal and self.refusal.fresh and "flagged" in self.refusal.fresh)

    def show(self, request: HttpRequest, template: str, **context: Any) -> HttpResponse:
        """Its page, if there was nothing to write."""
        return render(request, template, {"form": self, **context}, status=422 if self.is_bound else 200)


class CampaignForm(RefusableForm, KeyForm):
    """One with a new key."""

    def __init__(self, *args: Any, initial: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, initial={"key": new_key(), **(initial or {})}, **kwargs)


class NoteForm(CampaignForm):
    text = forms.CharField(
        label="Note", max_length=MAX_NOTE, widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"})
    )


class SeasonForm(CampaignForm):
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


class ImportForm(CampaignForm):
    me = forms.TypedChoiceField(
        label="Which of them are you?",
        required=False,
        coerce=int,
        empty_value=None,
        help_text="The others become guests you look after. They can claim their names with a link.",
    )

    def __init__(self, *args: Any, people: Iterable[Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [
            (person.number, f"{person.name}, game master" if person.is_master else person.name) for person in people
        ]
        self.fields["me"].choices = [("", "None of them"), *named]


class DeleteForm(RefusableForm):
    name = forms.CharField(
        label="Name of the campaign", max_length=MAX_STORED, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
