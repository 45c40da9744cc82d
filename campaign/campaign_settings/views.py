"""Settings of a campaign: kingdoms' names, arms and rulers, game masters, house rules."""

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaign import selectors, services
from campaign.campaign_settings.forms import (
    AddMasterForm,
    HouseRulesForm,
    KingdomNamesForm,
    RegentForm,
    RulerForm,
    StatusForm,
    StepDownForm,
)
from campaign.chronicle.acts.administration import (
    HOUSE_NUMBERS,
    ChangeNamesAndArms,
    NameRegent,
    SetKingdomStatus,
    SetRuler,
    ShareMaster,
    StepDownAsMaster,
)
from campaign.chronicle.acts.registry import get_act
from campaign.chronicle.fields import HouseLooks
from campaign.chronicle.state import FREE_TERMS, GONE, Kingdom, State, describe_term_value, term_title
from campaign.corrections.preview_and_confirm import PreviewTexts, preview_act, was_already_sent
from campaign.display import names_for
from campaign.forms import Answers
from campaign.models import Campaign
from campaign.permissions import ids_of, is_master, require_role
from log.services import new_key
from pages.arms_editor import read_arms_form
from people import guests as guests_services
from people.models import Person
from rulebook.data.house_rules import OPTION
from text import join_list


def _get_kingdom(request: HttpRequest, code: str, kingdom: str, act: str) -> tuple[Campaign, State, Kingdom]:
    """The kingdom, or a refusal if they cannot do this act for it."""
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    this_kingdom = state.kingdoms.get(kingdom)
    if this_kingdom is None or this_kingdom.status == "gone":
        raise Http404
    require_role(campaign, request.who, get_act(act).by, (kingdom,), state)
    return campaign, state, this_kingdom


