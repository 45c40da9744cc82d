"""Pages of a group with their forms: its page, its members and its settings."""

import zoneinfo
from collections.abc import Collection, Sequence
from functools import partial

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import dataclass_json
from groups import permissions, selectors, services
from groups.display import GROUP_PAGE
from groups.entries import AddMember, ChangeGroup, ChangeMember, FoundGroup
from groups.models import Group, Member
from log.services import new_key
from pages.fields.columns_and_rows import take
from pages.fields.forms import DataclassForm, make_field
from pages.site_address_for_guests import guest_url
from people.login_required import person_required
from people.models import Person
from people.name_validation import inline_name


def zone_choices() -> list[tuple[str, str]]:
    """Every zone named after a place, such as Europe/Berlin."""
    named = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return [(zone, zone.replace("_", " ")) for zone in ("UTC", *named)]


class ZoneField(forms.ChoiceField):
    def __init__(self) -> None:
        asked = make_field(FoundGroup, "zone")
        super().__init__(label=asked.label, help_text=asked.help_text, choices=zone_choices)


class GroupForm(DataclassForm[FoundGroup]):
    zone = ZoneField()

    @staticmethod
    def initial_zone() -> str:
        """The viewer's zone, if it is one we offer."""
        here = timezone.get_current_timezone_name()
        return here if here in zoneinfo.available_timezones() else "UTC"


class GroupSettingsForm(DataclassForm[ChangeGroup]):
    zone = ZoneField()


class MemberForm(DataclassForm[AddMember]):
    which = forms.CharField(label="Who is it?", required=False, widget=forms.HiddenInput)

    def ask_who_is_meant(self, namesakes: Sequence[Person], members: Collection[int]) -> None:
        """One of these people, or somebody new."""
        choices = [(str(person.pk), _describe(person, members)) for person in namesakes]
        self.fields["which"].widget = forms.RadioSelect(
            choices=[*choices, (services.NEW_GUEST, "Someone else with this name")]
        )


def _describe(person: Person, members: Collection[int]) -> str:
    words = "has an account" if person.has_account else "no account"
    here = ", already in this group" if person.pk in members else ""
    return f"{inline_name(person.name)} ({words}{here})"


@person_required
@require_http_methods(["GET", "POST"])
def found_group(request: HttpRequest) -> HttpResponse:
    form = GroupForm(request.POST, initial={"zone": GroupForm.initial_zone()})

    def found_with_link(key: str, sent: FoundGroup) -> Group:
        group = services.found_group(request.who, key, sent)
        services.create_invitation(group, request.who)
        return group

    if group := form.submit(request, found_with_link):
        return redirect(group)
    return render(request, "groups/new.html", {"form": form}, status=422 if form.is_bound else 200)


@require_safe
def group_page(request: HttpRequest, code: str) -> HttpResponse:
    group = selectors.get_visible_group(request.who, code)
    role = permissions.role_in(group, request.who)
    context = {
        "group": group,
        "role": role,
        "members": selectors.list_members(group),
        "parts": GROUP_PAGE.build(request, group, role),
        "key": new_key(),
    }
    return render(request, "groups/page.html", context)


@require_http_methods(["GET", "POST"])
def members(request: HttpRequest, code: str) -> HttpResponse:
    """Everyone in the group, the invitation link, and adding people by name."""
    group = selectors.get_group_as_member(request.who, code)
    if "invite" in request.POST:
        services.create_invitation(group, request.who)
        return redirect("groups:members", code)
    form = MemberForm(request.POST)

    def add(key: str, sent: AddMember) -> Person:
        try:
            return services.add_by_name(group, request.who, key, sent)
        except services.NamesakesKnown as refusal:
            form.ask_who_is_meant(refusal.namesakes, {person.pk for person in selectors.people_of(group)})
            raise

    if form.submit(request, add):
        return redirect("groups:members", code)
    is_host = permissions.is_host(group, request.who)
    link = services.find_invitation(group) if is_host else None
    context = {
        "group": group,
        "members": selectors.list_members(group),
        "is_host": is_host,
        "form": form,
        "key": new_key(),
        "address": guest_url(link.get_absolute_url()) if link else None,
    }
    return render(request, "groups/members.html", context, status=422 if form.is_bound else 200)


@require_POST
def change_member(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Change someone's role, remove them, or leave the group."""
    group = selectors.get_group_as_member(request.who, code)
    member = get_object_or_404(Member.objects.select_related("person__merged_into"), group=group, pk=pk)
    key, role = request.POST.get("key", ""), request.POST.get("role", "")
    if role == "gone":
        services.remove_member(group, request.who, key=key, member=member)
    else:
        permissions.require_host(group, request.who)
        services.set_role(group, request.who, key, dataclass_json.read(ChangeMember, {"role": role}), member=member)
    return redirect("groups:members", code) if permissions.is_member(group, request.who) else redirect("/nights/")


@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, code: str) -> HttpResponse:
    group = selectors.get_group_as_host(request.who, code)
    form = GroupSettingsForm(request.POST, now=take(ChangeGroup, group))
    if form.submit(request, partial(services.change_settings, group, request.who)):
        return redirect(group)
    return render(request, "groups/settings.html", {"group": group, "form": form}, status=422 if form.is_bound else 200)
