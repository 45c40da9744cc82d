"""Copies of decks, with the values of the cards a group owns."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from django_text_choices import TextChoices
from people.models import Person, new_code
from people.requester import Who


class DeckCopyQuerySet(models.QuerySet["DeckCopy"]):
    def owned_by(self, who: Who) -> DeckCopyQuerySet:
        return self.filter(owner__in=who.person.all_ids()) if who.person else self.none()

    def visible_to(self, who: Who) -> DeckCopyQuerySet:
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
