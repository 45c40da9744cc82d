"""Groups in the admin, read-only."""

from django.contrib import admin

from groups.models import Group
from log.admin import ReadOnlyAdmin


@admin.register(Group)
class GroupAdmin(ReadOnlyAdmin):
    list_display = ["code", "name", "zone", "visibility", "founded_at"]
    search_fields = ["code", "name"]
    fields = list_display