@require_http_methods(["GET", "POST"])
def kingdom_names(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    """Names of the kingdom, its land and its houses."""
    campaign, _, this_kingdom = _get_kingdom(request, code, kingdom, "kingdom_looks")
    form = KingdomNamesForm(request.POST or None, initial=KingdomNamesForm.initial_of(this_kingdom))

    def write(data: Answers) -> HttpResponse:
        services.write(campaign, request.who, form.act(this_kingdom), key=data["key"])
        return redirect("campaign:kingdom", code, kingdom)

    template = "campaign/campaign_settings/names.html"
    return form.submit(write) or form.show(request, template, campaign=campaign, kingdom=this_kingdom)


@require_http_methods(["GET", "POST"])
def kingdom_arms(request: HttpRequest, code: str, kingdom: str, house: int = 0) -> HttpResponse:
    """Arms of the kingdom, or of one of its houses."""
    campaign, _, this_kingdom = _get_kingdom(request, code, kingdom, "kingdom_looks")
    if house > len(this_kingdom.houses):
        raise Http404
    bearer = this_kingdom.houses[house - 1] if house else this_kingdom
    form, only_looks = read_arms_form(request.POST if request.method == "POST" else _as_form_data(bearer.arms))
    lawful = form.is_valid()
    if request.method == "POST" and lawful and not only_looks:
        drawn = form.arms.to_dict()
        if drawn != bearer.arms:
            looks = ChangeNamesAndArms(kingdom, arms=None if house else drawn)
            if house:
                looks = ChangeNamesAndArms(kingdom, houses={HOUSE_NUMBERS[house - 1]: HouseLooks(arms=drawn)})
            services.write(campaign, request.who, looks, key=request.POST.get("key", ""))
        return redirect("campaign:kingdom", code, kingdom)
    back = reverse("campaign:kingdom", args=[code, kingdom])
    context = {"campaign": campaign, "name": bearer.name, "form": form, "back": back, "key": new_key()}
    return render(request, "campaign/campaign_settings/arms.html", context, status=200 if lawful else 422)


def _as_form_data(arms: dict[str, object]) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({part: str(value) for part, value in arms.items() if value not in ("", 0, None)})
    return data


@require_http_methods(["GET", "POST"])
def kingdom_ruler(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    """Who rules, who acts for them, and whether the kingdom is in play."""
    if request.method == "POST" and was_already_sent(request, selectors.get_visible_campaign(request.who, code)):
        return redirect("campaign:page", code)
    campaign, state, this_kingdom = _get_kingdom(request, code, kingdom, "regent_named")
    members = list(campaign.members.select_related("person__merged_into"))
    names = names_for(campaign, state, members)
    master = is_master(state, request.who)
    what = request.POST.get("what", "")
    key = new_key()
    named = {
        "ruler": names.person(this_kingdom.ruler) if this_kingdom.ruler else "",
        "regent": names.person(this_kingdom.regent) if this_kingdom.regent else "",
    }

    def sent(part: str) -> QueryDict | None:
        return request.POST if what == part else None

    forms: dict[str, object] = {
        "regent": RegentForm(sent("regent"), initial={"regent": named["regent"], "key": f"{key}-r"})
    }
    if master:
        forms["ruler"] = RulerForm(sent("ruler"), initial={"ruler": named["ruler"], "key": f"{key}-k"})
        forms["status"] = StatusForm(
            sent("status"), state=state, kingdom=this_kingdom, initial={"to": this_kingdom.status, "key": f"{key}-s"}
        )

    def write(data: Answers) -> HttpResponse:
        if what == "status":
            act = forms[what].act()
            if act.to == GONE and (page := _preview_dissolution(request, campaign, state, this_kingdom, act)):
                return page
        else:
            person = guests_services.find_or_add_guest(request.who, data[what], key=f"{data['key']}-person")
            act = (SetRuler if what == "ruler" else NameRegent)(kingdom, person.pk if person else None)
        services.write(campaign, request.who, act, key=data["key"])
        gone = what == "status" and act.to == GONE
        return redirect(campaign) if gone else redirect("campaign:kingdom", code, kingdom)

    if what in forms and (response := forms[what].submit(write)):
        return response
    context = {
        "campaign": campaign,
        "kingdom": this_kingdom,
        "forms": forms,
        "known": sorted({m.person.root.name for m in members}),
    }
    return render(
        request, "campaign/campaign_settings/ruler.html", context, status=422 if request.method == "POST" else 200
    )


def _preview_dissolution(
    request: HttpRequest, campaign: Campaign, state: State, kingdom: Kingdom, dissolve: SetKingdomStatus
) -> HttpResponse | None:
    words = PreviewTexts(
        heading=f"Dissolve {kingdom.name}",
        lead=f"{kingdom.name} leaves the war. Its land leaves the map; what it had won goes to the heirs.",
        undo="Past battles stay in the chronicle. Strike the entry to bring the kingdom back.",
        button="Dissolve the kingdom",
        back=reverse("campaign:kingdom_ruler", args=[campaign.code, kingdom.id]),
    )
    return preview_act(request, campaign, state, dissolve, words)


@require_http_methods(["GET", "POST"])
def masters(request: HttpRequest, code: str) -> HttpResponse:
    """Add a game master, or step down."""
    if request.method == "POST" and was_already_sent(request, selectors.get_visible_campaign(request.who, code)):
        return redirect("campaign:page", code)
    campaign, state = selectors.get_campaign_with_state(request.who, code, as_master=True)
    people = {m.person.root.pk: m.person.root for m in campaign.members.select_related("person__merged_into")}
    mine = ids_of(request.who)
    run = [people[pk] for pk in state.masters if pk in people]
    others = [(pk, person.name) for pk, person in people.items() if pk not in state.masters and pk not in mine]
    key, what = new_key(), request.POST.get("what", "")
    share = AddMasterForm(request.POST if what == "share" else None, people=others, initial={"key": f"{key}-share"})
    alone = set(state.masters) <= mine
    leave = StepDownForm(
        request.POST if what == "leave" else None, people=others, alone=alone, initial={"key": f"{key}-leave"}
    )

    def add_master(data: Answers) -> HttpResponse:
        services.write(campaign, request.who, ShareMaster(data["person"]), key=data["key"])
        return redirect("campaign:masters", code)

    def step_down(data: Answers) -> HttpResponse:
        act = StepDownAsMaster(next(pk for pk in state.masters if pk in mine), data["to"])
        stay = [person for person in (*run, people.get(data["to"])) if person and person.pk not in mine]
        if page := _preview_stepping_down(request, campaign, state, act, stay):
            return page
        services.write(campaign, request.who, act, key=data["key"])
        return redirect(campaign)

    if response := share.submit(add_master) or leave.submit(step_down):
        return response
    context = {"campaign": campaign, "run": run, "others": others, "share": share, "leave": leave}
    return render(
        request, "campaign/campaign_settings/masters.html", context, status=422 if request.method == "POST" else 200
    )


def _preview_stepping_down(
    request: HttpRequest, campaign: Campaign, state: State, step_down: StepDownAsMaster, stay: list[Person]
) -> HttpResponse | None:
    others = join_list([person.name for person in stay])
    words = PreviewTexts(
        heading="Step down as game master",
        lead=f"{others} will run the campaign. You keep your kingdom.",
        undo=f"You cannot undo this yourself: only {others} can make you game master again.",
        button="Hand over" if step_down.to else "Step down",
        back=reverse("campaign:masters", args=[campaign.code]),
    )
    return preview_act(request, campaign, state, step_down, words)


@require_http_methods(["GET", "POST"])
def house_rules(request: HttpRequest, code: str) -> HttpResponse:
    """Everyone can read the house rules; the game master changes them."""
    campaign, state = selectors.get_campaign_with_state(request.who, code, as_master=request.method == "POST")
    context: dict[str, object] = {
        "campaign": campaign,
        "differences": _options_in_force(state),
        "texts": _terms_in_force(state),
    }
    template = "campaign/campaign_settings/house_rules.html"
    if not is_master(state, request.who):
        return render(request, template, context)
    form = HouseRulesForm(request.POST or None, state=state)

    def write(data: Answers) -> HttpResponse:
        services.write(campaign, request.who, form.act(state), key=data["key"])
        return redirect("campaign:house_rules", code)

    return form.submit(write) or form.show(request, template, **context)


def _options_in_force(state: State) -> list[tuple[str, str, str]]:
    """House rules in force: title, setting, meaning."""
    rows = [(OPTION[key], value) for key, value in state.options.items() if key in OPTION]
    return [(row.title, row.format_value(value), row.meaning(value)) for row, value in rows]


def _terms_in_force(state: State) -> list[tuple[str, str]]:
    free = [(term_title(key), str(state.terms[key])) for key in FREE_TERMS if state.terms.get(key)]
    agreed = [
        (term_title(key), describe_term_value(key, value))
        for key, value in state.terms.items()
        if key not in FREE_TERMS
    ]
    return agreed + free
