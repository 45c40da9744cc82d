"""The score sheets of games with printed cards, and their seats."""

import datetime as dt

from django.db import models
from django.db.models import Q
from django.utils import timezone

from cached_reverse import cached_reverse
from cardgames.engine.deck_data import Deck, read_deck
from cardgames.engine.printed_game import State
from cardgames.games import find_game
from log.models import Log
from people.models import Pass, Person, new_code
from people.requester import Who

# How long a sheet is kept after its last change. The names on it are deleted with it.
SHEET_LASTS = dt.timedelta(days=30)


class SheetQuerySet(models.QuerySet["Sheet"]):
    def visible_to(self, who: Who) -> "SheetQuerySet":
        """For whoever started it, and every browser that opened its link."""
        mine = Q(pk__in=[held.target for held in who.passes if held.kind in (Sheet.PASS, Sheet.KEEPER_PASS)])
        if who.person is not None:
            mine |= Q(keeper__in=who.person.all_ids())
        return self.filter(mine)


class Sheet(models.Model):
    """A game with printed cards: whose turn it is, the score, and who has which role.

    ``state`` holds seats and turns, ``entered`` the figures by seat. Names are on the seats, not in the log, and are
    deleted with the sheet.
    """

    PASS = "card_sheet"
    KEEPER_PASS = "card_sheet_keeper"

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    begun_key = models.CharField(max_length=170, unique=True)
    log = models.OneToOneField(Log, models.PROTECT, related_name="card_sheet")
    keeper = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="card_sheets")
    link = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    # The browser that started it, if nobody was logged in.
    owner = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    game = models.CharField(max_length=20)
    deck = models.TextField()
    deck_title = models.CharField(max_length=200)
    options = models.JSONField(default=dict, blank=True)
    state = models.JSONField(default=dict, blank=True)
    entered = models.JSONField(default=list, blank=True)
    roles_open = models.BooleanField(default=False)
    # Cards that phones dealt face down to the middle of the table. Nobody sees them before the roles are shown.
    table_cards = models.JSONField(default=list, blank=True)
    result = models.ForeignKey("cardgames.Result", models.SET_NULL, null=True, blank=True, related_name="+")
    # The game before, if the same people play again.
    follows = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="followed_by")
    opened_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, db_index=True)

    objects = SheetQuerySet.as_manager()

    class Meta:
        ordering = ["-opened_at", "-pk"]

    def __str__(self) -> str:
        return f"sheet {self.code}"

    def get_absolute_url(self) -> str:
        return cached_reverse("cardgames:sheet", self.code)

    def read_deck(self) -> Deck:
        return read_deck(find_game(self.game).schema, self.deck)

    def is_kept_by(self, who: Who) -> bool:
        """Whether they started the sheet: the person, or the browser if nobody was logged in."""
        if who.person is not None and self.keeper_id in who.person.all_ids():
            return True
        return self.owner_id is not None and any(held.pk == self.owner_id for held in who.passes)


class SheetSeat(models.Model):
    """A seat on a sheet. Until the roles are shown, only the holder of its pass may see its hidden cards."""

    PASS = "card_role"

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="seat_set", related_query_name="seat")
    number = models.PositiveIntegerField()
    label = models.CharField(max_length=200, blank=True)
    # The hidden cards that phones dealt to this seat, by the id of their face; the role or Muse first.
    hidden_cards = models.JSONField(default=list, blank=True)
    token = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="+")
    # Seen on a phone that was handed on: that phone does not show it again.
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

    def is_held_by(self, who: Who) -> bool:
        """Whether this browser took the role."""
        return self.token_id is not None and any(held.pk == self.token_id for held in who.passes)

    @property
    def role(self) -> str:
        return str(self.hidden_cards[0]) if self.hidden_cards else ""


def empty_state(seats: int) -> State:
    return {"seats": seats, "start": None, "active": None, "turn": 0, "ends": False, "out": [], "over": False}
