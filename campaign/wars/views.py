"""The pages of a war: targets, battles declared and reported, changes by agreement, victory, the roll-off."""

import json

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import dataclass_json
from campaign import selectors, services
from campaign.approvals import services as approvals_services
from campaign.approvals.pending_list import name_of_answerer
from campaign.chronicle import consent
from campaign.chronicle.acts.war import CallOffBattle, DeclareBattle, RollForAttack, ThrownDie
from campaign.chronicle.state import State, get_term
from campaign.corrections.preview_and_confirm import PreviewTexts, preview_act
from campaign.display import names_for
from campaign.forms import Answers
from campaign.map.display import build_map_display
from campaign.map.svg import draw_map_with_key
from campaign.map_link_preview import campaign_link_preview, lands_address
from campaign.models import Campaign
from campaign.permissions import ids_of, is_master, kingdoms_to_act_for
from campaign.wars import roll_off
from campaign.wars.forms import AgreedChangeForm, LogBattleForm, ResultForm, WinnerForm
from campaign.wars.roll_off import RollDice, reroll_chances, roll_off_rows
from campaign.wars.won_war_display import build_victory_display, draw_wreath
from json_input import read_json
from log.services import new_key
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.campaign.attack_targets import Target, find_target
from rulebook.campaign.roll_off import RollOff
from text import join_list


@require_safe
def targets(request: HttpRequest, code: str) -> HttpResponse:
    """Every territory with the rule that allows or forbids an attack."""
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    mine = kingdoms_to_act_for(state, request.who, "battle_declared")
    due = state.attack_roll.winner if state.attack_roll and state.attack_roll.is_due else None
    overrule = bool(request.GET.get("overrule")) and is_master(state, request.who)
    attacker = request.GET.get("attacker") or due or (mine[0].id if len(mine) == 1 else "")
    if attacker and (attacker not in state.kingdoms or state.kingdoms[attacker].status == "gone"):
        raise Refusal("There is no such kingdom in this campaign.", status=404)
    chosen = request.GET.get("target", "")
    here = f"{reverse('campaign:targets', args=[code])}?attacker={attacker}{'&overrule=1' if overrule else ''}"
    map_display = build_map_display(
        state,
        seed=campaign.code,
        title=f"Map of {campaign.name}",
        attacker=attacker,
        chosen=chosen,
        url=(lambda key: f"{here}&target={key}#chosen") if attacker else None,
    )
    ground = next((ground for ground in map_display.territories if ground.key == chosen), None)
    fighting = (attacker, ground.holder) if attacker and ground else ()
    context = {
        "campaign": campaign,
        "state": state,
        "map": map_display,
        "drawing": draw_map_with_key(map_display, lands=lands_address(map_display)) if map_display.kingdoms else "",
        "attacker": state.kingdoms.get(attacker),
        "chosen": ground,
        "owner": state.kingdoms[ground.owner] if ground else None,
        "holder": state.kingdoms[ground.holder] if ground else None,
        "kingdoms": state.in_play(),
        "busy": next(((state.kingdoms[key], busy) for key in fighting if (busy := state.open_battle_of(key))), None),
        "can_declare": any(kingdom.id == attacker for kingdom in mine),
        "due": state.kingdoms[due] if due and due != attacker else None,
        "overrule": overrule,
        "can_run": is_master(state, request.who),
        "key": new_key(),
    }
    return render(request, "campaign/wars/targets.html", context)


@require_POST
def declare_battle(request: HttpRequest, code: str) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    data = request.POST
    attacker, target, seen = data.get("attacker", ""), data.get("target", ""), data.get("seen") or None
    declared = DeclareBattle(attacker, target, seen_holder=seen, overrule=bool(data.get("overrule")))
    done = services.write(campaign, request.who, declared, key=data.get("key", ""))
    return redirect("battles:campaign_battle", campaign.code, done["body"]["battle"])


