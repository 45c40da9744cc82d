"""A battle outside any campaign: two names are enough, army codes and friends may come along."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods

from battles import opening, slips
from battles.models import Battle
from battles.telling.many import MOST_SIDES
from log.door import new_key
from musters.rolls.code import army_of_code
from musters.rolls.course import army_at_once
from pages.forms import KeyForm
from pages.refusals import say
from people import keeping, passes
from people.models import Person
from people.names import STORED
from people.who import Who
from refusal import Refusal
from rulebook.army import Army
from rulebook.muster import Call
from rulebook.scenarios import SCENARIOS

CODE_MOST = 600


class AloneForm(KeyForm):
    """Names, and for each army its code and who leads it if they are to be counted."""

    scenario = forms.ChoiceField(
        label="Scenario", required=False, choices=[("", "Choose it later"), *((row.key, row.name) for row in SCENARIOS)]
    )
    muster = forms.BooleanField(
        label="Muster the armies here", required=False, help_text="Rolled by the service at loyalty 0, where no code brings an army along."
    )  # fmt: skip

    def __init__(self, *args, known: bool, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        for n in range(1, MOST_SIDES + 1):
            self.fields[f"name_{n}"] = forms.CharField(label=f"Army {n}", max_length=STORED, required=n < 3)
            self.fields[f"code_{n}"] = forms.CharField(
                label=f"Army code of army {n}", max_length=CODE_MOST, required=False, widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"})
            )  # fmt: skip
            if known:
                self.fields[f"person_{n}"] = forms.CharField(
                    label=f"Led by (army {n})", max_length=STORED, required=False, widget=forms.TextInput(attrs={"list": "known", "autocomplete": "off"})
                )  # fmt: skip
        self.known = known

    def rows(self) -> list[tuple]:
        """The fields of each army, the first two always shown."""
        return [
            (n, self[f"name_{n}"], self[f"code_{n}"], self[f"person_{n}"] if self.known else None)
            for n in range(1, MOST_SIDES + 1)
        ]

    def first(self) -> list[tuple]:
        return self.rows()[:2]

    def more(self) -> list[tuple]:
        return self.rows()[2:]

    def filled(self) -> list[int]:
        return [n for n in range(1, MOST_SIDES + 1) if self.cleaned_data.get(f"name_{n}", "").strip()]


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    known = request.who.is_known
    start = {"key": new_key(), "scenario": request.GET.get("scenario", ""), "code_1": request.GET.get("a", "")[:CODE_MOST], "code_2": request.GET.get("b", "")[:CODE_MOST]}  # fmt: skip
    form = AloneForm(request.POST or None, known=known, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            battle = _made(request, form)
        except Refusal as refusal:
            say(form, refusal)
        else:
            return redirect(battle)
    people = Person.objects.in_circle_of(request.who).roots().filter(forgotten_at=None)[:200] if known else ()
    context = {"form": form, "people": people}
    return render(request, "battles/new.html", context, status=422 if form.is_bound else 200)


def _made(request: HttpRequest, form: AloneForm) -> Battle:
    data, who = form.cleaned_data, request.who
    filled = form.filled()
    armies = [_army(data[f"code_{n}"], n) or (_quick(data, n) if data["muster"] else None) for n in filled]
    before = Battle.objects.filter(founding_key=f"{who.ref}/{data['key']}").exists()
    if not before:
        slips.NEW.spend(request)
    people = [_person(who, data.get(f"person_{n}", ""), f"{data['key']}-{n}") for n in filled] if form.known else []
    names = [data[f"name_{n}"] for n in filled]
    battle = opening.alone(who, key=data["key"], scenario=data["scenario"], names=names, armies=armies, people=people)
    if not who.is_known:
        # Nobody is logged in: this browser keeps the battle's link, and with it the battle.
        passes.hold(request, opening.keep_pass(battle, who))
    return battle


def _army(code: str, number: int) -> Army | None:
    if not code.strip():
        return None
    try:
        return army_of_code(code)
    except Refusal as refusal:
        raise Refusal(refusal.sentence, field=f"code_{number}") from refusal


def _quick(data: dict, number: int) -> Army:
    """An army from the form's key, so that a tap sent twice musters the same one."""
    siege = {1: "attacker", 2: "defender"}.get(number) if data["scenario"] == "siege" else None
    seed = salted_hmac("battle-muster", data["key"]).hexdigest()
    return army_at_once(Call(siege=siege), (seed,), f"army {number}")


def _person(who: Who, name: str, key: str) -> Person | None:
    """Somebody one knows by this name, or written down now."""
    name = name.strip()
    if not name:
        return None
    known = Person.objects.in_circle_of(who).roots().filter(name__iexact=name, forgotten_at=None).order_by("pk").first()
    return known or keeping.add(who, name, key=key)
