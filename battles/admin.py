"""Battles in the admin, read-only. Armies and reports are on the battle's own page."""

from django.contrib import admin

from battles.models import Battle
from log.admin import ReadOnlyAdmin


@admin.register(Battle)
class BattleAdmin(ReadOnlyAdmin):
    list_display = ["code", "campaign", "number", "stage", "made_by", "made_at", "played_on"]
    list_select_related = ["campaign", "made_by"]
    search_fields = ["code", "campaign__name"]
    fields = list_display
