"""Campaigns as JSON, with the same checks and refusals as the pages."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign import person_codes_in_api, selectors, services
from campaign.approvals import services as approvals_services
from campaign.chronicle import codec
from campaign.chronicle.acts.administration import MAX_NOTE, AddNote
from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.acts.war import ReportResult, RollForAttack
from campaign.chronicle.corrections import Choice, StateChange
from campaign.chronicle.fields import MAX_COUNT, MAX_WHY
from campaign.chronicle.state import StateJson
from campaign.display import ALL, SHOWN, CampaignDisplay, CampaignRow, EntryRow, build_campaign_display
from campaign.founding import services as founding_services
from campaign.founding.services import StartCampaign
from campaign.models import Campaign
from campaign.transfer import services as transfer_services
from campaign.wars.roll_off import are_dice_rolled_here
from dataclass_json import Count, OneOf, Schema, Shape, Text, Whole
from pages.api.operations import Query, Sent, SentAgain, operation, schema_of_answer, to_json
from pages.api.schema import KEY, AutoSchema, register_shapes
from pages.api_pagination import MAX_ROWS, NumberedPage, Page, first_page, link_next, paginate
from pages.fields.columns_and_rows import as_rows, take
from pages.number_parsing import parse_int
from people.api_tokens.scopes import RUN
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal

# ── Acts and their entries in the schema ─────────────────────────────────────────────────────────────────

ACT_BODY: Schema = {"$ref": "#/components/schemas/ActBody"}
Body = Annotated[Mapping[str, Any], Shape(ACT_BODY)]


def _act_schemas() -> dict[str, Schema]:
    """A component for each act and effect: generated clients name their classes after them."""
    acts = {f"Act.{key}": person_codes_in_api.act_schema(key) for key in list_acts()}
    kinds = {kind.pop("title"): kind for kind in person_codes_in_api.effect_schema()["oneOf"]}
    refs = {key: f"#/components/schemas/Effect.{key}" for key in kinds}
    union = {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "do", "mapping": refs},
    }
    any_act = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in acts]}
    return {**acts, "ActBody": any_act, "StoredEffect": union, **{f"Effect.{key}": kinds[key] for key in kinds}}


register_shapes(_act_schemas)


class EntryAnswer(TypedDict):
    """What was written; or which approval it awaits, and why it was not written although everyone agreed."""

    entry: int | None
    body: NotRequired[Annotated[Body, "The act, with the numbers it was given."]]
    effects: NotRequired[list[Annotated[Any, Shape({"$ref": "#/components/schemas/StoredEffect"})]]]
    flagged: NotRequired[list[int]]
    petition: NotRequired[Annotated[int, "id of the approval it awaits"]]
    trouble: NotRequired[str]


def entry_answer(act: str, done: Mapping[str, Any]) -> EntryAnswer:
    """What a write of this act answers, without what is only stored."""
    answer: EntryAnswer = {"entry": done.get("entry")}
    if "body" in done:
        answer["body"] = person_codes_in_api.act_row(act, done["body"])
    if "effects" in done:
        answer["effects"] = person_codes_in_api.effect_rows(done["effects"])
    return answer | {name: done[name] for name in ("flagged", "petition", "trouble") if name in done}  # type: ignore[return-value]


# ── Campaigns ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class ListCampaigns:
    archived: Annotated[bool | None, "only those that are archived, or only those that are not"] = None
    name: Annotated[str, Text("The name", 200, empty=True), "a part of the name"] = ""


@prepared_query
def _first_campaigns(who: Who, *, count: int) -> QuerySet[Campaign]:
    return Campaign.objects.of(who).order_by("-founded_at", "-pk")[:count]


class Campaigns(APIView):
    @operation("campaigns_list")
    def get(self, request: Request, query: Query[ListCampaigns]) -> Page[CampaignRow]:
        """Your campaigns, newest first."""
        order, asked = ("-founded_at", "-pk"), query.value
        draw = as_rows(CampaignRow)
        if asked == ListCampaigns() and not request.query_params.get("cursor"):
            return first_page(
                request, lambda count: _first_campaigns(request.who, count=count), order, draw, most=MAX_ROWS
            )
        rows = Campaign.objects.of(request.who)
        if asked.archived is not None:
            rows = rows.filter(archived_at__isnull=not asked.archived)
        if asked.name:
            rows = rows.filter(name__icontains=asked.name)
        return paginate(request, rows, order, draw, most=MAX_ROWS)

    @operation("campaigns_found", status=201)
    def post(self, request: Request, sent: Sent[StartCampaign]) -> CampaignRow:
        """Found a campaign. The same key founds it once."""
        new = sent.value
        campaign = founding_services.found_campaign(
            request.who, key=sent.key, name=new.name, visibility=new.visibility, season=new.season
        )
        return take(CampaignRow, campaign)


@dataclass(frozen=True)
class DeleteCampaign:
    name: Annotated[str, Text("The name", 1000), "Its name, because this cannot be undone."]


class CampaignDetail(APIView):
    scopes = {"DELETE": RUN}

    @operation("campaigns_show")
    def get(self, request: Request, code: str) -> CampaignDisplay:
        """One campaign: standings, open battles and the newest entries of its chronicle."""
        return build_campaign_display(selectors.get_visible_campaign(request.who, code), request.who)

    @operation("campaigns_delete")
    def delete(self, request: Request, code: str, sent: SentAgain[DeleteCampaign]) -> None:
        """Delete a campaign for good: only if it is archived, and its file was exported with this token."""
        campaign = selectors.get_campaign_as_master(request.who, code)
        typed = sent.value.name
        exported = transfer_services.was_exported(request._request, campaign)
        transfer_services.delete_campaign(campaign, typed=typed, exported=exported)


def _list_filters() -> list[tuple[str, str]]:
    return [(name, name) for name in SHOWN]


@dataclass(frozen=True)
class ListEntries:
    before: Annotated[int | None, Whole("The number of an entry", 1, MAX_COUNT), "entries before this number"] = None
    show: Annotated[str, OneOf(_list_filters, f"“show” must be one of {', '.join(SHOWN)}.")] = ALL


class EntryList(APIView):
    @operation("campaigns_entries")
    def get(self, request: Request, code: str, query: Query[ListEntries]) -> NumberedPage[EntryRow]:
        """The chronicle, newest first; older entries are in the Link header."""
        campaign = selectors.get_visible_campaign(request.who, code)
        asked = query.value
        display = build_campaign_display(campaign, request.who, before=asked.before, show=asked.show)
        page: NumberedPage[EntryRow] = NumberedPage(display.entries)
        if display.older:
            link_next(request, page, before=str(display.older + 1))
        return page


@dataclass(frozen=True)
class StateAnswer:
    api_name = "State"

    state: Annotated[Mapping[str, Any], Shape(StateJson)]


class CampaignState(APIView):
    @operation("campaigns_state")
    def get(self, request: Request, code: str, number: int) -> StateAnswer:
        """The state after an entry, with all corrections."""
        state = selectors.state_at(selectors.get_visible_campaign(request.who, code), number)
        return StateAnswer(person_codes_in_api.state_row(state.to_json()))


# ── Writing into the chronicle ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class WriteNote:
    text: Annotated[str, Text("The note", MAX_NOTE)]


class Notes(APIView):
    @operation("campaigns_note", status=201)
    def post(self, request: Request, code: str, sent: Sent[WriteNote]) -> EntryAnswer:
        """Write a note into the chronicle."""
        campaign = selectors.get_visible_campaign(request.who, code)
        text = sent.value.text
        return entry_answer(AddNote.key, services.add_note(campaign, request.who, key=sent.key, text=text))


@dataclass(frozen=True)
class WriteAct:
    """``preview``: only what would change; nothing is written."""

    act: Annotated[str, Text("The act", 40)]
    body: Body
    played_on: dt.date | None = None
    accept_late: bool = False
    preview: bool = False


@dataclass(frozen=True)
class ActPreview:
    changes: tuple[StateChange, ...]


PREVIEW = "only what would change; nothing is written"


class ActsSchema(AutoSchema):
    """Read when the schema is asked for: apps above have registered their acts by then."""

    def get_request_serializer(self) -> Any:
        """A body for each act, from the fields of its dataclass."""
        if self.method != "POST":
            return super().get_request_serializer()
        rest = {
            "key": KEY,
            "played_on": {"type": "string", "format": "date"},
            "accept_late": {"type": "boolean", "default": False},
            "preview": {"type": "boolean", "default": False, "description": PREVIEW},
        }
        kinds = []
        for key in list_acts():
            named = {"act": {"type": "string", "enum": [key]}, "body": {"$ref": f"#/components/schemas/Act.{key}"}}
            required = ["key", "act", "body"]
            kinds.append({"title": key, "type": "object", "properties": {**rest, **named}, "required": required})
        return {"application/json": {"oneOf": kinds}}

    def get_response_serializers(self) -> Any:
        if self.method != "POST":
            return super().get_response_serializers()
        return {200: schema_of_answer(ActPreview), 201: schema_of_answer(EntryAnswer)}


class Acts(APIView):
    schema = ActsSchema()

    @operation("campaigns_act", status=201)
    def post(self, request: Request, code: str, sent: Sent[WriteAct]) -> EntryAnswer | Response:
        """Write any act into the chronicle, or preview what it would change."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given, key = sent.value, sent.key
        act = codec.read_sent(
            given.act, person_codes_in_api.numbers_for_codes(request.who, given.act, dict(given.body))
        )
        if isinstance(act, RollForAttack) and are_dice_rolled_here(selectors.state_as_read(campaign)):
            raise Refusal("The site rolls these dice. Send the roll-off to “roll-off/”.", status=409)
        if given.preview:
            changes = services.preview_act(campaign, request.who, act)
            return Response(to_json(ActPreview(person_codes_in_api.name_by_codes(changes))))
        late = given.accept_late
        if isinstance(act, ReportResult):  # it may need approval first
            subject = approvals_services.subject_of(act.attacker, act.target, act.battle)
            done = approvals_services.submit_report(
                campaign, request.who, act, key=key, subject=subject, played=given.played_on, accept_late=late
            )
        else:
            done = services.write(campaign, request.who, act, key=key, played_on=given.played_on, accept_late=late)
        return entry_answer(given.act, done)

    @operation("campaigns_acts")
    def get(self, request: Request, code: str) -> tuple[str, ...]:
        """The acts a chronicle accepts."""
        selectors.get_visible_campaign(request.who, code)
        return tuple(list_acts())


