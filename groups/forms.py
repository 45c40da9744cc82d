"""Forms of a group."""

from __future__ import annotations

import zoneinfo
from collections.abc import Collection, Sequence

from django import forms
from django.utils import timezone

from groups.entries import AddMember, ChangeGroup, FoundGroup
from groups.services import NEW_GUEST
from pages.fields.forms import DataclassForm, make_field
from people.models import Person
from people.name_validation import inline_name


def zone_choices() -> list[tuple[str, str]]:
    """Every zone named after a place, such as Europe/Berlin."""
    named = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return [(zone, zone.replace("_", " ")) for zone in ("UTC", *named)]


class ZoneField(forms.ChoiceField):
    def __init__(self) -> None:
        asked = make_field(FoundGroup, "zone")
        super().__init__(label=asked.label, help_text=asked.help_text, choices=zone_choices)


class GroupForm(DataclassForm[FoundGroup]):
    zone = ZoneField()

    @staticmethod
    def initial_zone() -> str:
        """The viewer's zone, if it is one we offer."""
        here = timezone.get_current_timezone_name()
        return here if here in zoneinfo.available_timezones() else "UTC"


class GroupSettingsForm(DataclassForm[ChangeGroup]):
    zone = ZoneField()


class MemberForm(DataclassForm[AddMember]):
    which = forms.CharField(label="Who is it?", required=False, widget=forms.HiddenInput)

    def ask_who_is_meant(self, namesakes: Sequence[Person], members: Collection[int]) -> None:
        """One of these people, or somebody new."""
        choices = [(str(person.pk), _describe(person, members)) for person in namesakes]
        self.fields["which"].widget = forms.RadioSelect(choices=[*choices, (NEW_GUEST, "Someone else with this name")])


def _describe(person: Person, members: Collection[int]) -> str:
    words = "has an account" if person.has_account else "no account"
    here = ", already in this group" if person.pk in members else ""
    return f"{inline_name(person.name)} ({words}{here})"
