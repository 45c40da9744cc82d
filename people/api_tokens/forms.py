"""The form that makes an API token."""

from __future__ import annotations

from django import forms

from people.api_tokens.scopes import PLAY, READ, SCOPES
from people.api_tokens.services import MAX_LABEL


class TokenForm(forms.Form):
    label = forms.CharField(
        max_length=MAX_LABEL,
        label="What uses it",
        help_text="Such as “score board in the cellar”. Only you see it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        choices=[(key, words) for key, words in SCOPES.items()],
        initial=[READ, PLAY],
        label="What it may do",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least “See what you see”."},
    )
