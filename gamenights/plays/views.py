"""Logging a play, its page with its history, changing, moving and removing it."""

from collections.abc import Callable
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gamenights import campaigns
from gamenights.nights.models import Night
from gamenights.nights.permissions import require_part
from gamenights.nights.selectors import get_visible_night
from gamenights.plays import services
from gamenights.plays.display import build_history, build_play_rows, build_proposal
from gamenights.plays.entry_form import EntryForm, empty_form, fill_form, form_of_play, read_form
from gamenights.plays.models import Play
from gamenights.plays.permissions import can_edit, can_see, require_edit
from groups.models import Group
from groups.selectors import get_group_as_member, get_visible_group
from log.services import new_key
from pages.number_parsing import parse_int
from pages.request_middleware import accept_bodies_up_to
from people.login_required import person_required
from photos import services as photos_services
from photos.display import build_photos
from photos.pictures import EMPTY, MAX_BYTES
from refusal import Refusal


def _get_play(request: HttpRequest, code: str, uuid: str) -> Play:
    plays = Play.objects.select_related("group__log", "night", "game", "result__table", "battle")
    play = get_object_or_404(plays, group__code=code, uuid=uuid)
    if not can_see(play, request.who):
        raise Http404
    return play


@person_required
@require_http_methods(["GET", "POST"])
def log_in_night(request: HttpRequest, code: str) -> HttpResponse:
    """Log a play of this night. Guests who are here can too."""
    night = get_visible_night(request, code)
    require_part(night, request.who)
    return _log(request, night.group, night)


@person_required
@require_http_methods(["GET", "POST"])
def log_in_group(request: HttpRequest, code: str) -> HttpResponse:
    """Log a play outside a night."""
    group = get_group_as_member(request.who, code)
    return _log(request, group, None)


def _log(request: HttpRequest, group: Group, night: Night | None) -> HttpResponse:
    same = request.GET.get("same", "")
    same_as = Play.objects.filter(group=group, uuid=same).first() if same else None
    form = empty_form(group, night, same_as)
    if _save(request, form, partial(services.log_play, group, request.who, night=night)):
        return redirect(night or group)
    return _render(request, form, night or group)


def _save(request: HttpRequest, form: EntryForm, write: Callable[..., object]) -> bool:
    """Save what was sent. What is wrong is shown at its field; a page that waits for JSON gets the sentence."""
    if request.method != "POST":
        return False
    key = request.POST.get("key", "")
    fill_form(form, request.POST)
    try:
        write(key=key, facts=read_form(form, request.who, key))
    except Refusal as refusal:
        if refusal.status != 422 or "X-Outbox" in request.headers:
            raise
        form.refuse(refusal, [row.pk for row in form.playing])
        return False
    return True


def _render(
    request: HttpRequest, form: EntryForm, back: Night | Group | Play, play: Play | None = None
) -> HttpResponse:
    context = {"form": form, "key": new_key(), "back": back.get_absolute_url(), "play": play}
    return render(request, "gamenights/plays/entry.html", context, status=422 if request.method == "POST" else 200)


@require_safe
def play_page(request: HttpRequest, code: str, uuid: str) -> HttpResponse:
    play = _get_play(request, code, uuid)
    editable = can_edit(play, request.who)
    context = {
        "play": play,
        "row": build_play_rows(Play.objects.filter(pk=play.pk), play.group)[0],
        "history": build_history(play),
        "proposal": build_proposal(play, request.who),
        "editable": editable,
        "from_elsewhere": services.FROM_ELSEWHERE.get(play.source, ""),
        "nights": Night.objects.filter(group=play.group).exclude(day=None)[:20] if editable else (),
        "key": new_key(),
        "photos": build_photos(play, request.who),
        "photo_key": new_key(),
    }
    return render(request, "gamenights/plays/play.html", context)


@accept_bodies_up_to(MAX_BYTES + 1024 * 1024)
@require_POST
def add_photo(request: HttpRequest, code: str, uuid: str) -> HttpResponse:
    play = _get_play(request, code, uuid)
    sent = request.FILES.get("photo")
    if sent is None:
        raise Refusal(EMPTY, field="photo")
    photos_services.add_photo(play, request.who, key=request.POST.get("key", ""), file=sent)
    return redirect(f"{play.get_absolute_url()}#photos")


@person_required
@require_http_methods(["GET", "POST"])
def change_play(request: HttpRequest, code: str, uuid: str) -> HttpResponse:
    play = _get_play(request, code, uuid)
    require_edit(play, request.who)
    if play.source in services.FROM_ELSEWHERE:
        raise Refusal(services.FROM_ELSEWHERE[Play.Source(play.source)], status=409)
    form = form_of_play(play)
    if _save(request, form, partial(services.change_play, play, request.who)):
        return redirect(play)
    return _render(request, form, play, play)


@require_POST
def manage_play(request: HttpRequest, code: str, uuid: str) -> HttpResponse:
    """Remove it, restore it, move it to another night, or settle a change that waits for consent."""
    play = _get_play(request, code, uuid)
    key, act = request.POST.get("key", ""), request.POST.get("act", "")
    if act == "remove":
        services.remove_play(play, request.who, key=key)
    elif act == "restore":
        services.restore_play(play, request.who, key=key)
    elif act == "move":
        wanted = request.POST.get("night", "")
        night = get_object_or_404(Night, group=play.group, code=wanted) if wanted else None
        services.move_play(play, request.who, key=key, night=night)
    elif act in ("agree", "reject"):
        proposal = parse_int(request.POST.get("proposal", "")) or 0
        services.settle_change(play, request.who, key=key, proposal=proposal, agree=act == "agree")
    else:
        raise Refusal("Choose what to do with this play.", field="act")
    return redirect(reverse("gamenights:play", args=[code, uuid]))


@require_POST
def change_campaigns(request: HttpRequest, code: str) -> HttpResponse:
    """Add a campaign to the group, or take it out: its battles are plays of the group."""
    group = get_visible_group(request.who, code)
    act = "remove" if request.POST.get("act") == "remove" else "add"
    sent = campaigns.ChangeGroupCampaigns(request.POST.get("campaign", ""), act)
    campaigns.change_campaigns(group, request.who, request.POST.get("key", ""), sent)
    return redirect(group)
