"""Pages of battles: the list, one battle, its set-up and progress, what follows it, heroes and statistics."""

from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from battles import next_step_display as page_display, services
from battles.battle_stage import find_called_off_entry
from battles.display import BATTLE_PAGE, battle_display
from battles.heroes import build_hero_display
from battles.link_preview import card_of, draw_card, link_preview_of
from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.permissions import permissions_of, require_permission
from battles.photos_and_written_reports import add_written_report, written_reports_of
from battles.result import approval_display
from battles.result.core.win_rates import tally_games
from battles.result.reporters import approve_version, get_reporter
from battles.selectors import get_visible_battle
from battles.side_display import hidden_kingdoms, side_rows, title_and_subtitle
from battles.statistics import campaigns_of, games_of, tally_tables
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.permissions import roles_in
from live.shared_parts import render_once
from log.services import new_key
from pages.number_parsing import parse_int
from pages.request_middleware import accept_bodies_up_to
from pages.site_address_for_guests import guest_url
from people.models import Person
from people.requester import Who, WhoWithPasses
from photos import services as photos_services
from photos.display import build_photos
from photos.pictures import EMPTY, MAX_BYTES
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.data.scenarios import SCENARIO

RECENT_BATTLES = 8


@prepared_query
def _open_battles(who: Who) -> QuerySet[Battle]:
    return Battle.objects.involving(who).select_related("campaign__log").open()[:30]


@prepared_query
def _confirmed_battles(who: Who) -> QuerySet[Battle]:
    rows = Battle.objects.involving(who).select_related("campaign__log").filter(stage=Battle.Stage.CONFIRMED)
    return rows.order_by("-played_on", "-pk")[:RECENT_BATTLES]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Open and finished battles, the slip code form, and ways to start a battle."""
    own = campaign_selectors.own_campaigns(request.who)
    who = WhoWithPasses(request.who)

    def list_row(battle: Battle) -> tuple[Battle, str, str]:
        state = own.state_of(battle.campaign) if battle.campaign else None
        return battle, *title_and_subtitle(battle, state)

    context = {
        "open": [list_row(battle) for battle in _open_battles(who)],
        "over": [list_row(battle) for battle in _confirmed_battles(who)],
        "campaigns": own.campaigns[:12],
    }
    return render(request, "battles/index.html", context)


@require_safe
def campaign_battle(request: HttpRequest, campaign: str, battle: int) -> HttpResponse:
    """Redirect from a campaign to its battle with this number; ``report`` is the day of one fought already."""
    visible = campaign_selectors.get_visible_campaign(request.who, campaign)
    row = new_battle_services.get_campaign_battle(visible, battle)
    if row is None:
        raise Http404
    if "report" in request.GET:
        query = urlencode({"on": request.GET["report"]})
        return redirect(f"{reverse('battles:report', args=[row.code])}?{query}")
    return redirect(row)


@require_safe
def battle_page(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = get_visible_battle(request.who, code)
    context = page_context(request, battle, state) | {
        "photos": build_photos(battle, request.who),
        "photo_key": new_key(),
        "note_key": new_key(),
        "written": written_reports_of(battle),
    }
    return render(request, "battles/page.html", context)


@require_safe
def live_part(request: HttpRequest, code: str) -> HttpResponse:
    """Only the part of the page that changes, for live updates."""
    battle, state = get_visible_battle(request.who, code)
    return render(request, "battles/_battle.html", page_context(request, battle, state))


def page_context(request: HttpRequest, battle: Battle, state: State | None) -> dict:
    permissions = permissions_of(battle, request.who, state)
    context = {
        "battle": battle,
        "display": battle_display(battle, state),
        "permissions": permissions,
        "key": new_key(),
        "log_ids": _log_ids(request, battle),
        "version": battle.log.version,
        "parts": BATTLE_PAGE.build(request, battle),
        "public": battle.campaign is not None and battle.campaign.visibility == Campaign.Visibility.PUBLIC,
        "members": battle.campaign is not None and bool(roles_in(battle.campaign, request.who)),
    }
    context["share"] = link_preview_of(battle, context["display"])
    if not battle.is_over:
        hidden = hidden_kingdoms(battle, state, request.who)
        rows = side_rows(battle, state, hidden)
        pending = (
            approval_display.pending_report_of(battle, state, request.who, can_answer=permissions.report)
            if state is not None
            else None
        )
        step = page_display.NextStepPart(
            next=page_display.next_step(battle, state, request.who, rows),
            battle=context["display"],
            picture=page_display.set_up_picture(battle),
            scenarios=tuple(SCENARIO[key] for key in services.scenarios_for(battle)),
            is_attacker_a=bool(state and state.rules().attacker_is_side_a),
            can_run=permissions.run,
            is_pending=pending is not None,
        )
        context |= {"step": step, "armies": page_display.army_columns(rows, hidden), "pending": pending}
    if battle.campaign is not None and battle.stage == Battle.Stage.CALLED_OFF:
        context["called_off"] = find_called_off_entry(battle.campaign, battle.number or 0)
    if battle.campaign_id is None and permissions.master:
        link = new_battle_services.find_edit_pass(battle)
        context["link"] = guest_url(link.get_absolute_url()) if link else None
    return context


def _log_ids(request: HttpRequest, battle: Battle) -> str:
    """The logs the page listens to: the battle's and, for those who may see it, the chronicle."""
    campaign = battle.campaign
    if campaign is None or not (campaign.visibility == Campaign.Visibility.PUBLIC or roles_in(campaign, request.who)):
        return str(battle.log_id)
    return f"{campaign.log_id},{battle.log_id}"


