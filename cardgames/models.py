"""Card tables, their seats and results, and copies of decks. The choices players make are in a table's log."""

import datetime as dt
import itertools
import re
import secrets

from django.db import models
from django.db.models import Q
from django.utils import timezone

from cached_reverse import cached_reverse
from cardgames import registry
from cardgames.companion.models import Sheet, SheetSeat
from django_text_choices import TextChoices
from log.models import Log
from people.models import Pass, Person, new_code as new_long_code
from people.requester import Who

__all__ = ["DeckCopy", "Result", "ResultSeat", "Seat", "Sheet", "SheetSeat", "Table"]

# No vowels, so codes spell no words, and no letters that look or sound like others.
CODE_LETTERS = "BCDFGHJKMNPRSTVWXZ"
# Anyone can guess at codes, so where many can be opened by one, new ones are longer: (up to so many, letters).
CODE_LENGTHS = ((20, 4), (400, 5))
MAX_TABLE_CODE = 6
# For what a stranger must not find by guessing, such as an evening of a private group. SECURITY.md has the arithmetic.
PRIVATE_CODE = 8
CODE_PATTERN = re.compile(f"[{CODE_LETTERS}]{{4,{PRIVATE_CODE}}}")
FORBIDDEN_CODES = re.compile("FCK|CNT|DCK|NGR|FGT|KKK|WNK|TWT|CCK|SHT|BTCH|SS|HH")
CODE_TRIES = 50
# How long a finished table stays visible to anyone with its code.
VISIBLE_AFTER_END = dt.timedelta(days=1)


def new_code() -> str:
    """A code that nothing else has. A table gets another from its caller if somebody was quicker."""
    return _draw_code(code_length(Table.objects.visible_to(Who()).count() + registry.count_codes()))


def new_private_code() -> str:
    return _draw_code(PRIVATE_CODE)


def _draw_code(letters: int) -> str:
    for tried in itertools.count(1):
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(letters))
        taken = registry.find_by_code(code) or Table.objects.filter(code=code).exists()
        if not taken and not FORBIDDEN_CODES.search(code):
            break
        if tried % CODE_TRIES == 0:  # after years of tables most short codes are taken
            letters = max(letters, min(letters + 1, MAX_TABLE_CODE))
    return code


def code_length(in_use: int) -> int:
    return next((letters for most, letters in CODE_LENGTHS if in_use < most), MAX_TABLE_CODE)


class TableQuerySet(models.QuerySet["Table"]):
    def played_or_hosted_by(self, who: Who) -> "TableQuerySet":
        """Tables that this person or browser hosts or sits at."""
        mine = Q(seat__token__in=[held.pk for held in who.passes if held.kind == Seat.PASS])
        if who.person is not None:
            ids = who.person.all_ids()
            mine |= Q(host__in=ids) | Q(seat__person__in=ids)
        return self.filter(pk__in=Table.objects.filter(mine).values("pk"))

    def visible_to(self, who: Who, ended_after: dt.datetime | None = None) -> "TableQuerySet":
        """Anyone with the code sees an open table as the TV does; a finished one only its players."""
        fresh = Q(ended_at=None) | Q(ended_at__gt=ended_after or timezone.now() - VISIBLE_AFTER_END)
        return self.filter(fresh | Q(pk__in=self.model.objects.played_or_hosted_by(who).values("pk")))

    def hosted_by(self, who: Who) -> "TableQuerySet":
        return self.filter(host__in=who.person.all_ids()) if who.person else self.none()

    def open(self) -> "TableQuerySet":
        return self.filter(ended_at=None)


class Table(models.Model):
    """A card table: its game, options, secret seed and log of choices. The state of the game is not stored.

    ``asked`` and ``asked_at`` say which seats have to choose and since when; lists and timers read them.
    """

    class State(TextChoices):
        LOBBY = "lobby", "waiting for players"
        PLAY = "play", "in progress"
        OVER = "over", "finished"
        CLOSED = "closed", "called off"

    code = models.CharField(max_length=MAX_TABLE_CODE, unique=True, default=new_code)
    # Makes a repeated tap open one table only: there is no log yet that could recognise it.
    opening_key = models.CharField(max_length=170, unique=True)
    log = models.OneToOneField(Log, models.PROTECT, related_name="card_table")
    # Answers in a reaction window wait in this log. Nobody can watch it, or its news would tell who was quick.
    sealed = models.OneToOneField(Log, models.PROTECT, related_name="sealed_of")
    host = models.ForeignKey(Person, models.PROTECT, related_name="tables_hosted")
    # The game before, if this is a rematch.
    follows = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="followed_by")

    game = models.CharField(max_length=20)
    rules = models.PositiveIntegerField()
    deck = models.TextField()
    deck_title = models.CharField(max_length=200)
    seats = models.PositiveIntegerField()
    options = models.JSONField(default=dict)
    # Reveals every card, so it is read only to run the game.
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
        return cached_reverse("cardgames:table", self.code)


