"""Kingdoms: joining a war, one kingdom's page with every point and its reason, what its VP could buy."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign import charts, door, proposals, reading
from campaign.annals.lines import effective
from campaign.annals.purchases import purchases
from campaign.annals.state import SOLO
from campaign.annals.waterfall import Step, steps
from campaign.forms import MOST_OFFERED, KingdomForm
from campaign.models import Campaign
from campaign.sheet import campaign_sheet, kingdom_rows, names_for
from campaign.views import run_by, visible
from heraldry import Arms
from log.door import new_key
from pages.numbers import whole
from pages.refusals import say
from people import keeping
from people.models import Person
from refusal import Refusal
from rulebook.odds import muster as muster_odds

# Steps of a score on a page: about a season of them.
STEPS_SHOWN = 12


@require_http_methods(["GET", "POST"])
def kingdoms(request: HttpRequest, code: str, count: int) -> HttpResponse:
    """Name the kingdoms that join. Proposals are seeded by the campaign, so a reload changes nothing."""
    campaign = run_by(request, code)
    state = reading.state_of(campaign)
    # A tap sent twice is the same tap: what is proposed follows from what the form saw, not from what it has done.
    at = request.POST.get("at", "")
    before = int(at) if at in map(str, range(len(state.kingdoms))) else len(state.kingdoms)
    count = max(1, min(count, MOST_OFFERED - len(state.in_play()) + len(state.kingdoms) - before))
    seed = f"{campaign.code}/{before}"
    # Those who begin the war stand in it from its first day, which may be an earlier one.
    day = None if before else reading.first_day(campaign)
    offered = proposals.kingdoms(seed, count)
    forms = []
    for number, proposal in enumerate(offered):
        initial = KingdomForm.initial_of(proposal)
        if not before and number == 0:
            initial["ruler"] = request.who.person.name
        forms.append(KingdomForm(request.POST or None, prefix=f"k{number}", initial=initial))
    valid = [form.is_valid() for form in forms]  # all of them are asked, so that all of them say what is wrong
    if request.method == "POST" and all(valid):
        key = request.POST.get("key", "")
        try:
            for number, (form, proposal) in enumerate(zip(forms, offered, strict=True)):
                ruler = person_called(request, form.cleaned_data["ruler"], f"{key}-ruler-{number}")
                body = {**form.body(proposal), "ruler": ruler.pk if ruler else None}
                done = door.do(
                    campaign, request.who, key=f"{key}-{number}", act="kingdom_joins", body=body, played_on=day
                )
                if form.cleaned_data["solo"]:
                    alone = {"kingdom": done["body"]["kingdom"], "to": SOLO}
                    door.do(campaign, request.who, key=f"{key}-{number}-solo", act="kingdom_status", body=alone, played_on=day)  # fmt: skip
        except Refusal as refusal:
            say(forms[number], refusal)
        else:
            return redirect("campaign:standing", code) if "war" in request.GET else redirect(campaign)
    rows = [(form, Arms.from_dict(offered[n]["arms"])) for n, form in enumerate(forms)]
    context = {
        "campaign": campaign,
        "rows": rows,
        "key": request.POST.get("key") or new_key(),
        "before": before,
    }
    return render(request, "campaign/kingdoms.html", context, status=422 if request.method == "POST" else 200)


def person_called(request: HttpRequest, name: str, key: str) -> Person | None:
    """The Person of this name: oneself, someone one keeps already, or a new friend without an account."""
    if not name.strip():
        return None
    me = request.who.person
    if name.strip().casefold() == me.name.casefold():
        return me
    known = Person.objects.visible_to(request.who).filter(name__iexact=name.strip(), merged_into=None).first()
    return known or keeping.add(request.who, name, key=key)


@require_safe
def kingdom(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign = visible(request, code)
    state = reading.state_of(campaign)
    realm = state.kingdoms.get(kingdom)
    if realm is None or realm.status == "gone":
        raise Http404
    members = list(campaign.members.select_related("person__merged_into"))
    names = names_for(campaign, state, members)
    mine = set(request.who.person.all_ids()) if request.who.person else set()
    row = next(row for row in kingdom_rows(state, names, mine) if row.id == kingdom)
    lines = effective(reading.lines_of(campaign))
    sheet = campaign_sheet(campaign, request.who, state=state)
    nobles = [muster_odds.house_odds(realm.loyalty + by, state.rules()) for by in (-1, 0, 1)]
    context = {
        "campaign": campaign,
        "sheet": sheet,
        "row": row,
        "places": [(state.place_name(key), names.kingdom(holder), holder == kingdom) for key, holder in state.holders.items() if key.startswith(f"{kingdom}.")],
        "conquered": [(state.place_name(key), names.kingdom(key.partition(".")[0])) for key, holder in state.holders.items() if holder == kingdom and not key.startswith(f"{kingdom}.")],
        "loyalty": _fall(campaign, f"Loyalty of {realm.name}", steps(lines, kingdom, "loyalty", names)),
        "vp": _fall(campaign, f"VP of {realm.name}", steps(lines, kingdom, "vp", names), unit="VP"),
        "nobles": nobles,
        "sends": [(row.name, [odds.rows[n].chance for odds in nobles]) for n, row in enumerate(nobles[0].rows)],
        "purchases": purchases(state, realm),
        "may_act": sheet.may_run or row.mine,
        "key": new_key(),
    }  # fmt: skip
    return render(request, "campaign/kingdom.html", context)


def _fall(campaign: Campaign, title: str, found: tuple[Step, ...], unit: str = "") -> dict[str, Any]:
    """The newest steps as a waterfall, those before them summed up; and every step, where there are more."""
    shown = found[-STEPS_SHOWN:]
    start = shown[0].total - shown[0].by if shown else 0
    rows = tuple(charts.Step(s.number, s.why or s.tale, s.by, url=line_url(campaign, s.number)) for s in shown)
    before = "At the start" if len(found) == len(shown) else f"Before entry {shown[0].number}"
    drawn = charts.waterfall(charts.Waterfall(title, "", rows, start, before, unit=unit)) if shown else ""
    return {
        "drawing": drawn,
        "all": [(s, line_url(campaign, s.number)) for s in found] if len(found) > len(shown) else (),
    }


def line_url(campaign: Campaign, number: int) -> str:
    """Where a line stands, however long the chronicle has grown since."""
    return f"{campaign.get_absolute_url()}?before={number + 1}#entry-{number}"


@require_POST
def spend(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    campaign = visible(request, code)
    data = request.POST
    body: dict[str, object] = {"kingdom": kingdom, "what": data.get("what", "")}
    if (house := whole(data.get("house", ""))) is not None:
        body["house"] = house
    points = whole(data.get("seen", ""), signed=True)
    seen = None if points is None else {f"vp:{kingdom}": points}
    door.do(campaign, request.who, key=data.get("key", ""), act="vp_spent", body=body, seen=seen)
    return redirect("campaign:kingdom", code, kingdom)
