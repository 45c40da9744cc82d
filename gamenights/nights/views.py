"""Pages of a night: the room, planning it, answering, checking in, running it."""

import datetime as dt
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import dataclass_json
from cardgames.games import SHELF
from cardgames.selectors import find_by_typed_code
from cardgames.tables.seats import seat_and_watch_passes as table_passes, seating
from gamenights.nights import permissions, selectors, services
from gamenights.nights.calendar_events import CalendarNight, write_calendar
from gamenights.nights.calendar_feeds import find_group, list_addresses, list_for_calendar, list_news
from gamenights.nights.display import build_night
from gamenights.nights.entries import AddBringItem, ChangeBringItem, ChangeNight, GiveAnswer, OpenTable, PlanNight
from gamenights.nights.models import Night
from gamenights.notices.notice_formats import write_atom
from gamenights.recap.display import build_recap
from groups.models import Group
from groups.selectors import get_group_as_member
from live.shared_parts import add_etag, not_modified_response
from log.services import new_key
from pages.fields.columns_and_rows import take
from pages.fields.forms import Cleaned, DataclassForm, MomentField
from pages.key_form import KeyForm
from pages.number_parsing import parse_int
from pages.site_address_for_guests import base_url, guest_url
from people.forms import NameField
from people.login_required import person_required
from people.requester import Who
from refusal import Refusal

NO_CODE = "Nothing has this code. Check the letters on the host's phone or the TV."


