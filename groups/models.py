"""Groups, and who belongs to them. What a group decides and plays is in its log."""

import zoneinfo

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from django_text_choices import TextChoices
from log.models import Log
from people.models import Person, new_code
from people.requester import Who


class GroupQuerySet(models.QuerySet["Group"]):
    def of(self, who: Who) -> "GroupQuerySet":
        """Groups they are a member of. Guests of a night are not."""
        return self._with_roles(who, Member.Role.HOST, Member.Role.MEMBER)

    def visible_to(self, who: Who) -> "GroupQuerySet":
        """Members see their group; everyone with the link sees a public one."""
        public = Q(visibility=Group.Visibility.PUBLIC)
        return self.filter(public | Q(pk__in=Group.objects.of(who).values("pk")))

    def hosted_by(self, who: Who) -> "GroupQuerySet":
        return self._with_roles(who, Member.Role.HOST)

    def known_to(self, who: Who) -> "GroupQuerySet":
        """Groups they are a member or a guest of."""
        return self._with_roles(who, *Member.Role.values)

    def _with_roles(self, who: Who, *roles: str) -> "GroupQuerySet":
        if who.person is None:
            return self.none()
        mine = Member.objects.filter(person__in=who.person.all_ids(), role__in=roles)
        return self.filter(pk__in=mine.values("group"))


class Group(models.Model):
    """A group of people. Its days end at 05:00 in its own time zone."""

    class Visibility(TextChoices):
        MEMBERS = "members", "Only members"
        PUBLIC = "public", "Everyone with the link"

    class Edits(TextChoices):
        ANYONE = "anyone", "Members, and guests who played it"
        PLAYERS = "players", "Its players, and the hosts"
        HOSTS = "hosts", "Only the hosts"

    class Consent(TextChoices):
        NONE = "none", "At once"
        PLAYER = "player", "When another player of it, or a host, agrees"
        HOST = "host", "When a host agrees"

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=200)
    zone = models.CharField(max_length=64, default="UTC")
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.MEMBERS)
    # Who can change a play that somebody logged.
    edits = models.CharField(max_length=10, choices=Edits, default=Edits.ANYONE)
    # When such a change counts.
    consent = models.CharField(max_length=10, choices=Consent, default=Consent.NONE)
    log = models.OneToOneField(Log, models.PROTECT, related_name="group")
    # There is no log to hold a receipt before the group exists, so its form's key is stored here.
    founding_key = models.CharField(max_length=170, unique=True)
    founded_at = models.DateTimeField(default=timezone.now)

    objects = GroupQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("groups:page", args=[self.code])

    @property
    def tzinfo(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.zone)


class Member(models.Model):
    """A host or member of a group, or a guest who came to one of its nights."""

    class Role(TextChoices):
        HOST = "host", "host"
        MEMBER = "member", "member"
        GUEST = "guest", "guest"

    group = models.ForeignKey(Group, models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, models.PROTECT, related_name="group_memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["since", "pk"]
        constraints = [models.UniqueConstraint(fields=["group", "person"], name="one_group_membership_per_person")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.group_id}"
