"""Forms for two armies and a situation; sent by GET."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django import forms

from musters.compare.calculation import MAX_INCHES, Setting, event_choices, terrain_choices
from musters.core.army_code import MAX_CODE_LENGTH
from musters.random_game.generator import MAX_NAME_LENGTH, ONE, TWO
from rulebook.battle.modifiers import LONG_RANGE_OVER

CODE_ATTRS = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}


class SettingForm(forms.Form):
    """The situation. Without ``kind`` it is a charge in the open."""

    kind = forms.ChoiceField(
        choices=[("melee", "Melee"), ("shooting", "Shooting")], widget=forms.RadioSelect, label="Attack"
    )
    charged = forms.BooleanField(required=False, label="Attackers charge")
    inches = forms.FloatField(required=False, min_value=0, max_value=MAX_INCHES, label="Distance in inches")
    moved = forms.BooleanField(required=False, label="Shooters have moved")
    at = forms.ChoiceField(choices=terrain_choices, required=False, label="Attackers stand in")
    target_at = forms.ChoiceField(choices=terrain_choices, required=False, label="Targets stand in")
    flanked = forms.BooleanField(required=False, label="The target is flanked")
    king = forms.BooleanField(required=False, label="The target’s King is within 8″")
    event = forms.ChoiceField(choices=event_choices, required=False, label="Random event")

    @property
    def setting(self) -> Setting:
        data = self.cleaned_data
        return Setting(
            data["kind"],
            data["charged"],
            Setting().inches if data["inches"] is None else data["inches"],
            data["moved"],
            data["at"] or "clear",
            data["target_at"] or "clear",
            data["flanked"] and data["kind"] == "melee",
            data["king"],
            data["event"],
        )


# Common situations, each one tap away.
COMMON_SITUATIONS: tuple[tuple[str, dict[str, str]], ...] = (
    ("Charge", {"kind": "melee", "charged": "on"}),
    ("Melee", {"kind": "melee"}),
    ("Shooting", {"kind": "shooting", "inches": "6"}),
    ("Long range", {"kind": "shooting", "inches": f"{LONG_RANGE_OVER + 1}"}),
)


class CompareForm(SettingForm):
    a = forms.CharField(
        max_length=MAX_CODE_LENGTH, required=False, label="Army code", widget=forms.TextInput(CODE_ATTRS)
    )
    b = forms.CharField(
        max_length=MAX_CODE_LENGTH, required=False, label="Army code", widget=forms.TextInput(CODE_ATTRS)
    )
    one = forms.CharField(
        max_length=MAX_NAME_LENGTH, required=False, label="Name", widget=forms.TextInput({"placeholder": ONE})
    )
    two = forms.CharField(
        max_length=MAX_NAME_LENGTH, required=False, label="Name", widget=forms.TextInput({"placeholder": TWO})
    )


def with_default_situation(given: dict[str, object]) -> dict[str, object]:
    """Add the first common situation if none is given."""
    return given if given.get("kind") else {**given, **COMMON_SITUATIONS[0][1]}


def situation_tabs(given: Mapping[str, str], chosen: Setting) -> list[tuple[str, str, bool]]:
    """Tabs for the common situations: label, query, whether it is shown."""
    armies = {name: given[name] for name in ("a", "b", "one", "two") if given.get(name)}
    found = []
    for label, query in COMMON_SITUATIONS:
        form = SettingForm(query)
        form.full_clean()
        found.append((label, urlencode({**armies, **query}), form.setting == chosen))
    return found