@dataclass(frozen=True)
class Correct:
    """``choices``: what becomes of later entries, by their numbers."""

    kind: Literal["strike", "amend", "restore"]
    target: Annotated[int, Whole("The number of the entry", 1, MAX_COUNT)]
    body: Annotated[Body | None, "the amended act: of the same kind as its target"] = None
    choices: Annotated[Mapping[str, Choice], Count("Choices", 1000)] = field(default_factory=dict)
    digest: Annotated[
        str, Text("The digest", 64, empty=True), "of the preview; without it you only get the preview"
    ] = ""
    why: Annotated[str, Text("The reason", MAX_WHY, empty=True)] = ""


@dataclass(frozen=True)
class FlaggedEntry:
    """A later entry that the correction would make impossible."""

    entry: int
    refusal: str
    choices: tuple[Choice, ...]


def _parse_number(text: str) -> int:
    if (number := parse_int(text)) is None:
        raise Refusal("“choices” goes by the numbers of later entries.", field="choices")
    return number


class CorrectionAnswer(TypedDict):
    """The preview; and once it is confirmed the entry, or the approval that it needs first."""

    digest: str
    flags: list[FlaggedEntry]
    changes: list[StateChange]
    entry: NotRequired[int]
    petition: NotRequired[int]


class Corrections(APIView):
    @operation("campaigns_correct")
    def post(self, request: Request, code: str, sent: Sent[Correct]) -> CorrectionAnswer:
        """Preview a correction; with the digest of that preview, confirm it."""
        campaign = selectors.get_visible_campaign(request.who, code)
        given = sent.value
        choices = {_parse_number(number): choice for number, choice in given.choices.items()}
        entries = selectors.entries_of(campaign)
        body = dict(given.body) if given.body is not None else None
        if body is not None and (target := next((entry for entry in entries if entry.number == given.target), None)):
            body = person_codes_in_api.numbers_for_codes(request.who, target.act, body)
        seen = services.preview_correction(entries, given.kind, given.target, body, choices)
        answer: CorrectionAnswer = {
            "digest": seen.digest,
            "flags": [FlaggedEntry(flag.number, flag.refusal, flag.choices) for flag in seen.flags],
            "changes": list(person_codes_in_api.name_by_codes(seen.changes)),
        }
        if given.digest:
            done = approvals_services.submit_correction(
                campaign,
                request.who,
                key=sent.key,
                kind=given.kind,
                target=given.target,
                why=given.why,
                digest=given.digest,
                body=body,
                choices=choices,
            )
            if "entry" in done:
                answer["entry"] = done["entry"]
            if "petition" in done:
                answer["petition"] = done["petition"]
        return answer
