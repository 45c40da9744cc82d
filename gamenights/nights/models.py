"""Nights: date, place, who comes, who is here, and the tables they sit at."""

import datetime as dt

from django.db import models
from django.db.models import Q
from django.utils import timezone

from battles.models import Battle
from cached_reverse import cached_reverse
from cardgames.models import PRIVATE_CODE, Table, new_private_code
from django_text_choices import TextChoices
from gamenights.nights.entries import ChangeNight
from groups.models import Group
from pages.fields.columns_and_rows import column
from people.models import Person
from people.requester import Who

# How long anyone with the code still sees a night that is over.
VISIBLE_AFTER_END = dt.timedelta(days=1)


class NightQuerySet(models.QuerySet["Night"]):
    def attended_by(self, who: Who) -> "NightQuerySet":
        """Nights they were invited to by name, answered or came to."""
        if who.person is None:
            return self.none()
        mine = Attendance.objects.filter(person__in=who.person.all_ids())
        return self.filter(pk__in=mine.values("night"))

    def of(self, who: Who) -> "NightQuerySet":
        """Nights of their groups, and those they came to as a guest."""
        came = Night.objects.attended_by(who).values("pk")
        return self.filter(Q(group__in=Group.objects.of(who)) | Q(pk__in=came))

    def evenings_visible_to(self, who: Who) -> "NightQuerySet":
        """Nights whose place, plan and plays they see: those of a public group, and their own."""
        public = Q(group__visibility=Group.Visibility.PUBLIC)
        return self.filter(public | Q(pk__in=Night.objects.of(who).values("pk")))

    def visible_to(self, who: Who, now: dt.datetime | None = None) -> "NightQuerySet":
        """Members and whoever came; anyone with the code while it lasts; everyone if the group is public."""
        now = now or timezone.now()
        fresh = Q(closed_at=None) | Q(closed_at__gt=now - VISIBLE_AFTER_END)
        lasting = Q(ends_at=None) | Q(ends_at__gt=now - VISIBLE_AFTER_END)
        public = Q(group__visibility=Group.Visibility.PUBLIC)
        return self.filter((fresh & lasting) | public | Q(pk__in=Night.objects.of(who).values("pk")))

    def open(self, now: dt.datetime | None = None) -> "NightQuerySet":
        """Neither closed nor past its 05:00."""
        return self.filter(is_open_at(now or timezone.now()))


def is_open_at(now: dt.datetime) -> Q:
    return (Q(ends_at=None) | Q(ends_at__gt=now)) & Q(closed_at=None)


class Night(models.Model):
    """A game night. Without a date its people are still voting on one."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="nights")
    code = models.CharField(max_length=PRIVATE_CODE, unique=True, default=new_private_code)
    title = column(ChangeNight, "title")
    day = models.DateField(null=True, blank=True, db_index=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    place = column(ChangeNight, "place")
    plan = column(ChangeNight, "plan", field=models.TextField)
    # The declared battle it was planned for.
    battle = models.ForeignKey(Battle, models.SET_NULL, null=True, blank=True, related_name="nights")
    host = models.ForeignKey(Person, models.PROTECT, related_name="nights_hosted")
    closed_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    objects = NightQuerySet.as_manager()

    class Meta:
        ordering = ["-day", "-pk"]

    def __str__(self) -> str:
        return f"night {self.code}"

    def get_absolute_url(self) -> str:
        return cached_reverse("gamenights:night", self.code)

    @property
    def spoken_code(self) -> str:
        """The code as people read it out: eight letters in two halves."""
        return f"{self.code[:4]}-{self.code[4:]}" if len(self.code) == PRIVATE_CODE else self.code

    @property
    def name(self) -> str:
        return self.title or "Game night"

    def is_over(self, now: dt.datetime | None = None) -> bool:
        now = now or timezone.now()
        return self.closed_at is not None or (self.ends_at is not None and self.ends_at <= now)


class Attendance(models.Model):
    """Someone invited to a night: their answer, and whether they are here."""

    class Answer(TextChoices):
        NONE = "", "no answer yet"
        YES = "yes", "comes"
        MAYBE = "maybe", "may come"
        NO = "no", "does not come"

    night = models.ForeignKey(Night, models.CASCADE, related_name="attendances")
    person = models.ForeignKey(Person, models.PROTECT, related_name="attendances")
    answer = models.CharField(max_length=5, choices=Answer, default=Answer.NONE, blank=True)
    co_host = models.BooleanField(default=False)
    here_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    # A newcomer who says they are this person. A host decides.
    claims = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")
    # The person a host merged them with, so that this can be undone.
    confirmed = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["here_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["night", "person"], name="one_attendance_per_person")]

    def __str__(self) -> str:
        return f"{self.person_id} at {self.night_id}"

    @property
    def is_here(self) -> bool:
        return self.here_at is not None and self.left_at is None


class BringItem(models.Model):
    """Something to bring, and who brings it."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="bring_items")
    what = models.CharField(max_length=80)
    person = models.ForeignKey(Person, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.what


class DateOption(models.Model):
    """A date to vote on."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="date_options")
    starts_at = models.DateTimeField()

    class Meta:
        ordering = ["starts_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["night", "starts_at"], name="one_option_per_date")]

    def __str__(self) -> str:
        return f"{self.starts_at} for {self.night_id}"


class DateVote(models.Model):
    option = models.ForeignKey(DateOption, models.CASCADE, related_name="votes")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")
    answer = models.CharField(max_length=5, choices=Attendance.Answer)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["option", "person"], name="one_vote_per_date")]

    def __str__(self) -> str:
        return f"{self.person_id} on {self.option_id}"


class NightTable(models.Model):
    """A card table that was opened in this night."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="night_tables")
    table = models.OneToOneField(Table, models.CASCADE, related_name="night_table")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"table {self.table_id} in {self.night_id}"
