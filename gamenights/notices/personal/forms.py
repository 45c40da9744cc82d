"""What a person wants to hear about, and how."""

from __future__ import annotations

from django import forms

from gamenights.notices.personal.models import Topic


class NoticesForm(forms.Form):
    topics = forms.MultipleChoiceField(
        label="Tell me about", choices=Topic.choices, required=False, widget=forms.CheckboxSelectMultiple
    )
    by_mail = forms.BooleanField(label="By e-mail", required=False)
    url = forms.CharField(
        label="To a webhook of my own",
        required=False,
        max_length=500,
        help_text="Optional. An https address that accepts Discord's JSON.",
    )
