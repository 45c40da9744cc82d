"""Seasons of a group, and what was counted before so that it need not be counted again.

Everything here but ``Season`` can be deleted at any time: it is worked out from the plays.
"""

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


class TallyBlock(models.Model):
    """All plays of one month counted; or of 2, 4, 8 or 16 months, so that any period is a few blocks."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="tally_blocks")
    start = models.DateField()
    months = models.PositiveSmallIntegerField()
    head = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "start", "months"], name="one_tally_per_block")]

    def __str__(self) -> str:
        return f"{self.months} months from {self.start:%B %Y}"


class TallyBlockSlot(models.Model):
    """One game and variant in a block: its people, and who met whom."""

    block = models.ForeignKey(TallyBlock, models.CASCADE, related_name="slots", related_query_name="slot")
    game = models.CharField(max_length=20)
    variant = models.CharField(max_length=200, blank=True)
    people = models.JSONField()
    pairs = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["block", "game", "variant"], name="one_slot_per_block")]

    def __str__(self) -> str:
        return f"{self.game} {self.variant}"


class RatingMonth(models.Model):
    """The ratings of one game and variant: after each day of a month, those that it changed."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="rating_months")
    game = models.CharField(max_length=20)
    variant = models.CharField(max_length=200, blank=True)
    month = models.DateField()
    days = models.JSONField()
    # Everyone's rating before this month: only here and there, so that nobody reads back to the first month.
    before = models.JSONField(null=True, blank=True)

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
