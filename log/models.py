"""Append-only logs: what was decided, in order. Nothing is ever edited or deleted."""

from django.db import models
from django.utils import timezone


class Log(models.Model):
    """One thing that happens over time: a campaign's chronicle, a battle, a card table.

    ``version`` rises by one with every write and is all that the live stream ever sends.
    """

    kind = models.CharField(max_length=20)
    version = models.PositiveBigIntegerField(default=0)
    length = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)  # of all entries, in bytes

    def __str__(self) -> str:
        return f"{self.kind} log {self.pk}"


class Entry(models.Model):
    """One entry of a log. ``body`` says what was decided, ``effects`` what the rules made of it, worked out once.

    Names of people are never in ``body`` or ``effects``, only their ids: a forgotten person must be gone everywhere.
    """

    log = models.ForeignKey(Log, models.CASCADE, related_name="entries")
    number = models.PositiveBigIntegerField()
    act = models.CharField(max_length=40)
    actor = models.ForeignKey("people.Person", models.PROTECT, null=True, related_name="+")
    on_behalf_of = models.ForeignKey("people.Person", models.PROTECT, null=True, related_name="+")
    body = models.JSONField(default=dict)
    effects = models.JSONField(default=list)
    played_on = models.DateField()
    entered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["log", "number"], name="one_entry_per_number")]
        indexes = [
            models.Index(fields=["log", "played_on", "number"], name="entries_in_order_of_play"),
            # The few corrections of a long log are found without reading all of it.
            models.Index(fields=["log", "act", "number"], name="entries_of_one_act"),
        ]

    def __str__(self) -> str:
        return f"{self.log_id}/{self.number} {self.act}"


class Receipt(models.Model):
    """The answer already given to a key, so that a tap sent twice counts once."""

    log = models.ForeignKey(Log, models.CASCADE, related_name="receipts")
    actor = models.CharField(max_length=80)
    key = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    answer = models.JSONField()
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "actor", "key"], name="one_receipt_per_key")]

    def __str__(self) -> str:
        return f"{self.log_id} {self.key}"
