"""The rulebook as chapters, for the pages and the search, and as tables, for the API."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rulebook.battle.actions import ACTIVATION_CHOICES
from rulebook.battle.castle import PIECE_KINDS, SIEGE_ENDS, SIEGE_RULES
from rulebook.battle.modifiers import MODIFIERS, Modifier
from rulebook.campaign.attack_targets import VERDICTS
from rulebook.campaign.campaign_map import TERRITORY_KINDS
from rulebook.campaign.conquest import CONQUEST_RULES, REASONS
from rulebook.campaign.roll_off import ATTACKER_RULES
from rulebook.campaign.vp_spending import PRICES, VP_RULES
from rulebook.data.battlefield import EVENT_RULES, EVENTS, MORALE_TABLE, TERRAIN_RULES, TERRAINS, Terrain
from rulebook.data.heroes import HERO_RULES, HEROES, MUSICIAN, SPELLS, Hero
from rulebook.data.house_rules import OPTIONS, OptionRow
from rulebook.data.muster_table import MUSTER_RULES, MUSTER_TABLE
from rulebook.data.rule_texts import GLOSSARY, PLAYING, Rule
from rulebook.data.scenarios import SCENARIO_RULES, SCENARIOS, Scenario
from rulebook.data.units import UNIT_RULES, UNITS, WEAPON_NAMES, Unit
from rulebook.odds.muster import weapon_chances
from rulebook.odds.odds_display import format_percent
from rulebook.odds.rolls import event_count_odds, event_odds
from rulebook.solo_opponent import SOLO_CHOICES, SOLO_RULES, SOLO_TABLE
from text import format_bonus, join_list

EVENT_ROUNDS = 6  # a battle of usual length

NONE = "–"


@dataclass(frozen=True, slots=True)
class Entry:
    anchor: str
    title: str  # empty where the text says it all
    text: str
    rules: tuple[str, ...]
    mark: str = ""  # the faces or totals that lead here, or what it costs
    icon: str = ""
    kind: str = ""  # A or D, where the row is a mark
    figures: tuple[tuple[str, str], ...] = ()
    points: tuple[str, ...] = ()
    more: str = ""  # the address of a page of its own


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Figures side by side; the first cell of a row leads to its entry."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str, ...]], ...]  # anchor, name, cells
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    anchor: str
    title: str
    entries: tuple[Entry, ...]
    table: FigureTable | None = None
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    key: str
    title: str
    icon: str
    lead: str
    sections: tuple[Section, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for section in self.sections for entry in section.entries)

    @property
    def url(self) -> str:
        return f"/rules/{self.key}/"


def _chapter(key: str, title: str, icon: str, lead: str, *sections: Section) -> Chapter:
    return Chapter(key, title, icon, lead, sections)


def format_range(low: int | None, high: int | None) -> str:
    """1–2, 10, 0 or less, 9 and more."""
    if low is None:
        return f"≤ {high}"
    if high is None:
        return f"{low}+"
    return str(low) if low == high else f"{low}–{high}"


def _entry(row: Any, before: str = "", **more: Any) -> Entry:
    """Of any row that has a key, a name or title, a text, and the rules it comes from."""
    return Entry(f"{before}{row.key}", getattr(row, "name", None) or row.title, row.text, row.rules, **more)


def _entries(rows: Iterable[Any], before: str = "") -> tuple[Entry, ...]:
    return tuple(_entry(row, before) for row in rows)


def _rolled(rows: Iterable[Any]) -> tuple[Entry, ...]:
    """Of a table on which one rolls."""
    return tuple(_entry(row, mark=format_range(row.low, row.high)) for row in rows)


def _hero_of(unit: Unit) -> str:
    if unit.hero_on is None:
        return "never"
    return "always" if unit.hero_on == 1 else ("10" if unit.hero_on == 10 else f"{unit.hero_on}+")


def _weapon_points(unit: Unit) -> tuple[str, ...]:
    """How often the weapon die brings which weapon."""
    chances = weapon_chances(unit.key)
    named = [f"{WEAPON_NAMES[key]} {format_percent(chance)}" for key, chance in chances.items() if key]
    return (f"Weapon roll: {join_list(named)}.",) if named else ()


def _unit(unit: Unit) -> Entry:
    q, sq, ac, models, _, move, _ = _unit_cells(unit)
    figures = (("q", q), ("sq", sq), ("ac", ac), ("str", models), ("move", move), ("base", unit.base))
    return _entry(unit, icon=f"c-{unit.key}", figures=figures, points=(*unit.points, *_weapon_points(unit)))


def _unit_cells(unit: Unit) -> tuple[str, ...]:
    return (
        format_bonus(unit.q),
        format_bonus(unit.sq),
        str(unit.ac),
        str(unit.models),
        str(unit.wounds[-1]),
        f"{unit.move}″",
        _hero_of(unit),
    )


def _units() -> Chapter:
    table = FigureTable(
        ("Q", "SQ", "AC", "Str", "Wounds", "Move", "Hero"),
        tuple((unit.key, unit.name, _unit_cells(unit)) for unit in UNITS),
        "Str of the Ballista and the Cat-non is their crew. "
        "Wounds are per model; in the King's unit, the King's own. "
        "Hero: the d10 roll that brings one.",
    )
    return _chapter(
        "units",
        "Units",
        "c-mice_at_arms",
        "Nine kinds of troops, from runts on a shared base to a cat with a rider.",
        Section("table", "At a glance", (), table),
        Section("units", "One by one", tuple(map(_unit, UNITS))),
        Section("words", "What the figures mean", _entries(UNIT_RULES, "rule-")),
    )


def _muster() -> Chapter:
    rows = tuple(
        _entry(row, mark=format_range(row.low, row.high), icon=f"c-{row.unit or 'house'}") for row in MUSTER_TABLE
    )
    return _chapter(
        "muster",
        "Muster",
        "c-banner",
        "Before every battle the King calls, and his four houses roll for what they send.",
        Section("table", "The muster table", rows, lead="Roll a d10 for each house and add loyalty."),
        Section("rules", "How it works", _entries(MUSTER_RULES, "rule-")),
    )


def _hero(hero: Hero) -> Entry:
    figures = {
        "when": hero.when,
        "reach": f"{hero.reach}″" if hero.reach else "",
        "wounds": str(hero.wounds) if hero.wounds > 1 else "",
    }
    return _entry(hero, mark=str(hero.roll), figures=tuple((name, value) for name, value in figures.items() if value))


def _heroes() -> Chapter:
    heroes = tuple(map(_hero, (*HEROES[:6], MUSICIAN, *HEROES[6:])))
    return _chapter(
        "heroes",
        "Heroes",
        "c-crown",
        "Ten heroes who can join a unit at the muster, and the Wizard's spells.",
        Section("heroes", "The hero table", heroes, lead="Roll a d10 for each hero."),
        Section("spells", "The Wizard's spells", _rolled(SPELLS), lead="Roll a d10 for each spell."),
        Section("rules", "How heroes work", _entries(HERO_RULES, "rule-")),
    )


def _terrain_cells(terrain: Terrain) -> tuple[str, ...]:
    def yes(flag: bool) -> str:
        return "yes" if flag else NONE

    return (
        yes(terrain.enterable),
        yes(terrain.stops),
        yes(terrain.blocks_sight),
        "[A]" if terrain.high else ("[D]" if terrain.hinders else NONE),
        "no shooting, [D]" if terrain.hides else ("[D]" if terrain.covers else NONE),
    )


def _terrain() -> Chapter:
    entries = tuple(_entry(terrain, points=(f"Such as {terrain.examples}.",)) for terrain in TERRAINS)
    table = FigureTable(
        ("Enter", "Stops", "Blocks sight", "Unit inside", "Its attackers"),
        tuple((terrain.key, terrain.name, _terrain_cells(terrain)) for terrain in TERRAINS),
    )
    return _chapter(
        "terrain",
        "Terrain",
        "c-rose",
        "Every piece is about 3″ across and holds one unit.",
        Section("table", "At a glance", (), table),
        Section("terrain", "One by one", entries),
        Section("rules", "Standing in terrain", _entries(TERRAIN_RULES, "rule-")),
    )


def _playing() -> Chapter:
    sections = [Section(key, title, _entries(rules, f"{key}-")) for key, title, rules in PLAYING]
    sections.insert(1, Section("choices", "What an activated unit can do", _entries(ACTIVATION_CHOICES, "choice-")))
    lead = "The round, moves, shooting, melee, saves and flight."
    return _chapter("playing", "Playing", "c-battle", lead, *sections)


_ROLLS = (
    ("shooting", "Shooting", "For every shooting die."),
    ("melee", "Melee", "For every melee die."),
    ("save", "Saves", "For every save; you need 9+."),
    ("morale", "Morale", "For every morale test and rally."),
)


def _mark(mark: Modifier) -> Entry:
    worth = format_bonus(mark.worth) if mark.kind == "flat" else f"[{mark.kind}]"
    return _entry(mark, mark=worth, kind=mark.kind)


def _modifiers() -> Chapter:
    sections = tuple(
        Section(roll, title, tuple(_mark(mark) for mark in MODIFIERS if mark.roll == roll), lead=lead)
        for roll, title, lead in _ROLLS
    )
    lead = "Every advantage, disadvantage and flat bonus, by kind of roll."
    return _chapter("modifiers", "Modifiers", "c-die", lead, *sections)


def _morale() -> Chapter:
    chosen = {key: rules for key, _, rules in PLAYING}
    return _chapter(
        "morale",
        "Morale",
        "c-flee",
        "A unit that loses models rolls a d10 + Q.",
        Section("table", "The morale table", _rolled(MORALE_TABLE)),
        Section("test", "The test", _entries(chosen["morale"], "test-")),
        Section("flight", "Flight", _entries(chosen["flee"], "flight-")),
    )


def _vp() -> Chapter:
    return _chapter(
        "vp",
        "Victory points",
        "c-cheese",
        "Earned for units removed and goals reached; spent on re-rolls, houses, loyalty and rebels.",
        Section("prices", "What they buy", tuple(_entry(price, mark=f"{price.vp} VP") for price in PRICES)),
        Section("earned", "How to earn them", _entries(VP_RULES, "rule-")),
    )


def _campaign() -> Chapter:
    verdicts = tuple(
        Entry(f"verdict-{row.key}", "", row.text, row.rules, icon="c-check" if row.legal else "c-cross")
        for row in VERDICTS
    )
    places = (*_entries(TERRITORY_KINDS), *_entries(CONQUEST_RULES, "rule-"))
    return _chapter(
        "campaign",
        "Campaign",
        "c-map",
        "Each kingdom has four territories, conquered from the borders inwards.",
        Section("map", "The map of a kingdom", places),
        Section("attacker", "Who attacks", _entries(ATTACKER_RULES, "attacker-")),
        Section("targets", "What can be attacked", verdicts, lead="Every answer the site gives, with its reason."),
        Section("outcomes", "What a battle changes", _entries(REASONS, "outcome-")),
    )


def _events() -> Chapter:
    once, ever = event_odds(), event_odds(EVENT_ROUNDS)
    some = format_percent(event_count_odds(EVENT_ROUNDS).at_least(1))
    rows = tuple(
        _entry(
            event,
            mark=format_range(event.low, event.high),
            points=(f"{format_percent(once[event.key])} of rounds, {format_percent(ever[event.key])} of battles.",),
        )
        for event in EVENTS
    )
    lead = (
        "On a d10 of 8+ at the start of a round, roll a second d10 here. "
        f"In a battle of {EVENT_ROUNDS} rounds there is at least one event {some} of the time."
    )
    return _chapter(
        "events",
        "Random events",
        "c-windfall",
        "Optional: weather, speeches and messengers.",
        Section("table", "The event table", rows, lead=lead),
        Section("rules", "When and how long", _entries(EVENT_RULES, "rule-")),
    )


def _scenario(scenario: Scenario) -> Entry:
    return _entry(
        scenario,
        mark=str(scenario.roll or ""),
        icon="" if scenario.roll else "c-castle",
        figures=(("length", scenario.length), ("sides", "equal" if scenario.equal else "A and B")),
        more=f"/rules/scenarios/{scenario.key}/",
    )


def _scenarios() -> Chapter:
    return _chapter(
        "scenarios",
        "Scenarios",
        "c-hourglass",
        "Ten ways to fight a battle, and the siege that ends a campaign.",
        Section("table", "The scenario table", tuple(map(_scenario, SCENARIOS)), lead="Roll a d10, or choose."),
        Section("rules", "In every scenario", _entries(SCENARIO_RULES, "rule-")),
    )


def _siege() -> Chapter:
    pieces = tuple(
        _entry(kind, points=() if kind.holds.startswith("as a ") else (f"Holds {kind.holds}.",)) for kind in PIECE_KINDS
    )
    table = FigureTable(
        ("Number", "AC", "Save", "Hits to level"),
        tuple(
            (
                kind.key,
                kind.name,
                (str(kind.number), _or_none(kind.ac), format_bonus(kind.save_bonus), _or_none(kind.hits)),
            )
            for kind in PIECE_KINDS
        ),
    )
    ends = tuple(
        Entry(f"end-{end.key}", (end.winner or "no winner yet").capitalize(), end.text, end.rules) for end in SIEGE_ENDS
    )
    return _chapter(
        "siege",
        "Siege",
        "c-castle",
        "The castle, its walls and its cheese sauce.",
        Section("pieces", "The castle", pieces, table),
        Section("rules", "Laying siege", _entries(SIEGE_RULES, "rule-")),
        Section("ends", "How a siege ends", ends, lead="Who wins, and why."),
    )


def _or_none(number: int | None) -> str:
    return NONE if number is None else str(number)


def _solo() -> Chapter:
    choices = tuple(Entry(f"choice-{row.key}", row.question, row.text, row.rules) for row in SOLO_CHOICES)
    return _chapter(
        "solo",
        "Solo",
        "c-moon",
        "Play alone: a die and a table decide what the opponent does.",
        Section("table", "The solo table", _rolled(SOLO_TABLE), lead="Roll a d10 on each of its turns."),
        Section("rules", "How it works", _entries(SOLO_RULES, "rule-")),
        Section("choices", "Where a player would choose", choices),
    )


def _option(row: OptionRow) -> Entry:
    points = tuple(
        f"{choice.title}{' (by the book)' if choice.value == row.default else ''}: {choice.text}"
        for choice in row.choices
    )
    return _entry(row, points=points)


_OPTION_PARTS = (
    ("muster", "Muster and heroes"),
    ("dice", "Advantages and dice"),
    ("battle", "Battle and points"),
    ("map", "Campaign and siege"),
)


def _options() -> Chapter:
    sections = tuple(
        Section(part, title, tuple(_option(row) for row in OPTIONS if row.part == part))
        for part, title in _OPTION_PARTS
    )
    return _chapter("options", "House rules", "c-seal", "Where the book leaves room, a campaign can choose.", *sections)


def _glossary() -> Chapter:
    words = _entries(sorted(GLOSSARY, key=lambda word: word.name.lstrip("[").casefold()))
    lead = "Every term of the game in one sentence."
    return _chapter("glossary", "Glossary", "c-book", lead, Section("words", "Words", words))


@cache
def chapters() -> tuple[Chapter, ...]:
    """In the order of the book. Cached, because they never change."""
    return (
        _units(),
        _muster(),
        _heroes(),
        _terrain(),
        _playing(),
        _modifiers(),
        _morale(),
        _vp(),
        _campaign(),
        _events(),
        _scenarios(),
        _siege(),
        _solo(),
        _options(),
        _glossary(),
    )


@cache
def chapter_by_key() -> dict[str, Chapter]:
    return {chapter.key: chapter for chapter in chapters()}


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
