"""The recap of a night: its page and its picture."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from gamenights.nights.models import Night
from gamenights.nights.permissions import can_see_evening, require_evening
from gamenights.nights.selectors import get_visible_night
from gamenights.plays.selectors import plays_of_night
from gamenights.plays.values import format_day
from gamenights.recap.display import build_recap, draw_picture
from groups.models import Group
from live.shared_parts import render_once
from pages.site_address_for_guests import LinkPreview, make_link_preview
from photos.display import shown_photos

MAX_PHOTOS = 24


@require_safe
def recap_page(request: HttpRequest, code: str) -> HttpResponse:
    night = get_visible_night(request, code)
    if not can_see_evening(night, request.who):
        return redirect(night)
    display = build_recap(night)
    context = {"display": display, "night": night, "group": night.group}
    context["photos"] = shown_photos(plays_of_night(night))[:MAX_PHOTOS]
    context["share"] = _link_preview(night, display.recap.headline, display.recap.summary)
    return render(request, "gamenights/recap/recap.html", context)


@require_safe
def recap_picture(request: HttpRequest, code: str) -> HttpResponse:
    """1200 by 630, for chats."""
    night = get_visible_night(request, code)
    require_evening(night, request.who)

    def draw() -> HttpResponse:
        return HttpResponse(draw_picture(build_recap(night), _under(night)), content_type="image/png")

    return render_once(request, draw, night.group.log.version, content_type="image/png")


def _under(night: Night) -> str:
    return f"{night.group.name}, {format_day(night.day)}" if night.day else night.group.name


def _link_preview(night: Night, title: str, text: str) -> LinkPreview | None:
    """Only nights of public groups have a link preview."""
    if night.group.visibility != Group.Visibility.PUBLIC:
        return None
    picture = f"{reverse('gamenights:recap_picture', args=[night.code])}?v={night.group.log.version}"
    return make_link_preview(title, text, reverse("gamenights:recap", args=[night.code]), picture, f"{title}. {text}")
