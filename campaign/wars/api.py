"""What a war offers by API: targets, the roll-off, kingdoms and what they can buy, won wars, house rules."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from campaign import selectors as campaign_selectors
from campaign.api import KingdomSerializer, act_body_ref
from campaign.chronicle import codec
from campaign.chronicle.acts.war import RollForAttack, ThrownDie
from campaign.chronicle.entries_and_fold import effective_entries
from campaign.chronicle.scores import list_purchases, list_score_steps
from campaign.display import kingdom_rows, names_for
from campaign.founding import suggestions
from campaign.kingdoms.forms import MAX_KINGDOMS
from campaign.map.display import build_map_display
from campaign.models import Campaign
from campaign.wars import roll_off_services
from campaign.wars.won_war_display import build_victory_display
from dataclass_json import Schema
from pages.api.answer_schema import SETTING
from pages.api.typed_fields import TypedDictField, TypedJSONField
from pages.api_parsers import read_body
from pages.number_parsing import parse_int
from refusal import Refusal


class TargetSerializer(serializers.Serializer):
    target = serializers.CharField(source="key")
    name = serializers.CharField()
    owner = serializers.CharField()
    holder = serializers.CharField()
    legal = serializers.BooleanField(allow_null=True, help_text="null without an attacker")
    why = serializers.CharField(help_text="the rule's reason")
    contested = serializers.CharField(help_text="about the open battle for it")


class RollOffInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    pair = serializers.ListField(
        child=serializers.CharField(max_length=30), min_length=2, max_length=2, required=False,
        help_text="who rolls, where the players agree on two",
    )  # fmt: skip
    throws = serializers.ListField(
        child=TypedDictField(dataclass_json.schema(ThrownDie)),
        default=list,
        max_length=200,
        help_text="from the answer before",
    )
    dice = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=10),
        default=dict,
        help_text="die by kingdom; not where the site rolls",
    )
    buyer = serializers.CharField(max_length=30, default="", allow_blank=True, help_text="who buys a re-roll")
    bought = serializers.IntegerField(min_value=1, max_value=10, required=False)
    again = serializers.BooleanField(default=False, help_text="a re-roll after the roll-off was decided")


class RollOffSerializer(serializers.Serializer):
    rolled_here = serializers.BooleanField(help_text="the site rolls; send no dice")
    throws = serializers.ListField(child=TypedJSONField(dataclass_json.schema(ThrownDie)))
    waiting = serializers.ListField(child=serializers.CharField(), help_text="kingdoms that still roll")
    winner = serializers.CharField(allow_null=True)
    written = serializers.BooleanField(help_text="it stands in the chronicle and binds")
    steps = serializers.ListField(child=serializers.CharField())


class ScoreStepSerializer(serializers.Serializer):
    entry = serializers.IntegerField(source="number")
    by = serializers.IntegerField()
    total = serializers.IntegerField()
    why = serializers.CharField()


def _purchase_schema() -> Schema:
    """The kingdom is left out, and so is what a player still has to choose."""
    found = codec.act_schema("vp_spent")
    return {name: value for name, value in found.items() if name != "required"}


class PurchaseSerializer(serializers.Serializer):
    title = serializers.CharField()
    cost = serializers.IntegerField(source="price.vp")
    body = TypedJSONField(_purchase_schema, help_text="what the act vp_spent takes besides the kingdom")
    refusal = serializers.CharField(help_text="why not now; empty if it can be bought")


class KingdomDetailSerializer(KingdomSerializer):
    loyalty_steps = ScoreStepSerializer(many=True)
    vp_steps = ScoreStepSerializer(many=True)
    purchases = PurchaseSerializer(many=True)


class FinalRankSerializer(serializers.Serializer):
    kingdom = serializers.CharField(source="rank.kingdom")
    words = serializers.CharField()
    is_winner = serializers.BooleanField()


class WonWarSerializer(serializers.Serializer):
    war = serializers.IntegerField()
    winner = serializers.CharField()
    lead = serializers.CharField()
    won_on = serializers.DateField()
    entry = serializers.IntegerField()
    season = serializers.IntegerField()
    ranks = FinalRankSerializer(many=True)


class HouseRulesSerializer(serializers.Serializer):
    options = serializers.DictField(child=TypedJSONField(SETTING), help_text="what differs from the book")
    terms = serializers.DictField(child=serializers.CharField(), help_text="what the group agreed on beside the rules")


class Targets(APIView):
    @extend_schema(
        parameters=[
            OpenApiParameter("attacker", str, description="id of the kingdom that attacks"),
            OpenApiParameter("legal", bool, description="only what it may attack"),
        ],
        responses=TargetSerializer(many=True),
        operation_id="campaigns_targets",
    )
    def get(self, request: Request, code: str) -> Response:
        """Every territory, with the rule that allows or forbids an attack on it."""
        campaign = campaign_selectors.get_visible_campaign(request.who, code)
        state = campaign_selectors.state_of(campaign)
        attacker = request.query_params.get("attacker", "")
        if attacker and (attacker not in state.kingdoms or state.kingdoms[attacker].status == "gone"):
            raise Refusal("There is no such kingdom in this campaign.", status=404)
        found = build_map_display(state, seed=campaign.code, title="", attacker=attacker)
        only_legal = request.query_params.get("legal") == "true"
        rows = [one for one in found.territories if one.legal or not only_legal]
        return Response(TargetSerializer(rows, many=True).data)


class RollOff(APIView):
    @extend_schema(responses=RollOffSerializer, operation_id="campaigns_roll_off")
    def get(self, request: Request, code: str) -> Response:
        """The roll-off for the next attack: who still rolls, who leads."""
        campaign = campaign_selectors.get_visible_campaign(request.who, code)
        state = campaign_selectors.state_of(campaign)
        act = roll_off_services.roll_off_so_far(state, None, ())
        return Response(_roll_off(state, act, act.replay(state, state.rules()), state.attack_roll is not None))

    @extend_schema(request=RollOffInSerializer, responses=RollOffSerializer, operation_id="campaigns_roll_off_roll")
    def post(self, request: Request, code: str) -> Response:
        """Roll: your own dice, or the site's. Once decided it is written; a tie asks for more dice."""
        campaign = campaign_selectors.get_visible_campaign(request.who, code)
        state = campaign_selectors.state_of(campaign)
        sent = read_body(RollOffInSerializer, request)
        throws = dataclass_json.read(RollForAttack, {"throws": sent["throws"]}).throws
        if throws and roll_off_services.are_dice_rolled_here(state):
            raise Refusal("The site rolls these dice. Send none.", field="throws")
        pair = roll_off_services.pair_of(state, *sent["pair"]) if "pair" in sent else None
        act = roll_off_services.roll_off_so_far(state, pair, throws)
        dice = roll_off_services.SentDice(
            sent["key"],
            {kingdom: str(die) for kingdom, die in sent["dice"].items()},
            sent["buyer"],
            str(sent.get("bought", "")),
            again=sent["again"],
        )
        rolling = act.replay(state, state.rules())
        try:
            thrown = roll_off_services.throw_dice(campaign, request.who, state, act, rolling, dice)
        except Refusal as refusal:
            sentence = roll_off_services.name_kingdoms(refusal.sentence, state)
            raise Refusal(sentence, status=refusal.status, field=refusal.field) from refusal
        return Response(_roll_off(state, thrown.act, thrown.rolling, thrown.is_written))


