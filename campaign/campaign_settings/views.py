"""What the table settles about itself: names and arms of a kingdom, who rules it, who is away, who runs the campaign."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaign import door, reading
from campaign.annals.acts import act_of
from campaign.annals.state import GONE, Kingdom, State
from campaign.annals.terms import FREE_TERMS, term_said, term_title
from campaign.annals.wording import listed
from campaign.door import is_master
from campaign.kingdom_views import person_called
from campaign.models import Campaign
from campaign.sheet import names_for
from campaign.table_forms import HouseRulesForm, LeaveForm, LooksForm, RegentForm, RulerForm, ShareForm, StatusForm
from campaign.views import run_by, visible
from campaign.weighing import Words, sent_before, weigh
from log.door import new_key
from pages.arms import arms_form
from pages.refusals import say
from people.models import Person
from refusal import Refusal
from rulebook.options import OPTION


def _realm(request: HttpRequest, code: str, kingdom: str, act: str) -> tuple[Campaign, State, Kingdom]:
    """The kingdom, for those who may do this to it."""
    campaign = visible(request, code)
    state = reading.state_of(campaign)
    realm = state.kingdoms.get(kingdom)
    if realm is None or realm.status == "gone":
        raise Http404
    door.may(campaign, request.who, act_of(act), {"kingdom": kingdom}, state)
    return campaign, state, realm


@require_http_methods(["GET", "POST"])
def looks(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    """Names of the kingdom, its land and its houses."""
    campaign, _, realm = _realm(request, code, kingdom, "kingdom_looks")
    form = LooksForm(request.POST or None, initial={**LooksForm.initial_of(realm), "key": new_key()})
    if request.method == "POST" and form.is_valid():
        try:
            body = {"kingdom": kingdom, **form.body(realm)}
            door.do(campaign, request.who, key=form.cleaned_data["key"], act="kingdom_looks", body=body)
        except Refusal as refusal:
            say(form, refusal)
        else:
            return redirect("campaign:kingdom", code, kingdom)
    context = {"campaign": campaign, "realm": realm, "form": form}
    return render(request, "campaign/looks.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def arms(request: HttpRequest, code: str, kingdom: str, house: int = 0) -> HttpResponse:
    """Arms of the kingdom, or of one of its houses."""
    campaign, _, realm = _realm(request, code, kingdom, "kingdom_looks")
    if house > len(realm.houses):
        raise Http404
    bearer = realm.houses[house - 1] if house else realm
    form, only_looks = arms_form(request.POST if request.method == "POST" else _as_sent(bearer.arms))
    lawful = form.is_valid()
    if request.method == "POST" and lawful and not only_looks:
        drawn = form.arms.to_dict()
        if drawn != bearer.arms:
            body = {"kingdom": kingdom} | ({"houses": {str(house): {"arms": drawn}}} if house else {"arms": drawn})
            door.do(campaign, request.who, key=request.POST.get("key", ""), act="kingdom_looks", body=body)
        return redirect("campaign:kingdom", code, kingdom)
    back = reverse("campaign:kingdom", args=[code, kingdom])
    context = {"campaign": campaign, "name": bearer.name, "form": form, "back": back, "key": new_key()}
    return render(request, "campaign/arms.html", context, status=200 if lawful else 422)


def _as_sent(arms: dict[str, Any]) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({part: str(value) for part, value in arms.items() if value not in ("", 0, None)})
    return data


@require_http_methods(["GET", "POST"])
def rule(request: HttpRequest, code: str, kingdom: str) -> HttpResponse:
    """Who rules, who acts for them, and whether the kingdom is in play."""
    if request.method == "POST" and sent_before(request, visible(request, code)):
        return redirect("campaign:page", code)
    campaign, state, realm = _realm(request, code, kingdom, "regent_named")
    members = list(campaign.members.select_related("person__merged_into"))
    names = names_for(campaign, state, members)
    master = is_master(state, request.who)
    what = request.POST.get("what", "")
    key = new_key()
    named = {
        "ruler": names.person(realm.ruler) if realm.ruler else "",
        "regent": names.person(realm.regent) if realm.regent else "",
    }

    def sent(part: str) -> QueryDict | None:
        return request.POST if what == part else None

    forms: dict[str, Any] = {
        "regent": RegentForm(sent("regent"), initial={"regent": named["regent"], "key": f"{key}-r"})
    }
    if master:
        forms["ruler"] = RulerForm(sent("ruler"), initial={"ruler": named["ruler"], "key": f"{key}-k"})
        forms["status"] = StatusForm(
            sent("status"), state=state, realm=realm, initial={"to": realm.status, "key": f"{key}-s"}
        )
    form = forms.get(what)
    if form is not None and form.is_valid():
        data = form.cleaned_data
        try:
            if what == "status":
                act, body = "kingdom_status", form.body()
                if body["to"] == GONE and (page := _dissolving(request, campaign, state, realm, body)):
                    return page
            else:
                person = person_called(request, data[what], f"{data['key']}-person")
                act = "ruler_changed" if what == "ruler" else "regent_named"
                body = {"person": person.pk if person else None}
            door.do(campaign, request.who, key=data["key"], act=act, body={"kingdom": kingdom, **body})
        except Refusal as refusal:
            say(form, refusal)
        else:
            gone = what == "status" and data["to"] == GONE
            return redirect(campaign) if gone else redirect("campaign:kingdom", code, kingdom)
    context = {
        "campaign": campaign,
        "realm": realm,
        "forms": forms,
        "known": sorted({m.person.root.name for m in members}),
    }
    return render(request, "campaign/rule.html", context, status=422 if request.method == "POST" else 200)


def _dissolving(
    request: HttpRequest, campaign: Campaign, state: State, realm: Kingdom, body: dict[str, Any]
) -> HttpResponse | None:
    words = Words(
        heading=f"Dissolve {realm.name}",
        lead=f"{realm.name} leaves the war. Its own land leaves the map, and what it had won goes to the heirs.",
        undo="Its past battles stay in the chronicle. The entry can be struck, and the kingdom is back as it was.",
        button="Dissolve it",
        back=reverse("campaign:rule", args=[campaign.code, realm.id]),
    )
    return weigh(request, campaign, state, "kingdom_status", {"kingdom": realm.id, **body}, words)


@require_http_methods(["GET", "POST"])
def masters(request: HttpRequest, code: str) -> HttpResponse:
    """The mastership, shared or handed over: a campaign stays playable when its master leaves."""
    if request.method == "POST" and sent_before(request, visible(request, code)):
        return redirect("campaign:page", code)
    campaign = run_by(request, code)
    state = reading.state_of(campaign)
    people = {m.person.root.pk: m.person.root for m in campaign.members.select_related("person__merged_into")}
    mine = set(request.who.person.all_ids())
    run = [people[pk] for pk in state.masters if pk in people]
    others = [(pk, person.name) for pk, person in people.items() if pk not in state.masters and pk not in mine]
    key, what = new_key(), request.POST.get("what", "")
    share = ShareForm(request.POST if what == "share" else None, people=others, initial={"key": f"{key}-share"})
    alone = set(state.masters) <= mine
    leave = LeaveForm(
        request.POST if what == "leave" else None, people=others, alone=alone, initial={"key": f"{key}-leave"}
    )
    form = {"share": share, "leave": leave}.get(what)
    if form is not None and form.is_valid():
        data = form.cleaned_data
        try:
            if what == "share":
                body = {"person": data["person"]}
                door.do(campaign, request.who, key=data["key"], act="master_shared", body=body)
            else:
                body = {"person": next(pk for pk in state.masters if pk in mine), "to": data["to"]}
                left = [person for person in run if person.pk not in mine]
                if page := _leaving(request, campaign, state, body, [*left, *filter(None, [people.get(data["to"])])]):
                    return page
                door.do(campaign, request.who, key=data["key"], act="master_left", body=body)
        except Refusal as refusal:
            say(form, refusal)
        else:
            return redirect(campaign) if what == "leave" else redirect("campaign:masters", code)
    context = {"campaign": campaign, "run": run, "others": others, "share": share, "leave": leave}
    return render(request, "campaign/masters.html", context, status=422 if request.method == "POST" else 200)


def _leaving(
    request: HttpRequest, campaign: Campaign, state: State, body: dict[str, Any], stay: list[Person]
) -> HttpResponse | None:
    others = listed([person.name for person in stay])
    words = Words(
        heading="Be game master no longer",
        lead=f"{others} will run the campaign. What you rule stays yours.",
        undo=f"You cannot take it back yourself: only {others} can share the mastership with you again.",
        button="Hand it over" if body["to"] else "Leave it",
        back=reverse("campaign:masters", args=[campaign.code]),
    )
    return weigh(request, campaign, state, "master_left", body, words)


@require_http_methods(["GET", "POST"])
def house_rules(request: HttpRequest, code: str) -> HttpResponse:
    """Everyone at the table reads what is otherwise than in the book; the game master changes it."""
    campaign = run_by(request, code) if request.method == "POST" else visible(request, code)
    state = reading.state_of(campaign)
    context: dict[str, Any] = {"campaign": campaign, "differences": _differences(state), "texts": _texts(state)}
    status = 200
    if is_master(state, request.who):
        form = HouseRulesForm(request.POST or None, state=state, initial={"key": new_key()})
        if form.is_bound:
            status = 422
            if form.is_valid():
                try:
                    key = form.cleaned_data["key"]
                    door.do(campaign, request.who, key=key, act="house_rules", body=form.body(state))
                    return redirect("campaign:house_rules", code)
                except Refusal as refusal:
                    say(form, refusal)
        context["form"] = form
    return render(request, "campaign/house_rules.html", context, status=status)


def _differences(state: State) -> list[tuple[str, str, str]]:
    """What is otherwise than in the book: title, how it is played here, what that means."""
    rows = [(OPTION[key], value) for key, value in state.options.items() if key in OPTION]
    return [(row.title, row.said(value), row.meaning(value)) for row, value in rows]


def _texts(state: State) -> list[tuple[str, str]]:
    free = [(term_title(key), str(state.terms[key])) for key in FREE_TERMS if state.terms.get(key)]
    agreed = [(term_title(key), term_said(key, value)) for key, value in state.terms.items() if key not in FREE_TERMS]
    return agreed + free