# --- before the battle ---------------------------------------------------------------------------------------------


@require_POST
def set_up(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    data = request.POST
    key = data.get("key", "")
    if "roll_sides" in data:
        services.roll_sides(battle, request.who, key=key)
    else:
        die = _read_die(data.get("die", ""), battle, key) if "roll" in data or data.get("die") else None
        services.set_up_battle(
            battle, request.who, key=key, scenario=data.get("scenario") or None, die=die, swap="swap" in data
        )
    return redirect("battles:report" if data.get("then") == "report" else "battles:page", battle.code)


def _read_die(typed: str, battle: Battle, key: str) -> int:
    """The die as typed, or rolled here."""
    if not typed.strip():
        return services.roll_scenario_die(battle, key)
    if (die := parse_int(typed)) is None:
        raise Refusal("Enter a roll from 1 to 10.", field="die")
    return die


@require_POST
def start(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    services.start_battle(battle, request.who, key=request.POST.get("key", ""))
    return redirect(battle)


@require_POST
def call_off(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    services.call_off_battle(battle, request.who, key=request.POST.get("key", ""))
    return redirect(battle)


@require_POST
def reopen(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    services.reopen_battle(battle, request.who, key=request.POST.get("key", ""))
    return redirect(battle)


@require_POST
def approve(request: HttpRequest, code: str) -> HttpResponse:
    """Confirm a report on this phone."""
    battle, state = get_visible_battle(request.who, code)
    if state is None:
        raise Http404
    require_permission(permissions_of(battle, request.who, state).report, battle)
    data = request.POST
    if services.was_already_sent(battle, data.get("key", "")):
        return redirect(battle)
    who = data.get("as", "")
    person = Person.objects.filter(pk=parse_int(who) or 0).select_related("merged_into").first()
    if person is None:
        raise Refusal("Choose who confirms.", field="as")
    version = data.get("version", "0")
    approve_version(
        battle,
        state,
        request.who,
        key=data.get("key", ""),
        version=parse_int(version) or 0,
        seen=data.get("seen", ""),
        as_person=person.root,
        phone=get_reporter(request, battle),
    )
    return redirect(battle)


# ── After the battle ────────────────────────────────────────────────────────────────────────────────────────


@accept_bodies_up_to(MAX_BYTES + 1024 * 1024)
@require_POST
def add_photo(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    sent = request.FILES.get("photo")
    if sent is None:
        raise Refusal(EMPTY, field="photo")
    photos_services.add_photo(battle, request.who, key=request.POST.get("key", ""), file=sent)
    return redirect(f"{battle.get_absolute_url()}#photos")


@require_POST
def write_report(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    add_written_report(battle, request.who, key=request.POST.get("key", ""), text=request.POST.get("text", ""))
    return redirect(f"{battle.get_absolute_url()}#written")


# ── The hero of a house ─────────────────────────────────────────────────────────────────────────────────────


@require_safe
def hero(request: HttpRequest, campaign: str, kingdom: str, house: int) -> HttpResponse:
    visible = campaign_selectors.get_visible_campaign(request.who, campaign)
    display = build_hero_display(visible, kingdom, house)
    if display is None:
        raise Http404
    return render(request, "battles/heroes/hero.html", {"campaign": visible, "display": display})


# ── Statistics ──────────────────────────────────────────────────────────────────────────────────────────────


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    campaigns = list(campaigns_of(request.who))
    chosen = None
    if code := request.GET.get("campaign", ""):
        chosen = campaign_selectors.get_visible_campaign(request.who, code)
    games = games_of(request.who, [chosen] if chosen else campaigns, alone=chosen is None)
    tallies = tally_games(games)
    context = {
        "tables": tally_tables(tallies, request.who),
        "battles": tallies.battles,
        "campaigns": campaigns,
        "chosen": chosen,
    }
    return render(request, "battles/statistics/statistics.html", context)


# ── The picture for chats and link previews ─────────────────────────────────────────────────────────────────


@require_safe
def share_picture(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = get_visible_battle(request.who, code)

    def draw() -> HttpResponse:
        return HttpResponse(draw_card(card_of(battle_display(battle, state))), content_type="image/png")

    chronicle = battle.campaign.log.version if battle.campaign else 0
    return render_once(request, draw, battle.log.version, chronicle, content_type="image/png")
