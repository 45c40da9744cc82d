"""Campaigns and their members. What happened in one is in its log, the chronicle."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from cached_reverse import cached_reverse
from django_text_choices import TextChoices
from groups.models import Group
from log.models import Log
from people.models import Person
from people.requester import Who


class CampaignQuerySet(models.QuerySet):
    def visible_to(self, who: Who) -> "CampaignQuerySet":
        """Members see a campaign; everyone with the link sees a public one."""
        if who.person is None:
            return self.filter(visibility=Campaign.Visibility.PUBLIC)
        mine = Member.objects.filter(person__in=who.person.all_ids()).values("campaign")
        return self.filter(Q(visibility=Campaign.Visibility.PUBLIC) | Q(pk__in=mine))

    def of(self, who: Who) -> "CampaignQuerySet":
        if who.person is None:
            return self.none()
        return self.filter(pk__in=Member.objects.filter(person__in=who.person.all_ids()).values("campaign"))

    def run_by(self, who: Who) -> "CampaignQuerySet":
        if who.person is None:
            return self.none()
        run = Member.objects.filter(person__in=who.person.all_ids(), role=Member.Role.MASTER)
        return self.filter(pk__in=run.values("campaign"))


class Campaign(models.Model):
    class Visibility(TextChoices):
        MEMBERS = "members", "Only members"
        PUBLIC = "public", "Everyone with the link"

    code = models.CharField(max_length=16, unique=True)
    name = models.CharField(max_length=200)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.MEMBERS)
    log = models.OneToOneField(Log, models.PROTECT, related_name="campaign")
    founded_at = models.DateTimeField(default=timezone.now)
    # Founding comes before there is a log to hold a receipt, so its key is kept here.
    founding_key = models.CharField(max_length=170, unique=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    # The group whose nights and standings take in its battles.
    group = models.ForeignKey(Group, models.SET_NULL, null=True, blank=True, related_name="campaigns")

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-founded_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return cached_reverse("campaign:page", self.code)

    def entry_url(self, number: int) -> str:
        """Where an entry stands that was just written."""
        return f"{self.get_absolute_url()}#entry-{number}"


class Member(models.Model):
    class Role(TextChoices):
        MASTER = "master", "game master"
        PLAYER = "player", "player"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["since", "pk"]
        constraints = [models.UniqueConstraint(fields=["campaign", "person"], name="one_membership_per_person")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.campaign_id}"


class Snapshot(models.Model):
    """The newest state, kept beside the log so that a page need not fold it. A cache: it can be dropped at any time."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="snapshot")
    length = models.PositiveBigIntegerField()  # of the log when it was taken
    last_played = models.DateField()  # the next entry must not be earlier, or everything is folded again
    state = models.JSONField()

    def __str__(self) -> str:
        return f"{self.campaign_id} at {self.length}"


class Checkpoint(models.Model):
    """A state somewhere in the past, so that an old map is a short fold away. A cache like the snapshot."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="checkpoints")
    played_on = models.DateField()
    number = models.PositiveBigIntegerField()
    state = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "played_on", "number"], name="one_checkpoint_per_place")
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id} after {self.number}"


class Visit(models.Model):
    """How far someone has read: what came after is "what changed since I was last here"."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="visits")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")
    number = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "person"], name="one_visit_per_person")]

    def __str__(self) -> str:
        return f"{self.person_id} read {self.campaign_id} to {self.number}"


class SeasonPage(models.Model):
    """A season as it closed: standings, titles, story. Never changed; it names no person."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="season_pages")
    entry = models.PositiveBigIntegerField()  # the entry that closed it
    season = models.PositiveIntegerField()
    content = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["entry"]
        constraints = [models.UniqueConstraint(fields=["campaign", "entry"], name="one_page_per_closing")]

    def __str__(self) -> str:
        return f"{self.campaign_id}, season {self.season}"


class Parcel(models.Model):
    """A campaign file that someone uploaded but has not imported yet. One per person, kept for a day."""

    person = models.OneToOneField(Person, models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    packed = models.BinaryField()
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return self.name


class ApprovalQuerySet(models.QuerySet):
    def open(self) -> "ApprovalQuerySet":
        return self.filter(stage__in=Approval.OPEN)

    def visible_to(self, who: Who) -> "ApprovalQuerySet":
        """Members see what is pending, strangers do not."""
        return self.filter(campaign__in=Campaign.objects.of(who))


class Approval(models.Model):
    """A report or correction awaiting approval. Once approved, it becomes one entry of the chronicle.

    ``versions``: what each side says happened; ``votes``: who approved which, under a kingdom's id or "master".
    Both name people by id only.
    """

    class Stage(TextChoices):
        WAITING = "waiting", "waiting"
        DISPUTED = "disputed", "disputed"
        WRITTEN = "written", "written"
        WITHDRAWN = "withdrawn", "withdrawn"

    OPEN = (Stage.WAITING, Stage.DISPUTED)

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="approvals")
    act = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.WAITING)
    sides = models.JSONField(default=list)  # the kingdoms it is about
    asks = models.JSONField(default=list)  # who has to approve it
    versions = models.JSONField(default=list)
    votes = models.JSONField(default=dict)
    trouble = models.CharField(max_length=500, blank=True)  # why it was not written although everyone agreed
    entry = models.PositiveBigIntegerField(null=True, blank=True)
    laid_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    laid_at = models.DateTimeField(default=timezone.now)
    stands_at = models.DateTimeField(null=True, blank=True)

    objects = ApprovalQuerySet.as_manager()

    class Meta:
        ordering = ["laid_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "subject"],
                condition=Q(stage__in=["waiting", "disputed"]),
                name="one_open_approval_per_subject",
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.subject}, {self.stage}"

    def get_absolute_url(self) -> str:
        return cached_reverse("campaign:approval", self.campaign.code, self.pk)

    @property
    def is_open(self) -> bool:
        return self.stage in self.OPEN

    @property
    def is_correction(self) -> bool:
        return self.act in ("strike", "amend", "restore")
