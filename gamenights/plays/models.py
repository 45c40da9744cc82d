"""Plays and their players, worked out from the group's log. The log is the truth; these rows make it searchable."""

from django.db import models
from django.utils import timezone

from battles.models import Battle
from cached_reverse import cached_reverse
from cardgames.models import Result
from django_text_choices import TextChoices
from gamenights.nights.models import Night
from gamenights.shelf.models import Game, scoring_choices
from groups.models import Group
from people.models import Person


class PlayQuerySet(models.QuerySet["Play"]):
    def standing(self) -> "PlayQuerySet":
        """Without those that were removed."""
        return self.filter(removed_at=None)


class Play(models.Model):
    class Source(TextChoices):
        LOGGED = "logged", "logged"
        RESULT = "result", "card game"
        BATTLE = "battle", "battle"
        IMPORTED = "imported", "imported"

    group = models.ForeignKey(Group, models.CASCADE, related_name="plays")
    night = models.ForeignKey(Night, models.SET_NULL, null=True, blank=True, related_name="plays")
    game = models.ForeignKey(Game, models.PROTECT, related_name="plays")
    uuid = models.CharField(max_length=80)
    day = models.DateField()
    started_at = models.DateTimeField(null=True, blank=True)
    logged_at = models.DateTimeField(default=timezone.now)
    minutes = models.PositiveIntegerField(null=True, blank=True)
    scoring = models.CharField(max_length=12, choices=scoring_choices)
    variant = models.CharField(max_length=200, blank=True)
    rated = models.BooleanField(default=True)
    counted = models.BooleanField(default=True)
    location = models.CharField(max_length=80, blank=True)
    board = models.CharField(max_length=200, blank=True)
    notes = models.TextField(blank=True)
    source = models.CharField(max_length=10, choices=Source, default=Source.LOGGED)
    result = models.OneToOneField(Result, models.SET_NULL, null=True, blank=True, related_name="play")
    battle = models.OneToOneField(Battle, models.SET_NULL, null=True, blank=True, related_name="play")
    logged_by = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    removed_at = models.DateTimeField(null=True, blank=True)
    # The entries of the group's log about this play, oldest first.
    entries = models.JSONField(default=list)
    # The entry that proposes a change, while the group has not agreed to it.
    waiting_entry = models.PositiveIntegerField(null=True, blank=True)

    objects = PlayQuerySet.as_manager()

    class Meta:
        ordering = ["-day", "-logged_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["group", "uuid"], name="one_play_per_uuid")]
        indexes = [models.Index(fields=["group", "removed_at", "day"], name="plays_of_a_group_by_day")]

    def __str__(self) -> str:
        return f"play {self.uuid}"

    def get_absolute_url(self) -> str:
        return cached_reverse("gamenights:play", self.group.code, self.uuid)


class PlayPlayer(models.Model):
    """One player of a play. Without a person it is a bot, or a seat nobody claimed."""

    play = models.ForeignKey(Play, models.CASCADE, related_name="players", related_query_name="player")
    number = models.PositiveIntegerField()
    person = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="plays")
    bot = models.BooleanField(default=False)
    label = models.CharField(max_length=80, blank=True)
    score = models.DecimalField(max_digits=20, decimal_places=4, null=True, blank=True)
    score_text = models.CharField(max_length=60, blank=True)
    team = models.CharField(max_length=80, blank=True)
    role = models.CharField(max_length=80, blank=True)
    place = models.PositiveIntegerField(null=True, blank=True)
    won = models.BooleanField(default=False)
    started = models.BooleanField(default=False)
    new = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["play", "number"], name="one_player_per_number")]

    def __str__(self) -> str:
        return f"player {self.number} of {self.play_id}"
