"""Who sits at the table, and by which log-ins, personal links and passes they come in."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from heraldry import Arms
from people import circles, tokens
from refusal import Refusal

if TYPE_CHECKING:
    from people.who import Who

SOMEONE = "Someone"
# No vowels that spell words, no characters that look alike.
CODE_LETTERS = "23456789bcdfghjkmnpqrstvwxyz"


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(12))


class PersonQuerySet(models.QuerySet["Person"]):
    def roots(self) -> PersonQuerySet:
        """Each one once: without those who turned out to be somebody else on the list."""
        return self.filter(merged_into=None)

    def kept_by(self, who: Who) -> PersonQuerySet:
        """Those this one entered and still looks after, whether or not they have an account by now."""
        if who.person is None:
            return self.none()
        return self.filter(Q(keeper=who.person) | Q(keeper__merged_into=who.person), forgotten_at=None)

    def in_circle_of(self, who: Who) -> PersonQuerySet:
        """Those this one knows: oneself, the people one keeps, and whoever shares something with one."""
        me = who.person
        if me is None:
            return self.none()
        known = Q(pk=me.pk) | Q(merged_into=me) | Q(keeper=me) | Q(keeper__merged_into=me)
        for ids in circles.of(who):
            known |= Q(pk__in=ids)
        return self.filter(known)

    def visible_to(self, who: Who) -> PersonQuerySet:
        """The circle; an owner of the site sees everybody."""
        if who.user is not None and who.user.is_superuser:
            return self.all()
        return self.in_circle_of(who)

    def editable_by(self, who: Who) -> PersonQuerySet:
        """Oneself, and the people one keeps as long as they have no account of their own.

        Whom nobody keeps any more, because their keeper was forgotten, the owner of the site can hand on.
        """
        me = who.person
        if me is None:
            return self.none()
        kept = Q(account=None) & (Q(keeper=me) | Q(keeper__merged_into=me))
        if who.is_owner:
            kept |= Q(account=None, keeper=None)
        return self.filter(Q(pk=me.pk) | kept, merged_into=None, forgotten_at=None)


class Person(models.Model):
    """Someone at the table, with or without an account.

    When two turn out to be one, ``merged_into`` of the one points at the other, the root, and at nobody else: one
    step always leads to the root. ``joined_to`` keeps whom they were joined to at the time, so that it can be undone.
    """

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=200)
    blazon = models.JSONField("arms", default=dict, blank=True)
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="person"
    )
    keeper = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="kept")
    # Their own choice: may a game master of theirs give them a link to a new password?
    masters_may_reset = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="merged_from")
    joined_to = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="joined_from")
    joined_by = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    joined_at = models.DateTimeField(null=True, blank=True)
    forgotten_at = models.DateTimeField(null=True, blank=True)
    # The key of the form that wrote them down, so that a tap sent twice writes once.
    entry_key = models.CharField(max_length=170, null=True, blank=True, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    objects = PersonQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "people"
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(merged_into=None, joined_to=None) | Q(merged_into__isnull=False, joined_to__isnull=False),
                name="merged_and_joined_together",
            ),
            models.CheckConstraint(condition=~Q(merged_into=models.F("pk")), name="nobody_merged_into_oneself"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("people:person", args=[self.code])

    @property
    def root(self) -> Person:
        """The one this Person is today; fetch with ``select_related("…__merged_into")``."""
        return self.merged_into if self.merged_into_id else self

    def all_ids(self) -> tuple[int, ...]:
        """Every id this one was ever written down under: ``filter(person__in=person.all_ids())`` misses nothing."""
        if not hasattr(self, "_all_ids"):
            root = self.merged_into_id or self.pk
            # Read once per object: a page asks for it in many look-ups.
            self._all_ids = (root, *Person.objects.filter(merged_into=root).order_by("pk").values_list("pk", flat=True))
        return self._all_ids

    @property
    def arms(self) -> Arms:
        """As chosen, or as their code has always had them."""
        try:
            return Arms.from_dict(self.blazon) if self.blazon else Arms.from_seed(self.code)
        except Refusal:  # chosen when the rule was another
            return Arms.from_seed(self.code)

    @property
    def has_account(self) -> bool:
        return self.account_id is not None

    @property
    def is_forgotten(self) -> bool:
        return self.forgotten_at is not None


class Secret(models.Model):
    """What a token opens. The token itself stands nowhere: see tokens.py."""

    seed = models.CharField(max_length=32, default=tokens.new_seed, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True

    def save(self, *args: object, **kwargs: object) -> None:
        if not self.token_hash:
            self.token_hash = tokens.hash_of(tokens.token_of(self.seed))
        super().save(*args, **kwargs)

    @property
    def token(self) -> str:
        """The token again, or nothing if the site's secret key has changed since."""
        token = tokens.token_of(self.seed)
        return token if tokens.hash_of(token) == self.token_hash else ""


