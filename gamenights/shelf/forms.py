"""The form of a game."""

from __future__ import annotations

from django import forms

from gamenights.plays.values import MAX_NAME, Scoring
from gamenights.shelf.entries import MAX_BGG_ID, MAX_MINUTES, MAX_PLAYERS, GameFacts
from gamenights.shelf.models import scoring_choices
from pages.key_form import KeyForm


class GameForm(KeyForm):
    name = forms.CharField(label="Name", max_length=MAX_NAME)
    players_min = forms.IntegerField(label="Fewest players", min_value=1, max_value=MAX_PLAYERS, required=False)
    players_max = forms.IntegerField(label="Most players", min_value=1, max_value=MAX_PLAYERS, required=False)
    minutes = forms.IntegerField(label="Minutes", min_value=1, max_value=MAX_MINUTES, required=False)
    scoring = forms.TypedChoiceField(label="How to win", choices=scoring_choices, coerce=Scoring)
    bgg_id = forms.IntegerField(label="Number on BoardGameGeek", min_value=1, max_value=MAX_BGG_ID, required=False)
    on_shelf = forms.BooleanField(label="We own it; suggest it", required=False)

    def facts(self) -> GameFacts:
        return GameFacts(**{name: value for name, value in self.cleaned_data.items() if name != "key"})
