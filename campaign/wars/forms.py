"""Forms of a war: the result of a battle, an agreed change, the winner. The rules are checked in ``services``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms

from campaign.chronicle import codec
from campaign.chronicle.acts.war import MAX_UNITS, MAX_VP, AgreeChange, AgreedHouse, ReportResult, WinCampaign
from campaign.chronicle.battles_from_entries import read_battle
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.fields import MAX_WHY
from campaign.chronicle.state import State
from campaign.forms import CampaignForm
from refusal import Refusal
from rulebook.data.scenarios import SCENARIOS


class ResultForm(CampaignForm):
    """The outcome of a battle whose kingdoms and target are known."""

    outcome = forms.ChoiceField(label="Who won?", widget=forms.RadioSelect)
    scenario = forms.ChoiceField(label="Scenario", required=False)
    attacker_points = forms.IntegerField(min_value=0, max_value=MAX_VP, initial=0)
    defender_points = forms.IntegerField(min_value=0, max_value=MAX_VP, initial=0)
    attacker_spent = forms.IntegerField(min_value=0, max_value=MAX_VP, initial=0)
    defender_spent = forms.IntegerField(min_value=0, max_value=MAX_VP, initial=0)
    attacker_removed = forms.IntegerField(min_value=0, max_value=MAX_UNITS, required=False)
    defender_removed = forms.IntegerField(min_value=0, max_value=MAX_UNITS, required=False)
    attacker_lost = forms.TypedMultipleChoiceField(required=False, coerce=int, widget=forms.CheckboxSelectMultiple)
    defender_lost = forms.TypedMultipleChoiceField(required=False, coerce=int, widget=forms.CheckboxSelectMultiple)
    played_on = forms.DateField(label="Day played", widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    accept_late = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, state: State, attacker: str, defender: str, target: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.target = target
        self.attacker, self.defender = state.kingdoms[attacker], state.kingdoms[defender]
        one, other = self.attacker.name, self.defender.name
        self.fields["outcome"].choices = [("attacker", f"{one} won"), ("defender", f"{other} won"), ("draw", "A draw")]
        self.fields["scenario"].choices = [("", "Not recorded"), *_scenarios_for(target)]
        for side, kingdom in (("attacker", self.attacker), ("defender", self.defender)):
            self.fields[f"{side}_points"].label = f"VP earned by {kingdom.name}"
            self.fields[f"{side}_points"].help_text = "Total, including points for winning"
            self.fields[f"{side}_spent"].label = f"VP spent by {kingdom.name} in the battle"
            self.fields[f"{side}_removed"].label = f"Units removed by {kingdom.name}"
            self.fields[f"{side}_lost"].label = f"Houses of {kingdom.name} that sent nobody"
            self.fields[f"{side}_lost"].choices = [(n, h.name) for n, h in enumerate(kingdom.houses, 1) if not h.lost]

    def act(self, battle: int | None) -> ReportResult:
        data = self.cleaned_data
        one, other = self.attacker.id, self.defender.id
        lost = {one: tuple(data["attacker_lost"]), other: tuple(data["defender_lost"])}
        removed = {one: data["attacker_removed"], other: data["defender_removed"]}
        return ReportResult(
            attacker=one,
            defender=other,
            target=self.target,
            outcome=data["outcome"],
            scenario=data["scenario"] or None,
            points={one: data["attacker_points"], other: data["defender_points"]},
            spent={one: data["attacker_spent"], other: data["defender_spent"]},
            houses_lost={side: houses for side, houses in lost.items() if houses},
            removed={side: count for side, count in removed.items() if count is not None},
            battle=battle or 0,
        )

    @staticmethod
    def initial_of(act: ReportResult) -> dict[str, object]:
        """The form filled in from an existing entry, to correct it."""
        initial: dict[str, object] = {"outcome": act.outcome, "scenario": act.scenario or ""}
        for side, key in (("attacker", act.attacker), ("defender", act.defender or "")):
            initial[f"{side}_points"] = act.points.get(key, 0)
            initial[f"{side}_spent"] = act.spent.get(key, 0)
            initial[f"{side}_removed"] = act.removed.get(key)
            initial[f"{side}_lost"] = act.houses_lost.get(key, ())
        return initial


class LogBattleForm(CampaignForm):
    """A battle that was fought already: what the report by units has to know first."""

    scenario = forms.ChoiceField(label="Scenario")
    played_on = forms.DateField(label="Day played", widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}))
    accept_late = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, target: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scenario"].choices = _scenarios_for(target)


def _scenarios_for(target: str) -> list[tuple[str, str]]:
    return [(row.key, row.name) for row in SCENARIOS if row.is_siege == target.endswith(".castle")]


class OwnVersionForm(ResultForm):
    """The other side's version of a battle, and what is wrong with the first report."""

    reason = forms.CharField(
        label="What is different?",
        max_length=MAX_WHY,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Both sides and the game master can read this.",
    )


