"""Logs in the admin, read-only. Nothing in a log is ever edited or deleted."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from log.models import Entry, Log, Receipt
from log.registry import secret_kinds


class ReadOnlyAdmin(admin.ModelAdmin):
    """For rows that only the site writes."""

    actions = None
    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Log)
class LogAdmin(ReadOnlyAdmin):
    list_display = ["id", "kind", "version", "length"]
    list_filter = ["kind"]
    search_fields = ["=id"]
    search_help_text = "Number of the log"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        # Even the length of a log of sealed answers tells how many have answered.
        return super().get_queryset(request).exclude(kind__in=secret_kinds())


class OpenLogsAdmin(ReadOnlyAdmin):
    """The site's owner plays too and must not see other people's cards."""

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).exclude(log__kind__in=secret_kinds())


@admin.register(Entry)
class EntryAdmin(OpenLogsAdmin):
    list_display = ["__str__", "log", "number", "act", "actor", "on_behalf_of", "played_on", "entered_at"]
    list_filter = ["act", "log__kind"]
    list_select_related = ["log", "actor", "on_behalf_of"]
    date_hierarchy = "entered_at"
    ordering = ["-entered_at", "-pk"]
    search_fields = ["=log__id", "act", "actor__name"]
    search_help_text = "Number of the log, act, or name of who wrote it"


@admin.register(Receipt)
class ReceiptAdmin(OpenLogsAdmin):
    list_display = ["key", "log", "actor", "at"]
    list_select_related = ["log"]
    ordering = ["-at"]
    search_fields = ["=log__id", "key", "actor"]
    search_help_text = "Number of the log, key, or who sent it"
