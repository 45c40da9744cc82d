"""People in the admin. It never shows a token, seed or hash, and links are made on the site's own pages."""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from log.admin import ReadOnlyAdmin
from people.accounts import services
from people.accounts.log_ins import get_or_create_person
from people.models import LogIn, Pass, Person, PersonalLink
from people.name_validation import shorten_name
from people.passes import services as passes_services
from refusal import Refusal


def redirect_to_login(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """Use the site's own log-in page, which limits wrong passwords."""
    if request.who.is_known:
        raise Refusal("Only an owner of the site can use the admin.", status=403)
    wanted = request.GET.get("next") or reverse("admin:index")
    return redirect(f"{reverse('people:log_in')}?{urlencode({'next': wanted})}")


admin.site.login = redirect_to_login
admin.site.site_header = admin.site.site_title = "Mice-at-Arms companion"
admin.site.index_title = "Site data"


class ViewAndDeleteAdmin(ReadOnlyAdmin):
    actions = []
    has_delete_permission = admin.ModelAdmin.has_delete_permission


admin.site.unregister(get_user_model())


@admin.register(get_user_model())
class AccountAdmin(UserAdmin):
    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """As with any new password, other phones and older links of this person end."""
        passwords = get_user_model().objects.filter(pk=id).values_list("password", flat=True)
        before = passwords.first()
        response = super().user_change_password(request, id, form_url)
        if passwords.first() != before:
            account = get_user_model().objects.get(pk=id)
            ids = get_or_create_person(account).all_ids()
            services.end_credentials(ids, by=request.who if request.who.user == account else None)
            services.end_keeper(ids)
        return response


class HasAccountFilter(admin.SimpleListFilter):
    title = "account"
    parameter_name = "account"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "has an account"), ("no", "has no account")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(account__isnull=self.value() == "no") if self.value() else queryset


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):
    list_display = ["short_name", "account", "keeper", "merged_into", "created_at", "forgotten_at"]
    list_filter = [
        HasAccountFilter,
        ("merged_into", admin.EmptyFieldListFilter),
        ("forgotten_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["name", "code", "account__username"]
    list_select_related = ["account", "keeper", "merged_into"]
    date_hierarchy = "created_at"
    fields = [
        *("code", "name", "account", "keeper", "invited_by", "masters_may_reset"),
        *("merged_into", "joined_to", "created_at", "forgotten_at"),
    ]
    # Merging and forgetting do more than set a field; use the pages for them.
    readonly_fields = [name for name in fields if name not in ("name", "masters_may_reset")]

    @admin.display(description="name", ordering="name")
    def short_name(self, person: Person) -> str:
        return shorten_name(person.name)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(LogIn)
class LogInAdmin(ViewAndDeleteAdmin):
    list_display = ["person", "browser", "how", "first_seen", "last_seen"]
    list_filter = ["how"]
    search_fields = ["person__name"]
    list_select_related = ["person"]
    date_hierarchy = "last_seen"


@admin.register(PersonalLink)
class PersonalLinkAdmin(ViewAndDeleteAdmin):
    list_display = ["person", "made_by", "made_at", "opened_at"]
    search_fields = ["person__name"]
    list_select_related = ["person", "made_by"]
    fields = ["person", "made_by", "made_at", "opened_at", "ended_at"]


@admin.register(Pass)
class PassAdmin(ViewAndDeleteAdmin):
    list_display = ["kind", "label", "state", "made_by", "made_at", "expires_at", "uses_left", "used_at"]
    list_filter = ["kind", ("revoked_at", admin.EmptyFieldListFilter)]
    search_fields = ["label", "made_by__name"]
    list_select_related = ["made_by"]
    date_hierarchy = "made_at"
    fields = ["kind", "target", "label", "made_by", "made_at", "expires_at", "uses_left", "used_at", "revoked_at"]
    actions = ["revoke_selected"]

    @admin.display
    def state(self, row: Pass) -> str:
        return passes_services.state_of(row)

    @admin.action(description="Revoke the selected links", permissions=["view"])
    def revoke_selected(self, request: HttpRequest, queryset: QuerySet) -> None:
        count = queryset.filter(revoked_at=None).update(revoked_at=timezone.now())
        self.message_user(request, f"Revoked {count} links.")
