"""Pages of a group: its page, its members and its settings."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import dataclass_json
from groups import invitations, permissions, selectors, services
from groups.display import GROUP_PAGE
from groups.entries import AddMember, ChangeGroup, ChangeMember, FoundGroup
from groups.forms import GroupForm, GroupSettingsForm, MemberForm
from groups.models import Group, Member
from log.services import new_key
from pages.fields.rows import take
from pages.site_address_for_guests import guest_url
from people.login_required import person_required
from people.models import Person


@person_required
@require_http_methods(["GET", "POST"])
def found_group(request: HttpRequest) -> HttpResponse:
    form = GroupForm(request.POST, initial={"zone": GroupForm.initial_zone()})

    def found(key: str, sent: FoundGroup) -> Group:
        group = services.found_group(request.who, key, sent)
        invitations.create_invitation(group, request.who)
        return group

    if group := form.submit(request, found):
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
    group = selectors.get_visible_group(request.who, code)
    permissions.require_member(group, request.who)
    if "invite" in request.POST:
        invitations.create_invitation(group, request.who)
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
    link = invitations.find_invitation(group) if is_host else None
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
    group = selectors.get_visible_group(request.who, code)
    permissions.require_member(group, request.who)
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
    group = selectors.get_visible_group(request.who, code)
    permissions.require_host(group, request.who)
    form = GroupSettingsForm(request.POST, now=take(ChangeGroup, group))
    if form.submit(request, partial(services.change_settings, group, request.who)):
        return redirect(group)
    return render(request, "groups/settings.html", {"group": group, "form": form}, status=422 if form.is_bound else 200)
