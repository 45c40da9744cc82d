"""Battles: who fights, over what, and at which stage. What happens in a battle is in its own log."""

import secrets
from typing import Any, TypedDict

from django.db import models
from django.db.models import Q
from django.utils import timezone

from cached_reverse import cached_reverse
from campaign.models import Campaign
from django_text_choices import TextChoices
from log.models import Log
from people.models import Pass, Person
from people.requester import Who

# Two kinds of pass open a battle: one to edit a standalone battle, and the slip's, to report the result.
EDIT_PASS, REPORT_PASS = "battle_keep", "battle_report"


def new_battle_code() -> str:
    return secrets.token_hex(5)


class BattleSide(TypedDict):
    """One entry of ``Battle.sides``."""

    side: str
    kingdom: str | None
    name: str | None  # of an army outside a campaign, never of a person
    person: int | None
    army: Any  # as ``musters.core.codec`` writes it


class BattleQuerySet(models.QuerySet["Battle"]):
    def involving(self, who: Who) -> "BattleQuerySet":
        """Battles of their campaigns, and those they created, fought in or hold a pass to."""
        return self.filter(Q(campaign__in=Campaign.objects.of(who)) | self._own_battles(who))

    def visible_to(self, who: Who) -> "BattleQuerySet":
        """Battles of campaigns they can see, and those they created, fought in or hold a pass to."""
        return self.filter(Q(campaign__in=Campaign.objects.visible_to(who)) | self._own_battles(who))

    def _own_battles(self, who: Who) -> Q:
        own = Q(pk__in=[held.target for held in who.passes if held.kind in (EDIT_PASS, REPORT_PASS)])
        if who.person is not None:
            ids = who.person.all_ids()
            fought = Battle.people.through.objects.filter(person__in=ids).values("battle")
            own |= Q(made_by__in=ids) | Q(pk__in=fought)
        return own

    def open(self) -> "BattleQuerySet":
        return self.exclude(stage__in=(Battle.Stage.CONFIRMED, Battle.Stage.CALLED_OFF))


class Battle(models.Model):
    """One battle, of a campaign or on its own.

    ``sides``, in the order A, B, C …, is a list of ``BattleSide``.
    ``options`` are the house rules in force when it began. ``snapshot`` is a cache of the tracker.
    """

    class Stage(TextChoices):
        DECLARED = "declared", "declared"
        MUSTERED = "mustered", "mustered"
        ON_THE_TABLE = "on_the_table", "in progress"
        REPORTED = "reported", "reported"
        CONFIRMED = "confirmed", "confirmed"
        CALLED_OFF = "called_off", "called off"

    code = models.CharField(max_length=16, unique=True, default=new_battle_code, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, blank=True, related_name="battles")
    number = models.PositiveIntegerField(null=True, blank=True)  # as the chronicle counts battles
    target = models.CharField(max_length=60, blank=True)  # the territory fought over
    log = models.OneToOneField(Log, models.PROTECT, related_name="battle")
    scenario = models.CharField(max_length=30, blank=True)  # empty: not chosen yet
    siege = models.BooleanField(default=False)
    options = models.JSONField(default=dict, blank=True)
    sides = models.JSONField(default=list)
    stage = models.CharField(max_length=20, choices=Stage, default=Stage.DECLARED)
    snapshot = models.JSONField(null=True, blank=True)
    # The body of the campaign's act or, outside a campaign, the report and its score.
    result = models.JSONField(null=True, blank=True)
    entry = models.PositiveBigIntegerField(null=True, blank=True)  # number of the result's chronicle entry
    # Of the campaign's log when an older release last compared the stage with it.
    chronicle_version = models.PositiveBigIntegerField(default=0)
    made_by = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    people = models.ManyToManyField(Person, blank=True, related_name="battles")  # who fought, outside a campaign
    # There is no log to hold a receipt before the battle exists, so its form's key is stored here.
    founding_key = models.CharField(max_length=170, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    played_on = models.DateField(null=True, blank=True)

    objects = BattleQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_battle_per_number")]
        indexes = [models.Index(fields=["stage", "-made_at"], name="battles_by_stage")]

    def __str__(self) -> str:
        return f"battle {self.code}"

    def get_absolute_url(self) -> str:
        return cached_reverse("battles:page", self.code)

    def side(self, key: str) -> BattleSide:
        return next(row for row in self.sides if row["side"] == key)

    def swapped_sides(self) -> list[BattleSide]:
        a: BattleSide
        b: BattleSide
        a, b = self.sides
        return [{**b, "side": "A"}, {**a, "side": "B"}]

    @property
    def is_over(self) -> bool:
        return self.stage in (self.Stage.CONFIRMED, self.Stage.CALLED_OFF)


class Slip(models.Model):
    """The printed way to a battle's report: a pass (the QR code) and three words for the same pass.

    Only hashes are stored: of the token in the pass, of the words (keyed) here. Both are derived from the pass's seed.
    """

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="slip")
    link = models.OneToOneField(Pass, models.CASCADE, related_name="+")
    words_hash = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"slip of {self.battle_id}"
