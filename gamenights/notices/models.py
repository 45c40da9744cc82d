"""Webhooks of a group, what a person wants to hear about, and what was sent to them."""

import secrets

from django.db import models
from django.utils import timezone

from django_text_choices import TextChoices
from groups.models import Group
from people.models import Person

MAX_NOTICE_KEY = 120


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
    key = models.CharField(max_length=MAX_NOTICE_KEY)
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


# ── Of one person ──────────────────────────────────────────────────────────────────────────────────────


class Topic(TextChoices):
    MUSTER = "muster", "Your muster is due"
    CONFIRM = "confirm", "Confirm a result or a correction"
    ROLL_OFF = "roll_off", "You won the roll-off"
    NIGHT = "night", "A game night: planned, moved, tomorrow"
    RECAP = "recap", "The recap of a night you were at"
    TURN = "turn", "Your turn at a card table"


class NoticeChoice(models.Model):
    """Without one, a person is sent nothing."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="notice_choice")
    topics = models.JSONField(default=list)
    by_mail = models.BooleanField(default=False)
    url = models.CharField(max_length=500, blank=True)
    secret = models.CharField(max_length=60, default=new_secret)

    def __str__(self) -> str:
        return f"notices for {self.person_id}"


class PersonalNotice(models.Model):
    """One notice to one person, sent once per key."""

    State = WebhookDelivery.State

    person = models.ForeignKey(Person, models.CASCADE, related_name="notices")
    key = models.CharField(max_length=MAX_NOTICE_KEY)
    topic = models.CharField(max_length=10, choices=Topic)
    title = models.CharField(max_length=300)
    text = models.TextField(blank=True)
    url = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=10, choices=WebhookDelivery.State, default=WebhookDelivery.State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    answer = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_personal_notice_per_key")]

    def __str__(self) -> str:
        return self.title