@require_POST
def call_off_battle(request: HttpRequest, code: str, battle: int) -> HttpResponse:
    campaign = selectors.get_visible_campaign(request.who, code)
    services.write(campaign, request.who, CallOffBattle(battle), key=request.POST.get("key", ""))
    return redirect(campaign)


# --- Log a battle that was fought already: where and when, then by its units; or its result by totals --------


@require_http_methods(["GET", "POST"])
def report_result(request: HttpRequest, code: str) -> HttpResponse:
    """Log the outcome of an open battle, or of an attack on a target from the map."""
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    if request.method == "GET" and (entry := _find_logged_result(request, campaign, state)):
        return redirect(campaign.entry_url(entry))
    battle, fought = _find_battle(request, state)
    if fought.holder == fought.attacker:
        raise Refusal(fought.verdict.text, status=409)
    form = ResultForm(
        request.POST or None,
        state=state,
        attacker=fought.attacker,
        defender=fought.holder,
        target=fought.territory,
        initial={"played_on": timezone.localdate()},
    )

    def write(data: Answers) -> HttpResponse:
        done = approvals_services.submit_report(
            campaign,
            request.who,
            form.act(battle),
            key=data["key"],
            subject=approvals_services.subject_of(fought.attacker, fought.territory, battle),
            played=data["played_on"],
            accept_late=data["accept_late"],
            as_side="ask" in request.POST,
        )
        return redirect(approvals_services.address_of(campaign, done))

    return form.submit(write) or form.show(
        request,
        "campaign/wars/result.html",
        campaign=campaign,
        fought=fought,
        place=state.place_name(fought.territory),
        battle=battle,
        late=form.is_late,
        asked=_who_confirms(request, campaign, state, (fought.attacker, fought.holder)),
        can_run=is_master(state, request.who),
    )


@require_http_methods(["GET", "POST"])
def log_battle(request: HttpRequest, code: str) -> HttpResponse:
    """A battle that was fought already: declared on its day; the report by units is the next page."""
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    if request.method == "GET" and (entry := _find_logged_result(request, campaign, state)):
        return redirect(campaign.entry_url(entry))
    _, fought = _find_battle(request, state)
    if not fought.legal:
        raise Refusal(fought.verdict.text, status=409)
    form = LogBattleForm(request.POST or None, target=fought.territory, initial={"played_on": timezone.localdate()})

    def write(data: Answers) -> HttpResponse:
        overrule = bool(request.POST.get("overrule"))
        declared = DeclareBattle(fought.attacker, fought.territory, scenario=data["scenario"], overrule=overrule)
        day, late = data["played_on"], data["accept_late"]
        done = services.write(campaign, request.who, declared, key=data["key"], played_on=day, accept_late=late)
        battle = reverse("battles:campaign_battle", args=[campaign.code, done["body"]["battle"]])
        return redirect(f"{battle}?report={day.isoformat()}")

    return form.submit(write) or form.show(
        request,
        "campaign/wars/log_battle.html",
        campaign=campaign,
        attacker=state.kingdoms[fought.attacker],
        defender=state.kingdoms[fought.holder],
        place=state.place_name(fought.territory),
        target=fought.territory,
        late=form.is_late,
        overrule=request.POST.get("overrule") or request.GET.get("overrule"),
    )


def _who_confirms(request: HttpRequest, campaign: Campaign, state: State, sides: tuple[str, str]) -> str:
    """Who has to confirm the report; nobody if it is written at once. A game master who fought in it can ask too."""
    if request.who.person is None:
        return ""
    mine = ids_of(request.who)
    if is_master(state, request.who) and not consent.find_own_side(state, sides, mine):
        return ""
    keys = [key for key in consent.find_report_approvers(state, sides) if not consent.can_speak_for(state, key, mine)]
    if not keys:
        return ""
    names = names_for(campaign, state)
    return join_list([name_of_answerer(state, key, names) for key in keys])


