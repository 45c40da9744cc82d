"""Forms for founding a campaign and for entering a war already under way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone

from campaign.campaign_settings.forms import COMMON_OPTIONS, MAX_KINGDOMS, make_option_field, make_term_field
from campaign.chronicle.acts import starting_position
from campaign.chronicle.acts.administration import StartingScores
from campaign.chronicle.acts.starting_position import SetStartingPosition, StartingSeason
from campaign.chronicle.fields import MAX_NAME
from campaign.chronicle.seasons.cut_into_seasons import suggest_season_name
from campaign.chronicle.state import FREE_TERMS, PLACE_KEYS, TERMS, State
from campaign.forms import CampaignForm
from campaign.models import Campaign
from people.name_validation import MAX_STORED
from rulebook.data.house_rules import OPTIONS

KINGDOM_COUNTS = [(n, str(n)) for n in range(2, MAX_KINGDOMS + 1)]
BEGINS = (("now", "It starts now"), ("war", "We are in the middle of a war"))
# Asked of everyone; the other terms have defaults that few change.
COMMON_TERMS = ("dice", "confirm")


@dataclass(frozen=True, slots=True)
class FoundingStep:
    title: str
    lead: str
    fields: tuple[str, ...]
    more: tuple[str, ...] = ()
    more_title: str = ""
    button: str = "Next"


STEPS = (
    FoundingStep(
        "Found a campaign",
        "You become its game master. Everything can be changed later.",
        ("name", "season", "kingdoms", "begins"),
        ("began",),
        "More: battles already fought",
        "Next: the rules",
    ),
    FoundingStep(
        "Rules",
        "By the book unless you change something.",
        (*(f"o-{key}" for key in COMMON_OPTIONS), *FREE_TERMS),
        tuple(f"o-{row.key}" for row in OPTIONS if row.key not in COMMON_OPTIONS),
        "More: all optional rules",
        "Next: dice and results",
    ),
    FoundingStep(
        "Dice and results",
        "How you roll, and who confirms results.",
        COMMON_TERMS,
        tuple(term.key for term in TERMS if term.key not in COMMON_TERMS),
        "More: deadlines, corrections, musters",
        "Next: who can see it",
    ),
    FoundingStep("Who can see it?", "Only members can change it.", ("visibility",), button="Found the campaign"),
)


class FoundingForm(CampaignForm):
    """All questions for a new campaign. Each page shows one step; other answers are hidden fields."""

    name = forms.CharField(label="Name of the campaign", max_length=MAX_STORED, help_text="You can change it later.")
    season = forms.CharField(
        label="Name of the first season", max_length=MAX_NAME, help_text="A season groups the battles of a few months."
    )
    kingdoms = forms.TypedChoiceField(label="How many kingdoms?", choices=KINGDOM_COUNTS, coerce=int, initial=2)
    begins = forms.ChoiceField(label="The war", choices=BEGINS, initial="now", widget=forms.RadioSelect)
    began = forms.DateField(
        label="First day of the war",
        required=False,
        help_text="You can then enter battles fought since that day. Leave empty for today.",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    visibility = forms.ChoiceField(
        label="Who can see it?",
        choices=Campaign.Visibility.choices,
        initial=Campaign.Visibility.MEMBERS,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(None, **kwargs)
        self.fields["season"].initial = suggest_season_name(timezone.localdate())
        for row in OPTIONS:
            self.fields[f"o-{row.key}"] = make_option_field(row, row.default)
        for key in FREE_TERMS:
            hint = "Printed on slips." if key == "house_rules" else "Leave empty to play by the book."
            box = forms.Textarea(attrs={"rows": 2})
            self.fields[key] = make_term_field(key, None, help_text=hint, widget=box)
        for term in TERMS:
            self.fields[term.key] = make_term_field(term.key, term.default, widget=forms.RadioSelect)
        if data is not None:
            # Questions not asked yet keep their defaults.
            self.data, self.is_bound = self._proposed() | {name: data[name] for name in data}, True

    def _proposed(self) -> dict[str, object]:
        given = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
        return {name: "" if value is None else value for name, value in given.items()}

    def wrong_in(self) -> int | None:
        """The first step with a problem."""
        named = set(self.errors)
        return next((n for n, step in enumerate(STEPS) if named & {*step.fields, *step.more}), 0 if named else None)

    def shown(self, names: tuple[str, ...]) -> list[Any]:
        return [self[name] for name in names]

    def carried(self, step: FoundingStep) -> list[tuple[str, Any]]:
        """The answers of the other steps, as hidden fields."""
        here = {"key", *step.fields, *step.more}
        return [
            (name, value)
            for name, field in self.fields.items()
            if name not in here and (value := self[name].value()) not in (None, "")
        ]

    def terms(self) -> dict[str, str]:
        return {key: self.cleaned_data[key] for key in (*FREE_TERMS, *(term.key for term in TERMS))}

    def options(self) -> dict[str, object]:
        """Only what differs from the book."""
        read = {row.key: (row.read(self.cleaned_data[f"o-{row.key}"]), row.default) for row in OPTIONS}
        return {key: value for key, (value, book) in read.items() if value != book}


class StartingPositionForm(CampaignForm):
    """The starting position: scores, holders of land, season."""

    season = forms.IntegerField(
        label="Season number",
        required=False,
        min_value=1,
        max_value=starting_position.MAX_SEASON,
        help_text="Leave empty if no season is open.",
    )
    season_name = forms.CharField(label="Name of the season", required=False, max_length=MAX_NAME)

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kingdoms = state.in_play()
        holders = [(kingdom.id, kingdom.name) for kingdom in self.kingdoms]
        self.fields["season"].initial = state.season if state.season_open else None
        self.fields["season_name"].initial = state.season_name if state.season_open else ""
        for kingdom in self.kingdoms:
            self.fields[f"{kingdom.id}-loyalty"] = forms.IntegerField(
                label="Loyalty",
                min_value=-starting_position.MAX_LOYALTY,
                max_value=starting_position.MAX_LOYALTY,
                initial=kingdom.loyalty,
            )
            self.fields[f"{kingdom.id}-vp"] = forms.IntegerField(
                label="VP", min_value=0, max_value=starting_position.MAX_VP, initial=kingdom.vp
            )
            self.fields[f"{kingdom.id}-lost"] = forms.TypedMultipleChoiceField(
                label="Houses lost",
                required=False,
                coerce=int,
                initial=list(kingdom.lost_houses()),
                choices=[(n, house.name) for n, house in enumerate(kingdom.houses, 1)],
                widget=forms.CheckboxSelectMultiple,
            )
            for place in PLACE_KEYS:
                key = f"{kingdom.id}.{place}"
                self.fields[f"hold-{key}"] = forms.ChoiceField(
                    label=f"{kingdom.places[place]} is held by",
                    choices=holders,
                    initial=state.holders.get(key, kingdom.id),
                )

    def rows(self) -> list[dict[str, object]]:
        return [
            {
                "kingdom": kingdom,
                "points": [self[f"{kingdom.id}-loyalty"], self[f"{kingdom.id}-vp"]],
                "lost": self[f"{kingdom.id}-lost"],
                "places": [self[f"hold-{kingdom.id}.{place}"] for place in PLACE_KEYS],
                "open": self._differs(kingdom.id),
            }
            for kingdom in self.kingdoms
        ]

    def _differs(self, kingdom: str) -> bool:
        """Whether its houses or land differ from the start of a war."""
        held = [self[f"hold-{kingdom}.{place}"].value() for place in PLACE_KEYS]
        return bool(self[f"{kingdom}-lost"].value()) or any(by != kingdom for by in held)

    def clean(self) -> Mapping[str, Any]:
        data = self.cleaned_data
        if bool(data.get("season")) != bool(data.get("season_name")) and "season" in data:
            self.add_error("season_name" if data.get("season") else "season", "Enter both a number and a name.")
        return data

    def act(self) -> SetStartingPosition:
        data = self.cleaned_data
        kingdoms = {
            kingdom.id: StartingScores(
                data[f"{kingdom.id}-loyalty"], data[f"{kingdom.id}-vp"], tuple(data[f"{kingdom.id}-lost"])
            )
            for kingdom in self.kingdoms
        }
        holders = {name.removeprefix("hold-"): by for name, by in data.items() if name.startswith("hold-")}
        season = StartingSeason(data["season"], data["season_name"]) if data["season"] else None
        return SetStartingPosition(kingdoms, holders, season)
