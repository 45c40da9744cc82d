"""Main pages of a campaign."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import selectors
from campaign import services as campaign_services
from campaign.chronicle.state import State
from campaign.display import ALL, SHOWN, CampaignDisplay, build_campaign_display, live_part_of
from campaign.forms import NoteForm
from campaign.map.display import build_map_display
from campaign.map.svg import draw_map_with_key
from campaign.map_outlines.address import lands_address
from campaign.models import Campaign, Visit
from campaign.permissions import is_master, roles_in
from campaign.share.link_preview import campaign_link_preview
from live.shared_parts import render_once
from log import services as log_services
from pages.number_parsing import parse_int
from prepared_queries import prepared_query


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    campaigns = selectors.own_campaigns(request.who).campaigns
    context = {"campaigns": campaigns, "live": live_part_of(campaigns)}
    return render(request, "campaign/home/index.html", context)


@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    state = selectors.state_of(campaign)
    context = _campaign_context(request, campaign, state)
    if context["display"].kingdoms:
        context["share"] = campaign_link_preview(campaign, context["display"].lead)
    if context["display"].can_write:
        context["note_form"] = NoteForm(initial={"key": log_services.new_key()}, auto_id="note_%s")
        context |= _record_visit(request, campaign)
    return render(request, "campaign/home/page.html", context)


@prepared_query
def _visits(campaign: int, person: int) -> QuerySet[Visit]:
    return Visit.objects.filter(campaign=campaign, person=person)


def _record_visit(request: HttpRequest, campaign: Campaign) -> dict[str, int]:
    """Record the visit; return how many entries of others are new, and since which."""
    visit, first = _visits.first(campaign.pk, request.who.person.pk), False
    if visit is None:
        visit, first = Visit.objects.get_or_create(
            campaign=campaign, person=request.who.person, defaults={"number": campaign.log.length}
        )
    news = 0 if first else campaign.log.length - visit.number
    if news:
        Visit.objects.filter(pk=visit.pk).update(number=campaign.log.length)
        newer = campaign.log.entries.filter(number__gt=visit.number)
        news = newer.exclude(actor__in=request.who.person.all_ids()).count()
    return {"news": news, "since": visit.number}


@require_safe
def parts(request: HttpRequest, code: str) -> HttpResponse:
    """The live parts of the page, drawn once for all viewers with the same permissions."""
    campaign = selectors.get_visible_campaign(request.who, code)
    state = selectors.state_of(campaign)

    def drawn() -> HttpResponse:
        return render(request, "campaign/home/_parts.html", _campaign_context(request, campaign, state))

    return render_once(request, drawn, campaign.log.version, _viewer_permissions(request, campaign, state))


def _campaign_context(request: HttpRequest, campaign: Campaign, state: State) -> dict:
    """The display, and the map if there are kingdoms."""
    show = request.GET.get("show", ALL)
    show = show if show in SHOWN else ALL
    display = build_campaign_display(campaign, request.who, state=state, before=_before(request), show=show)
    context = {"display": display, "log_id": campaign.log_id, "before": _before(request)}
    if display.kingdoms:
        map_display = build_map_display(
            state,
            seed=campaign.code,
            title=f"Map of {campaign.name}",
            attacker=display.attacks,
            url=_target_url(campaign, display),
        )
        context |= {"map": map_display, "drawing": draw_map_with_key(map_display, lands=lands_address(map_display))}
    return context


def _target_url(campaign: Campaign, display: CampaignDisplay) -> Callable[[str], str] | None:
    """The map is the way to attack: a tap on a territory shows whether the viewer's kingdom can attack it."""
    mine = [row.id for row in display.kingdoms if row.mine and row.status == "playing"]
    attacker = display.attacks or (mine[0] if len(mine) == 1 else "")
    if not attacker or display.winner or len(display.kingdoms) < 2:
        return None
    here = reverse("campaign:targets", args=[campaign.code])
    return lambda key: f"{here}?attacker={attacker}&target={key}#chosen"


def _viewer_permissions(request: HttpRequest, campaign: Campaign, state: State) -> tuple:
    """What decides how these parts look to a viewer."""
    if request.who.person is None:
        return ()
    ids = request.who.person.all_ids()
    member = bool(roles_in(campaign, request.who))
    # A ruler and their regent see the same kingdom as theirs, but "you" is whoever acts for it.
    ruled = tuple((kingdom.id, kingdom.acting in ids) for kingdom in state.ruled_by(set(ids)))
    return member, is_master(state, request.who), ruled


@require_POST
def note(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    campaign_services.add_note(
        campaign, request.who, key=request.POST.get("key", ""), text=request.POST.get("text", "")
    )
    if request.headers.get("X-Outbox"):
        return render(
            request,
            "campaign/home/_entries.html",
            {"display": build_campaign_display(selectors.get_visible_campaign(request.who, code), request.who)},
        )
    return redirect(campaign)


@require_POST
def rename(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    data = request.POST
    campaign_services.rename_campaign(
        campaign, request.who, key=data.get("key", ""), name=data.get("name", ""), seen=data.get("seen", "")
    )
    return redirect(campaign)


def _before(request: HttpRequest) -> int | None:
    return parse_int(request.GET.get("before", ""))
