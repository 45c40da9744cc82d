"""The choices of an evening as a form whose answer is an address."""

from __future__ import annotations

from django import forms

from musters.evening import NAME_MOST, NO_EVENTS, ONE, TWO
from musters.rolls.words import WORD_MOST
from rulebook.events import EVENTS
from rulebook.scenarios import SCENARIOS


class EveningForm(forms.Form):
    """Draws the fields; ``evening.asked_for`` reads them."""

    scenario = forms.ChoiceField(
        choices=[
            ("", "Roll for it"),
            *((row.key, f"{row.roll}. {row.name}" if row.roll else row.name) for row in SCENARIOS),
        ],
        required=False,
    )
    event = forms.ChoiceField(
        choices=[
            ("", "By the dice, round by round"),
            (NO_EVENTS, "No events"),
            *((row.key, row.name) for row in EVENTS),
        ],
        required=False,
        label="Events",
    )
    one = forms.CharField(
        required=False, max_length=NAME_MOST, label="One army", widget=forms.TextInput({"placeholder": ONE})
    )
    two = forms.CharField(
        required=False, max_length=NAME_MOST, label="The other", widget=forms.TextInput({"placeholder": TWO})
    )
    word = forms.CharField(
        required=False,
        max_length=WORD_MOST,
        help_text="Any word, in any alphabet. Without one we draw one. The same word makes the same evening.",
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none"}),
    )
