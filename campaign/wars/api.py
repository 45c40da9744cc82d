"""What a war offers by API: targets, the roll-off, kingdoms and what they can buy, won wars, house rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView

import dataclass_json
from campaign import selectors
from campaign.campaign_settings.forms import MAX_KINGDOMS
from campaign.chronicle.acts.administration import OptionValue
from campaign.chronicle.acts.war import RollForAttack, ThrownDie
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import ScoreStep, VpPurchase, list_purchases, list_score_steps
from campaign.chronicle.state import State
from campaign.display import KingdomRow, kingdom_rows, names_for
from campaign.founding import suggestions
from campaign.map.display import MapTerritory, build_map_display
from campaign.wars import roll_off
from campaign.wars.roll_off import RollDice
from campaign.wars.won_war_display import VictoryDisplay, build_victory_display
from dataclass_json import Shape, Text, Whole
from pages.api.operations import Query, Sent, operation
from pages.fields.columns_and_rows import extend
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff as Rolling


@dataclass(frozen=True)
class ListTargets:
    attacker: Annotated[str, Text("The attacker", 30, empty=True), "id of the kingdom that attacks"] = ""
    legal: Annotated[bool, "only what it may attack"] = False


class Targets(APIView):
    @operation("campaigns_targets")
    def get(self, request: Request, code: str, query: Query[ListTargets]) -> tuple[MapTerritory, ...]:
        """Every territory, with the rule that allows or forbids an attack on it."""
        campaign, state = selectors.get_campaign_with_state(request.who, code)
        asked = query.value
        if asked.attacker and (asked.attacker not in state.kingdoms or state.kingdoms[asked.attacker].status == "gone"):
            raise Refusal("There is no such kingdom in this campaign.", status=404)
        shown = build_map_display(state, seed=campaign.code, title="", attacker=asked.attacker)
        return shown.targets if asked.legal else shown.territories


@dataclass(frozen=True)
class RollOffAnswer:
    """``written``: it stands in the chronicle and binds."""

    api_name = "RollOff"

    rolled_here: Annotated[bool, "The site rolls; send no dice."]
    throws: tuple[ThrownDie, ...]
    waiting: Annotated[tuple[str, ...], "Kingdoms that still roll."]
    winner: str | None
    written: bool
    steps: tuple[str, ...]


class RollOff(APIView):
    @operation("campaigns_roll_off")
    def get(self, request: Request, code: str) -> RollOffAnswer:
        """The roll-off for the next attack: who still rolls, who leads."""
        _, state = selectors.get_campaign_with_state(request.who, code)
        act = roll_off.roll_off_so_far(state, None, ())
        return _show_roll_off(state, act, act.replay(state, state.rules()), is_written=state.attack_roll is not None)

    @operation("campaigns_roll_off_roll")
    def post(self, request: Request, code: str, sent: Sent[RollDice]) -> RollOffAnswer:
        """Roll: your own dice, or the site's. Once decided it is written; a tie asks for more dice."""
        campaign, state = selectors.get_campaign_with_state(request.who, code)
        dice = sent.value
        if dice.throws and roll_off.are_dice_rolled_here(state):
            raise Refusal("The site rolls these dice. Send none.", field="throws")
        pair = roll_off.pair_of(state, *dice.pair) if dice.pair else None
        act = roll_off.roll_off_so_far(state, pair, dice.throws)
        rolling = act.replay(state, state.rules())
        try:
            thrown = roll_off.throw_dice(campaign, request.who, state, act, rolling, sent.key, dice)
        except Refusal as refusal:
            sentence = roll_off.name_kingdoms(refusal.sentence, state)
            raise Refusal(sentence, status=refusal.status, field=refusal.field) from refusal
        return _show_roll_off(state, thrown.act, thrown.rolling, is_written=thrown.is_written)


def _show_roll_off(state: State, act: RollForAttack, rolling: Rolling, *, is_written: bool) -> RollOffAnswer:
    names = {kingdom.id: kingdom.name for kingdom in state.in_play()}
    return RollOffAnswer(
        rolled_here=roll_off.are_dice_rolled_here(state),
        throws=act.throws,
        waiting=tuple(rolling.waiting),
        winner=rolling.winner,
        written=is_written,
        steps=tuple(step.text(names) for step in rolling.steps()),
    )


@dataclass(frozen=True)
class SuggestKingdoms:
    count: Annotated[int, Whole("The number of kingdoms", 1, MAX_KINGDOMS)] = 2


class KingdomSuggestions(APIView):
    @operation("campaigns_kingdom_suggestions")
    def get(
        self, request: Request, code: str, query: Query[SuggestKingdoms]
    ) -> tuple[Annotated[Any, Shape({"$ref": "#/components/schemas/Act.kingdom_joins"})], ...]:
        """Names and arms for new kingdoms, each as a body of the act kingdom_joins."""
        campaign, state = selectors.get_campaign_with_state(request.who, code)
        suggested = suggestions.suggest_kingdoms(f"{campaign.code}/{len(state.kingdoms)}", query.value.count)
        return tuple(dataclass_json.write(act) for act in suggested)


@dataclass(frozen=True, kw_only=True)
class KingdomAnswer(KingdomRow):
    api_name = "KingdomDetail"

    loyalty_steps: tuple[ScoreStep, ...]
    vp_steps: tuple[ScoreStep, ...]
    purchases: tuple[VpPurchase, ...]


class KingdomDetail(APIView):
    @operation("campaigns_kingdom")
    def get(self, request: Request, code: str, kingdom: str) -> KingdomAnswer:
        """One kingdom: why its loyalty and VP are what they are, and what it can buy."""
        campaign, state = selectors.get_campaign_with_state(request.who, code)
        this_kingdom = state.kingdoms.get(kingdom)
        if this_kingdom is None or this_kingdom.status == "gone":
            raise Http404
        names = names_for(campaign, state)
        row = next(row for row in kingdom_rows(state, names, set()) if row.id == kingdom)
        entries = effective_entries(selectors.entries_of(campaign))
        return extend(
            KingdomAnswer,
            row,
            loyalty_steps=list_score_steps(entries, kingdom, "loyalty", names),
            vp_steps=list_score_steps(entries, kingdom, "vp", names),
            purchases=list_purchases(state, this_kingdom),
        )


class WonWar(APIView):
    @operation("campaigns_won_war")
    def get(self, request: Request, code: str, war: int) -> VictoryDisplay:
        """A won war: who won it, how, and the final ranks."""
        display = build_victory_display(selectors.get_visible_campaign(request.who, code), war)
        if display is None:
            raise Http404
        return display


@dataclass(frozen=True)
class HouseRulesAnswer:
    """What differs from the book, and what the group agreed on beside the rules."""

    api_name = "HouseRules"

    options: Mapping[str, OptionValue]
    terms: Mapping[str, str]


class HouseRules(APIView):
    @operation("campaigns_house_rules")
    def get(self, request: Request, code: str) -> HouseRulesAnswer:
        """The house rules in force. The act house_rules changes them."""
        state = selectors.state_of(selectors.get_visible_campaign(request.who, code))
        return HouseRulesAnswer(state.options, state.terms)
