"""Pages of a campaign: its own, each kingdom's, the map of any day, and the files of its map."""

from collections.abc import Callable

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign import selectors, services
from campaign.charts.bars import Waterfall, WaterfallStep, draw_waterfall
from campaign.chronicle.acts.war import SpendVp
from campaign.chronicle.corrections import diff_states
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import ScoreStep, list_purchases, list_score_steps
from campaign.chronicle.seasons.standings import rank_kingdoms
from campaign.chronicle.sentences import ChangeRow, Names, describe_changes
from campaign.chronicle.state import State
from campaign.display import (
    ALL,
    SHOWN,
    CampaignDisplay,
    build_campaign_display,
    entry_rows,
    kingdom_rows,
    live_part_of,
    names_for,
)
from campaign.forms import NoteForm
from campaign.invitations import services as invitations_services
from campaign.map.display import build_map_display
from campaign.map.svg import draw_lands, draw_map_with_key
from campaign.map_link_preview import campaign_link_preview, draw_share_card, lands_address
from campaign.models import Campaign, Visit
from campaign.permissions import ids_of, is_master, roles_in
from live.shared_parts import render_once
from log.services import new_key
from pages.number_parsing import parse_int
from pages.site_address_for_guests import guest_url
from people.passes import services as passes_services
from prepared_queries import prepared_query
from rulebook.odds import muster as muster_odds


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    campaigns = selectors.own_campaigns(request.who).campaigns
    context = {"campaigns": campaigns, "live": live_part_of(campaigns)}
    return render(request, "campaign/home/index.html", context)


@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    context = _campaign_context(request, campaign, state)
    if context["display"].kingdoms:
        context["share"] = campaign_link_preview(campaign, context["display"].lead)
    if context["display"].can_write:
        context["note_form"] = NoteForm(initial={"key": new_key()}, auto_id="note_%s")
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
    campaign, state = selectors.get_campaign_with_state(request.who, code)

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
    services.add_note(campaign, request.who, key=request.POST.get("key", ""), text=request.POST.get("text", ""))
    if request.headers.get("X-Outbox"):
        display = build_campaign_display(selectors.get_visible_campaign(request.who, code), request.who)
        return render(request, "campaign/home/_entries.html", {"display": display})
    return redirect(campaign)


