"""Forms of a beginning: the few questions of a founding, and a war already under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from campaign.annals import standing
from campaign.annals.founding import NAME_MOST, RULES_TEXT_MOST
from campaign.annals.state import PLACE_KEYS, State
from campaign.annals.terms import FREE_TERMS, TERMS
from campaign.forms import MOST_OFFERED
from campaign.models import Campaign
from campaign.table_forms import COMMON, option_field
from pages.forms import KeyForm
from people.names import STORED
from rulebook.options import OPTIONS

COUNTS = [(n, str(n)) for n in range(2, MOST_OFFERED + 1)]
BEGINS = (("now", "It begins now"), ("war", "We are in the middle of a war"))
# Asked of everybody; the other terms have a default that few tables change.
ASKED = ("dice", "confirm")


@dataclass(frozen=True, slots=True)
class Step:
    title: str
    lead: str
    fields: tuple[str, ...]
    more: tuple[str, ...] = ()
    more_title: str = ""
    button: str = "Next"


STEPS = (
    Step("Found a campaign", "You become its game master. Everything can be changed later.", ("name", "kingdoms", "begins"), ("began",), "More: battles were fought already", "Next: the rules"),
    Step(
        "Rules", "By the book, unless you change something here.",
        (*(f"o-{key}" for key in COMMON), *FREE_TERMS),
        tuple(f"o-{row.key}" for row in OPTIONS if row.key not in COMMON), "More: every rule on which tables differ", "Next: dice and results",
    ),
    Step(
        "Dice and results", "How this table rolls, and whose word makes a result count.", ASKED,
        tuple(term.key for term in TERMS if term.key not in ASKED), "More: waiting, corrections, musters", "Next: who may see it",
    ),
    Step("Who may see it", "Only members write. This is about reading.", ("visibility",), button="Found the campaign"),
)  # fmt: skip


class FoundForm(KeyForm):
    """All questions of a founding. A page shows one step of them; the other answers travel along hidden."""

    name = forms.CharField(
        label="Name of the campaign", max_length=STORED, help_text="As it shall stand in the chronicle."
    )
    kingdoms = forms.TypedChoiceField(label="How many kingdoms", choices=COUNTS, coerce=int, initial=2)
    begins = forms.ChoiceField(label="The war", choices=BEGINS, initial="now", widget=forms.RadioSelect)
    began = forms.DateField(
        label="First day of the war",
        required=False,
        help_text="Battles fought since that day can be entered one by one, each with its own day. Empty: today.",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    visibility = forms.ChoiceField(
        label="Who may see it", choices=Campaign.Visibility.choices, initial=Campaign.Visibility.MEMBERS, widget=forms.RadioSelect
    )  # fmt: skip

    def __init__(self, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(None, **kwargs)
        for row in OPTIONS:
            self.fields[f"o-{row.key}"] = option_field(row, row.default)
        for key, title in FREE_TERMS.items():
            hint = "They print on slips." if key == "house_rules" else "Empty: as the book has it."
            self.fields[key] = forms.CharField(
                label=title, required=False, max_length=RULES_TEXT_MOST, help_text=hint, widget=forms.Textarea(attrs={"rows": 2})
            )  # fmt: skip
        for term in TERMS:
            self.fields[term.key] = forms.ChoiceField(
                label=term.title, choices=term.choices, initial=term.default, widget=forms.RadioSelect
            )
        if data is not None:
            # What was not asked yet stands as it would be proposed.
            self.data, self.is_bound = self._proposed() | {name: data[name] for name in data}, True

    def _proposed(self) -> dict[str, Any]:
        given = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
        return {name: "" if value is None else value for name, value in given.items()}

    def wrong_in(self) -> int | None:
        """The first step with a problem."""
        named = set(self.errors)
        return next((n for n, step in enumerate(STEPS) if named & {*step.fields, *step.more}), 0 if named else None)

    def shown(self, names: tuple[str, ...]) -> list[Any]:
        return [self[name] for name in names]

    def carried(self, step: Step) -> list[tuple[str, Any]]:
        """The answers of the other steps, as hidden fields."""
        here = {"key", *step.fields, *step.more}
        return [(name, value) for name, field in self.fields.items() if name not in here and (value := self[name].value()) not in (None, "")]  # fmt: skip

    def terms(self) -> dict[str, str]:
        return {key: self.cleaned_data[key] for key in (*FREE_TERMS, *(term.key for term in TERMS))}

    def options(self) -> dict[str, Any]:
        """Only what is otherwise than in the book."""
        read = {row.key: (row.read(self.cleaned_data[f"o-{row.key}"]), row.default) for row in OPTIONS}
        return {key: value for key, (value, book) in read.items() if value != book}


class StandingForm(KeyForm):
    """Where every kingdom stands, who holds what, and which season it is."""

    season = forms.IntegerField(
        label="Season, by number", required=False, min_value=1, max_value=standing.SEASON_MOST, help_text="Empty: no season is open."
    )  # fmt: skip
    season_name = forms.CharField(label="Name of the season", required=False, max_length=NAME_MOST)

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.realms = state.in_play()
        holders = [(realm.id, realm.name) for realm in self.realms]
        self.fields["season"].initial = state.season if state.season_open else None
        self.fields["season_name"].initial = state.season_name if state.season_open else ""
        for realm in self.realms:
            self.fields[f"{realm.id}-loyalty"] = forms.IntegerField(
                label="Loyalty", min_value=-standing.LOYALTY_MOST, max_value=standing.LOYALTY_MOST, initial=realm.loyalty
            )  # fmt: skip
            self.fields[f"{realm.id}-vp"] = forms.IntegerField(
                label="VP", min_value=0, max_value=standing.VP_MOST, initial=realm.vp
            )
            self.fields[f"{realm.id}-lost"] = forms.TypedMultipleChoiceField(
                label="Houses lost", required=False, coerce=int, initial=list(realm.lost_houses()),
                choices=[(n, house.name) for n, house in enumerate(realm.houses, 1)], widget=forms.CheckboxSelectMultiple,
            )  # fmt: skip
            for place in PLACE_KEYS:
                key = f"{realm.id}.{place}"
                self.fields[f"hold-{key}"] = forms.ChoiceField(
                    label=f"{realm.places[place]} is held by", choices=holders, initial=state.holders.get(key, realm.id)
                )

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "realm": realm,
                "points": [self[f"{realm.id}-loyalty"], self[f"{realm.id}-vp"]],
                "lost": self[f"{realm.id}-lost"],
                "places": [self[f"hold-{realm.id}.{place}"] for place in PLACE_KEYS],
                "open": self._told(realm.id),
            }
            for realm in self.realms
        ]

    def _told(self, kingdom: str) -> bool:
        """Whether anything of its houses or land is otherwise than at the beginning."""
        held = [self[f"hold-{kingdom}.{place}"].value() for place in PLACE_KEYS]
        return bool(self[f"{kingdom}-lost"].value()) or any(by != kingdom for by in held)

    def clean(self) -> Mapping[str, Any]:
        data = self.cleaned_data
        if bool(data.get("season")) != bool(data.get("season_name")) and "season" in data:
            self.add_error("season_name" if data.get("season") else "season", "A season has a number and a name.")
        return data

    def body(self) -> dict[str, Any]:
        data = self.cleaned_data
        kingdoms = {
            realm.id: {
                "loyalty": data[f"{realm.id}-loyalty"],
                "vp": data[f"{realm.id}-vp"],
                "lost": data[f"{realm.id}-lost"],
            }
            for realm in self.realms
        }
        holders = {name.removeprefix("hold-"): by for name, by in data.items() if name.startswith("hold-")}
        season = {"number": data["season"], "name": data["season_name"]} if data["season"] else None
        return {"kingdoms": kingdoms, "holders": holders, "season": season}
