"""Pages of battles: the list, a battle, its set-up and its life. Fetch (the look-up is the permission check), ask, draw."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles import door, opening, slips, waiting
from battles.models import Battle
from battles.rights import must, rights
from battles.share import shared_of
from battles.sheet import battle_sheet
from battles.standing import called_off_line, settle_open, settled
from battles.titles import titled
from campaign import door as campaign_door
from campaign import reading
from campaign.annals.state import State
from campaign.models import Campaign
from log.door import new_key
from pages.address import guest_url
from pages.numbers import whole
from people.models import Person
from refusal import Refusal
from rulebook.scenarios import SCENARIO

RECENT = 8


def seen(request: HttpRequest, code: str) -> tuple[Battle, State | None]:
    """The battle as it stands, for who may see it, with the state of its campaign."""
    rows = Battle.objects.visible_to(request.who).select_related("campaign__log")
    battle = get_object_or_404(rows, code=code)
    if battle.campaign is None:
        return battle, None
    state = reading.state_of(battle.campaign)
    return settled(battle, state), state


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What is open, the code of a slip, and the ways to begin."""
    mine = Campaign.objects.of(request.who)
    settle_open(mine)
    rows = Battle.objects.of(request.who).select_related("campaign__log", "campaign__snapshot")
    over = rows.filter(stage=Battle.Stage.CONFIRMED).order_by("-played_on", "-pk")[:RECENT]
    states: dict[int, State] = {}

    def drawn(battle: Battle) -> tuple[Battle, str, str]:
        if battle.campaign is None:
            return battle, *titled(battle, None)
        if battle.campaign.pk not in states:
            states[battle.campaign.pk] = reading.kept_or_folded(battle.campaign)
        return battle, *titled(battle, states[battle.campaign.pk])

    context = {
        "open": [drawn(battle) for battle in rows.open()[:30]],
        "over": [drawn(battle) for battle in over],
        "campaigns": mine[:12],
    }
    return render(request, "battles/index.html", context)


@require_safe
def of_campaign(request: HttpRequest, campaign: str, battle: int) -> HttpResponse:
    """From the campaign's pages to the battle with this number."""
    found = get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log"), code=campaign)
    row = opening.of_campaign(found, battle)
    if row is None:
        raise Http404
    return redirect(row)


@require_safe
def page(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = seen(request, code)
    return render(request, "battles/page.html", page_context(request, battle, state))


@require_safe
def live(request: HttpRequest, code: str) -> HttpResponse:
    """The page's changing part alone, for pages that heard of news."""
    battle, state = seen(request, code)
    return render(request, "battles/_battle.html", page_context(request, battle, state))


def page_context(request: HttpRequest, battle: Battle, state: State | None) -> dict:
    may = rights(battle, request.who, state)
    context = {
        "battle": battle,
        "sheet": battle_sheet(battle, state),
        "may": may,
        "key": new_key(),
        "log_ids": _logs(request, battle),
        "version": battle.log.version,
        "scenarios": [SCENARIO[key] for key in door.scenarios_for(battle)],
        "attacker_is_a": bool(state and state.rules().attacker_is_side_a),
        "public": battle.campaign is not None and battle.campaign.visibility == Campaign.Visibility.PUBLIC,
        "members": battle.campaign is not None
        and Campaign.objects.of(request.who).filter(pk=battle.campaign.pk).exists(),
    }
    context["share"] = shared_of(battle, context["sheet"])
    if state is not None and not battle.is_over:
        context["waits"] = waiting.waiting(battle, state, request.who, may_answer=may.report)
    if battle.campaign is not None and battle.stage == Battle.Stage.CALLED_OFF:
        context["called_off"] = called_off_line(battle.campaign, battle.number or 0)
    if battle.campaign_id is None and may.master:
        context["link"] = guest_url(opening.keep_pass(battle, request.who).get_absolute_url())
    return context


def _logs(request: HttpRequest, battle: Battle) -> str:
    """What the page listens to: the battle, and the chronicle for those who may see it. A slip opens the battle only."""
    campaign = battle.campaign
    if campaign is None or not Campaign.objects.visible_to(request.who).filter(pk=campaign.pk).exists():
        return str(battle.log_id)
    return f"{campaign.log_id},{battle.log_id}"


# --- before it is fought ---------------------------------------------------------------------------------------------


@require_POST
def set_up(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = seen(request, code)
    data = request.POST
    key = data.get("key", "")
    if "roll_sides" in data:
        door.roll_sides(battle, request.who, key=key)
    else:
        die = _die(data.get("die", ""), battle, key) if "roll" in data or data.get("die") else None
        door.set_up(battle, request.who, key=key, scenario=data.get("scenario") or None, die=die, swap="swap" in data)
    return redirect("battles:report" if data.get("then") == "report" else "battles:page", battle.code)


def _die(typed: str, battle: Battle, key: str) -> int:
    """The die as typed, or thrown here."""
    if not typed.strip():
        return door.thrown(battle, key)
    if (die := whole(typed)) is None:
        raise Refusal("A ten-sided die shows a number from 1 to 10.", field="die")
    return die


@require_POST
def to_the_table(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = seen(request, code)
    door.to_the_table(battle, request.who, key=request.POST.get("key", ""))
    return redirect(battle)


@require_POST
def call_off(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = seen(request, code)
    key = request.POST.get("key", "")
    if battle.campaign is None:
        door.call_off_alone(battle, request.who, key=key)
    else:
        campaign_door.do(battle.campaign, request.who, key=key, act="battle_called_off", body={"battle": battle.number})
    return redirect(battle)


@require_POST
def reopen(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = seen(request, code)
    door.take_back(battle, request.who, key=request.POST.get("key", ""))
    return redirect(battle)


@require_POST
def answer(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody agrees to a report on this phone."""
    battle, state = seen(request, code)
    if state is None:
        raise Http404
    must(rights(battle, request.who, state).report, battle)
    data = request.POST
    if door.sent_before(battle, data.get("key", "")):
        return redirect(battle)
    who = data.get("as", "")
    person = Person.objects.filter(pk=whole(who) or 0).select_related("merged_into").first()
    if person is None:
        raise Refusal("Say who agrees.", field="as")
    version = data.get("version", "0")
    waiting.agree(
        battle,
        state,
        request.who,
        key=data.get("key", ""),
        version=whole(version) or 0,
        seen=data.get("seen", ""),
        as_person=person.root,
        phone=reporter_here(request, battle),
    )
    return redirect(battle)


# --- who holds this phone ----------------------------------------------------------------------------------------------

HERE = "battle_reporters"


def reporter_here(request: HttpRequest, battle: Battle) -> Person | None:
    """Who reported from this browser without a log-in: their phone is the one that goes round."""
    pk = request.session.get(HERE, {}).get(battle.code)
    return Person.objects.filter(pk=pk).select_related("merged_into").first() if pk else None


def remember_reporter(request: HttpRequest, battle: Battle, person: Person) -> None:
    kept = dict(list(request.session.get(HERE, {}).items())[-9:])
    request.session[HERE] = {**kept, battle.code: person.pk}


# --- the slip's words --------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def by_code(request: HttpRequest) -> HttpResponse:
    """Three words from a slip open its report."""
    said, status = "", 200
    if request.method == "POST":
        try:
            battle = slips.open_by_words(request, request.POST.get("code", ""))
        except Refusal as refusal:
            said, status = refusal.sentence, refusal.status or 422
        else:
            return redirect(reverse("battles:report", args=[battle.code]))
    context = {"said": said, "code": request.POST.get("code", "")[:80]}
    return render(request, "battles/code.html", context, status=status)