def _find_logged_result(request: HttpRequest, campaign: Campaign, state: State) -> int | None:
    """The entry of somebody who goes back to the form after logging their own result."""
    number = parse_int(request.GET.get("battle", ""))
    if number:
        if number in state.battles:
            return None
        return selectors.find_own_result(campaign, request.who, battle=number)
    attacker, key = request.GET.get("attacker", ""), request.GET.get("target", "")
    if not attacker or state.holders.get(key) != attacker:
        return None
    return selectors.find_own_result(campaign, request.who, attacker=attacker, target=key)


def _find_battle(request: HttpRequest, state: State) -> tuple[int | None, Target]:
    """The number of the battle, if it was declared, and what was attacked."""
    number = request.GET.get("battle", "")
    if number:
        battle = state.battles.get(parse_int(number) or 0)
        if battle is None:
            raise Refusal("This battle is not open. It was already reported or called off.", status=409)
        return battle.number, find_target(state.campaign_map(), battle.attacker, battle.target, state.rules())
    attacker, key = request.GET.get("attacker", ""), request.GET.get("target", "")
    if attacker not in state.kingdoms or key not in state.holders:
        raise Refusal("Choose the attacker and the target on the map.", status=404)
    return None, find_target(state.campaign_map(), attacker, key, state.rules())


@require_http_methods(["GET", "POST"])
def agreed_change(request: HttpRequest, code: str) -> HttpResponse:
    campaign, state = selectors.get_campaign_with_state(request.who, code, as_master=True)
    form = AgreedChangeForm(request.POST or None, state=state)

    def write(data: Answers) -> HttpResponse:
        done = services.write(campaign, request.who, form.act(), key=data["key"])
        return redirect(campaign.entry_url(done["entry"]))

    return form.submit(write) or form.show(request, "campaign/wars/agreed_change.html", campaign=campaign)


@require_http_methods(["GET", "POST"])
def declare_winner(request: HttpRequest, code: str) -> HttpResponse:
    """Victory by the players' own condition; the book's conditions count automatically."""
    campaign, state = selectors.get_campaign_with_state(request.who, code, as_master=True)
    form = WinnerForm(request.POST or None, state=state)

    def write(data: Answers) -> HttpResponse:
        won = form.act()
        words = PreviewTexts(
            heading="Declare the winner",
            lead=f"{state.kingdoms[won.kingdom].name} wins the war: {won.why}",
            undo="No more battles until a season starts a new war. Strike the entry to undo it.",
            button="Declare the winner",
            back=campaign.get_absolute_url(),
        )
        if page := preview_act(request, campaign, state, won, words):
            return page
        done = services.write(campaign, request.who, won, key=data["key"])
        return redirect(campaign.entry_url(done["entry"]))

    return form.submit(write) or form.show(
        request,
        "campaign/wars/declare_winner.html",
        campaign=campaign,
        agreed=state.terms.get("victory_words", ""),
        winner=state.kingdoms[state.winner].name if state.winner else "",
    )


@require_safe
def victory(request: HttpRequest, code: str, war: int) -> HttpResponse:
    """A won war: its winner, map, standings and titles, and what comes next."""
    campaign = selectors.get_visible_campaign(request.who, code)
    display = build_victory_display(campaign, war)
    if display is None:
        raise Http404
    now = selectors.state_of(campaign)
    title = f"Map of {campaign.name} at the end of the war"
    map_display = build_map_display(display.state, seed=campaign.code, title=title)
    won = f"{display.winner} wins {campaign.name}"
    context = {
        "campaign": campaign,
        "display": display,
        "wreath": draw_wreath(),
        "drawing": draw_map_with_key(map_display, lands=lands_address(map_display)),
        "is_last": now.war == war,
        "season_open": now.season_open,
        "can_run": is_master(now, request.who),
        "key": new_key(),
        "share": campaign_link_preview(campaign, f"{display.winner} won the war.", title=won, path=request.path),
    }
    return render(request, "campaign/wars/victory.html", context)


