"""Editions in the admin, read-only."""

from django.contrib import admin

from log.admin import ReadOnlyAdmin
from printing.models import Edition


@admin.register(Edition)
class EditionAdmin(ReadOnlyAdmin):
    list_display = ["fingerprint", "sheet", "subject", "printed_at"]
    list_filter = ["sheet"]
    search_fields = ["fingerprint", "subject"]
