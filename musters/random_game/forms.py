"""The form for a random game; sent by GET."""

from __future__ import annotations

from django import forms

from musters.core.seed_word_list import MAX_WORD_LENGTH
from musters.random_game.generator import MAX_NAME_LENGTH, NO_EVENTS, ONE, TWO
from rulebook.data.battlefield import EVENTS
from rulebook.data.scenarios import SCENARIOS


class RandomGameForm(forms.Form):
    """Only draws the fields; ``GameRequest`` says what is accepted."""

    scenario = forms.ChoiceField(
        choices=[
            ("", "Roll for it"),
            *((row.key, f"{row.roll}. {row.name}" if row.roll else row.name) for row in SCENARIOS),
        ],
        required=False,
    )
    event = forms.ChoiceField(
        choices=[("", "Roll each round"), (NO_EVENTS, "No events"), *((row.key, row.name) for row in EVENTS)],
        required=False,
        label="Events",
    )
    one = forms.CharField(
        required=False, max_length=MAX_NAME_LENGTH, label="First army", widget=forms.TextInput({"placeholder": ONE})
    )
    two = forms.CharField(
        required=False, max_length=MAX_NAME_LENGTH, label="Second army", widget=forms.TextInput({"placeholder": TWO})
    )
    word = forms.CharField(
        required=False,
        max_length=MAX_WORD_LENGTH,
        help_text="Any word. The same word gives the same game. Leave it empty to draw one.",
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )
