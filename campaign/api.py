"""Campaigns as JSON, with the same checks and refusals as the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import api_people, selectors, services
from campaign.approvals import services as approvals_services
from campaign.chronicle import codec
from campaign.chronicle.acts.administration import AddNote
from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.acts.war import ReportResult, RollForAttack
from campaign.chronicle.state import FROZEN, GONE, PLAYING, SOLO, StateJson
from campaign.display import ALL, SHOWN, CampaignDisplay, build_campaign_display
from campaign.founding import services as founding_services
from campaign.models import Approval, Campaign
from campaign.transfer import archive_or_delete
from campaign.transfer import services as transfer_services
from campaign.wars.roll_off_services import are_dice_rolled_here
from dataclass_json import Schema
from pages.api.answer_schema import answer_schema
from pages.api.auto_schema import AutoSchema
from pages.api.schema_hooks import register_shapes
from pages.api.typed_fields import TypedDictField, TypedJSONField
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, first_page, paginate
from pages.api_parsers import read_body
from pages.number_parsing import parse_int
from people.api_tokens.scopes import RUN
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal


class MemberSerializer(serializers.Serializer):
    person = serializers.CharField(source="person.code", help_text="code of the person; acts take it as their person")
    name = serializers.CharField(source="person.name")
    role = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField())


class EffectSerializer(serializers.Serializer):
    text = serializers.CharField()
    why = serializers.CharField()
    kingdom = serializers.CharField()


class EntryRowSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    act = serializers.CharField()
    tale = serializers.CharField(source="sentence")
    actor = serializers.CharField()
    confirmed = serializers.CharField()
    effects = EffectSerializer(many=True)
    played_on = serializers.DateField()
    entered_at = serializers.DateTimeField()
    is_struck = serializers.BooleanField()


class HouseSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    lost = serializers.BooleanField()


class KingdomSerializer(serializers.Serializer):
    id = serializers.CharField()
    name = serializers.CharField()
    ruler = serializers.CharField()
    regent = serializers.CharField()
    status = serializers.ChoiceField([PLAYING, FROZEN, SOLO, GONE])
    loyalty = serializers.IntegerField()
    vp = serializers.IntegerField()
    holds = serializers.IntegerField()
    houses = HouseSerializer(many=True)


class BattleSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    attacker = serializers.CharField()
    defender = serializers.CharField()
    target = serializers.CharField()
    place = serializers.CharField()


class ApprovalRowSerializer(serializers.Serializer):
    pk = serializers.IntegerField()
    url = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    stage = serializers.ChoiceField(Approval.Stage.choices)
    waits_for = serializers.ListField(child=serializers.CharField())
    asks_me = serializers.BooleanField()
    trouble = serializers.CharField()


class CampaignRowSerializer(serializers.ModelSerializer):
    class Meta:
        model = Campaign
        fields = ["code", "name", "visibility", "founded_at", "archived_at"]


class CampaignDetailSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    visibility = serializers.ChoiceField(Campaign.Visibility.choices)
    version = serializers.IntegerField()
    live = serializers.SerializerMethodField(help_text="stream of news: its version has changed")
    season = serializers.CharField()
    winner = serializers.CharField()
    kingdoms = KingdomSerializer(many=True)
    battles = BattleSerializer(many=True)
    petitions = ApprovalRowSerializer(many=True, source="approvals")
    members = MemberSerializer(many=True)
    lines = EntryRowSerializer(many=True, source="entries")
    length = serializers.IntegerField()
    older = serializers.IntegerField()
    may_write = serializers.BooleanField(source="can_write")
    may_run = serializers.BooleanField(source="can_run")
    lead = serializers.CharField()

    def get_live(self, display: CampaignDisplay) -> str:
        return f"/live/{self.context['log']}/"


class FoundCampaignSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    name = serializers.CharField(max_length=1000)
    visibility = serializers.ChoiceField(Campaign.Visibility.choices, default=Campaign.Visibility.MEMBERS)
    season = serializers.CharField(
        max_length=1000, default="", allow_blank=True, help_text="the name of season 1, which opens at once"
    )


class NoteSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    text = serializers.CharField(max_length=10000)


class ActSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    act = serializers.CharField(max_length=40, help_text="one of the acts of a chronicle")
    body = serializers.DictField()
    played_on = serializers.DateField(required=False)
    accept_late = serializers.BooleanField(default=False)
    preview = serializers.BooleanField(default=False)


def act_body_ref(key: str) -> Schema:
    return {"$ref": f"#/components/schemas/Act.{key}"}


def any_act_body() -> Schema:
    return {"anyOf": [act_body_ref(key) for key in list_acts()]}


def _effect_shapes() -> dict[str, Schema]:
    """A component for each effect: generated clients name their classes after them."""
    kinds = {kind.pop("title"): kind for kind in api_people.effect_schema()["oneOf"]}
    refs = {key: f"#/components/schemas/Effect.{key}" for key in kinds}
    union = {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "do", "mapping": refs},
    }
    return {"StoredEffect": union, **{f"Effect.{key}": kind for key, kind in kinds.items()}}


register_shapes(
    lambda: {
        **{f"Act.{key}": api_people.act_schema(key) for key in list_acts()},
        **_effect_shapes(),
    }
)


def _act_request() -> dict[str, Schema]:
    """The body of the request for each act, from the fields of its dataclass."""
    rest = {
        "key": {"type": "string", "maxLength": 80},
        "played_on": {"type": "string", "format": "date"},
        "accept_late": {"type": "boolean", "default": False},
        "preview": {"type": "boolean", "default": False, "description": "only what would change; nothing is written"},
    }
    kinds = [
        {
            "title": key,
            "type": "object",
            "properties": {**rest, "act": {"type": "string", "enum": [key]}, "body": act_body_ref(key)},
            "required": ["key", "act", "body"],
        }
        for key in list_acts()
    ]
    return {"application/json": {"oneOf": kinds}}


class ActsSchema(AutoSchema):
    """Read when the schema is asked for: apps above have registered their acts by then."""

    def get_request_serializer(self) -> Any:
        return _act_request() if self.method == "POST" else super().get_request_serializer()


class EntryAnswerSerializer(serializers.Serializer):
    entry = serializers.IntegerField(allow_null=True)
    body = TypedJSONField(any_act_body, required=False, help_text="the act, with the numbers it was given")
    effects = serializers.ListField(child=TypedJSONField({"$ref": "#/components/schemas/StoredEffect"}), required=False)
    flagged = serializers.ListField(child=serializers.IntegerField(), required=False)
    petition = serializers.IntegerField(required=False, help_text="id of the approval it awaits")
    trouble = serializers.CharField(required=False, help_text="why it was not written although everyone agreed")


def entry_answer(act: str, done: Mapping[str, Any]) -> Mapping[str, object]:
    """What a write of this act answers, without what is only stored."""
    found: dict[str, object] = {"entry": None}
    found |= {name: done[name] for name in EntryAnswerSerializer().fields if name in done}
    if "effects" in done:
        found["effects"] = api_people.effect_rows(done["effects"])
    if "body" in done:
        found["body"] = api_people.act_row(act, done["body"])
    return found


class CorrectionSerializer(serializers.Serializer):
    kind = serializers.ChoiceField(["strike", "amend", "restore"])
    target = serializers.IntegerField(min_value=1)
    body = TypedDictField(any_act_body, required=False, help_text="the amended act: of the same kind as its target")
    choices = serializers.DictField(child=serializers.ChoiceField(["keep", "recompute", "strike"]), default=dict)
    key = serializers.CharField(max_length=80, required=False)
    digest = serializers.CharField(
        max_length=64, required=False, help_text="of the preview; without it you only get the preview"
    )
    why = serializers.CharField(max_length=500, default="", allow_blank=True)


class FlaggedEntrySerializer(serializers.Serializer):
    """A later entry that the correction would make impossible."""

    entry = serializers.IntegerField()
    refusal = serializers.CharField()
    choices = serializers.ListField(child=serializers.CharField())


CHANGED = answer_schema(str | int | bool | list[str] | None)


class StateChangeSerializer(serializers.Serializer):
    what = serializers.CharField(help_text="loyalty, vp, territory, house, winner …")
    subject = serializers.CharField(help_text="the kingdom, the territory, or k1/2 for a house")
    # Rulers, regents and masters are codes of people, as in acts.
    was = TypedJSONField(CHANGED, allow_null=True)
    now = TypedJSONField(CHANGED, allow_null=True)


class ActPreviewSerializer(serializers.Serializer):
    changes = StateChangeSerializer(many=True)


class PreviewSerializer(serializers.Serializer):
    digest = serializers.CharField()
    flags = FlaggedEntrySerializer(many=True)
    changes = StateChangeSerializer(many=True)
    entry = serializers.IntegerField(required=False)
    petition = serializers.IntegerField(required=False, help_text="if it needs approval first")


class StateSerializer(serializers.Serializer):
    state = TypedJSONField(answer_schema(StateJson))


class DeleteCampaignSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=1000, help_text="its name, because this cannot be undone")


@prepared_query
def _first_campaigns(who: Who, *, count: int) -> QuerySet[Campaign]:
    return Campaign.objects.of(who).order_by("-founded_at", "-pk")[:count]


class Campaigns(APIView):
    @extend_schema(
        parameters=[
            *PAGE_PARAMETERS,
            OpenApiParameter("archived", bool, description="only those that are archived, or only those that are not"),
            OpenApiParameter("name", str, description="a part of the name"),
        ],
        responses=CampaignRowSerializer(many=True),
        operation_id="campaigns_list",
    )
    def get(self, request: Request) -> Response:
        """Your campaigns, newest first."""
        order = ("-founded_at", "-pk")

        def draw(found: list[Campaign]) -> Any:
            return CampaignRowSerializer(found, many=True).data

        if not any(request.query_params.get(name) for name in ("cursor", "archived", "name")):
            return first_page(
                request, lambda count: _first_campaigns(request.who, count=count), order, draw, most=MAX_ROWS
            )
        rows = Campaign.objects.of(request.who)
        if (archived := request.query_params.get("archived", "")) in ("true", "false"):
            rows = rows.filter(archived_at__isnull=archived == "false")
        if named := request.query_params.get("name", ""):
            rows = rows.filter(name__icontains=named)
        return paginate(request, rows, order, draw, most=MAX_ROWS)

    @extend_schema(
        request=FoundCampaignSerializer, responses={201: CampaignRowSerializer}, operation_id="campaigns_found"
    )
    def post(self, request: Request) -> Response:
        """Found a campaign. The same key founds it once."""
        given = FoundCampaignSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        campaign = founding_services.found_campaign(request.who, **given.validated_data)
        return Response(CampaignRowSerializer(campaign).data, status=201)


class CampaignDetail(APIView):
    scopes = {"DELETE": RUN}

    @extend_schema(responses=CampaignDetailSerializer, operation_id="campaigns_show")
    def get(self, request: Request, code: str) -> Response:
        """One campaign: standings, open battles and the newest entries of its chronicle."""
        campaign = selectors.get_visible_campaign(request.who, code)
        display = build_campaign_display(campaign, request.who)
        return Response(CampaignDetailSerializer(display, context={"log": campaign.log_id}).data)

    @extend_schema(request=DeleteCampaignSerializer, responses={204: None}, operation_id="campaigns_delete")
    def delete(self, request: Request, code: str) -> Response:
        """Delete a campaign for good: only if it is archived, and its file was exported with this token."""
        campaign = selectors.get_campaign_as_master(request.who, code)
        typed = read_body(DeleteCampaignSerializer, request)["name"]
        exported = transfer_services.was_exported(request._request, campaign)
        archive_or_delete.delete_campaign(campaign, typed=typed, exported=exported)
        return Response(status=204)


class EntryList(APIView):
    @extend_schema(
        parameters=[
            OpenApiParameter("before", int, description="entries before this number"),
            OpenApiParameter("show", str, enum=list(SHOWN)),
        ],
        responses=EntryRowSerializer(many=True),
        operation_id="campaigns_entries",
    )
    def get(self, request: Request, code: str) -> Response:
        """The chronicle, newest first; older entries are in the Link header."""
        campaign = selectors.get_visible_campaign(request.who, code)
        before, show = parse_int(request.query_params.get("before", "")), request.query_params.get("show", ALL)
        shown = build_campaign_display(campaign, request.who, before=before, show=show if show in SHOWN else ALL)
        response = Response(EntryRowSerializer(shown.entries, many=True).data)
        if shown.older:
            query = request.query_params.copy()
            query["before"] = str(shown.older + 1)
            address = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
            response["Link"] = f'<{address}>; rel="next"'
        return response


class CampaignState(APIView):
    @extend_schema(responses=StateSerializer, operation_id="campaigns_state")
    def get(self, request: Request, code: str, number: int) -> Response:
        """The state after an entry, with all corrections."""
        state = selectors.state_at(selectors.get_visible_campaign(request.who, code), number)
        return Response({"state": api_people.state_row(state.to_json())})


class Notes(APIView):
    @extend_schema(request=NoteSerializer, responses={201: EntryAnswerSerializer}, operation_id="campaigns_note")
    def post(self, request: Request, code: str) -> Response:
        """Write a note into the chronicle."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given = NoteSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        done = services.add_note(campaign, request.who, **given.validated_data)
        return Response(entry_answer(AddNote.key, done), status=201)


class Acts(APIView):
    schema = ActsSchema()

    @extend_schema(responses={200: ActPreviewSerializer, 201: EntryAnswerSerializer}, operation_id="campaigns_act")
    def post(self, request: Request, code: str) -> Response:
        """Write any act into the chronicle, or preview what it would change."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given = ActSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        key = data.pop("act")
        act = codec.read_sent(key, api_people.numbers_for_codes(request.who, key, data.pop("body")))
        if isinstance(act, RollForAttack) and are_dice_rolled_here(selectors.state_as_read(campaign)):
            raise Refusal("The site rolls these dice. Send the roll-off to “roll-off/”.", status=409)
        if data.pop("preview"):
            return Response({"changes": api_people.change_rows(services.preview_act(campaign, request.who, act))})
        if not isinstance(act, ReportResult):
            return Response(entry_answer(key, services.write(campaign, request.who, act, **data)), status=201)
        # A report may need approval first.
        played = data.pop("played_on", None)
        subject = approvals_services.subject_of(act.attacker, act.target, act.battle)
        done = approvals_services.submit_report(campaign, request.who, act, **data, subject=subject, played=played)
        return Response(entry_answer(key, done), status=201)

    @extend_schema(
        responses={200: serializers.ListSerializer(child=serializers.CharField())}, operation_id="campaigns_acts"
    )
    def get(self, request: Request, code: str) -> Response:
        """The acts a chronicle accepts."""
        selectors.get_visible_campaign(request.who, code)
        return Response(list(list_acts()))


class Corrections(APIView):
    @extend_schema(request=CorrectionSerializer, responses=PreviewSerializer, operation_id="campaigns_correct")
    def post(self, request: Request, code: str) -> Response:
        """Preview a correction; with the digest of that preview, confirm it."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given = CorrectionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        choices = {at: choice for number, choice in data["choices"].items() if (at := parse_int(number)) is not None}
        entries = selectors.entries_of(campaign)
        body = data.get("body")
        if body is not None and (target := next((one for one in entries if one.number == data["target"]), None)):
            body = api_people.numbers_for_codes(request.who, target.act, body)
        seen = services.preview_correction(entries, data["kind"], data["target"], body, choices)
        answer = {
            "digest": seen.digest,
            "flags": [{"entry": f.number, "refusal": f.refusal, "choices": f.choices} for f in seen.flags],
            "changes": api_people.change_rows(seen.changes),
        }
        if data.get("digest"):
            done = approvals_services.submit_correction(
                campaign,
                request.who,
                key=data.get("key", ""),
                kind=data["kind"],
                target=data["target"],
                why=data["why"],
                digest=data["digest"],
                body=body,
                choices=choices,
            )
            answer |= {name: done[name] for name in ("entry", "petition") if name in done}
        return Response(answer)
