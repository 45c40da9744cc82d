"""People, and their log-ins, personal links and passes."""

import datetime as dt
import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Aggregate, F, JSONField, Q, TextField
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone

from django_text_choices import TextChoices
from heraldry import Arms
from people import acquaintances
from people.passes import tokens as passes_tokens
from refusal import Refusal

if TYPE_CHECKING:
    from people.requester import Who

SOMEONE = "Someone"
# No vowels that spell words, no characters that look alike.
CODE_LETTERS = "23456789bcdfghjkmnpqrstvwxyz"


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(12))


class PersonQuerySet(models.QuerySet["Person"]):
    def roots(self) -> "PersonQuerySet":
        """Everyone once: without people who were merged into someone else."""
        return self.filter(merged_into=None)

    def looked_after_by(self, who: "Who") -> "PersonQuerySet":
        """The guests of ``who``, whether or not they have an account by now."""
        if who.person is None:
            return self.none()
        return self.filter(Q(keeper=who.person) | Q(keeper__merged_into=who.person), forgotten_at=None)

    def known_to(self, who: "Who") -> "PersonQuerySet":
        """Everyone ``who`` knows: themselves, their guests, and whoever shares a campaign or table with them."""
        me = who.person
        if me is None:
            return self.none()
        known = Q(pk=me.pk) | Q(merged_into=me) | Q(keeper=me) | Q(keeper__merged_into=me)
        for ids in acquaintances.acquaintances_of(who):
            known |= Q(pk__in=ids)
        return self.filter(known)

    def visible_to(self, who: "Who") -> "PersonQuerySet":
        """Everyone they know; an owner of the site sees everybody."""
        if who.user is not None and who.user.is_superuser:
            return self.all()
        return self.known_to(who)

    def editable_by(self, who: "Who") -> "PersonQuerySet":
        """Themselves, and their guests without an account. An owner also edits guests whose keeper was forgotten."""
        me = who.person
        if me is None:
            return self.none()
        guests = Q(account=None) & (Q(keeper=me) | Q(keeper__merged_into=me))
        if who.is_owner:
            guests |= Q(account=None, keeper=None)
        return self.filter(Q(pk=me.pk) | guests, merged_into=None, forgotten_at=None)


class Person(models.Model):
    """A player, with or without an account.

    When two turn out to be the same, ``merged_into`` of one points at the other, the root, so one step always leads to
    the root. ``joined_to`` keeps who they were merged into at the time, so that it can be undone.
    """

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=200)
    blazon = models.JSONField("arms", default=dict, blank=True)
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="person"
    )
    keeper = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="kept")
    # Who looked after them before they had a password. On their page they can make them their keeper again.
    invited_by = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    # Their own choice: can one of their game masters give them a link to a new password?
    masters_may_reset = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="merged_from")
    joined_to = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="joined_from")
    joined_by = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    joined_at = models.DateTimeField(null=True, blank=True)
    forgotten_at = models.DateTimeField(null=True, blank=True)
    # Since when older links no longer work, for what is signed and has no row to end: addresses of calendars.
    credentials_ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The key of the form that added them, so that sending it twice adds them once.
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
    def root(self) -> "Person":
        """The person they were merged into, or themselves; fetch with ``select_related("…__merged_into")``."""
        return self.merged_into if self.merged_into_id else self

    def all_ids(self) -> tuple[int, ...]:
        """Every id of this person, merged ones included: use ``filter(person__in=person.all_ids())``."""
        if not hasattr(self, "_all_ids"):
            root = self.merged_into_id or self.pk
            # Cached, because a page needs it many times.
            self._all_ids = (root, *Person.objects.filter(merged_into=root).order_by("pk").values_list("pk", flat=True))
        return self._all_ids

    @property
    def arms(self) -> Arms:
        """The arms they chose, or arms derived from their code."""
        try:
            return Arms.from_dict(self.blazon) if self.blazon else Arms.from_seed(self.code)
        except Refusal:  # chosen under an older rule
            return Arms.from_seed(self.code)

    @property
    def has_account(self) -> bool:
        return self.account_id is not None

    @property
    def is_forgotten(self) -> bool:
        return self.forgotten_at is not None


