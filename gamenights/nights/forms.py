"""Forms of a night."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django import forms
from django.utils import timezone

from groups.models import Group
from pages.key_form import KeyForm
from people.forms import NameField

MOMENT = "%Y-%m-%dT%H:%M"


class MomentField(forms.DateTimeField):
    """A day and time as the phone's own picker gives it, in the group's zone."""

    def __init__(self, **kwargs: object) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT)
        super().__init__(input_formats=[MOMENT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"], widget=widget, **kwargs)
        self.error_messages["invalid"] = "Enter a day and a time."

    def to_python(self, value: object) -> dt.datetime | None:
        found = super().to_python(value)
        return found.replace(tzinfo=None) if found is not None else None


class NightForm(KeyForm):
    title = forms.CharField(label="Title", max_length=80, required=False)
    starts_at = MomentField(label="Starts", required=False)
    place = forms.CharField(label="Place", max_length=200, required=False)
    plan = forms.CharField(
        label="Plan",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What you play, and when.",
    )

    def __init__(self, *args: object, group: Group, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.group = group
        self.fields["starts_at"].help_text = f"In the group's time zone, {group.zone.replace('_', ' ')}."

    def in_zone(self, moment: dt.datetime | None) -> dt.datetime | None:
        return moment.replace(tzinfo=self.group.tzinfo) if moment else None

    def clean_starts_at(self) -> dt.datetime | None:
        return self.in_zone(self.cleaned_data["starts_at"])


class PlanNightForm(NightForm):
    date_2 = MomentField(label="Or", required=False)
    date_3 = MomentField(label="Or", required=False)
    date_4 = MomentField(label="Or", required=False)

    OTHER_DATES = ("date_2", "date_3", "date_4")

    def clean(self) -> Mapping[str, object]:
        data = self.cleaned_data
        start = data.get("starts_at")
        others = [self.in_zone(data[name]) for name in self.OTHER_DATES if data.get(name)]
        dates = [moment for moment in (start, *others) if moment is not None]
        now = timezone.now()
        if any(moment < now - dt.timedelta(days=1) for moment in dates):
            self.add_error("starts_at", "This date is in the past. Enter a later one.")
        if not dates and "starts_at" not in self.errors:
            self.add_error("starts_at", "Enter when it starts.")
        # One date is fixed; several are voted on.
        data["dates"] = dates if len(set(dates)) > 1 else []
        if data["dates"]:
            data["starts_at"] = None
        elif dates:
            data["starts_at"] = dates[0]
        return data


class CheckInForm(KeyForm):
    name = NameField(label="Your name", widget=forms.TextInput(attrs={"autocomplete": "given-name", "maxlength": 80}))
