"""The owner's view of people. No token, seed or hash is ever shown; links are made on the pages, not here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from people import passes
from people.models import LogIn, Pass, Person, PersonalLink
from people.names import shown
from refusal import Refusal


def to_the_door(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """The admin has no door of its own: ours counts failures and knows browsers."""
    if request.who.is_known:
        raise Refusal("Only an owner of the site opens its books.", status=403)
    wanted = request.GET.get("next") or reverse("admin:index")
    return redirect(f"{reverse('people:log_in')}?{urlencode({'next': wanted})}")


admin.site.login = to_the_door
admin.site.site_header = admin.site.site_title = "Mice-at-Arms companion"
admin.site.index_title = "The books of this site"


class NotByHand(admin.ModelAdmin):
    """To be looked at and deleted, not written."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class HasAccount(admin.SimpleListFilter):
    title = "account"
    parameter_name = "account"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "has an account"), ("no", "has none")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(account__isnull=self.value() == "no") if self.value() else queryset


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    list_display = ["short_name", "account", "keeper", "merged_into", "created_at", "forgotten_at"]
    list_filter = [
        HasAccount,
        ("merged_into", admin.EmptyFieldListFilter),
        ("forgotten_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["name", "code", "account__username"]
    list_select_related = ["account", "keeper", "merged_into"]
    date_hierarchy = "created_at"
    fields = [
        "code",
        "name",
        "account",
        "keeper",
        "masters_may_reset",
        "merged_into",
        "joined_to",
        "created_at",
        "forgotten_at",
    ]
    # Merging and forgetting are acts with consequences; they have their own doors.
    readonly_fields = ["code", "account", "keeper", "merged_into", "joined_to", "created_at", "forgotten_at"]

    @admin.display(description="name", ordering="name")
    def short_name(self, person: Person) -> str:
        return shown(person.name)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(LogIn)
class LogInAdmin(NotByHand):
    list_display = ["person", "browser", "how", "first_seen", "last_seen"]
    list_filter = ["how"]
    search_fields = ["person__name"]
    list_select_related = ["person"]
    date_hierarchy = "last_seen"


@admin.register(PersonalLink)
class PersonalLinkAdmin(NotByHand):
    list_display = ["person", "made_by", "made_at", "opened_at"]
    search_fields = ["person__name"]
    list_select_related = ["person", "made_by"]
    fields = ["person", "made_by", "made_at", "opened_at"]


@admin.register(Pass)
class PassAdmin(NotByHand):
    list_display = ["kind", "label", "state", "made_by", "made_at", "expires_at", "uses_left", "used_at"]
    list_filter = ["kind", ("revoked_at", admin.EmptyFieldListFilter)]
    search_fields = ["label", "made_by__name"]
    list_select_related = ["made_by"]
    date_hierarchy = "made_at"
    fields = ["kind", "target", "label", "made_by", "made_at", "expires_at", "uses_left", "used_at", "revoked_at"]
    actions = ["take_back"]

    @admin.display
    def state(self, row: Pass) -> str:
        return passes.state_of(row)

    @admin.action(description="Take the selected links back", permissions=["view"])
    def take_back(self, request: HttpRequest, queryset: QuerySet) -> None:
        count = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, f"{count} taken back.")
