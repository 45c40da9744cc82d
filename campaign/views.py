"""Pages of a campaign: fetch (the look-up is the permission check), ask, draw."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign import chronicle, invitations, reading
from campaign.annals.state import State
from campaign.door import is_master
from campaign.forms import NoteForm
from campaign.map.sheet import map_sheet
from campaign.map.svg import drawing
from campaign.models import Campaign, Member, Visit
from campaign.share import of_campaign
from campaign.sheet import campaign_sheet
from live.etag import drawn_once
from log import door
from pages.address import guest_url
from pages.numbers import whole
from people import passes
from refusal import Refusal


def visible(request: HttpRequest, code: str) -> Campaign:
    return get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log"), code=code)


def run_by(request: HttpRequest, code: str) -> Campaign:
    """For pages of the game master: others who may see the campaign are told so."""
    campaign = visible(request, code)
    if not Campaign.objects.run_by(request.who).filter(pk=campaign.pk).exists():
        raise Refusal("Only the game master does this.", status=403)
    return campaign


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    campaigns = Campaign.objects.of(request.who).select_related("log")
    return render(request, "campaign/index.html", {"campaigns": campaigns})


@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    state = reading.state_of(campaign)
    context = _war(request, campaign, state)
    if context["sheet"].kingdoms:
        context["share"] = of_campaign(campaign, context["sheet"].lead)
    if context["sheet"].may_write:
        context["note_form"] = NoteForm(initial={"key": door.new_key()}, auto_id="note_%s")
        context |= _visited(request, campaign)
    return render(request, "campaign/page.html", context)


def _visited(request: HttpRequest, campaign: Campaign) -> dict[str, int]:
    """How many lines came since this person was last here, and after which; and that they are here now."""
    visit, first = Visit.objects.get_or_create(
        campaign=campaign, person=request.who.person, defaults={"number": campaign.log.length}
    )
    news = 0 if first else campaign.log.length - visit.number
    if news:
        Visit.objects.filter(pk=visit.pk).update(number=campaign.log.length)
    return {"news": news, "since": visit.number}


@require_safe
def parts(request: HttpRequest, code: str) -> HttpResponse:
    """Board and chronicle alone, in one answer, for pages that heard of news. Drawn once for all who may do the same."""
    campaign = visible(request, code)
    state = reading.state_of(campaign)

    def drawn() -> HttpResponse:
        return render(request, "campaign/_parts.html", _war(request, campaign, state))

    return drawn_once(request, drawn, campaign.log.version, _rights(request, campaign, state))


def _war(request: HttpRequest, campaign: Campaign, state: State) -> dict:
    """The sheet, and the map where there are kingdoms to draw."""
    sheet = campaign_sheet(campaign, request.who, state=state, before=_before(request))
    context = {"sheet": sheet, "log_id": campaign.log_id, "before": _before(request)}
    if sheet.kingdoms:
        realm = map_sheet(state, seed=campaign.code, title=f"Map of {campaign.name}")
        context |= {"map": realm, "drawing": drawing(realm)}
    return context


def _rights(request: HttpRequest, campaign: Campaign, state: State) -> tuple:
    """Everything about a viewer that changes what these parts look like."""
    if request.who.person is None:
        return ()
    ids = request.who.person.all_ids()
    member = Member.objects.filter(campaign=campaign, person__in=ids).exists()
    return member, is_master(state, request.who), tuple(realm.id for realm in state.ruled_by(set(ids)))


@require_POST
def note(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    chronicle.note(campaign, request.who, key=request.POST.get("key", ""), text=request.POST.get("text", ""))
    if request.headers.get("X-Outbox"):
        return render(request, "campaign/_ledger.html", {"sheet": campaign_sheet(visible(request, code), request.who)})
    return redirect(campaign)


@require_POST
def rename(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    data = request.POST
    chronicle.rename(
        campaign, request.who, key=data.get("key", ""), name=data.get("name", ""), seen=data.get("seen", "")
    )
    return redirect(campaign)


@require_http_methods(["GET", "POST"])
def invite(request: HttpRequest, code: str) -> HttpResponse:
    campaign = run_by(request, code)
    if request.method == "POST":
        if "links" in request.POST:
            invitations.link_friends(campaign, request.who)
            return redirect("campaign:invite", campaign.code)
        number = request.POST.get("take_back", "")
        if row := invitations.open_passes(campaign).filter(pk=whole(number) or 0).first():
            passes.revoke(row)
        else:
            invitations.make(campaign, request.who, label=request.POST.get("label", ""))
        return redirect("campaign:invite", campaign.code)
    rows = [(row, guest_url(row.get_absolute_url())) for row in invitations.open_passes(campaign)]
    friends = invitations.friends(campaign, request.who)
    context = {
        "campaign": campaign,
        "rows": rows,
        "friends": friends,
        "linkless": any(not friend.has_link for friend in friends),
    }
    return render(request, "campaign/invite.html", context)


def _before(request: HttpRequest) -> int | None:
    return whole(request.GET.get("before", ""))
