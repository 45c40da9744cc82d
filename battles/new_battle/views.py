"""Create a standalone battle: two names are enough, army codes and leaders are optional."""

from dataclasses import dataclass

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.models import Battle
from battles.new_battle import services
from battles.new_battle.services import MAX_CODE_LENGTH, choose_army
from battles.result.core.report import MAX_SIDES
from battles.slip import access_codes
from log.services import new_key
from pages.key_form import KeyForm
from pages.refusal_handling import add_refusal_to_form
from people import guests as guests_services
from people.models import Person
from people.name_validation import MAX_STORED
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal
from rulebook.data.scenarios import SCENARIOS


@dataclass(frozen=True, slots=True)
class ArmyFields:
    name: forms.BoundField
    code: forms.BoundField
    person: forms.BoundField | None


class NewBattleForm(KeyForm):
    """For each army its name, and optionally its code and leader."""

    scenario = forms.ChoiceField(
        label="Scenario", required=False, choices=[("", "Choose later"), *((row.key, row.name) for row in SCENARIOS)]
    )
    muster = forms.BooleanField(
        label="Muster armies here",
        required=False,
        help_text="Rolls an army at loyalty 0 for every side without a code.",
    )

    def __init__(self, *args, known: bool, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        for n in range(1, MAX_SIDES + 1):
            self.fields[f"name_{n}"] = forms.CharField(label=f"Army {n}", max_length=MAX_STORED, required=n < 3)
            self.fields[f"code_{n}"] = forms.CharField(
                label=f"Army code of army {n}",
                max_length=MAX_CODE_LENGTH,
                required=False,
                widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
            )
            if known:
                self.fields[f"person_{n}"] = forms.CharField(
                    label=f"Led by (army {n})",
                    max_length=MAX_STORED,
                    required=False,
                    widget=forms.TextInput(attrs={"list": "known", "autocomplete": "off"}),
                )
        self.known = known

    def armies(self) -> list[ArmyFields]:
        numbers = range(1, MAX_SIDES + 1)
        return [
            ArmyFields(self[f"name_{n}"], self[f"code_{n}"], self[f"person_{n}"] if self.known else None)
            for n in numbers
        ]

    def filled_armies(self) -> list[int]:
        return [n for n in range(1, MAX_SIDES + 1) if self.cleaned_data.get(f"name_{n}", "").strip()]


@require_http_methods(["GET", "POST"])
def new_battle(request: HttpRequest) -> HttpResponse:
    known = request.who.is_known
    start = {
        "key": new_key(),
        "scenario": request.GET.get("scenario", ""),
        "code_1": request.GET.get("a", "")[:MAX_CODE_LENGTH],
        "code_2": request.GET.get("b", "")[:MAX_CODE_LENGTH],
    }
    if start["code_1"]:  # from a roster: one tap makes the battle, against the army of its code or one rolled here
        start |= {"name_1": "Army 1", "name_2": "Army 2", "muster": not start["code_2"]}
    form = NewBattleForm(request.POST or None, known=known, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            battle = _create(request, form)
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            return redirect(battle)
    people = Person.objects.known_to(request.who).roots().filter(forgotten_at=None)[:200] if known else ()
    context = {"form": form, "people": people}
    return render(request, "battles/new_battle/new_battle.html", context, status=422 if form.is_bound else 200)


def _create(request: HttpRequest, form: NewBattleForm) -> Battle:
    data, who = form.cleaned_data, request.who
    filled = form.filled_armies()
    armies = [
        choose_army(
            data[f"code_{n}"],
            n,
            key=data["key"],
            scenario=data["scenario"],
            muster=data["muster"],
            field=f"code_{n}",
        )
        for n in filled
    ]
    before = Battle.objects.filter(founding_key=f"{who.ref}/{data['key']}").exists()
    if not before:
        access_codes.NEW_BATTLE_LIMIT.count_use(request)
    people = (
        [_find_or_add_person(who, data.get(f"person_{n}", ""), f"{data['key']}-{n}") for n in filled]
        if form.known
        else []
    )
    names = [data[f"name_{n}"] for n in filled]
    battle = services.create_standalone_battle(
        who, key=data["key"], scenario=data["scenario"], names=names, armies=armies, people=people
    )
    if not who.is_known:
        # Without a log-in, this browser holds the battle's link.
        passes_services.hold_pass(request, services.get_edit_pass(battle, who))
    return battle


def _find_or_add_person(who: Who, name: str, key: str) -> Person | None:
    """An acquaintance with this name, or a new guest."""
    name = name.strip()
    if not name:
        return None
    known = Person.objects.known_to(who).roots().filter(name__iexact=name, forgotten_at=None).order_by("pk").first()
    return known or guests_services.add_guest(who, name, key=key)
