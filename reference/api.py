"""The rulebook as JSON: the rows of every table, search, and exact odds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import GenericAlias
from typing import Annotated, Any

from rest_framework.request import Request

import dataclass_json
from dataclass_json import Ask, Check, Says, Schema, Shape, Text, Whole
from pages.api.operations import PublicAPIView, Query, SentAgain, Setting, operation
from pages.api_parsers import CleanJSONParser
from reference.odds_calculator import AskOdds
from reference.search import MAX_QUERY, search
from refusal import Refusal
from rulebook.battle.actions import ACTIVATION_CHOICES
from rulebook.battle.castle import PIECE_KINDS, SIEGE_ENDS, SIEGE_RULES
from rulebook.battle.modifiers import MODIFIERS
from rulebook.battle.situations import Melee, Shooting, read_situation
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.campaign.attack_targets import VERDICTS
from rulebook.campaign.campaign_map import TERRITORY_KINDS
from rulebook.campaign.conquest import CONQUEST_RULES, REASONS
from rulebook.campaign.roll_off import ATTACKER_RULES
from rulebook.campaign.vp_spending import PRICES, VP_RULES
from rulebook.data.battlefield import EVENT_RULES, EVENTS, MORALE_TABLE, TERRAIN_RULES, TERRAINS
from rulebook.data.heroes import HERO_RULES, HEROES, MUSICIAN, SPELLS
from rulebook.data.house_rules import BY_THE_BOOK, OPTIONS, Options
from rulebook.data.muster_table import MUSTER_RULES, MUSTER_TABLE, MusterCall
from rulebook.data.rule_texts import GLOSSARY, PLAYING, Rule
from rulebook.data.scenarios import SCENARIO_RULES, SCENARIOS
from rulebook.data.units import UNIT_RULES, UNITS
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
from rulebook.solo_opponent import SOLO_CHOICES, SOLO_RULES, SOLO_TABLE


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

    kind: Annotated[Any, Shape({"type": "string", "enum": ["shooting", "melee"]})]
    attacker: SentUnit
    target: SentUnit
    at: SentPlace = None
    target_at: SentPlace = None
    inches: Annotated[Any, Shape(float), "Shooting only; required."] = None
    moved: Annotated[Any, Shape(bool), "Shooting only."] = None
    charged: Annotated[Any, Shape(bool), "Melee only."] = None
    battling_back: Annotated[Any, Shape(bool), "Melee only."] = None
    adjacent: Annotated[Any, Shape(bool), "Both on neighbouring castle pieces."] = None
    event: Annotated[Any, Shape(str)] = None
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


# ── Every printed table, under its name in the API ───────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule that is only text, with its chapter."""

    part: str
    key: str
    title: str
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleTable:
    key: str
    title: str
    rows: Sequence[Any]

    @property
    def row_class(self) -> type:
        return type(self.rows[0])

    def row(self, key: str) -> Any | None:
        return next((row for row in self.rows if row.key == key), None)


def _rule_texts() -> tuple[RuleText, ...]:
    parts: list[tuple[str, Sequence[Rule]]] = [
        ("units", UNIT_RULES),
        ("muster", MUSTER_RULES),
        ("heroes", HERO_RULES),
        ("terrain", TERRAIN_RULES),
        *((key, rules) for key, _, rules in PLAYING),
        ("activation", ACTIVATION_CHOICES),
        ("vp", VP_RULES),
        ("campaign", CONQUEST_RULES),
        ("attacker", ATTACKER_RULES),
        ("conquest", REASONS),
        ("events", EVENT_RULES),
        ("scenarios", SCENARIO_RULES),
        ("siege", SIEGE_RULES),
        ("solo", SOLO_RULES),
    ]
    # Two parts may use the same short key, so the part belongs to the key here.
    return tuple(
        RuleText(part, f"{part}-{rule.key}", rule.title, rule.text, rule.rules)
        for part, rules in parts
        for rule in rules
    )


TABLES: tuple[RuleTable, ...] = (
    RuleTable("units", "Units", UNITS),
    RuleTable("muster", "The muster table", MUSTER_TABLE),
    RuleTable("heroes", "Heroes, with the Musician after the Standard Bearer", (*HEROES[:6], MUSICIAN, *HEROES[6:])),
    RuleTable("spells", "The Wizard's spells", SPELLS),
    RuleTable("terrain", "Terrain", TERRAINS),
    RuleTable("modifiers", "Advantages, Disadvantages and flat bonuses", MODIFIERS),
    RuleTable("morale", "The morale table", MORALE_TABLE),
    RuleTable("prices", "What victory points buy", PRICES),
    RuleTable("territories", "The territories of a kingdom", TERRITORY_KINDS),
    RuleTable("verdicts", "Why a territory can or cannot be attacked", VERDICTS),
    RuleTable("events", "Random events", EVENTS),
    RuleTable("scenarios", "Scenarios and the siege, with their terrain", SCENARIOS),
    RuleTable("castle", "Castle pieces", PIECE_KINDS),
    RuleTable("siege-ends", "How a siege ends", SIEGE_ENDS),
    RuleTable("solo", "The solo table", SOLO_TABLE),
    RuleTable("solo-choices", "What the solo opponent does where a player would choose", SOLO_CHOICES),
    RuleTable("options", "House rules", OPTIONS),
    RuleTable("glossary", "Glossary", GLOSSARY),
    RuleTable("sentences", "Rules as text", _rule_texts()),
)

TABLE: dict[str, RuleTable] = {table.key: table for table in TABLES}