def _roll_off(state: Any, act: RollForAttack, rolling: Any, is_written: bool) -> dict[str, object]:
    names = {realm.id: realm.name for realm in state.in_play()}
    return {
        "rolled_here": roll_off_services.are_dice_rolled_here(state),
        "throws": dataclass_json.write(act.throws),
        "waiting": list(rolling.waiting),
        "winner": rolling.winner,
        "written": is_written,
        "steps": [step.text(names) for step in rolling.steps()],
    }


class KingdomSuggestions(APIView):
    @extend_schema(
        parameters=[OpenApiParameter("count", int)],
        responses={200: {"type": "array", "items": act_body_ref("kingdom_joins")}},
        operation_id="campaigns_kingdom_suggestions",
    )
    def get(self, request: Request, code: str) -> Response:
        """Names and arms for new kingdoms, each as a body of the act kingdom_joins."""
        campaign = campaign_selectors.get_visible_campaign(request.who, code)
        state = campaign_selectors.state_of(campaign)
        count = max(1, min(parse_int(request.query_params.get("count", "")) or 2, MAX_KINGDOMS))
        found = suggestions.suggest_kingdoms(f"{campaign.code}/{len(state.kingdoms)}", count)
        return Response([dataclass_json.write(one) for one in found])


class KingdomDetail(APIView):
    @extend_schema(responses=KingdomDetailSerializer, operation_id="campaigns_kingdom")
    def get(self, request: Request, code: str, kingdom: str) -> Response:
        """One kingdom: why its loyalty and VP are what they are, and what it can buy."""
        campaign = campaign_selectors.get_visible_campaign(request.who, code)
        state = campaign_selectors.state_of(campaign)
        realm = state.kingdoms.get(kingdom)
        if realm is None or realm.status == "gone":
            raise Http404
        names = names_for(campaign, state, campaign.members.select_related("person__merged_into"))
        row = next(row for row in kingdom_rows(state, names, set()) if row.id == kingdom)
        entries = effective_entries(campaign_selectors.entries_of(campaign))
        return Response(
            {
                **KingdomSerializer(row).data,
                "loyalty_steps": _steps(entries, kingdom, "loyalty", names),
                "vp_steps": _steps(entries, kingdom, "vp", names),
                "purchases": PurchaseSerializer(list_purchases(state, realm), many=True).data,
            }
        )


def _steps(entries: Any, kingdom: str, what: str, names: Any) -> Any:
    return ScoreStepSerializer(list_score_steps(entries, kingdom, what, names), many=True).data


class WonWar(APIView):
    @extend_schema(responses=WonWarSerializer, operation_id="campaigns_won_war")
    def get(self, request: Request, code: str, war: int) -> Response:
        """A won war: who won it, how, and the final ranks."""
        display = build_victory_display(campaign_selectors.get_visible_campaign(request.who, code), war)
        if display is None:
            raise Http404
        return Response(WonWarSerializer(display).data)


class HouseRules(APIView):
    @extend_schema(responses=HouseRulesSerializer, operation_id="campaigns_house_rules")
    def get(self, request: Request, code: str) -> Response:
        """The house rules in force. The act house_rules changes them."""
        campaign: Campaign = campaign_selectors.get_visible_campaign(request.who, code)
        state = campaign_selectors.state_of(campaign)
        return Response({"options": dict(state.options), "terms": dict(state.terms)})
