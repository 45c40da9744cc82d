"""Found a campaign step by step, and enter a war already under way."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaign import selectors, services
from campaign.campaign_settings.forms import MAX_KINGDOMS, KingdomForm
from campaign.chronicle import codec
from campaign.chronicle.acts.administration import SetKingdomStatus
from campaign.chronicle.acts.starting_position import SetStartingPosition
from campaign.chronicle.consent import digest_report
from campaign.chronicle.effects import apply_effects
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import SOLO, State
from campaign.display import effect_rows
from campaign.founding import services as founding_services, suggestions
from campaign.founding.forms import STEPS, FoundingForm, StartingPositionForm
from campaign.map.display import build_map_display
from campaign.map.svg import draw_map_with_key
from heraldry import Arms
from log.services import new_key
from pages.refusal_handling import add_refusal_to_form
from people import guests as guests_services
from people.login_required import person_required
from refusal import Refusal


@person_required
@require_http_methods(["GET", "POST"])
def found_campaign(request: HttpRequest) -> HttpResponse:
    """One step per screen. Nothing is saved before the last one."""
    if request.method != "POST":
        return _render_step(request, FoundingForm(), 0)
    form = FoundingForm(request.POST)
    at = request.POST.get("step", "")
    step = int(at) if at in map(str, range(len(STEPS))) else len(STEPS) - 1
    go = request.POST.get("go", "found")
    if go == "back":
        return _render_step(request, form, max(step - 1, 0), errors=False)
    wrong = form.wrong_in()
    if wrong is not None and (go == "found" or wrong <= step):
        return _render_step(request, form, wrong, status=422)
    if go == "next" and step + 1 < len(STEPS):
        return _render_step(request, form, step + 1, errors=False)
    data = form.cleaned_data
    try:
        asked = {name: data[name] for name in ("key", "name", "visibility", "began", "season")}
        campaign = founding_services.found_campaign(request.who, **asked)
        key = f"{data['key']}-terms"
        founding_services.record_agreement(
            campaign, request.who, key=key, terms=form.terms(), options=form.options(), began=data["began"]
        )
    except Refusal as refusal:
        add_refusal_to_form(form, refusal)
        return _render_step(request, form, form.wrong_in() or 0, status=422)
    following = reverse("campaign:add_kingdoms", args=[campaign.code, data["kingdoms"]])
    return redirect(following + ("?war" if data["begins"] == "war" else ""))


def _render_step(
    request: HttpRequest, form: FoundingForm, number: int, *, errors: bool = True, status: int = 200
) -> HttpResponse:
    step = STEPS[number]
    if form.is_bound and not errors:
        form.is_valid()
        form.errors.clear()  # do not complain about questions not asked yet
    context = {
        "form": form,
        "step": step,
        "number": number,
        "count": len(STEPS),
        "fields": form.shown(step.fields),
        "more": form.shown(step.more),
        "carried": form.carried(step),
        "open": any(field.errors for field in form.shown(step.more)),
    }
    return render(request, "campaign/founding/found.html", context, status=status)


@require_http_methods(["GET", "POST"])
def add_kingdoms(request: HttpRequest, code: str, count: int) -> HttpResponse:
    """Name new kingdoms. Suggestions are seeded by the campaign, so a reload changes nothing."""
    campaign, state = selectors.get_campaign_with_state(request.who, code, as_master=True)
    # Suggestions follow from what the form saw, so a second tap sends the same.
    at = request.POST.get("at", "")
    before = int(at) if at in map(str, range(len(state.kingdoms))) else len(state.kingdoms)
    count = max(1, min(count, MAX_KINGDOMS - len(state.in_play()) + len(state.kingdoms) - before))
    seed = f"{campaign.code}/{before}"
    # The first kingdoms join on the campaign's first day.
    day = None if before else selectors.first_day(campaign)
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
                done = services.write(campaign, request.who, joins, key=f"{key}-{number}", played_on=day)
                if form.cleaned_data["solo"]:
                    alone = SetKingdomStatus(done["body"]["kingdom"], SOLO)
                    services.write(campaign, request.who, alone, key=f"{key}-{number}-solo", played_on=day)
        except Refusal as refusal:
            add_refusal_to_form(forms[number], refusal)
        else:
            return redirect("campaign:starting_position", code) if "war" in request.GET else redirect(campaign)
    rows = [(form, Arms.from_dict(offered[n].arms)) for n, form in enumerate(forms)]
    context = {"campaign": campaign, "rows": rows, "key": request.POST.get("key") or new_key(), "before": before}
    return render(
        request, "campaign/kingdoms/add_kingdoms.html", context, status=422 if request.method == "POST" else 200
    )


@require_http_methods(["GET", "POST"])
def starting_position(request: HttpRequest, code: str) -> HttpResponse:
    """A war already under way: entered, previewed, then written as one entry."""
    campaign, state = selectors.get_campaign_with_state(request.who, code, as_master=True)
    if state.battle_count:
        raise Refusal("The chronicle already has battles. Use a change by agreement instead.", status=409)
    form = StartingPositionForm(request.POST or None, state=state)
    context: dict[str, object] = {"campaign": campaign, "form": form, "status": 200}
    if request.method == "POST" and form.is_valid():
        act = form.act()
        try:
            context |= _preview(campaign.code, state, act)
            if request.POST.get("confirm") and request.POST.get("seen") == context["seen"]:
                done = services.write(campaign, request.who, act, key=form.cleaned_data["key"])
                return redirect(campaign.entry_url(done["entry"]))
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
    context["rows"] = [{**row, "arms": Arms.from_dict(row["kingdom"].arms)} for row in form.rows()]
    return render(
        request,
        "campaign/founding/starting_position.html",
        context,
        status=422 if form.is_bound and form.errors else 200,
    )


def _preview(seed: str, state: State, act: SetStartingPosition) -> dict[str, object]:
    """What it would set, with the map."""
    effects = codec.check_limits(act).decide(state, state.rules())
    after = state.copy()
    apply_effects(after, effects)
    display = build_map_display(after, seed=seed, title="Preview of the map")
    season = f"Season {after.season}, {after.season_name}" if after.season_open else ""
    rows = effect_rows(effects, Names(after))
    return {
        "effects": rows,
        "drawing": draw_map_with_key(display),
        "season": season,
        "seen": digest_report(codec.write_sent(act)),
    }
