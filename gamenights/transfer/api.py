"""Files of plays over the API: upload one, look at the preview, import it; and export."""

from __future__ import annotations

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.transfer import exports, services, uploads
from gamenights.transfer.comparison_with_group import NEW
from gamenights.transfer.core.plays_file import LARGEST_FILE
from gamenights.transfer.preview import MAX_LISTED, Preview, find_namesakes
from gamenights.transfer.uploads import PendingFile
from groups.models import Group
from groups.permissions import require_member
from groups.selectors import get_visible_group
from jobs.api import JobSerializer
from jobs.display import display_job
from jobs.models import State
from pages.api_parsers import FileParser, read_body
from refusal import Refusal

FIRST = f"the first {MAX_LISTED}"


class NamesakeSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()


class DoubtfulSerializer(serializers.Serializer):
    """Someone in the file with a name that people here have too."""

    person = serializers.CharField(help_text="their key in the file")
    name = serializers.CharField()
    plays = serializers.IntegerField()
    namesakes = NamesakeSerializer(many=True)


class LeftOutSerializer(serializers.Serializer):
    which = serializers.CharField()
    why = serializers.CharField()


class PlaysPreviewSerializer(serializers.Serializer):
    state = serializers.ChoiceField(State.choices)
    error = serializers.CharField(allow_blank=True)
    new_plays = serializers.IntegerField(required=False)
    known_plays = serializers.IntegerField(required=False)
    new_people = serializers.ListField(child=serializers.CharField(), required=False, help_text=FIRST)
    new_people_count = serializers.IntegerField(required=False)
    new_games = serializers.ListField(child=serializers.CharField(), required=False, help_text=FIRST)
    new_games_count = serializers.IntegerField(required=False)
    doubtful = DoubtfulSerializer(many=True, required=False)
    left_out = LeftOutSerializer(many=True, required=False, help_text=FIRST)
    left_out_count = serializers.IntegerField(required=False)


class WhoIsSerializer(serializers.Serializer):
    person = serializers.CharField(max_length=100, help_text="the key in the file")
    code = serializers.CharField(max_length=16, help_text=f"of the person here, or {NEW} for someone else")


class ImportPlaysSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text="made up by the client; a key sent twice counts once")
    people = WhoIsSerializer(many=True, required=False, help_text="an answer for each doubtful person")


def _get_group(request: Request, code: str) -> Group:
    group = get_visible_group(request.who, code)
    require_member(group, request.who)
    return group


def _find_pending(request: Request, group: Group) -> PendingFile:
    found = uploads.find_pending(group, request.who.require_person())
    if found is None or found.job is None:
        raise Refusal("There is no uploaded file. Upload one first.", status=404)
    return found


class PlaysUploadView(APIView):
    parser_classes = (FileParser,)
    max_body = LARGEST_FILE + 1024 * 1024

    @extend_schema(
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={202: PlaysPreviewSerializer},
        operation_id="plays_upload",
    )
    def post(self, request: Request, code: str) -> Response:
        """Upload a BG Stats export, BoardGameGeek XML or CSV as the body. A job checks it; nothing is imported yet."""
        group = _get_group(request, code)
        if not isinstance(request.data, bytes) or not request.data:
            raise Refusal("Send the file as the body.", field="file")
        uploads.store_upload(group, request.who.require_person(), "sent over the API", request.data)
        return Response(_preview(_find_pending(request, group)), status=202)

    @extend_schema(responses=PlaysPreviewSerializer, operation_id="plays_preview")
    def get(self, request: Request, code: str) -> Response:
        """What the uploaded file would add, who is doubtful, and what is left out."""
        group = _get_group(request, code)
        return Response(_preview(_find_pending(request, group)))


class PlaysImport(APIView):
    @extend_schema(request=ImportPlaysSerializer, responses={202: JobSerializer}, operation_id="plays_import")
    def post(self, request: Request, code: str) -> Response:
        """Have the uploaded file imported by a job. Importing it twice adds nothing.

        The job's result has the numbers of `plays` and `people` that are new, and of plays already `known`. A job that
        failed or was cancelled goes on where it stopped when you retry it.
        """
        group = _get_group(request, code)
        data = read_body(ImportPlaysSerializer, request)
        job = services.find_order(group, request.who, data["key"])
        if job is None:
            pending = _find_pending(request, group)
            answers = _read_answers(pending.preview, data.get("people", []))
            job = services.order_import(group, request.who, key=data["key"], upload=pending.row, answers=answers)
        return Response(JobSerializer(display_job(job, request.who)).data, status=202)


class PlaysExport(APIView):
    @extend_schema(responses={200: OpenApiTypes.BINARY}, operation_id="plays_export")
    def get(self, request: Request, code: str, form: str) -> HttpResponseBase:
        """All plays: bgstats, bgg, csv, or photos for a ZIP."""
        return exports.export_response(_get_group(request, code), form)


def _preview(pending: PendingFile) -> dict[str, object]:
    assert pending.job is not None
    answer = {"state": pending.job.state, "error": pending.job.error}
    if not pending.is_checked:
        return answer
    found = pending.preview
    people = find_namesakes(found)
    return answer | {
        "new_plays": found.new_plays,
        "known_plays": found.known_plays,
        "new_people": found.new_people_names,
        "new_people_count": found.new_people,
        "new_games": found.new_games_names,
        "new_games_count": found.new_games,
        "doubtful": [
            {
                "person": one.key,
                "name": one.name,
                "plays": one.plays,
                "namesakes": [
                    {"code": people[pk].code, "name": people[pk].name} for pk in one.namesakes if pk in people
                ],
            }
            for one in found.doubtful
        ],
        "left_out": [{"which": one.which, "why": one.why} for one in found.left_out_rows],
        "left_out_count": found.left_out,
    }


def _read_answers(found: Preview, people: list[dict[str, str]]) -> dict[str, str]:
    """The answers with our numbers in place of codes."""
    given = {row["person"]: row["code"] for row in people}
    numbers = {person.code: pk for pk, person in find_namesakes(found).items()}
    answers = {}
    for one in found.doubtful:
        code = given.get(one.key, "")
        same = str(numbers[code]) if numbers.get(code) in one.namesakes else ""
        answers[one.field] = NEW if code == NEW else same
    return answers