@require_POST
def rename(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    data = request.POST
    services.rename_campaign(
        campaign, request.who, key=data.get("key", ""), name=data.get("name", ""), seen=data.get("seen", "")
    )
    return redirect(campaign)


def _before(request: HttpRequest) -> int | None:
    return parse_int(request.GET.get("before", ""))


# --- A kingdom, and new ones ---------------------------------------------------------------------------------


STEPS_SHOWN = 12


@require_safe
def kingdom(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    this_kingdom = state.kingdoms.get(kingdom)
    if this_kingdom is None or this_kingdom.status == "gone":
        raise Http404
    names = names_for(campaign, state)
    row = next(row for row in kingdom_rows(state, names, ids_of(request.who)) if row.id == kingdom)
    entries = effective_entries(selectors.entries_of(campaign))
    display = build_campaign_display(campaign, request.who, state=state)
    nobles = [muster_odds.house_odds(this_kingdom.loyalty + by, state.rules()) for by in (-1, 0, 1)]
    context = {
        "campaign": campaign,
        "display": display,
        "row": row,
        "places": [
            (state.place_name(key), names.kingdom(holder), holder == kingdom)
            for key, holder in state.holders.items()
            if key.startswith(f"{kingdom}.")
        ],
        "conquered": [
            (state.place_name(key), names.kingdom(key.partition(".")[0]))
            for key, holder in state.holders.items()
            if holder == kingdom and not key.startswith(f"{kingdom}.")
        ],
        "loyalty": _waterfall(campaign, f"Loyalty of {row.name}", list_score_steps(entries, kingdom, "loyalty", names)),
        "vp": _waterfall(campaign, f"VP of {row.name}", list_score_steps(entries, kingdom, "vp", names), unit="VP"),
        "nobles": nobles,
        "sends": [(row.name, [odds.rows[n].chance for odds in nobles]) for n, row in enumerate(nobles[0].rows)],
        "purchases": list_purchases(state, this_kingdom),
        "can_act": display.can_run or row.mine,
        "key": new_key(),
    }
    return render(request, "campaign/kingdoms/kingdom.html", context)


def _waterfall(campaign: Campaign, title: str, steps: tuple[ScoreStep, ...], unit: str = "") -> dict[str, object]:
    """The newest steps as a waterfall chart, and all of them if there are more."""
    shown = steps[-STEPS_SHOWN:]
    start = shown[0].total - shown[0].by if shown else 0
    rows = tuple(WaterfallStep(s.number, s.why or s.sentence, s.by, url=entry_url(campaign, s.number)) for s in shown)
    before = "At the start" if len(steps) == len(shown) else f"Before entry {shown[0].number}"
    drawn = draw_waterfall(Waterfall(title, "", rows, start, before, unit=unit)) if shown else ""
    return {
        "drawing": drawn,
        "all": [(s, entry_url(campaign, s.number)) for s in steps] if len(steps) > len(shown) else (),
    }


def entry_url(campaign: Campaign, number: int) -> str:
    """The address of an entry, on whatever page it is."""
    return f"{campaign.get_absolute_url()}?before={number + 1}#entry-{number}"


@require_POST
def spend_vp(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    data = request.POST
    spend = SpendVp(kingdom, data.get("what", ""), parse_int(data.get("house", "")))
    points = parse_int(data.get("seen", ""), signed=True)
    seen = None if points is None else {f"vp:{kingdom}": points}
    services.write(campaign, request.who, spend, key=data.get("key", ""), seen=seen)
    return redirect("campaign:kingdom", code, kingdom)


@require_POST
def take_throne(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    services.take_throne(campaign, request.who, key=request.POST.get("key", ""), kingdom=kingdom)
    return redirect("campaign:kingdom", code, kingdom)


# --- The war atlas: any past map, with or without later corrections ------------------------------------------


@require_safe
def past_map(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    length = campaign.log.length
    at, since = _entry_number(request, "at", length) or length, _entry_number(request, "since", length)
    known = request.GET.get("as") == "known"
    state = selectors.state_as_known(campaign, at) if known else selectors.state_at(campaign, at)
    names = names_for(campaign, state)
    display = build_map_display(state, seed=campaign.code, title=f"Map of {campaign.name} after entry {at}")
    rows = entry_rows(campaign, request.who, names, numbers=[at])
    context = {
        "campaign": campaign,
        "at": at,
        "length": length,
        "share": round(100 * (at - 1) / (length - 1)) if length > 1 else 100,
        "known": known,
        "map": display,
        "drawing": draw_map_with_key(display, lands=lands_address(display)) if display.kingdoms else "",
        "kingdoms": kingdom_rows(state, names, set()) if state.kingdoms else (),
        "entry": rows[0] if rows else None,
        "since": since,
        "changes": _changes_since(campaign, since, names) if since else (),
    }
    return render(request, "campaign/history/past_map.html", context)


def _entry_number(request: HttpRequest, name: str, length: int) -> int:
    """The entry's number from the address, or 0."""
    number = parse_int(request.GET.get(name, ""))
    return 0 if number is None else min(max(number, 1), length)


def _changes_since(campaign: Campaign, since: int, names: Names) -> list[ChangeRow]:
    """What changed since an entry, by later entries or by corrections."""
    was, now = selectors.state_as_known(campaign, since), selectors.state_of(campaign)
    return describe_changes(diff_states(was, now), Names(now, names.people))


YEAR = 365 * 24 * 3600


@require_safe
def lands(request: HttpRequest, code: str, kingdoms: str) -> HttpResponse:
    """``kingdoms``: whose lands are on the map; a map of the past may have fewer."""
    campaign = selectors.get_visible_campaign(request.who, code)
    wanted = tuple(kingdoms.split("."))
    if not kingdoms or wanted != tuple(key for key in selectors.state_of(campaign).kingdoms if key in set(wanted)):
        raise Http404
    response = HttpResponse(draw_lands(wanted, campaign.code), content_type="image/svg+xml")
    response["Cache-Control"] = "no-store" if settings.PLAIN else f"private, max-age={YEAR}, immutable"
    return response


@require_safe
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Map and standings now, drawn once for each version."""
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    if not state.in_play():
        raise Http404

    def drawn() -> HttpResponse:
        display = build_map_display(state, seed=campaign.code)
        under = state.season_name if state.season_open else ""
        if state.winner:
            under = f"{state.kingdoms[state.winner].name} won the war"
        data = draw_share_card(campaign.name, under, display, rank_kingdoms(state, ()))
        return HttpResponse(data, content_type="image/png")

    return render_once(request, drawn, campaign.log.version, content_type="image/png")


@require_http_methods(["GET", "POST"])
def invite(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_campaign_as_master(request.who, code)
    if request.method == "POST":
        if "links" in request.POST:
            invitations_services.issue_guest_links(campaign, request.who)
            return redirect("campaign:invite", campaign.code)
        number = request.POST.get("take_back", "")
        if row := invitations_services.open_invitations(campaign).filter(pk=parse_int(number) or 0).first():
            passes_services.revoke_pass(row)
        else:
            invitations_services.create_invitation(campaign, request.who, label=request.POST.get("label", ""))
        return redirect("campaign:invite", campaign.code)
    rows = [(row, guest_url(row.get_absolute_url())) for row in invitations_services.open_invitations(campaign)]
    guests = invitations_services.find_guest_links(campaign, request.who)
    context = {
        "campaign": campaign,
        "rows": rows,
        "guests": guests,
        "linkless": any(not guest.has_link for guest in guests),
    }
    return render(request, "campaign/invitations/invite.html", context)
