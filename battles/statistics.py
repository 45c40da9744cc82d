"""Win rates of the battles somebody may see: their games, and the tables drawn from them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from battles.models import Battle
from battles.result.core.report import MultiArmyReport, UnitReport, read_armies
from battles.result.core.win_rates import Game, GameSide, Tallies, Tally, UnitResult
from campaign import selectors as campaign_selectors
from campaign.chronicle.battles_from_entries import BattleRecord, is_battle, read_battle
from campaign.chronicle.effects import apply_effects
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.state import State
from campaign.models import Campaign
from dataclass_json import Ask, PageOnly
from people.models import Person
from people.requester import Who
from refusal import Refusal
from rulebook.data.heroes import HERO
from rulebook.data.scenarios import SCENARIO
from rulebook.data.units import UNIT

MAX_CAMPAIGNS = 50


def campaigns_of(who: Who) -> Any:
    """Their own campaigns, or the public ones for someone without a log-in."""
    rows = Campaign.objects.of(who) if who.is_known else Campaign.objects.visible_to(who)
    return rows.select_related("log")[:MAX_CAMPAIGNS]


def games_of(who: Who, campaigns: Iterable[Campaign], *, alone: bool = True) -> list[Game]:
    games = [
        game
        for campaign, entries in campaign_selectors.entries_of_each(campaigns)
        for game in games_in(campaign, entries)
    ]
    if alone:
        rows = Battle.objects.visible_to(who).filter(campaign=None, stage=Battle.Stage.CONFIRMED)
        games += [game for battle in rows if (game := standalone_game(battle))]
    return games


def games_in(campaign: Campaign, entries: list[ChronicleEntry]) -> Iterator[Game]:
    """The battles of a chronicle as corrected, each with its rulers at the time."""
    state = State()
    for entry in effective_entries(entries):
        if is_battle(entry):
            yield _game(campaign, state, entry, read_battle(entry))
        if entry.effects:
            apply_effects(state, entry.effects)


def _game(campaign: Campaign, state: State, entry: ChronicleEntry, battle: BattleRecord) -> Game:
    report = entry.body.get("report") or {}
    armies = _armies_of(entry.body)
    side_a = report.get("side_a")
    many = entry.body.get("many") or {}
    letters = {key: letter for letter, key in many.get("kingdoms", {}).items()}
    winner = many["kingdoms"].get(many["winner"] or "") if many else battle.winner
    parts = []
    fighters = [("attacker", battle.attacker), ("defender", battle.defender)]
    for role, key in (*fighters, *(("", key) for key in entry.body.get("others") or {})):
        kingdom = state.kingdoms.get(key)
        letter = ("A" if key == side_a else "B") if side_a else ""
        counts = report.get(letter.lower(), {}) if letter else {}
        units = _units(armies, letters.get(key, letter))
        parts.append(
            GameSide(
                letter=letter,
                role=role,
                result="drawn" if winner is None else "won" if winner == key else "lost",
                kingdom=(f"{campaign.code}:{key}", kingdom.name if kingdom else key),
                person=kingdom.acting if kingdom else None,
                fielded=counts.get("fielded") if counts else len(units) or None,
                removed=counts.get("removed", 0) if counts else _lost_of_many(armies, letters.get(key, "")),
                units=units,
            )
        )
    return Game(battle.scenario, tuple(parts), battle.played_on)


def standalone_game(battle: Battle) -> Game | None:
    body = battle.result or {}
    armies = _armies_of(body)
    report = body.get("report") or {}
    parts = []
    for side in battle.sides:
        letter, winner = side["side"], body.get("winner")
        counts = report.get(letter.lower(), {})
        units = _units(armies, letter)
        parts.append(
            GameSide(
                letter="" if body.get("many") else letter,
                role="",
                result="drawn" if winner is None else "won" if winner == letter else "lost",
                person=side["person"],
                fielded=counts.get("fielded") if counts else len(units) or None,
                removed=counts.get("removed", 0) if counts else _lost_of_many(armies, letter),
                units=units,
            )
        )
    return Game(battle.scenario or None, tuple(parts), battle.played_on.isoformat() if battle.played_on else "")


def _armies_of(body: Mapping[str, Any]) -> UnitReport | MultiArmyReport | None:
    try:
        return read_armies(body)
    except Refusal:
        return None


def _units(armies: UnitReport | MultiArmyReport | None, letter: str) -> tuple[UnitResult, ...]:
    if armies is None:
        return ()
    gone = set(armies.removed_units(letter))
    return tuple(UnitResult(unit.unit, unit.hero, unit.key in gone) for unit in armies.fielded.get(letter, ()))


def _lost_of_many(armies: UnitReport | MultiArmyReport | None, letter: str) -> int | None:
    """How many units one of more than two armies lost, also if it was reported by counts alone."""
    return armies.count_removed(letter) if letter and isinstance(armies, MultiArmyReport) else None


# ── The tables ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TallyRow:
    name: str
    under: str
    tally: PageOnly[Tally]
    played: int
    won: int
    drawn: int
    share: Annotated[int, Ask("Share", "percent; a draw is half a win")]
    low: Annotated[int, Ask("From", "lower end of the interval, percent")]
    high: int
    units_fielded: int
    units_removed: int

    @property
    def width(self) -> int:
        return max(self.high - self.low, 1)

    @property
    def survivors(self) -> str:
        """Units left at the end, out of those fielded."""
        if not self.units_fielded:
            return ""
        return f"{self.units_fielded - self.units_removed} of {self.units_fielded}"


@dataclass(frozen=True, slots=True)
class TallyTable:
    key: str
    title: str
    first_column: PageOnly[str]
    note: PageOnly[str]
    rows: tuple[TallyRow, ...]


def _row(name: str, under: str, tally: Tally) -> TallyRow:
    low, high = (round(end * 100) for end in tally.interval)
    return TallyRow(
        name,
        under,
        tally,
        played=tally.played,
        won=tally.won,
        drawn=tally.drawn,
        share=round(tally.share * 100),
        low=low,
        high=high,
        units_fielded=tally.fielded,
        units_removed=tally.removed,
    )


def tally_tables(tallies: Tallies, who: Who) -> tuple[TallyTable, ...]:
    rows = (
        TallyTable(
            "scenarios",
            "By scenario",
            "Scenario",
            "Won by the attacker, or by side A outside a campaign.",
            _scenarios(tallies),
        ),
        TallyTable("sides", "By side", "Side", "Only scenarios where the sides have different goals.", _sides(tallies)),
        TallyTable(
            "kingdoms", "By kingdom", "Kingdom", "", _sorted(_row(t.name, "", t) for t in tallies.kingdoms.values())
        ),
        TallyTable("people", "By person", "Person", "The person who led the side that day.", _people(tallies, who)),
        TallyTable(
            "units",
            "By unit",
            "Unit",
            "How often a side with this unit won, and how many of these units were left.",
            _named(tallies.units, UNIT),
        ),
        TallyTable("heroes", "By hero", "Hero", "How often a side with this hero won.", _named(tallies.heroes, HERO)),
    )
    return tuple(table for table in rows if table.rows)


def _sorted(rows: Iterable[TallyRow]) -> tuple[TallyRow, ...]:
    return tuple(sorted(rows, key=lambda row: (-row.played, row.name)))


def _scenarios(tallies: Tallies) -> tuple[TallyRow, ...]:
    return _sorted(
        _row(SCENARIO[key].name if key in SCENARIO else "Unknown", "", t) for key, t in tallies.scenarios.items()
    )


def _sides(tallies: Tallies) -> tuple[TallyRow, ...]:
    rows = []
    for key, tally in tallies.sides.items():
        scenario, _, letter = key.partition(":")
        row = SCENARIO.get(scenario)
        if row is None or row.equal:
            continue
        side = next(side for side in row.sides if side.key == letter)
        rows.append(_row(side.name, f"{row.name}, side {letter}", tally))
    return _sorted(rows)


def _people(tallies: Tallies, who: Who) -> tuple[TallyRow, ...]:
    """Only people the requester knows. Merged people count as one."""
    ids = [int(key) for key in tallies.people]
    seen = Person.objects.visible_to(who).filter(pk__in=ids).select_related("merged_into") if who.is_known else ()
    merged: dict[int, Tally] = {}
    for person in seen:
        root, tally = person.root, tallies.people[str(person.pk)]
        if root.is_forgotten:
            continue
        if root.pk not in merged:
            merged[root.pk] = Tally(str(root.pk), root.name)
        into = merged[root.pk]
        for name in ("played", "won", "drawn", "fielded", "removed"):
            setattr(into, name, getattr(into, name) + getattr(tally, name))
    return _sorted(_row(tally.name, "", tally) for tally in merged.values())


def _named(table: dict[str, Tally], rows: Mapping[str, Any]) -> tuple[TallyRow, ...]:
    return _sorted(_row(rows[key].name, "", tally) for key, tally in table.items() if key in rows)
