"""Files of plays over the API: upload one, look at the preview, import it; and export."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Ask, Text
from gamenights.transfer import exports, services
from gamenights.transfer.models import PlaysUpload
from gamenights.transfer.preview import (
    NEW,
    Preview,
    PreviewDisplay,
    UploadDisplay,
    build_preview,
    find_namesakes,
    read_preview,
)
from groups.models import Group
from groups.selectors import get_group_as_member
from jobs.display import JobDisplay, display_job
from pages.api.operations import Sent, SentFile, operation
from pages.api.parsers_and_renderers import FileParser
from refusal import Refusal


@dataclass(frozen=True)
class WhoIs:
    """An answer for a doubtful person."""

    person: Annotated[str, Ask("Person", "the key in the file"), Text("The person", 100)]
    code: Annotated[str, Ask("Who", f"of the person here, or {NEW} for someone else"), Text("The code", 16)]


@dataclass(frozen=True)
class ConfirmImport:
    api_name = "ImportPlays"

    people: tuple[WhoIs, ...] = ()


def _find_pending(request: Request, group: Group) -> PlaysUpload:
    upload = services.find_pending(group, request.who.require_person())
    if upload is None or upload.job is None:
        raise Refusal("There is no uploaded file. Upload one first.", status=404)
    return upload


class PlaysUploadView(APIView):
    parser_classes = (FileParser,)
    max_body = services.MAX_BODY

    @operation("plays_upload", status=202)
    def post(self, request: Request, code: str, sent: SentFile) -> UploadDisplay | PreviewDisplay:
        """Upload a BG Stats export, BoardGameGeek XML or CSV as the body. A job checks it; nothing is imported yet."""
        group = get_group_as_member(request.who, code)
        if not sent.value:
            raise Refusal("Send the file as the body.", field="file")
        services.store_upload(group, request.who.require_person(), "sent over the API", sent.value)
        return build_preview(_find_pending(request, group))

    @operation("plays_preview")
    def get(self, request: Request, code: str) -> UploadDisplay | PreviewDisplay:
        """What the uploaded file would add, who is doubtful, and what is left out."""
        return build_preview(_find_pending(request, get_group_as_member(request.who, code)))


class PlaysImport(APIView):
    @operation("plays_import", status=202)
    def post(self, request: Request, code: str, sent: Sent[ConfirmImport]) -> JobDisplay:
        """Have the uploaded file imported by a job. Importing it twice adds nothing.

        The job's result has the numbers of `plays` and `people` that are new, and of plays already `known`. A job that
        failed or was cancelled goes on where it stopped when you retry it.
        """
        group = get_group_as_member(request.who, code)
        confirmed = sent.value
        job = services.find_order(group, request.who, sent.key)
        if job is None:
            upload = _find_pending(request, group)
            answers = _read_answers(read_preview(upload), confirmed.people)
            job = services.order_import(group, request.who, key=sent.key, upload=upload, answers=answers)
        return display_job(job, request.who)


class PlaysExport(APIView):
    @operation("plays_export", file="application/octet-stream")
    def get(self, request: Request, code: str, form: str) -> HttpResponseBase:
        """All plays: bgstats, bgg, csv, or photos for a ZIP."""
        return exports.export_response(get_group_as_member(request.who, code), form)


def _read_answers(preview: Preview, people: Iterable[WhoIs]) -> dict[str, str]:
    """The answers with our numbers in place of codes."""
    given = {row.person: row.code for row in people}
    numbers = {person.code: pk for pk, person in find_namesakes(preview).items()}
    answers = {}
    for row in preview.doubtful:
        code = given.get(row.key, "")
        same = str(numbers[code]) if numbers.get(code) in row.namesakes else ""
        answers[row.field] = NEW if code == NEW else same
    return answers
