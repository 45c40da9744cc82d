"""What a person wants to hear about, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Ask, Count, Text
from gamenights.notices.personal import services
from gamenights.notices.personal.models import NoticeChoice, Topic
from pages.api.operations import SentAgain, operation
from pages.fields.rows import take
from people.api_tokens.scopes import RUN


@dataclass(frozen=True)
class Notices:
    topics: Annotated[tuple[Topic, ...], Count("Topics", len(Topic))]
    by_mail: bool
    url: Annotated[str, Text("The address", 500, empty=True), Ask("URL", "A webhook of one's own; empty for none.")]


@dataclass(frozen=True)
class ChooseNotices(Notices):
    """All of them at once."""


class MyNotices(APIView):
    scopes = {"PUT": RUN}  # they go to an address outside, whatever becomes of the token

    @operation("me_notices_show")
    def get(self, request: Request) -> Notices:
        """What you want to hear about, and where."""
        choice = NoticeChoice.objects.filter(person=request.who.require_person()).first() or NoticeChoice()
        return take(Notices, choice)

    @operation("me_notices_change")
    def put(self, request: Request, sent: SentAgain[ChooseNotices]) -> Notices:
        """Choose what you want to hear about, and where."""
        request.who.require_person()
        wanted = sent.value
        made = services.choose_notices(request.who, topics=wanted.topics, by_mail=wanted.by_mail, url=wanted.url)
        return take(Notices, made)
