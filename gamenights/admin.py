"""Game nights in the admin, read-only."""

from django.contrib import admin

from gamenights.nights.models import Night
from log.admin import ReadOnlyAdmin


@admin.register(Night)
class NightAdmin(ReadOnlyAdmin):
    list_display = ["code", "title", "group", "host", "day", "closed_at"]
    list_select_related = ["group", "host"]
    search_fields = ["code", "title", "group__name"]
    fields = list_display
