"""Musters of a campaign's battles. Each muster's own log holds its rolls and choices."""

import secrets

from django.db import models
from django.db.models import OuterRef, Subquery
from django.db.models.functions import JSONObject
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign
from django_text_choices import TextChoices
from log.models import Log
from musters.core.codec import army_from_json
from people.requester import Who
from rulebook.muster.army import Army


def new_code() -> str:
    return secrets.token_hex(5)


class MusterQuerySet(models.QuerySet["Muster"]):
    def visible_to(self, who: Who) -> "MusterQuerySet":
        """Everyone who sees the campaign; ``permissions.is_hidden_from`` decides who sees the contents."""
        return self.filter(campaign__in=Campaign.objects.visible_to(who))

    def taken(self) -> "MusterQuerySet":
        return self.filter(army__isnull=False)

    def armies(self) -> dict[str, Army]:
        rows = self.taken().values_list("kingdom", "army")
        return {kingdom: army_from_json(kept) for kingdom, kept in rows}

    def with_sealed_words(self) -> "MusterQuerySet":
        """Each with the sealed words of its battle, if any."""
        words = SealedWord.objects.filter(campaign=OuterRef("campaign"), battle=OuterRef("battle"))
        fields = JSONObject(kingdom="kingdom", word="word", drawn="drawn")
        return self.annotate(
            our_word=Subquery(words.filter(kingdom=OuterRef("kingdom")).values_list(fields)[:1]),
            their_word=Subquery(words.exclude(kingdom=OuterRef("kingdom")).values_list(fields)[:1]),
        )


class Muster(models.Model):
    """One kingdom's muster for one battle of its chronicle.

    ``call`` is fixed before the first roll: loyalty, lost houses, house rules. ``army`` is empty until the muster
    is in the chronicle, as its entry number ``entry``.
    """

    class Dice(TextChoices):
        TYPED = "typed", "our own, typed in"
        SERVICE = "service", "rolled by the service"
        SEALED = "sealed", "sealed by a word of each captain"

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="musters")
    battle = models.PositiveIntegerField()  # as the chronicle counts battles
    kingdom = models.CharField(max_length=8)
    log = models.OneToOneField(Log, models.PROTECT, related_name="muster")
    dice = models.CharField(max_length=10, choices=Dice, default=Dice.TYPED)
    call = models.JSONField()
    rules = models.PositiveIntegerField(default=1)  # version of our reading of the rules
    army = models.JSONField(null=True, blank=True)
    army_code = models.CharField(max_length=600, blank=True)
    entry = models.PositiveBigIntegerField(null=True, blank=True)
    begun_at = models.DateTimeField(default=timezone.now)
    taken_at = models.DateTimeField(null=True, blank=True)

    objects = MusterQuerySet.as_manager()

    class Meta:
        ordering = ["-begun_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "battle", "kingdom"], name="one_muster_per_side_of_a_battle")
        ]

    def __str__(self) -> str:
        return f"{self.kingdom} for battle {self.battle} of {self.campaign_id}"

    def get_absolute_url(self) -> str:
        return reverse("musters:muster", args=[self.code])


class SealedWord(models.Model):
    """A player's word for the dice of one battle; hidden until both are in."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+")
    battle = models.PositiveIntegerField()
    kingdom = models.CharField(max_length=8)
    word = models.CharField(max_length=120)
    drawn = models.BooleanField(default=False)  # by the site, for an absent player
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "battle", "kingdom"], name="one_word_per_captain")]

    def __str__(self) -> str:
        return f"word of {self.kingdom} for battle {self.battle} of {self.campaign_id}"
