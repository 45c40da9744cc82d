"""Decks a group has copied, and the sheets that go along with printed cards."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from log.models import Log
from people.models import Pass, Person, new_code
from people.who import Who

# So long after the last entry a sheet is still there; the names on it go with it.
SHEET_LASTS = dt.timedelta(days=30)


class DeckCopyQuerySet(models.QuerySet["DeckCopy"]):
    def owned_by(self, who: Who) -> DeckCopyQuerySet:
        return self.filter(owner__in=who.person.all_ids()) if who.person else self.none()

    def visible_to(self, who: Who) -> DeckCopyQuerySet:
        """One's own, and those of people one knows who let others use theirs. Whoever sees a deck may play with it."""
        if who.person is None:
            return self.none()
        known = Person.objects.in_circle_of(who).values("pk")
        return self.filter(
            Q(owner__in=who.person.all_ids())
            | Q(use=DeckCopy.Use.CIRCLE) & (Q(owner__in=known) | Q(owner__merged_into__in=known))
        )


class DeckCopy(models.Model):
    """A deck with a group's own values. ``version`` grows with each change, so that two phones do not overwrite each other."""

    class Use(models.TextChoices):
        OWNER = "owner", "Only you"
        CIRCLE = "circle", "People you play with"

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
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
        return reverse("cardgames:deck_copy", args=[self.code])


class SheetQuerySet(models.QuerySet["Sheet"]):
    def visible_to(self, who: Who) -> SheetQuerySet:
        """Who opened it, and every browser that came by its link."""
        mine = Q(pk__in=[held.target for held in who.passes if held.kind in (Sheet.PASS, Sheet.KEEPER_PASS)])
        if who.person is not None:
            mine |= Q(keeper__in=who.person.all_ids())
        return self.filter(mine)


class Sheet(models.Model):
    """A game with printed cards that the service goes along with: whose turn it is, what is counted, who has which role.

    ``state`` holds seats and turns, ``entered`` the figures of the score sheet by seat. Names stand on the seats, not in
    the log, and go with the sheet.
    """

    PASS = "card_sheet"
    KEEPER_PASS = "card_sheet_keeper"

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    begun_key = models.CharField(max_length=170, unique=True)
    log = models.OneToOneField(Log, models.PROTECT, related_name="card_sheet")
    keeper = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="card_sheets")
    link = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    # The one browser that opened it, where nobody is logged in.
    owner = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    game = models.CharField(max_length=20)
    deck = models.TextField()
    deck_title = models.CharField(max_length=200)
    options = models.JSONField(default=dict, blank=True)
    state = models.JSONField(default=dict, blank=True)
    entered = models.JSONField(default=list, blank=True)
    roles_open = models.BooleanField(default=False)
    result = models.ForeignKey("cardgames.Result", models.SET_NULL, null=True, blank=True, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, db_index=True)

    objects = SheetQuerySet.as_manager()

    class Meta:
        ordering = ["-opened_at", "-pk"]

    def __str__(self) -> str:
        return f"sheet {self.code}"

    def get_absolute_url(self) -> str:
        return reverse("cardgames:sheet", args=[self.code])


class SheetSeat(models.Model):
    """A seat on a sheet. Its role is a secret of whoever holds the pass, and of nobody else until roles are shown."""

    PASS = "card_role"

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="seat_set", related_query_name="seat")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=20, blank=True)
    token = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    # Looked at on a phone that was handed on: it is not shown there a second time.
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["sheet", "number"], name="one_place_per_number")]

    def __str__(self) -> str:
        return f"seat {self.number} of sheet {self.sheet_id}"

    @property
    def name(self) -> str:
        return self.label or f"Seat {self.number + 1}"

    @property
    def place(self) -> int:
        return self.number + 1


def empty_state(seats: int) -> dict[str, Any]:
    return {"seats": seats, "start": None, "active": None, "turn": 0, "ends": False, "out": [], "over": False}
