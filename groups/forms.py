"""Forms of a group."""

from __future__ import annotations

import zoneinfo

from django import forms
from django.utils import timezone

from groups.models import Group
from pages.forms import KeyForm
from people.name_validation import MAX_STORED


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
        label="Name", max_length=MAX_STORED, help_text="Someone you know, or a new guest. They need no account."
    )