class Secret(models.Model):
    """A row that a token opens. The token itself is not stored: see tokens.py."""

    seed = models.CharField(max_length=32, default=passes_tokens.new_seed, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True

    def save(self, *args: object, **kwargs: object) -> None:
        if not self.token_hash:
            self.token_hash = passes_tokens.hash_of(passes_tokens.token_of(self.seed))
        super().save(*args, **kwargs)

    @property
    def token(self) -> str:
        """The token, or "" if the site's secret key has changed since."""
        token = passes_tokens.token_of(self.seed)
        return token if passes_tokens.hash_of(token) == self.token_hash else ""


class PersonalLink(Secret):
    """The permanent link with which a guest logs in. A new one replaces the old one."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="personal_link")
    opened_at = models.DateTimeField(null=True, blank=True)
    # Kept, so that whoever opens it learns how to log in now.
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"personal link of {self.person_id}"

    def get_absolute_url(self) -> str:
        return reverse("people:open_personal_link", args=[self.token])


class LogInQuerySet(models.QuerySet["LogIn"]):
    def active(self) -> "LogInQuerySet":
        return self.filter(last_seen__gt=timezone.now() - dt.timedelta(seconds=settings.SESSION_COOKIE_AGE))

    def stale(self) -> "LogInQuerySet":
        """Log-ins whose cookie has expired; clean-up deletes them."""
        return self.filter(last_seen__lte=timezone.now() - dt.timedelta(seconds=settings.SESSION_COOKIE_AGE))


class LogIn(models.Model):
    """One browser in which someone is logged in. Without this row the browser's session is not valid."""

    class How(TextChoices):
        PASSWORD = "password", "with the password"
        LINK = "link", "with the personal link"

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


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def of_person(self, who: "Who") -> "ApiTokenQuerySet":
        if who.person is None:
            return self.none()
        return self.filter(log_in__person__in=who.person.all_ids())

    def stale(self) -> "ApiTokenQuerySet":
        """Tokens nobody has logged in with; the others end with their log-in."""
        old = timezone.now() - dt.timedelta(seconds=settings.SESSION_COOKIE_AGE)
        return self.filter(log_in=None, made_at__lte=old)


class ApiToken(Secret):
    """Lets a program in without cookies. It is a session of its own: ``kept`` holds what a browser's session holds.

    It ends with its log-in, so whatever logs a browser out ends it too. ``log_in`` is empty while it only holds passes.
    """

    label = models.CharField(max_length=80, blank=True)
    scopes = models.CharField(max_length=40)
    kept = models.JSONField(default=dict, blank=True, editable=False)
    log_in = models.OneToOneField(LogIn, models.CASCADE, null=True, blank=True, related_name="api_token")

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = "API token"
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"API token {self.pk}"

    @property
    def scope_set(self) -> frozenset[str]:
        return frozenset(self.scopes.split())


class ApiAnswer(models.Model):
    """The answer to an API request with an Idempotency-Key, kept for a day; without a status it is still running."""

    key = models.CharField(max_length=64, unique=True)
    fingerprint = models.CharField(max_length=64)
    person = models.ForeignKey(Person, models.CASCADE, null=True, blank=True, related_name="+")
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=80, blank=True)
    body = models.TextField(blank=True)
    made_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"answer {self.pk}"


class PassQuerySet(models.QuerySet["Pass"]):
    def valid(self, now: dt.datetime | None = None) -> "PassQuerySet":
        """Neither revoked nor expired: whoever holds such a pass can use it."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now or timezone.now()), revoked_at=None)

    def open(self, now: dt.datetime | None = None) -> "PassQuerySet":
        """Valid, with uses left."""
        return self.valid(now).filter(Q(uses_left=None) | Q(uses_left__gt=0))

    def made_by_person(self, who: "Who") -> "PassQuerySet":
        if who.person is None:
            return self.none()
        return self.filter(made_by__in=who.person.all_ids())


class Pass(Secret):
    """A link to one thing, such as an invitation, a claim or a seat. Its maker can list and revoke it."""

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
    """At most one row, so that only one of two first visitors becomes the owner."""

    only = models.BooleanField(primary_key=True, default=True)
    account = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(only=True), name="only_one_first_owner")]

    def __str__(self) -> str:
        return "the first owner"


# ── Many rows as one value of another row, which saves a query ─────────────────────────────────────────


class JoinedNumbers(Aggregate):
    """As a text, "3,17"."""

    function = "GROUP_CONCAT"
    output_field = TextField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "STRING_AGG((%(expressions)s)::text, ',')"
        return self.as_sql(compiler, connection, template=template, **extra)


class NamesById(Aggregate):
    """The people of rows: {"3": "Wren"}, with the name they have now. Give it the name of the foreign key."""

    function = "JSON_GROUP_OBJECT"
    output_field = JSONField()

    def __init__(self, person: str) -> None:
        super().__init__(person, Coalesce(F(f"{person}__merged_into__name"), F(f"{person}__name")))

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, function="JSONB_OBJECT_AGG", **extra)


def split_numbers(joined: str | None) -> list[int]:
    return [int(number) for number in (joined or "").split(",") if number]
