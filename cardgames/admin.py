"""Card tables in the admin, read-only. The site's owner plays too: no seed, deck, hand or answer is shown."""

from django.contrib import admin

from cardgames.models import Table
from log.admin import ReadOnlyAdmin


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    list_display = ["code", "game", "state", "host", "opened_at", "begun_at", "ended_at"]
    list_select_related = ["host"]
    search_fields = ["code", "host__name"]
    fields = list_display
