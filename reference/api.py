"""The rulebook as JSON: the rows of every table, search, and exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pages.parsers import Json
from people.api import REFUSED
from reference import odds as odds_page
from reference.search import LONGEST, search
from reference.serializers import (
    HitSerializer,
    MusterOddsSerializer,
    MusterQuerySerializer,
    OddsAnswerSerializer,
    OddsQuerySerializer,
    SituationSerializer,
    TableSerializer,
    row_serializer,
)
from reference.tables import TABLES, Listed
from refusal import Refusal
from rulebook import odds
from rulebook.muster_table import Call
from rulebook.odds.muster import army_odds, one_more
from rulebook.options import BY_THE_BOOK, Options
from rulebook.plain import plain, plain_attack, plain_exchange, plain_fought_out, situation_from
from rulebook.situations import Melee, Shooting


class Open(APIView):
    """The rules are for everybody, so nobody is asked who they are."""

    authentication_classes: tuple[type, ...] = ()
    permission_classes: tuple[type, ...] = ()


class Tables(Open):
    @extend_schema(responses=TableSerializer(many=True), operation_id="rules_list", tags=["rules"])
    def get(self, request: Request) -> Response:
        """All tables, with where their rows are."""
        return Response(
            [
                {"key": table.key, "title": table.title, "rows": len(table.rows), "url": f"/api/v1/rules/{table.key}/"}
                for table in TABLES
            ]
        )


def rows_view(table: Listed) -> Any:
    """A view of one table's rows, with a schema of its own."""
    name = table.key.replace("-", "_")
    # The rows never change while the site runs.
    rows = [plain(row) for row in table.rows]

    class Rows(Open):
        @extend_schema(
            responses=row_serializer(table.row_class)(many=True),
            operation_id=f"rules_{name}_list",
            description=f"{table.title}, one row for each printed row, in the order of the book.",
            tags=["rules"],
        )
        def get(self, request: Request) -> Response:
            return Response(rows)

    return Rows.as_view()


def row_view(table: Listed) -> Any:
    name = table.key.replace("-", "_")

    class Row(Open):
        @extend_schema(
            responses={200: row_serializer(table.row_class), 404: REFUSED},
            operation_id=f"rules_{name}_show",
            description=f"{table.title}: one row by its key.",
            tags=["rules"],
        )
        def get(self, request: Request, key: str) -> Response:
            row = table.row(key)
            if row is None:
                raise Refusal(f"{table.title}: there is no row “{key[:60]}”.", status=404, field="key")
            return Response(plain(row))

    return Row.as_view()


class Search(Open):
    @extend_schema(
        parameters=[OpenApiParameter("q", str, description="Words that must all occur; without any nothing is found.")],
        responses=HitSerializer(many=True),
        operation_id="rules_search",
        tags=["rules"],
    )
    def get(self, request: Request) -> Response:
        """The rows in which every word occurs, names before texts."""
        found = search(request.query_params.get("q", "")[:LONGEST])
        return Response(
            [
                {"chapter": hit.chapter.key, "title": hit.entry.title, "text": hit.entry.text, "url": hit.url}
                for hit in found
            ]
        )


class AttackOdds(Open):
    parser_classes = (Json,)

    @extend_schema(
        parameters=[OddsQuerySerializer],
        responses={200: OddsAnswerSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="rules_odds_attack",
        tags=["odds"],
    )
    def get(self, request: Request) -> Response:
        """Exact odds of a situation told by the fields of the odds page; its address works here too."""
        given = OddsQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        return Response(_answer(odds_page.situation_of(given.validated_data), BY_THE_BOOK))

    @extend_schema(
        request=SituationSerializer,
        responses={200: OddsAnswerSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="rules_odds_situation",
        tags=["odds"],
    )
    def post(self, request: Request) -> Response:
        """Exact odds of any situation the rulebook knows. Nothing is written."""
        told = request.data
        if not isinstance(told, Mapping):
            raise Refusal("A situation is an object with kind, attacker and target.", field="situation")
        differences = told.get("options") or {}
        if not isinstance(differences, Mapping):
            raise Refusal("House rules are an object of keys and values.", field="options")
        situation = {key: value for key, value in told.items() if key != "options"}
        return Response(_answer(situation, Options.from_differences(differences)))


def _answer(told: Mapping[str, Any], options: Options) -> dict[str, Any]:
    return _odds_of(situation_from(told), options)


@lru_cache(maxsize=256)
def _odds_of(situation: Shooting | Melee, options: Options) -> dict[str, Any]:
    title = f"{situation.attacker.unit.name} against {situation.target.unit.name}"
    if isinstance(situation, Shooting):
        return {"title": title, "attack": plain_attack(odds.shooting(situation, options)), "exchange": None, "fought_out": None}  # fmt: skip
    exchange = odds.exchange(situation, options)
    return {
        "title": title,
        "attack": plain_attack(exchange.attack),
        "exchange": plain_exchange(exchange),
        "fought_out": plain_fought_out(odds.fight_out(situation, options)),
    }


class MusterOdds(Open):
    @extend_schema(
        parameters=[MusterQuerySerializer],
        responses={200: MusterOddsSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="rules_odds_muster",
        tags=["odds"],
    )
    def get(self, request: Request) -> Response:
        """What a call to arms brings at one loyalty, and what one more would buy."""
        given = MusterQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        loyalty = given.validated_data["loyalty"]
        lost = given.validated_data["lost"]
        call = Call(loyalty, tuple(int(house) for house in lost.split(",")) if lost else ())
        return Response({"odds": plain(army_odds(call)), "one_more_loyalty": list(one_more(loyalty).lines)})
