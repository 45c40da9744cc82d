"""Campaigns in the admin, read-only."""

from django.contrib import admin

from campaign.models import Campaign
from log.admin import ReadOnlyAdmin


@admin.register(Campaign)
class CampaignAdmin(ReadOnlyAdmin):
    list_display = ["code", "name", "visibility", "group", "founded_at", "archived_at"]
    list_select_related = ["group"]
    search_fields = ["code", "name"]
    fields = list_display