# --- The roll-off: typed dice or dice rolled here, ties and re-rolls -----------------------------------------


@require_http_methods(["GET", "POST"])
def roll_for_attack(request: HttpRequest, code: str) -> HttpResponse:
    """Roll for the attack. Once decided, the roll-off is written and binds, and everybody sees its dice here."""
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    data = request.POST if request.method == "POST" else request.GET
    pair = roll_off.pair_of(state, data.get("one", ""), data.get("other", ""))
    act = roll_off.roll_off_so_far(state, pair, _parse_throws(data.get("throws", "")))
    error, rolling = "", None
    try:
        rolling = act.replay(state, state.rules())
        if request.method == "POST":
            dice = _read_dice(data, state)
            thrown = roll_off.throw_dice(campaign, request.who, state, act, rolling, data.get("key", ""), dice)
            if thrown.is_written:
                return redirect("campaign:roll_off", code)
            act, rolling = thrown.act, thrown.rolling
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        error = roll_off.name_kingdoms(refusal.sentence, state)
    mine = {kingdom.id for kingdom in kingdoms_to_act_for(state, request.who, "roll_off")}
    context = {
        "campaign": campaign,
        "kingdoms": state.in_play(),
        "pair": act.pair,
        "throws": json.dumps(dataclass_json.write(act.throws)),
        "error": error,
        "may": bool(mine),
        "service": roll_off.are_dice_rolled_here(state),
        "sealed": get_term(state.terms, "dice") == "sealed",
        "bound": state.attack_roll,
        "number": state.battle_count + 1,
        "is_master": is_master(state, request.who),
        "key": new_key(),
    }
    if rolling is not None:
        context |= _show_rolling(rolling, state, mine, ids_of(request.who))
    status = 422 if error and request.method == "POST" else 200
    return render(request, "campaign/wars/roll_off.html", context, status=status)


def _read_dice(data: QueryDict, state: State) -> RollDice:
    """What was typed for each kingdom, if the players roll; and whose re-roll is bought, and what it shows."""
    typed = {key: text for key in state.kingdoms if (text := data.get(f"roll-{key}", "").strip())}
    bought = data.get("bought", "").strip()
    return RollDice(
        dice={key: _parse_die(text) for key, text in typed.items()},
        buyer=data.get("buyer", ""),
        bought=_parse_die(bought) if bought else None,
        again=bool(data.get("again")),
    )


def _parse_die(typed: str) -> int:
    if (die := parse_int(typed)) is None:
        raise Refusal("Enter a number from 1 to 10.")
    return die


def _parse_throws(kept: str) -> tuple[ThrownDie, ...]:
    """The dice so far, from the page's hidden field."""
    try:
        return dataclass_json.read(RollForAttack, {"throws": read_json(kept or "[]")}).throws
    except Refusal as refusal:
        raise Refusal("The dice so far cannot be read. Start the roll-off again.") from refusal


def _show_rolling(rolling: RollOff, state: State, mine: set[str], ids: set[int]) -> dict[str, object]:
    """The dice so far; ``mine`` are the kingdoms that the viewer acts for, also as game master."""
    winner = state.kingdoms.get(rolling.winner or "")
    is_open = state.attack_roll is None or state.attack_roll.battle is None
    names = {kingdom.id: kingdom.name for kingdom in state.in_play()}
    return {
        "rolling": rolling,
        "rows": roll_off_rows(state, rolling),
        "steps": [step.text(names) for step in rolling.steps()],
        "waiting": [state.kingdoms[key] for key in rolling.waiting],
        "winner": winner,
        "winner_is_mine": winner in state.ruled_by(ids),
        "can_choose": winner is not None and winner.id in mine,
        "chances": [row for row in reroll_chances(state, rolling) if row.kingdom.id in mine and is_open],
    }
