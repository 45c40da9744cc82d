"""Jobs and timers in the admin, read-only except for cancelling and retrying a job."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from jobs import services
from jobs.models import Due, Job
from log.admin import ReadOnlyAdmin
from refusal import Refusal


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ["id", "kind", "state", "stage", "done", "total", "owner", "attempts", "created_at", "finished_at"]
    list_filter = ["state", "kind"]
    list_select_related = ["owner"]
    date_hierarchy = "created_at"
    search_fields = ["=id", "kind", "owner__name", "error"]
    search_help_text = "Number, kind, owner or error"
    actions = ["call_off", "do_again"]

    @admin.action(description="Cancel")
    def call_off(self, request: HttpRequest, jobs: QuerySet[Job]) -> None:
        for job in jobs:
            try:
                services.cancel_job(job)
            except Refusal as refusal:
                self.message_user(request, f"{job}: {refusal.sentence}", messages.WARNING)

    @admin.action(description="Retry")
    def do_again(self, request: HttpRequest, jobs: QuerySet[Job]) -> None:
        for job in jobs:
            try:
                services.retry_job(job)
            except Refusal as refusal:
                self.message_user(request, f"{job}: {refusal.sentence}", messages.WARNING)


@admin.register(Due)
class TimerAdmin(ReadOnlyAdmin):
    list_display = ["kind", "ref", "due_at", "tries", "held_until"]
    list_filter = ["kind"]
    ordering = ["due_at"]
    search_fields = ["kind", "ref"]
