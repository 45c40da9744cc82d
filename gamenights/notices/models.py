"""Webhooks of a group, and the log of what was sent to them."""

from __future__ import annotations

import secrets

from django.db import models
from django.utils import timezone

from django_text_choices import TextChoices
from groups.models import Group
from people.models import Person


def new_secret() -> str:
    return secrets.token_urlsafe(24)


class Webhook(models.Model):
    """An address that is notified of what happens in a group. Turned off once a notice could not be delivered."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=60, default=new_secret)
    made_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One notice for one webhook: its text, and how the last attempt ended."""

    class State(TextChoices):
        WAITING = "waiting", "waiting"
        DELIVERED = "delivered", "delivered"
        FAILED = "failed", "given up"

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    key = models.CharField(max_length=120)
    title = models.CharField(max_length=300)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    answer = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    tried_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["webhook", "key"], name="one_delivery_per_notice")]

    def __str__(self) -> str:
        return self.title
