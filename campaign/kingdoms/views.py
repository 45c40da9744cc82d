"""Add kingdoms, show one with the reasons for its scores, spend its VP."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.charts.bars import Waterfall, WaterfallStep, draw_waterfall
from campaign.chronicle.acts.administration import SetKingdomStatus
from campaign.chronicle.acts.war import SpendVp
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import ScoreStep, list_purchases, list_score_steps
from campaign.chronicle.state import SOLO
from campaign.display import build_campaign_display, kingdom_rows, names_for
from campaign.founding import suggestions
from campaign.kingdoms.forms import MAX_KINGDOMS, KingdomForm
from campaign.models import Campaign
from heraldry import Arms
from log.services import new_key
from pages.number_parsing import parse_int
from pages.refusal_handling import add_refusal_to_form
from people import guests as guests_services
from refusal import Refusal
from rulebook.odds import muster as muster_odds

STEPS_SHOWN = 12


@require_http_methods(["GET", "POST"])
def add_kingdoms(request: HttpRequest, code: str, count: int) -> HttpResponse:
    """Name new kingdoms. Suggestions are seeded by the campaign, so a reload changes nothing."""
    campaign = campaign_selectors.get_campaign_as_master(request.who, code)
    state = campaign_selectors.state_of(campaign)
    # Suggestions follow from what the form saw, so a second tap sends the same.
    at = request.POST.get("at", "")
    before = int(at) if at in map(str, range(len(state.kingdoms))) else len(state.kingdoms)
    count = max(1, min(count, MAX_KINGDOMS - len(state.in_play()) + len(state.kingdoms) - before))
    seed = f"{campaign.code}/{before}"
    # The first kingdoms join on the campaign's first day.
    day = None if before else campaign_selectors.first_day(campaign)
    offered = suggestions.suggest_kingdoms(seed, count)
    forms = []
    for number, proposal in enumerate(offered):
        initial = KingdomForm.initial_of(proposal)
        if not before and number == 0:
            initial["ruler"] = request.who.person.name
        forms.append(KingdomForm(request.POST or None, prefix=f"k{number}", initial=initial))
    valid = [form.is_valid() for form in forms]  # check all, so that each shows its errors
    if request.method == "POST" and all(valid):
        key = request.POST.get("key", "")
        try:
            for number, (form, proposal) in enumerate(zip(forms, offered, strict=True)):
                ruler = guests_services.find_or_add_guest(
                    request.who, form.cleaned_data["ruler"], key=f"{key}-ruler-{number}"
                )
                joins = form.act(proposal, ruler.pk if ruler else None)
                done = campaign_services.write(campaign, request.who, joins, key=f"{key}-{number}", played_on=day)
                if form.cleaned_data["solo"]:
                    alone = SetKingdomStatus(done["body"]["kingdom"], SOLO)
                    campaign_services.write(campaign, request.who, alone, key=f"{key}-{number}-solo", played_on=day)
        except Refusal as refusal:
            add_refusal_to_form(forms[number], refusal)
        else:
            return redirect("campaign:starting_position", code) if "war" in request.GET else redirect(campaign)
    rows = [(form, Arms.from_dict(offered[n].arms)) for n, form in enumerate(forms)]
    context = {
        "campaign": campaign,
        "rows": rows,
        "key": request.POST.get("key") or new_key(),
        "before": before,
    }
    return render(
        request, "campaign/kingdoms/add_kingdoms.html", context, status=422 if request.method == "POST" else 200
    )


@require_safe
def kingdom(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    this_kingdom = state.kingdoms.get(kingdom)
    if this_kingdom is None or this_kingdom.status == "gone":
        raise Http404
    members = list(campaign.members.select_related("person__merged_into"))
    names = names_for(campaign, state, members)
    mine = set(request.who.person.all_ids()) if request.who.person else set()
    row = next(row for row in kingdom_rows(state, names, mine) if row.id == kingdom)
    entries = effective_entries(campaign_selectors.entries_of(campaign))
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
        "loyalty": _waterfall(
            campaign, f"Loyalty of {this_kingdom.name}", list_score_steps(entries, kingdom, "loyalty", names)
        ),
        "vp": _waterfall(
            campaign, f"VP of {this_kingdom.name}", list_score_steps(entries, kingdom, "vp", names), unit="VP"
        ),
        "nobles": nobles,
        "sends": [(row.name, [odds.rows[n].chance for odds in nobles]) for n, row in enumerate(nobles[0].rows)],
        "purchases": list_purchases(state, this_kingdom),
        "can_act": display.can_run or row.mine,
        "key": new_key(),
    }
    return render(request, "campaign/kingdoms/kingdom.html", context)


def _waterfall(campaign: Campaign, title: str, found: tuple[ScoreStep, ...], unit: str = "") -> dict[str, object]:
    """The newest steps as a waterfall chart, and all of them if there are more."""
    shown = found[-STEPS_SHOWN:]
    start = shown[0].total - shown[0].by if shown else 0
    rows = tuple(WaterfallStep(s.number, s.why or s.sentence, s.by, url=entry_url(campaign, s.number)) for s in shown)
    before = "At the start" if len(found) == len(shown) else f"Before entry {shown[0].number}"
    drawn = draw_waterfall(Waterfall(title, "", rows, start, before, unit=unit)) if shown else ""
    return {
        "drawing": drawn,
        "all": [(s, entry_url(campaign, s.number)) for s in found] if len(found) > len(shown) else (),
    }


def entry_url(campaign: Campaign, number: int) -> str:
    """The address of an entry, on whatever page it is."""
    return f"{campaign.get_absolute_url()}?before={number + 1}#entry-{number}"


@require_POST
def spend_vp(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    data = request.POST
    spend = SpendVp(kingdom, data.get("what", ""), parse_int(data.get("house", "")))
    points = parse_int(data.get("seen", ""), signed=True)
    seen = None if points is None else {f"vp:{kingdom}": points}
    campaign_services.write(campaign, request.who, spend, key=data.get("key", ""), seen=seen)
    return redirect("campaign:kingdom", code, kingdom)


@require_POST
def take_throne(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    campaign_services.take_throne(campaign, request.who, key=request.POST.get("key", ""), kingdom=kingdom)
    return redirect("campaign:kingdom", code, kingdom)
