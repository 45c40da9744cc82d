"""Card tables, their seats, and what became of them. What was chosen at a table stands in its log."""

from __future__ import annotations

import datetime as dt
import re
import secrets

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from cardgames.side_models import DeckCopy, Sheet, SheetSeat
from log.models import Log
from people.models import Pass, Person
from people.who import Who

__all__ = ["DeckCopy", "Result", "ResultSeat", "Seat", "Sheet", "SheetSeat", "Table"]

# No vowels that spell words, no letters that are mistaken for others, by eye or by ear.
CODE_LETTERS = "BCDFGHJKMNPRSTVWXZ"
CODE = re.compile(f"[{CODE_LETTERS}]{{4}}")
NEVER = re.compile("FCK|CNT|DCK|NGR|FGT|KKK|WNK|TWT|CCK|SHT|BTCH|SS|HH")
# So long whoever knows the code of a finished table still sees how it ended.
STAYS_OPEN = dt.timedelta(days=1)


def new_code() -> str:
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(4))
        if not NEVER.search(code):
            return code


class TableQuerySet(models.QuerySet["Table"]):
    def of(self, who: Who) -> TableQuerySet:
        """Those one hosts or sits at, as a person or with this browser."""
        mine = Q(seat__token__in=[held.pk for held in who.passes if held.kind == Seat.PASS])
        if who.person is not None:
            ids = who.person.all_ids()
            mine |= Q(host__in=ids) | Q(seat__person__in=ids)
        return self.filter(pk__in=Table.objects.filter(mine).values("pk"))

    def visible_to(self, who: Who) -> TableQuerySet:
        """Whoever has the code sees an open table as the screen on the wall does; a finished one stays with its people."""
        fresh = Q(ended_at=None) | Q(ended_at__gt=timezone.now() - STAYS_OPEN)
        return self.filter(fresh | Q(pk__in=self.model.objects.of(who).values("pk")))

    def run_by(self, who: Who) -> TableQuerySet:
        return self.filter(host__in=who.person.all_ids()) if who.person else self.none()

    def open(self) -> TableQuerySet:
        return self.filter(ended_at=None)


class Table(models.Model):
    """One table: what was agreed at its start, the secret seed, and the log of what was chosen. No state is stored.

    ``asked`` and ``asked_at`` say who is being waited for and since when: public facts, kept for lists and for the clock.
    """

    class State(models.TextChoices):
        LOBBY = "lobby", "gathering"
        PLAY = "play", "being played"
        OVER = "over", "finished"
        CLOSED = "closed", "called off"

    code = models.CharField(max_length=4, unique=True, default=new_code)
    # The same tap opens one table: there is no log yet to hold a receipt.
    opening_key = models.CharField(max_length=170, unique=True)
    log = models.OneToOneField(Log, models.PROTECT, related_name="card_table")
    # Answers in a reaction window wait here, in a log that nobody can watch: its news would tell who was quick.
    sealed = models.OneToOneField(Log, models.PROTECT, related_name="sealed_of")
    host = models.ForeignKey(Person, models.PROTECT, related_name="tables_hosted")
    # The game before, when the same people play again.
    follows = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="followed_by")

    game = models.CharField(max_length=20)
    rules = models.PositiveIntegerField()
    deck = models.TextField()
    deck_title = models.CharField(max_length=200)
    seats = models.PositiveIntegerField()
    options = models.JSONField(default=dict)
    # Whoever has it has every card: it leaves the database only to be played with.
    seed = models.BinaryField()

    state = models.CharField(max_length=10, choices=State, default=State.LOBBY)
    paused = models.BooleanField(default=False)
    asked = models.JSONField(default=list)
    asked_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True, db_index=True)

    objects = TableQuerySet.as_manager()

    class Meta:
        ordering = ["-opened_at", "-pk"]

    def __str__(self) -> str:
        return f"table {self.code}"

    def get_absolute_url(self) -> str:
        return reverse("cardgames:table", args=[self.code])


class Seat(models.Model):
    """A seat: who sits there, whether a bot plays it now, and the one pass with which a phone may."""

    PASS = "seat"

    table = models.ForeignKey(Table, models.CASCADE, related_name="seat_set", related_query_name="seat")
    number = models.PositiveIntegerField()
    person = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="seats")
    bot = models.CharField(max_length=20, blank=True)
    # The phone that plays it, and another that asks to.
    token = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    claim = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_seat_per_number")]

    def __str__(self) -> str:
        return f"seat {self.number} at {self.table_id}"

    @property
    def is_free(self) -> bool:
        """Open to a newcomer: nobody sits there, though a bot may play."""
        return self.person_id is None


class ResultQuerySet(models.QuerySet["Result"]):
    def visible_to(self, who: Who) -> ResultQuerySet:
        """Its people, who kept it, and the phones that played it: a guest without account has nothing else."""
        mine = Q(table__seat__token__in=[held.pk for held in who.passes if held.kind == Seat.PASS])
        if who.person is not None:
            ids = who.person.all_ids()
            mine |= Q(keeper__in=ids) | Q(place__person__in=ids)
        return self.filter(pk__in=Result.objects.filter(mine).values("pk"))


class Result(models.Model):
    """How a game ended, kept with its people. ``kept`` tells it step by step, whatever the rules become; no name is in it.

    A game with printed cards has no table, and is told by its places alone.
    """

    table = models.OneToOneField(Table, models.SET_NULL, null=True, blank=True, related_name="result")
    keeper = models.ForeignKey(Person, models.PROTECT, related_name="results_kept")
    # Of a result entered by hand, so that a tap sent twice is one result.
    entry_key = models.CharField(max_length=170, unique=True, null=True, blank=True)
    game = models.CharField(max_length=20)
    rules = models.PositiveIntegerField(default=1)
    deck_title = models.CharField(max_length=200, blank=True)
    options = models.JSONField(default=dict, blank=True)
    outcome = models.CharField(max_length=40, blank=True)
    choices = models.PositiveIntegerField(default=0)
    seconds = models.PositiveIntegerField(null=True, blank=True)
    kept = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    objects = ResultQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.game} result {self.pk}"

    @property
    def length(self) -> str:
        """About how long it took, in words."""
        if self.seconds is None:
            return ""
        minutes = max(1, round(self.seconds / 60))
        hours, left = divmod(minutes, 60)
        if not hours:
            return f"{minutes} minute{'' if minutes == 1 else 's'}"
        return f"{hours} h {left} min" if left else f"{hours} h"


class ResultSeat(models.Model):
    """One seat of a result: who, which part they had, and what they made of it."""

    result = models.ForeignKey(Result, models.CASCADE, related_name="places", related_query_name="place")
    number = models.PositiveIntegerField()
    person = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="card_results")
    bot = models.CharField(max_length=20, blank=True)
    role = models.CharField(max_length=40, blank=True)
    score = models.IntegerField(default=0)
    won = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["result", "number"], name="one_place_per_seat")]

    def __str__(self) -> str:
        return f"place {self.number} of {self.result_id}"
