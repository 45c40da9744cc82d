"""Two armies and a situation as a form whose answer is an address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms

from musters.compare import GROUNDS, INCHES_MOST, Setting
from musters.evening import NAME_MOST, ONE, TWO
from musters.rolls.code import LETTERS_MOST
from rulebook.events import EVENTS
from rulebook.marks import LONG_RANGE_OVER
from rulebook.terrain import TERRAIN

GROUND_CHOICES = [(key, TERRAIN[key].name) for key in GROUNDS]
TYPED = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}


class SettingForm(forms.Form):
    """The situation. An address without ``kind`` says nothing about it, and a charge in the open is shown."""

    kind = forms.ChoiceField(choices=[("melee", "Melee"), ("shooting", "Shooting")], widget=forms.RadioSelect, label="Attack")  # fmt: skip
    charged = forms.BooleanField(required=False, label="They charge")
    inches = forms.FloatField(required=False, min_value=0, max_value=INCHES_MOST, label="Distance in inches")
    moved = forms.BooleanField(required=False, label="They have moved")
    at = forms.ChoiceField(choices=GROUND_CHOICES, required=False, label="Attackers stand in")
    target_at = forms.ChoiceField(choices=GROUND_CHOICES, required=False, label="Targets stand in")
    flanked = forms.BooleanField(required=False, label="The target is flanked")
    king = forms.BooleanField(required=False, label="The target’s King is within 8″")
    event = forms.ChoiceField(choices=[("", "none"), *((row.key, row.name) for row in EVENTS)], required=False, label="Random event")  # fmt: skip

    @property
    def setting(self) -> Setting:
        told = self.cleaned_data
        return Setting(
            told["kind"],
            told["charged"],
            Setting().inches if told["inches"] is None else told["inches"],
            told["moved"],
            told["at"] or "clear",
            told["target_at"] or "clear",
            told["flanked"] and told["kind"] == "melee",
            told["king"],
            told["event"],
        )


# Situations that are asked for most, each one tap away.
USUAL: tuple[tuple[str, dict[str, str]], ...] = (
    ("Charge", {"kind": "melee", "charged": "on"}),
    ("Melee", {"kind": "melee"}),
    ("Shooting", {"kind": "shooting", "inches": "6"}),
    ("Far shots", {"kind": "shooting", "inches": f"{LONG_RANGE_OVER + 1}"}),
)


class CompareForm(SettingForm):
    a = forms.CharField(max_length=LETTERS_MOST, required=False, label="Army code", widget=forms.TextInput(TYPED))
    b = forms.CharField(max_length=LETTERS_MOST, required=False, label="Army code", widget=forms.TextInput(TYPED))
    one = forms.CharField(max_length=NAME_MOST, required=False, label="Name", widget=forms.TextInput({"placeholder": ONE}))  # fmt: skip
    two = forms.CharField(max_length=NAME_MOST, required=False, label="Name", widget=forms.TextInput({"placeholder": TWO}))  # fmt: skip


def with_usual(given: dict[str, Any]) -> dict[str, Any]:
    """An address that says nothing of the situation asks for the first of the usual ones."""
    return given if given.get("kind") else {**given, **USUAL[0][1]}


def usual(given: Mapping[str, str], chosen: Setting) -> list[tuple[str, str, bool]]:
    """The usual situations for these armies: words, query, and whether it is the one shown."""
    armies = {name: given[name] for name in ("a", "b", "one", "two") if given.get(name)}
    found = []
    for words, told in USUAL:
        form = SettingForm(told)
        form.full_clean()
        found.append((words, urlencode({**armies, **told}), form.setting == chosen))
    return found
