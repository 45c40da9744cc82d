"""Forms of a night."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils import timezone

from gamenights.nights.entries import ChangeNight, PlanNight
from groups.models import Group
from pages.fields.forms import Cleaned, DataclassForm, MomentField
from pages.key_form import KeyForm
from people.forms import NameField


class NightForm(DataclassForm[ChangeNight]):
    starts_at = MomentField(label="Starts", required=False)
    field_order = ("key", "title", "starts_at", "place", "plan")

    def __init__(self, *args: Any, group: Group, **kwargs: Any) -> None:
        super().__init__(*args, zone=group.tzinfo, **kwargs)
        self.fields["starts_at"].help_text = f"In the group's time zone, {group.zone.replace('_', ' ')}."


class PlanNightForm(NightForm, DataclassForm[PlanNight]):
    """One date is fixed; several are voted on."""

    left_out = ("dates", "battle")
    date_2 = MomentField(label="Or", required=False)
    date_3 = MomentField(label="Or", required=False)
    date_4 = MomentField(label="Or", required=False)

    def clean(self) -> Cleaned:
        data = super().clean()
        dates = self._dates()
        if any(moment < timezone.now() - dt.timedelta(days=1) for moment in dates):
            self.add_error("starts_at", "This date is in the past. Enter a later one.")
        if not dates and "starts_at" not in self.errors:
            self.add_error("starts_at", "Enter when it starts.")
        return data

    def clean_left_out(self) -> Cleaned:
        return {"dates": self._dates()}

    def _dates(self) -> tuple[dt.datetime, ...]:
        asked = (self.cleaned_data.get(name) for name in ("starts_at", "date_2", "date_3", "date_4"))
        return tuple(moment.replace(tzinfo=self.zone) for moment in asked if moment is not None)


class CheckInForm(KeyForm):
    name = NameField(label="Your name", widget=forms.TextInput(attrs={"autocomplete": "given-name", "maxlength": 80}))
