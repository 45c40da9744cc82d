"""The form of a game."""

from __future__ import annotations

from django import forms

from gamenights.shelf.models import scoring_choices
from pages.forms import KeyForm


class GameForm(KeyForm):
    name = forms.CharField(label="Name", max_length=80)
    players_min = forms.IntegerField(label="Fewest players", min_value=1, max_value=100, required=False)
    players_max = forms.IntegerField(label="Most players", min_value=1, max_value=100, required=False)
    minutes = forms.IntegerField(label="Minutes", min_value=1, max_value=10_000, required=False)
    scoring = forms.ChoiceField(label="How to win", choices=scoring_choices)
    bgg_id = forms.IntegerField(label="Number on BoardGameGeek", min_value=1, max_value=2_000_000_000, required=False)
    on_shelf = forms.BooleanField(label="We have it: suggest it", required=False)
