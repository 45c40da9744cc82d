"""Forms of a group."""

from __future__ import annotations

import zoneinfo
from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils import timezone

from groups.models import Group
from groups.services import NEW_GUEST
from pages.key_form import KeyForm
from people.models import Person
from people.name_validation import MAX_STORED, inline_name


def zone_choices() -> list[tuple[str, str]]:
    """Every zone named after a place, such as Europe/Berlin."""
    named = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return [(zone, zone.replace("_", " ")) for zone in ("UTC", *named)]


class GroupForm(KeyForm):
    name = forms.CharField(label="Name of the group", max_length=MAX_STORED)
    zone = forms.ChoiceField(
        label="Time zone", choices=zone_choices, help_text="A night ends at 05:00 in this zone, unless you close it."
    )

    @staticmethod
    def initial_zone() -> str:
        """The viewer's zone, if it is one we offer."""
        here = timezone.get_current_timezone_name()
        return here if here in zoneinfo.available_timezones() else "UTC"


class GroupSettingsForm(GroupForm):
    visibility = forms.ChoiceField(label="Who can see nights and standings", choices=Group.Visibility.choices)
    edits = forms.ChoiceField(label="Who can change a logged play", choices=Group.Edits.choices)
    consent = forms.ChoiceField(label="When a change counts", choices=Group.Consent.choices)


class MemberForm(KeyForm):
    name = forms.CharField(
        label="Name", max_length=MAX_STORED, help_text="Someone you know, or a new guest. They do not need an account."
    )
    which = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, namesakes: Sequence[Person] = (), members: Collection[int] = (), **kwargs: Any
    ) -> None:
        """With namesakes it asks who is meant: one of these people, or somebody new."""
        super().__init__(*args, **kwargs)
        if namesakes:
            choices = [(str(person.pk), _describe(person, members)) for person in namesakes]
            self.fields["which"] = forms.ChoiceField(
                label="Who is it?",
                choices=[*choices, (NEW_GUEST, "Someone else with this name")],
                widget=forms.RadioSelect,
                required=False,
            )


def _describe(person: Person, members: Collection[int]) -> str:
    words = "has an account" if person.has_account else "no account"
    here = ", already in this group" if person.pk in members else ""
    return f"{inline_name(person.name)} ({words}{here})"