@require_http_methods(["GET", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    """/n/: type the code of a night or a table."""
    code = request.POST.get("code", "").strip().upper()
    if request.method == "POST" and (url := find_by_typed_code(request, code)):
        return redirect(url)
    context = {"code": code, "error": NO_CODE if request.method == "POST" else ""}
    return render(request, "gamenights/nights/enter_code.html", context, status=404 if context["error"] else 200)


# ── Planning ─────────────────────────────────────────────────────────────────────────────────────────────


class NightForm(DataclassForm[ChangeNight]):
    starts_at = MomentField(label="Starts", required=False)
    field_order = ("key", "title", "starts_at", "place", "plan")

    def __init__(self, *args: Any, group: Group, **kwargs: Any) -> None:
        super().__init__(*args, zone=group.tzinfo, **kwargs)
        self.fields["starts_at"].help_text = f"In the group's time zone, {group.zone.replace('_', ' ')}."


class PlanNightForm(NightForm, DataclassForm[PlanNight]):
    """One date is fixed; several are voted on."""

    left_out = ("dates", "battle")
    date_2 = MomentField(label="Or", required=False)
    date_3 = MomentField(label="Or", required=False)
    date_4 = MomentField(label="Or", required=False)

    def clean(self) -> Cleaned:
        data = super().clean()
        dates = self._dates()
        if any(moment < timezone.now() - dt.timedelta(days=1) for moment in dates):
            self.add_error("starts_at", "This date is in the past. Enter a later one.")
        if not dates and "starts_at" not in self.errors:
            self.add_error("starts_at", "Enter when it starts.")
        return data

    def clean_left_out(self) -> Cleaned:
        return {"dates": self._dates()}

    def _dates(self) -> tuple[dt.datetime, ...]:
        asked = (self.cleaned_data.get(name) for name in ("starts_at", "date_2", "date_3", "date_4"))
        return tuple(moment.replace(tzinfo=self.zone) for moment in asked if moment is not None)


@person_required
@require_http_methods(["GET", "POST"])
def plan_night(request: HttpRequest, code: str) -> HttpResponse:
    group = get_group_as_member(request.who, code)
    battle = selectors.find_declared_battle(group, request.who, request.GET.get("battle", ""))
    title = selectors.suggest_title(battle) if battle else ""
    form = PlanNightForm(request.POST, group=group, initial={"title": title})
    if night := form.submit(request, partial(services.plan_night, group, request.who, battle=battle)):
        return redirect(night)
    context = {"form": form, "group": group, "battle": battle}
    return render(request, "gamenights/nights/plan.html", context, status=422 if form.is_bound else 200)


@person_required
@require_POST
def start_tonight(request: HttpRequest, code: str) -> HttpResponse:
    group = get_group_as_member(request.who, code)
    return redirect(services.start_tonight(group, request.who, key=request.POST.get("key", "")))


@person_required
@require_http_methods(["GET", "POST"])
def change_night(request: HttpRequest, code: str) -> HttpResponse:
    night = selectors.get_visible_night(request, code)
    permissions.require_run(night, request.who)
    form = NightForm(request.POST, group=night.group, now=take(ChangeNight, night))
    if form.submit(request, partial(services.change_night, night, request.who)):
        return redirect(night)
    return render(
        request, "gamenights/nights/change.html", {"form": form, "night": night}, status=422 if form.is_bound else 200
    )


# ── The room ─────────────────────────────────────────────────────────────────────────────────────────────


class CheckInForm(KeyForm):
    name = NameField(label="Your name", widget=forms.TextInput(attrs={"autocomplete": "given-name", "maxlength": 80}))


@never_cache
@require_safe
def night_page(request: HttpRequest, code: str) -> HttpResponse:
    night = selectors.get_visible_night(request, code)
    return render(request, "gamenights/nights/night.html", _context(request, night))


@require_safe
def night_part(request: HttpRequest, code: str) -> HttpResponse:
    """The room for live updates."""
    night = selectors.get_visible_night(request, code)
    if answer := not_modified_response(request, night.group.log.version):
        return answer
    return add_etag(request, render(request, "gamenights/nights/_night.html", _context(request, night)))


def _context(request: HttpRequest, night: Night) -> dict:
    return {
        "display": build_night(night, request.who),
        "night": night,
        "group": night.group,
        "form": CheckInForm(initial={"key": new_key()}),
        "address": guest_url(night.get_absolute_url()),
        "key": new_key(),
    }


@require_POST
def answer(request: HttpRequest, code: str) -> HttpResponse:
    """Yes, maybe or no. Without an account a name is enough."""
    night = selectors.get_visible_night(request, code)
    wanted = dataclass_json.read(GiveAnswer, {"answer": request.POST.get("answer", "")})
    if not request.who.is_known:
        return _come_by_name(request, night, then=lambda who: services.answer_invitation(night, who, new_key(), wanted))
    services.answer_invitation(night, request.who, request.POST.get("key", ""), wanted)
    return redirect(night)


@require_POST
def check_in_here(request: HttpRequest, code: str) -> HttpResponse:
    """I am here. A phone without a log-in gives a name and is remembered."""
    night = selectors.get_visible_night(request, code)
    if not request.who.is_known:
        return _come_by_name(request, night, then=lambda who: services.check_in(night, who, key=new_key()))
    services.check_in(night, request.who, key=request.POST.get("key", ""))
    return redirect(night)


def _come_by_name(request: HttpRequest, night: Night, then: Callable[[Who], object]) -> HttpResponse:
    """Make a guest of this phone. A name the group knows is asked about, never merged silently."""
    form = CheckInForm(request.POST)
    if not form.is_valid():
        return render(request, "gamenights/nights/night.html", {**_context(request, night), "form": form}, status=422)
    try:
        known = services.come_by_name(request, night, form.cleaned_data["name"], request.POST.get("known", ""), then)
    except services.IsThatYou as asked:
        context = {"night": night, "group": night.group, "name": asked.name, "namesakes": asked.namesakes}
        own = ("csrfmiddlewaretoken", "key", "name", "known")
        context |= {"sent": [row for row in request.POST.items() if row[0] not in own], "action": request.path}
        return render(request, "gamenights/nights/is_that_you.html", {**context, "key": new_key()})
    if known is not None:
        messages.info(request, "The host will confirm that it is you.")
    return redirect(night)


@require_POST
def leave(request: HttpRequest, code: str) -> HttpResponse:
    night = selectors.get_visible_night(request, code)
    services.check_out(night, request.who, key=request.POST.get("key", ""))
    return redirect(night)


@require_POST
def manage(request: HttpRequest, code: str) -> HttpResponse:
    """What the host and co-hosts do: close, reopen, co-hosts, hand-over, check others in and out, answer claims."""
    night = selectors.get_visible_night(request, code)
    who, key, act = request.who, request.POST.get("key", ""), request.POST.get("act", "")
    if act in services.OF_THE_NIGHT:
        services.OF_THE_NIGHT[act](night, who, key=key)
    elif act in services.OF_A_PERSON:
        person = selectors.find_in_night(night, pk=_number(request, "person"))
        services.OF_A_PERSON[act](night, who, key=key, person=person)
    elif act in services.OF_A_CLAIM:
        attendance = selectors.find_attendance(night, _number(request, "attendance"))
        services.OF_A_CLAIM[act](night, who, key=key, attendance=attendance)
    else:
        permissions.require_run(night, who)
        raise Refusal("Choose what to do.", field="act")
    return redirect(night)


def _number(request: HttpRequest, name: str) -> int:
    return parse_int(request.POST.get(name, "")) or 0


@require_POST
def bring(request: HttpRequest, code: str) -> HttpResponse:
    night = selectors.get_visible_night(request, code)
    permissions.require_part(night, request.who)
    key, act = request.POST.get("key", ""), request.POST.get("act", "add")
    if act == "add":
        sent = dataclass_json.read(AddBringItem, {"what": request.POST.get("what", "")})
        services.add_bring_item(night, request.who, key, sent)
    else:
        change = dataclass_json.read(ChangeBringItem, {"act": act})
        item = get_object_or_404(night.bring_items, pk=_number(request, "item"))
        services.change_bring_item(night, request.who, key, change, item=item)
    return redirect(f"{night.get_absolute_url()}#bring")


@require_POST
def dates(request: HttpRequest, code: str) -> HttpResponse:
    """Vote on the dates or, as host, choose one."""
    night = selectors.get_visible_night(request, code)
    key = request.POST.get("key", "")
    if chosen := _number(request, "choose"):
        services.choose_date(night, request.who, key=key, option=get_object_or_404(night.date_options, pk=chosen))
        return redirect(night)
    answers = {
        int(name.removeprefix("date-")): value
        for name, value in request.POST.items()
        if name.startswith("date-") and parse_int(name.removeprefix("date-")) is not None
    }
    if not request.who.is_known:
        return _come_by_name(
            request, night, then=lambda who: services.vote_on_dates(night, who, key=new_key(), answers=answers)
        )
    services.vote_on_dates(night, request.who, key=key, answers=answers)
    return redirect(night)


@person_required
@require_http_methods(["GET", "POST"])
def start_table(request: HttpRequest, code: str) -> HttpResponse:
    """Choose a card game; one tap opens its table in this night."""
    night = selectors.get_visible_night(request, code)
    permissions.require_part(night, request.who)
    if request.method == "POST":
        game = dataclass_json.read(OpenTable, {"game": request.POST.get("game", "")}).game
        key = request.POST.get("key", "")
        table = services.open_table(night, request.who, key=key, game=game)
        table_passes.grant_watch_pass(request, table)
        seating.seat_host(request, table, key=key)
        return redirect(table)
    context = {"night": night, "games": SHELF.values(), "key": new_key()}
    return render(request, "gamenights/nights/start_table.html", context)


# ── The TV ───────────────────────────────────────────────────────────────────────────────────────────────

TV_PAGES = (("room", "Room"), ("tables", "Tables"), ("results", "Results"), ("recap", "Recap"))


@require_safe
def tv(request: HttpRequest, code: str) -> HttpResponse:
    """One screen for the evening. Without a script it moves on by itself with ?show=."""
    night = selectors.get_visible_night(request, code)
    return render(request, "gamenights/nights/tv.html", _tv_context(request, night))


@require_safe
def tv_part(request: HttpRequest, code: str) -> HttpResponse:
    night = selectors.get_visible_night(request, code)
    context = _tv_context(request, night)
    if answer := not_modified_response(request, night.group.log.version, context["tables_version"]):
        return answer
    return add_etag(request, render(request, "gamenights/nights/_tv.html", context))


def _tv_context(request: HttpRequest, night: Night) -> dict:
    pages = TV_PAGES if permissions.can_see_evening(night, request.who) else TV_PAGES[:2]
    keys = [key for key, _ in pages]
    show = request.GET.get("show", "")
    show = show if show in keys else keys[0]
    # The screen is everybody's: nobody on it is "you".
    display = build_night(night, Who(), watched_by=request.who)
    return {
        "display": display,
        "recap": build_recap(night) if display.can_see_evening else None,
        "night": night,
        "pages": pages,
        "show": show,
        "following": keys[(keys.index(show) + 1) % len(keys)],
        "address": guest_url(night.get_absolute_url()),
        "tables_version": tuple((row.code, row.text) for row in display.tables),
    }


# ── Calendars ──────────────────────────────────────────────────────────────────────────────────────────


@require_safe
def night_file(request: HttpRequest, code: str) -> HttpResponse:
    """/nights/<code>/calendar.ics"""
    night = selectors.get_visible_night(request, code)
    rows = list_for_calendar(night.group, [night])
    if not permissions.can_see_evening(night, request.who):
        rows = [replace(row, place="", text="") for row in rows]
    if not rows:
        raise Refusal("This night has no date yet. Vote on one first.", status=409)
    response = _calendar(night.group, rows)
    response["Content-Disposition"] = f'attachment; filename="{slugify(night.name) or "night"}-{night.day}.ics"'
    return response


@require_safe
def group_calendar(request: HttpRequest, token: str) -> HttpResponse:
    group = find_group(token)
    return _calendar(group, list_for_calendar(group))


def _calendar(group: Group, nights: list[CalendarNight]) -> HttpResponse:
    host = urlsplit(base_url()).hostname or "localhost"
    data = write_calendar(nights, name=group.name, zone=group.tzinfo, host=host)
    return HttpResponse(data, content_type="text/calendar; charset=utf-8", headers={"Cache-Control": "no-store"})


@require_safe
def group_feed(request: HttpRequest, token: str) -> HttpResponse:
    group = find_group(token)
    data = write_atom(
        list_news(group),
        title=group.name,
        feed_url=base_url() + request.path,
        page_url=base_url() + group.get_absolute_url(),
        feed_id=f"tag:{urlsplit(base_url()).hostname},2026:group-{group.code}",
    )
    return HttpResponse(data, content_type="application/atom+xml; charset=utf-8", headers={"Cache-Control": "no-store"})


@person_required
@require_safe
def addresses(request: HttpRequest, code: str) -> HttpResponse:
    """The addresses to subscribe to, made for this member alone."""
    group = get_group_as_member(request.who, code)
    context = {"group": group, **asdict(list_addresses(group, request.who.person))}
    return render(request, "gamenights/calendar/addresses.html", context)
