"""Prints that left the house, so that a sheet on a wall can be asked whether it is still current."""

from __future__ import annotations

from django.db import models
from django.urls import reverse
from django.utils import timezone


class Edition(models.Model):
    """One content of one sheet, named by its fingerprint. Holds no name and no figure, only what to look up."""

    fingerprint = models.CharField(max_length=12, unique=True)
    sheet = models.CharField(max_length=40)
    subject = models.CharField(max_length=700, blank=True)  # an army is named by its whole code
    printed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-printed_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.sheet} {self.fingerprint}"

    def get_absolute_url(self) -> str:
        return reverse("printing:current", args=[self.fingerprint])
