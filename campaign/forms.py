"""The note that a player writes into the chronicle."""

from __future__ import annotations

from django import forms

from campaign.chronicle.acts.administration import NOTE_MOST
from pages.key_form import KeyForm


class NoteForm(KeyForm):
    text = forms.CharField(
        label="Note",
        max_length=NOTE_MOST,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
    )
