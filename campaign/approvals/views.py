"""What waits for the word of others: look at it, say yes or no, tell it differently, take it back."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaign import petitions, reading
from campaign.annals import consent
from campaign.counted import counted
from campaign.door import is_master
from campaign.forms import OtherForm
from campaign.models import Petition
from campaign.petition_sheet import petition_sheet
from campaign.views import visible
from log.door import new_key
from pages.numbers import whole
from pages.refusals import say
from people.models import Person
from refusal import Refusal


def _fetch(request: HttpRequest, code: str, pk: int) -> Petition:
    campaign = visible(request, code)
    row = get_object_or_404(Petition.objects.visible_to(request.who).filter(campaign=campaign), pk=pk)
    row.campaign = campaign
    return row


@require_http_methods(["GET", "POST"])
def petition(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    row = _fetch(request, code, pk)
    said, status = "", 200
    if request.method == "POST":
        try:
            done = _answered(request, row)
        except Refusal as refusal:
            if refusal.status not in (409, 422):
                raise
            said, status = refusal.sentence, refusal.status
            row = _fetch(request, code, pk)
        else:
            if done.get("entry"):
                return redirect(f"{row.campaign.get_absolute_url()}#entry-{done['entry']}")
            return redirect(row)
    context = {
        "campaign": row.campaign,
        "sheet": petition_sheet(row, request.who),
        "other": petitions.own_version_of(row) if row.is_open else "",
        "said": said,
        "reason": request.POST.get("reason", ""),
        "key": new_key(),
    }
    return render(request, "campaign/petition.html", context, status=status)


def _answered(request: HttpRequest, row: Petition) -> dict[str, Any]:
    data = request.POST
    what, key = data.get("do", ""), data.get("key", "")
    if what == "yes":
        number = data.get("version", "")
        return petitions.consent(
            row,
            request.who,
            key=key,
            version=whole(number) or 0,
            as_person=someone(data.get("as", "")),
            seen=data.get("seen") or None,
            accept_late=data.get("late") == "on",
        )
    if what == "no":
        return petitions.object_to(row, request.who, key=key, reason=data.get("reason", ""))
    if what == "back":
        return petitions.withdraw(row, request.who, key=key)
    raise Refusal("Say yes or no to it, or take it back.")


def someone(typed: str) -> Person | None:
    """Whoever speaks on this phone; the door says whether they are asked at all."""
    if not typed:
        return None
    person = Person.objects.filter(pk=whole(typed) or 0).select_related("merged_into").first()
    if person is None:
        raise Refusal("Nobody of that name is asked here.", field="as")
    return person


@require_http_methods(["GET", "POST"])
def other(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The same battle as the other side tells it."""
    row = _fetch(request, code, pk)
    if row.act != "result" or not row.is_open:
        raise Http404
    state = reading.state_of(row.campaign)
    told = row.versions[0]["body"]
    attacker, defender, target = told["attacker"], row.sides[1], told["target"]
    initial = {
        **OtherForm.initial_of(counted(row.act, {**told, "defender": defender}, state)),
        "key": new_key(),
        "played_on": row.versions[0]["played"],
    }
    form = OtherForm(
        request.POST or None, state=state, attacker=attacker, defender=defender, siege=target.endswith(".castle"), initial=initial
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            done = petitions.object_to(
                row,
                request.who,
                key=data["key"],
                reason=data["reason"],
                body=form.body(target, told.get("battle")),
                played=data["played_on"],
            )
        except Refusal as refusal:
            say(form, refusal)
        else:
            if done.get("entry"):
                return redirect(f"{row.campaign.get_absolute_url()}#entry-{done['entry']}")
            return redirect(row)
    context = {
        "campaign": row.campaign,
        "petition": row,
        "form": form,
        "place": state.place_name(target),
        "decides": is_master(state, request.who),
        "own_side": consent.side_of(state, row.sides, set(request.who.person.all_ids()))
        if request.who.person
        else None,
    }
    return render(request, "campaign/petition_other.html", context, status=422 if form.is_bound else 200)


def register() -> None:
    petitions.own_version_at("result", lambda row: reverse("campaign:petition_other", args=[row.campaign.code, row.pk]))