class PersonalLink(Secret):
    """The lasting link by which someone without a password comes in. A new one takes the place of the old."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="personal_link")
    opened_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"personal link of {self.person_id}"

    def get_absolute_url(self) -> str:
        return reverse("people:open_link", args=[self.token])


class LogInQuerySet(models.QuerySet["LogIn"]):
    def live(self) -> LogInQuerySet:
        return self.filter(last_seen__gt=timezone.now() - dt.timedelta(seconds=settings.SESSION_COOKIE_AGE))

    def stale(self) -> LogInQuerySet:
        """Those whose cookie has run out long ago; clean-up deletes them."""
        return self.filter(last_seen__lte=timezone.now() - dt.timedelta(seconds=settings.SESSION_COOKIE_AGE))


class LogIn(models.Model):
    """One browser in which someone is known. Without its row the browser's session counts for nothing."""

    class How(models.TextChoices):
        PASSWORD = "password", "with the password"
        LINK = "link", "by the personal link"

    person = models.ForeignKey(Person, models.CASCADE, related_name="log_ins")
    how = models.CharField(max_length=10, choices=How)
    link = models.ForeignKey(PersonalLink, models.CASCADE, null=True, blank=True, related_name="log_ins")
    browser = models.CharField(max_length=80, blank=True)
    first_seen = models.DateTimeField(default=timezone.now)
    last_seen = models.DateTimeField(default=timezone.now, db_index=True)

    objects = LogInQuerySet.as_manager()

    class Meta:
        verbose_name = "log-in"
        ordering = ["-last_seen", "-pk"]

    def __str__(self) -> str:
        return f"{self.browser} {self.how}"


class PassQuerySet(models.QuerySet["Pass"]):
    def standing(self, now: dt.datetime | None = None) -> PassQuerySet:
        """Neither taken back nor run out: whoever holds such a pass may go on using it."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now or timezone.now()), revoked_at=None)

    def open(self, now: dt.datetime | None = None) -> PassQuerySet:
        """Standing, and not yet taken up as often as it may be."""
        return self.standing(now).filter(Q(uses_left=None) | Q(uses_left__gt=0))

    def made_by_one(self, who: Who) -> PassQuerySet:
        if who.person is None:
            return self.none()
        return self.filter(made_by__in=who.person.all_ids())


class Pass(Secret):
    """A link to one thing: an invitation, a claim, a new password, one seat. Listed and revocable by whoever made it."""

    kind = models.CharField(max_length=30)
    target = models.PositiveBigIntegerField(null=True, blank=True)
    label = models.CharField(max_length=200, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    uses_left = models.PositiveIntegerField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    objects = PassQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "passes"
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["kind", "target"], name="passes_to_one_thing")]

    def __str__(self) -> str:
        return f"{self.kind} pass {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("people:open_pass", args=[self.token])


class FirstOwner(models.Model):
    """One row and never two: of two first visitors only one becomes the owner."""

    only = models.BooleanField(primary_key=True, default=True)
    account = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(only=True), name="only_one_first_owner")]

    def __str__(self) -> str:
        return "the first owner"
