"""Past prints, so that the site can say whether a paper sheet is still current."""

from django.db import models
from django.urls import reverse
from django.utils import timezone


class Edition(models.Model):
    """One version of one sheet, identified by its fingerprint. Holds no content, only what to look up."""

    fingerprint = models.CharField(max_length=12, unique=True)
    sheet = models.CharField(max_length=40)
    subject = models.CharField(max_length=700, blank=True)  # up to a whole army code
    printed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-printed_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.sheet} {self.fingerprint}"

    def get_absolute_url(self) -> str:
        return reverse("printing:is_current", args=[self.fingerprint])
