"""The games of a group, and the votes for one tonight."""

from django.db import models

from gamenights.nights.models import Night
from gamenights.plays.values import Scoring
from groups.models import Group
from people.models import Person


def scoring_choices() -> list[tuple[str, str]]:
    return [(scoring.value, scoring.label) for scoring in Scoring]


class Game(models.Model):
    """A game the group plays. ``own_key`` marks a game of this site: a card game, or "battle"."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="games")
    name = models.CharField(max_length=80)
    # The name without case, so that "azul" and "Azul" are one game.
    name_key = models.CharField(max_length=160, editable=False)
    own_key = models.CharField(max_length=20, blank=True)
    scoring = models.CharField(max_length=12, choices=scoring_choices, default=Scoring.HIGH.value)
    players_min = models.PositiveIntegerField(null=True, blank=True)
    players_max = models.PositiveIntegerField(null=True, blank=True)
    minutes = models.PositiveIntegerField(null=True, blank=True)
    bgg_id = models.PositiveIntegerField(null=True, blank=True)
    # As another program knows it: importing twice adds nothing.
    uuid = models.CharField(max_length=80, blank=True)
    on_shelf = models.BooleanField(default=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["group", "name_key"], name="one_game_per_name")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        self.name_key = self.name.casefold()
        super().save(*args, **kwargs)


class GameVote(models.Model):
    """Someone wants to play this game tonight."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="game_votes")
    game = models.ForeignKey(Game, models.CASCADE, related_name="votes")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["night", "game", "person"], name="one_vote_per_game")]

    def __str__(self) -> str:
        return f"{self.person_id} for {self.game_id}"
