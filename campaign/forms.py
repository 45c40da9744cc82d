"""The note that a player writes into the chronicle."""

from __future__ import annotations

from django import forms

from campaign.chronicle.acts.administration import MAX_NOTE
from pages.key_form import KeyForm


class NoteForm(KeyForm):
    text = forms.CharField(
        label="Note",
        max_length=MAX_NOTE,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
    )
