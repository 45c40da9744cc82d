"""Uploaded files of plays, and which person of a file is which person here."""

from django.db import models
from django.utils import timezone

from gamenights.transfer.core.parsed_plays import make_key
from groups.models import Group
from jobs.models import Job
from people.models import Person


class PlaysUpload(models.Model):
    """A file that somebody uploaded. Deleted once it is imported, or after a day."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    packed = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)
    digest = models.CharField(max_length=64, blank=True, db_default="")
    job = models.ForeignKey(Job, models.SET_NULL, null=True, blank=True, related_name="+")
    # What the job found in it, as ``preview.Preview``; None until then.
    found = models.JSONField(null=True, blank=True)
    # Once confirmed: the job that imports it, and how much it has written so far.
    import_job = models.ForeignKey(Job, models.SET_NULL, null=True, blank=True, related_name="+")
    imported_plays = models.PositiveIntegerField(default=0, db_default=0)
    imported_people = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "person"], name="one_plays_file_per_person")]

    def __str__(self) -> str:
        return self.name

    @property
    def is_checked(self) -> bool:
        return self.found is not None


class PersonKey(models.Model):
    """The key that a person has in files of plays. Somebody confirmed it, or we gave it out ourselves."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="person_keys")
    key = models.CharField(max_length=80)
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "key"], name="one_person_per_file_key")]

    def __str__(self) -> str:
        return self.key


def own_key(group: Group, person: int) -> str:
    """The key that our own exports give out."""
    return make_key("member", group.code, person)


def own_game_key(group: Group, game: int) -> str:
    return make_key("group game", group.code, game)
