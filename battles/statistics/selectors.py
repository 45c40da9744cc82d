"""The games the requester may see, for the statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from battles.models import Battle
from battles.result.core.unit_report import UnitReport
from battles.result.core.win_rates import Game, GameSide, UnitResult
from campaign import selectors as campaign_selectors
from campaign.chronicle.battle_records import BattleRecord, is_battle, read_battle
from campaign.chronicle.effects import apply_effects
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.state import State
from campaign.models import Campaign
from people.requester import Who
from refusal import Refusal

MAX_CAMPAIGNS = 50


def campaigns_of(who: Who) -> Any:
    """Their own campaigns, or the public ones for someone without a log-in."""
    rows = Campaign.objects.of(who) if who.is_known else Campaign.objects.visible_to(who)
    return rows.select_related("log")[:MAX_CAMPAIGNS]


def games_of(who: Who, campaigns: Iterable[Campaign], *, alone: bool = True) -> list[Game]:
    found = [
        game
        for campaign, entries in campaign_selectors.entries_of_each(campaigns)
        for game in games_in(campaign, entries)
    ]
    if alone:
        rows = Battle.objects.visible_to(who).filter(campaign=None, stage=Battle.Stage.CONFIRMED)
        found += [game for battle in rows if (game := standalone_game(battle))]
    return found


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
    unit_report = _unit_report(entry.body.get("told"))
    side_a = report.get("side_a")
    many = entry.body.get("many") or {}
    winner = many["kingdoms"].get(many["winner"] or "") if many else battle.winner
    lost = {key: many["lost"].get(letter, 0) for letter, key in many["kingdoms"].items()} if many else {}
    armies = {key: _units_of_many(many, letter) for letter, key in many["kingdoms"].items()} if many else {}
    parts = []
    fighters = [("attacker", battle.attacker), ("defender", battle.defender)]
    for role, key in (*fighters, *(("", key) for key in entry.body.get("others") or {})):
        kingdom = state.kingdoms.get(key)
        letter = ("A" if key == side_a else "B") if side_a else ""
        counts = report.get(letter.lower(), {}) if letter else {}
        parts.append(
            GameSide(
                letter=letter,
                role=role,
                result="drawn" if winner is None else "won" if winner == key else "lost",
                kingdom=(f"{campaign.code}:{key}", kingdom.name if kingdom else key),
                person=kingdom.acting if kingdom else None,
                fielded=counts.get("fielded") if counts else len(armies.get(key, ())) or None,
                removed=counts.get("removed", 0) if counts else lost.get(key),
                units=_units(unit_report, letter) or armies.get(key, ()),
            )
        )
    return Game(battle.scenario, tuple(parts), battle.played_on)


def standalone_game(battle: Battle) -> Game | None:
    body = battle.result or {}
    unit_report = _unit_report(body.get("told"))
    report = body.get("report") or {}
    many = body.get("many")
    parts = []
    for side in battle.sides:
        letter, winner = side["side"], body.get("winner")
        counts = report.get(letter.lower(), {})
        army = _units_of_many(many or {}, letter)
        lost = many["lost"].get(letter, 0) if many else counts.get("removed", 0) if counts else None
        parts.append(
            GameSide(
                letter="" if many else letter,
                role="",
                result="drawn" if winner is None else "won" if winner == letter else "lost",
                person=side["person"],
                fielded=counts.get("fielded") if counts else len(army) or None,
                removed=lost,
                units=_units(unit_report, letter) or army,
            )
        )
    return Game(battle.scenario or None, tuple(parts), battle.played_on.isoformat() if battle.played_on else "")


def _unit_report(stored: Any) -> UnitReport | None:
    try:
        return UnitReport.from_json(stored) if stored else None
    except Refusal:
        return None


def _units(unit_report: UnitReport | None, letter: str) -> tuple[UnitResult, ...]:
    if unit_report is None or letter not in ("A", "B"):
        return ()
    gone = set(unit_report.removed_units(letter))
    return tuple(UnitResult(one.unit, one.hero, one.key in gone) for one in unit_report.fielded[letter])


def _units_of_many(many: Mapping[str, Any], letter: str) -> tuple[UnitResult, ...]:
    """One of more than two armies, if it was reported unit by unit."""
    gone = many.get("fallen", {}).get(letter, ())
    rows = many.get("fielded", {}).get(letter, ())
    return tuple(UnitResult(row.get("unit"), row.get("hero"), row["key"] in gone) for row in rows)