class ReasonForm(CampaignForm):
    why = forms.CharField(label="Why", max_length=MAX_WHY, widget=forms.Textarea(attrs={"rows": 2}))


class AgreedChangeForm(ReasonForm):
    """A change that the players agreed on, with its reason."""

    kingdom = forms.ChoiceField(label="Kingdom")
    vp = forms.IntegerField(label="VP change", min_value=-999, max_value=999, required=False, initial=0)
    loyalty = forms.IntegerField(label="Loyalty change", min_value=-99, max_value=99, required=False, initial=0)
    territory = forms.ChoiceField(label="Takes over", required=False)
    house_lost = forms.ChoiceField(label="House lost", required=False)
    house_back = forms.ChoiceField(label="House won back", required=False)

    field_order = ("key", "kingdom", "vp", "loyalty", "territory", "house_lost", "house_back", "why")

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kingdoms = state.in_play()
        self.fields["kingdom"].choices = [(k.id, k.name) for k in kingdoms]
        self.fields["territory"].choices = [("", "nothing"), *((key, state.place_name(key)) for key in state.holders)]
        houses = [(f"{k.id}/{n}", f"{h.name} of {k.name}", h.lost) for k in kingdoms for n, h in enumerate(k.houses, 1)]
        self.fields["house_lost"].choices = [("", "none"), *((key, name) for key, name, lost in houses if not lost)]
        self.fields["house_back"].choices = [("", "none"), *((key, name) for key, name, lost in houses if lost)]

    def act(self) -> AgreeChange:
        data = self.cleaned_data
        key = data["kingdom"]
        houses = []
        for field, lost in (("house_lost", True), ("house_back", False)):
            if data[field]:
                kingdom, _, number = data[field].partition("/")
                houses.append(AgreedHouse(kingdom, int(number), lost))
        return AgreeChange(
            why=data["why"],
            vp={key: data["vp"]} if data["vp"] else {},
            loyalty={key: data["loyalty"]} if data["loyalty"] else {},
            hold={data["territory"]: key} if data["territory"] else {},
            houses=tuple(houses),
        )


class WinnerForm(ReasonForm):
    """The winner, by the players' own victory condition."""

    kingdom = forms.ChoiceField(label="Winner")

    field_order = ("key", "kingdom", "why")

    def __init__(self, *args: Any, state: State, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kingdom"].choices = [("", "Choose"), *((k.id, k.name) for k in state.in_play())]
        self.fields["why"].help_text = "The victory condition. Shown in the chronicle and the hall of fame."

    def act(self) -> WinCampaign:
        return WinCampaign(self.cleaned_data["kingdom"], self.cleaned_data["why"])


# --- A report unit by unit as the totals of the short form ---------------------------------------------------


def with_totals(act: ReportResult, state: State) -> ReportResult:
    """The result with total points and units; unchanged if it has no unit report."""
    if act.report is None:
        return act
    try:
        effects = act.decide(state, state.rules())
    except Refusal:
        return act
    battle = read_battle(ChronicleEntry(0, act.key, codec.write_sent(act), effects, ""))
    return replace(act, points=battle.earned, removed=battle.removed, scenario=battle.scenario)


def merge_correction(before: ReportResult, typed: ReportResult, state: State) -> ReportResult:
    """The result with the typed values. The unit report stays only if it still agrees with them."""
    if _totals(with_totals(before, state)) == _totals(typed):
        return replace(before, defender=typed.defender, spent=typed.spent, houses_lost=typed.houses_lost)
    return replace(typed, as_agreed=before.as_agreed, others=before.others)


def _totals(act: ReportResult) -> tuple[str, str, dict[str, int], dict[str, int]]:
    """What the short form asks. A count of 0 is the same as none."""
    return act.outcome, act.scenario or "", _without_zero(act.points), _without_zero(act.removed)


def _without_zero(counts: Mapping[str, int]) -> dict[str, int]:
    return {key: count for key, count in counts.items() if count}
