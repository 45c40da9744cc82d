"""Seasons of a group, and what was counted before so that it need not be counted again.

Everything here but ``Season`` can be deleted at any time: it is worked out from the plays.
"""

from __future__ import annotations

import datetime as dt

from django.db import models

from groups.models import Group


class Season(models.Model):
    """A time of a group's standings. It lasts until the next one begins."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=80)
    first_day = models.DateField()
    last_day = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["-first_day"]
        constraints = [models.UniqueConstraint(fields=["group", "first_day"], name="one_season_per_first_day")]

    def __str__(self) -> str:
        return self.name


class TallyMonth(models.Model):
    """All plays of one month, counted."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="tally_months")
    month = models.DateField()
    body = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "month"], name="one_tally_per_month")]

    def __str__(self) -> str:
        return f"{self.month:%B %Y}"


class RatingMonth(models.Model):
    """The ratings of one game and variant that a month changed, as they were at its end."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="rating_months")
    game = models.CharField(max_length=20)
    variant = models.CharField(max_length=200, blank=True)
    month = models.DateField()
    body = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["group", "game", "variant", "month"], name="one_rating_per_month")
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.month:%B %Y}"


class StoredStandings(models.Model):
    """A page of standings as it was last worked out: for a season or for all time."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="stored_standings")
    key = models.CharField(max_length=300)
    last_day = models.DateField(default=dt.date.max)
    body = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "key"], name="one_stored_page_per_key")]

    def __str__(self) -> str:
        return self.key
