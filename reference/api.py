"""The rulebook as JSON: the rows of every table, search, and exact odds."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import GenericAlias
from typing import Annotated, Any

from rest_framework.request import Request

import dataclass_json
from dataclass_json import Ask, Check, Says, Schema, Shape, Text, Whole, enum_of
from pages.api.operations import PublicAPIView, Query, SentAgain, Setting, operation
from pages.api.parsers_and_renderers import CleanJSONParser
from reference.chapters import TABLES, RuleTable
from reference.odds_calculator import AskOdds
from reference.search import MAX_QUERY, search
from refusal import Refusal
from rulebook.battle.attack_situations import Melee, Shooting, read_situation
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.data.battlefield import EVENT
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.muster_table import MusterCall
from rulebook.odds.muster import ArmyOdds, army_odds, one_more_loyalty
from rulebook.odds.odds_display import (
    AttackAnswer,
    ExchangeAnswer,
    FightAnswer,
    describe_attack,
    describe_exchange,
    describe_fight,
    situation_odds,
)


@dataclass(frozen=True)
class TableAnswer:
    api_name = "Table"

    key: str
    title: str
    rows: Annotated[int, "How many rows it has."]
    url: Annotated[str, "Where its rows are."]


class Tables(PublicAPIView):
    @operation("rules_list")
    def get(self, request: Request) -> tuple[TableAnswer, ...]:
        """All tables, with links to their rows."""
        return tuple(
            TableAnswer(table.key, table.title, len(table.rows), f"/api/v1/rules/{table.key}/") for table in TABLES
        )


def rows_view(table: RuleTable) -> Any:
    """A view of one table's rows, with a schema of its own."""

    def get(self: Any, request: Request) -> Any:
        return table.rows

    return _view_of(
        table, "list", get, GenericAlias(tuple, (table.row_class, ...)), "all rows, in the order of the book."
    )


def row_view(table: RuleTable) -> Any:
    def get(self: Any, request: Request, key: str) -> Any:
        row = table.row(key)
        if row is None:
            raise Refusal(f"{table.title}: there is no row “{key[:60]}”.", status=404, field="key")
        return row

    return _view_of(table, "show", get, table.row_class, "one row by its key.")


def _view_of(table: RuleTable, name: str, get: Callable[..., Any], answer: Any, text: str) -> Any:
    get.__doc__ = f"{table.title}: {text}"
    get.__annotations__["return"] = answer
    described = operation(f"rules_{table.key.replace('-', '_')}_{name}")(get)
    return type("Table", (PublicAPIView,), {"get": described}).as_view()  # type: ignore[attr-defined]


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


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    title: str
    attack: AttackAnswer
    exchange: Annotated[ExchangeAnswer | None, "The attack and the battle back; null for shooting."] = None
    fought_out: Annotated[FightAnswer | None, "The melee to the end; null for shooting."] = None


def _all_but(kind: type, *left_out: str) -> Schema:
    """Of what the rulebook reads itself: these fields may be left out."""
    shape = dataclass_json.schema(kind)
    return {**shape, "required": [name for name in shape["required"] if name not in left_out]}


SentUnit = Annotated[Any, Shape(_all_but(UnitInPlay, "models"))]
SentPlace = Annotated[Any, Shape(Place)]


@dataclass(frozen=True)
class Situation:
    """A situation. The rulebook validates it and explains what is wrong."""

    kind: Annotated[Any, enum_of(("shooting", "melee"))]
    attacker: SentUnit
    target: SentUnit
    at: SentPlace = None
    target_at: SentPlace = None
    inches: Annotated[Any, Shape(float), "Shooting only; required."] = None
    moved: Annotated[Any, Shape(bool), "Shooting only."] = None
    charged: Annotated[Any, Shape(bool), "Melee only."] = None
    battling_back: Annotated[Any, Shape(bool), "Melee only."] = None
    adjacent: Annotated[Any, Shape(bool), "Both on neighbouring castle pieces."] = None
    event: Annotated[Any, enum_of(EVENT)] = None
    options: Annotated[
        Mapping[str, Setting],
        Says("Give house rules as an object of keys and values."),
        "House rules that differ from the book.",
    ] = field(default_factory=dict)


class AttackOdds(PublicAPIView):
    parser_classes = (CleanJSONParser,)

    @operation("rules_odds_attack")
    def get(self, request: Request, query: Query[AskOdds]) -> OddsAnswer:
        """Exact odds of a situation, with the same parameters as the odds page."""
        return _odds_of(read_situation(query.value.situation), BY_THE_BOOK)

    @operation("rules_odds_situation")
    def post(self, request: Request, sent: SentAgain[Situation]) -> OddsAnswer:
        """Exact odds of any situation in the rules. Nothing is stored."""
        given = dataclass_json.write(sent.value)
        options = Options.from_differences(given.pop("options", {}))
        return _odds_of(read_situation(given), options)


@lru_cache(maxsize=256)
def _odds_of(situation: Shooting | Melee, options: Options) -> OddsAnswer:
    odds = situation_odds(situation, options)
    return OddsAnswer(
        odds.title,
        describe_attack(odds.attack),
        describe_exchange(odds.exchange) if odds.exchange else None,
        describe_fight(odds.fight) if odds.fight else None,
    )


def _check_houses(text: str) -> None:
    if text and not re.fullmatch(r"[1-4](,[1-4]){0,3}", text):
        raise Refusal("Give the numbers of houses, such as 1,3.", field="lost")


@dataclass(frozen=True)
class AskMusterOdds:
    loyalty: Annotated[int, Whole("The loyalty", -100, 100)] = 0
    lost: Annotated[str, Check(_check_houses), "Houses with lost fealty, such as 1,3."] = ""


@dataclass(frozen=True)
class MusterOddsAnswer:
    api_name = "MusterOdds"

    odds: ArmyOdds
    one_more_loyalty: tuple[str, ...]


class MusterOdds(PublicAPIView):
    @operation("rules_odds_muster")
    def get(self, request: Request, query: Query[AskMusterOdds]) -> MusterOddsAnswer:
        """The odds of a muster at one loyalty, and what one more would change."""
        asked = query.value
        lost = tuple(int(house) for house in asked.lost.split(",")) if asked.lost else ()
        return MusterOddsAnswer(army_odds(MusterCall(asked.loyalty, lost)), one_more_loyalty(asked.loyalty).lines)
