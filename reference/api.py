"""The rulebook as JSON: the rows of every table, search, and exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from dataclass_json import Ask, Text
from pages.api.operations import Query, operation
from pages.api_parsers import CleanJSONParser
from pages.public_api_view import PublicAPIView
from people.api import REFUSED
from reference import odds_calculator as odds_page
from reference.api_tables import TABLES, RuleTable
from reference.odds_serializers import (
    MusterOddsSerializer,
    MusterQuerySerializer,
    OddsAnswerSerializer,
    OddsQuerySerializer,
    SituationSerializer,
)
from reference.search import MAX_QUERY, search
from reference.table_serializers import TableSerializer, row_serializer
from refusal import Refusal
from rulebook import odds
from rulebook.battle.situations import Melee, Shooting
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.muster_table import MusterCall
from rulebook.odds.muster import army_odds, one_more_loyalty
from rulebook.text.odds_and_situations_json import (
    attack_to_json,
    exchange_to_json,
    fight_to_json,
    read_situation,
    to_json,
)


class Tables(PublicAPIView):
    @extend_schema(responses=TableSerializer(many=True), operation_id="rules_list")
    def get(self, request: Request) -> Response:
        """All tables, with links to their rows."""
        return Response(
            [
                {"key": table.key, "title": table.title, "rows": len(table.rows), "url": f"/api/v1/rules/{table.key}/"}
                for table in TABLES
            ]
        )


def rows_view(table: RuleTable) -> Any:
    """A view of one table's rows, with a schema of its own."""
    name = table.key.replace("-", "_")
    # The rows never change while the site runs.
    rows = [to_json(row) for row in table.rows]

    class Rows(PublicAPIView):
        @extend_schema(
            responses=row_serializer(table.row_class)(many=True),
            operation_id=f"rules_{name}_list",
            description=f"{table.title}: all rows, in the order of the book.",
        )
        def get(self, request: Request) -> Response:
            return Response(rows)

    return Rows.as_view()


def row_view(table: RuleTable) -> Any:
    name = table.key.replace("-", "_")

    class Row(PublicAPIView):
        @extend_schema(
            responses={200: row_serializer(table.row_class), 404: REFUSED},
            operation_id=f"rules_{name}_show",
            description=f"{table.title}: one row by its key.",
        )
        def get(self, request: Request, key: str) -> Response:
            row = table.row(key)
            if row is None:
                raise Refusal(f"{table.title}: there is no row “{key[:60]}”.", status=404, field="key")
            return Response(to_json(row))

    return Row.as_view()


@dataclass(frozen=True)
class SearchRules:
    q: Annotated[str, Text("The words", MAX_QUERY, empty=True), Ask("Words", "Words that must all occur.")] = ""


@dataclass(frozen=True)
class Hit:
    chapter: str
    title: str
    text: str
    url: str


class Search(PublicAPIView):
    @operation("rules_search")
    def get(self, request: Request, query: Query[SearchRules]) -> tuple[Hit, ...]:
        """The rows in which every word occurs, names before texts."""
        return tuple(Hit(hit.chapter.key, hit.entry.title, hit.entry.text, hit.url) for hit in search(query.value.q))


class AttackOdds(PublicAPIView):
    parser_classes = (CleanJSONParser,)

    @extend_schema(
        parameters=[OddsQuerySerializer],
        responses={200: OddsAnswerSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="rules_odds_attack",
    )
    def get(self, request: Request) -> Response:
        """Exact odds of a situation, with the same parameters as the odds page."""
        given = OddsQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        return Response(_answer(odds_page.situation_from_form(given.validated_data), BY_THE_BOOK))

    @extend_schema(
        request=SituationSerializer,
        responses={200: OddsAnswerSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="rules_odds_situation",
    )
    def post(self, request: Request) -> Response:
        """Exact odds of any situation in the rules. Nothing is stored."""
        data = request.data
        if not isinstance(data, Mapping):
            raise Refusal("Give a situation as an object with kind, attacker and target.", field="situation")
        differences = data.get("options") or {}
        if not isinstance(differences, Mapping):
            raise Refusal("Give house rules as an object of keys and values.", field="options")
        situation = {key: value for key, value in data.items() if key != "options"}
        return Response(_answer(situation, Options.from_differences(differences)))


def _answer(data: Mapping[str, Any], options: Options) -> dict[str, object]:
    return _odds_of(read_situation(data), options)


@lru_cache(maxsize=256)
def _odds_of(situation: Shooting | Melee, options: Options) -> dict[str, object]:
    title = f"{situation.attacker.unit.name} against {situation.target.unit.name}"
    if isinstance(situation, Shooting):
        return {
            "title": title,
            "attack": attack_to_json(odds.shooting_odds(situation, options)),
            "exchange": None,
            "fought_out": None,
        }
    exchange = odds.exchange_odds(situation, options)
    return {
        "title": title,
        "attack": attack_to_json(exchange.attack),
        "exchange": exchange_to_json(exchange),
        "fought_out": fight_to_json(odds.fight_odds(situation, options)),
    }


class MusterOdds(PublicAPIView):
    @extend_schema(
        parameters=[MusterQuerySerializer],
        responses={200: MusterOddsSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="rules_odds_muster",
    )
    def get(self, request: Request) -> Response:
        """The odds of a muster at one loyalty, and what one more would change."""
        given = MusterQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        loyalty = given.validated_data["loyalty"]
        lost = given.validated_data["lost"]
        call = MusterCall(loyalty, tuple(int(house) for house in lost.split(",")) if lost else ())
        return Response({"odds": to_json(army_odds(call)), "one_more_loyalty": list(one_more_loyalty(loyalty).lines)})