class Seat(models.Model):
    """A seat: who sits there, which bot plays it, and the one pass that lets a phone play it."""

    PASS = "seat"

    table = models.ForeignKey(Table, models.CASCADE, related_name="seat_set", related_query_name="seat")
    number = models.PositiveIntegerField()
    person = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="seats")
    bot = models.CharField(max_length=20, blank=True)
    # The phone that plays the seat, and another phone that asks for it.
    token = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    claim = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    # Who asks to take over from a bot.
    claim_person = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    # Can do at this table whatever the host can.
    is_cohost = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="one_seat_per_number")]

    def __str__(self) -> str:
        return f"seat {self.number} at {self.table_id}"

    @property
    def is_free(self) -> bool:
        """Nobody sits there, though a bot may play it."""
        return self.person_id is None


class ResultQuerySet(models.QuerySet["Result"]):
    def visible_to(self, who: Who) -> "ResultQuerySet":
        """For its players, whoever saved it, and the phones that played it (guests have nothing else)."""
        mine = Q(table__seat__token__in=[held.pk for held in who.passes if held.kind == Seat.PASS])
        if who.person is not None:
            ids = who.person.all_ids()
            mine |= Q(keeper__in=ids) | Q(place__person__in=ids)
        return self.filter(pk__in=Result.objects.filter(mine).values("pk"))


class Result(models.Model):
    """How a game ended. ``kept`` holds every step without names, so rule changes never break a replay.

    A game with printed cards has no table, only places.
    """

    table = models.OneToOneField(Table, models.SET_NULL, null=True, blank=True, related_name="result")
    keeper = models.ForeignKey(Person, models.PROTECT, related_name="results_kept")
    # Of a result from a score sheet: a repeated tap saves one result.
    entry_key = models.CharField(max_length=170, unique=True, null=True, blank=True)
    game = models.CharField(max_length=20)
    rules = models.PositiveIntegerField(default=1)
    deck_title = models.CharField(max_length=200, blank=True)
    # Whether it was played with a group's own deck, so that statistics do not mix it with the house deck.
    own_deck = models.BooleanField(default=False)
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
        """Roughly how long the game took."""
        if self.seconds is None:
            return ""
        minutes = max(1, round(self.seconds / 60))
        hours, left = divmod(minutes, 60)
        if not hours:
            return f"{minutes} minute{'' if minutes == 1 else 's'}"
        return f"{hours} h {left} min" if left else f"{hours} h"


class ResultSeat(models.Model):
    """One seat of a result: who sat there, their role and their score."""

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


# ── Decks ────────────────────────────────────────────────────────────────────────────────────────────────


class DeckCopyQuerySet(models.QuerySet["DeckCopy"]):
    def owned_by(self, who: Who) -> "DeckCopyQuerySet":
        return self.filter(owner__in=who.person.all_ids()) if who.person else self.none()

    def visible_to(self, who: Who) -> "DeckCopyQuerySet":
        """Their own, and those that people they play with share. Whoever sees a deck can play with it."""
        if who.person is None:
            return self.none()
        known = Person.objects.known_to(who).values("pk")
        return self.filter(
            Q(owner__in=who.person.all_ids())
            | Q(use=DeckCopy.Use.CIRCLE) & (Q(owner__in=known) | Q(owner__merged_into__in=known))
        )


class DeckCopy(models.Model):
    """A deck with a group's own values. ``version`` grows with each change, so phones never overwrite each other."""

    class Use(TextChoices):
        OWNER = "owner", "Only you"
        CIRCLE = "circle", "People you play with"

    code = models.CharField(max_length=16, unique=True, default=new_long_code, editable=False)
    owner = models.ForeignKey(Person, models.PROTECT, related_name="deck_copies")
    entry_key = models.CharField(max_length=170, unique=True)
    game = models.CharField(max_length=20)
    title = models.CharField(max_length=120)
    text = models.TextField()
    use = models.CharField(max_length=10, choices=Use, default=Use.OWNER)
    version = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    objects = DeckCopyQuerySet.as_manager()

    class Meta:
        ordering = ["game", "title", "pk"]
        verbose_name_plural = "deck copies"

    def __str__(self) -> str:
        return f"deck {self.code}"

    def get_absolute_url(self) -> str:
        return cached_reverse("cardgames:deck_copy", self.code)
