"""Every battle the viewer may see, counted: by scenario, side, kingdom, person, unit and hero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battles.models import Battle
from battles.telling.tally import Game, Part, Taken
from battles.telling.told import Told
from campaign import reading
from campaign.annals.effects import apply
from campaign.annals.fought import Fought, fought, is_battle
from campaign.annals.lines import Line, effective
from campaign.annals.state import State
from campaign.models import Campaign
from people.who import Who
from refusal import Refusal

CAMPAIGNS_MOST = 50


def campaigns_of(who: Who) -> Any:
    """One's own; somebody nobody knows is shown the public ones."""
    rows = Campaign.objects.of(who) if who.is_known else Campaign.objects.visible_to(who)
    return rows.select_related("log")[:CAMPAIGNS_MOST]


def games_of(who: Who, campaigns: Iterable[Campaign], *, alone: bool = True) -> list[Game]:
    found = [game for campaign, lines in reading.lines_of_each(campaigns) for game in games_in(campaign, lines)]
    if alone:
        rows = Battle.objects.visible_to(who).filter(campaign=None, stage=Battle.Stage.CONFIRMED)
        found += [game for battle in rows if (game := game_alone(battle))]
    return found


def games_in(campaign: Campaign, lines: list[Line]) -> Iterator[Game]:
    """The battles of a chronicle as corrected, each with who ruled when it was fought."""
    state = State()
    for line in effective(lines):
        if is_battle(line):
            yield _game(campaign, state, line, fought(line))
        if line.effects:
            apply(state, line.effects)


def _game(campaign: Campaign, state: State, line: Line, battle: Fought) -> Game:
    report = line.body.get("report") or {}
    told = _told(line.body.get("told"))
    side_a = report.get("side_a")
    many = line.body.get("many") or {}
    winner = many["kingdoms"].get(many["winner"] or "") if many else battle.winner
    lost = {key: many["lost"].get(letter, 0) for letter, key in many["kingdoms"].items()} if many else {}
    parts = []
    fighters = [("attacker", battle.attacker), ("defender", battle.defender)]
    for role, key in (*fighters, *(("", key) for key in line.body.get("others") or {})):
        realm = state.kingdoms.get(key)
        letter = ("A" if key == side_a else "B") if side_a else ""
        counts = report.get(letter.lower(), {}) if letter else {}
        parts.append(
            Part(
                letter=letter,
                role=role,
                result="drawn" if winner is None else "won" if winner == key else "lost",
                kingdom=(f"{campaign.code}:{key}", realm.name if realm else key),
                person=realm.acting if realm else None,
                fielded=counts.get("fielded"),
                removed=counts.get("removed", 0) if counts else lost.get(key),
                units=_units(told, letter),
            )
        )
    return Game(battle.scenario, tuple(parts), battle.played_on)


def game_alone(battle: Battle) -> Game | None:
    body = battle.result or {}
    told = _told(body.get("told"))
    report = body.get("report") or {}
    many = body.get("many")
    parts = []
    for side in battle.sides:
        letter, winner = side["side"], body.get("winner")
        counts = report.get(letter.lower(), {})
        lost = many["lost"].get(letter, 0) if many else counts.get("removed", 0) if counts else None
        parts.append(
            Part(
                letter="" if many else letter,
                role="",
                result="drawn" if winner is None else "won" if winner == letter else "lost",
                person=side["person"],
                fielded=counts.get("fielded"),
                removed=lost,
                units=_units(told, letter),
            )
        )
    return Game(battle.scenario or None, tuple(parts), battle.played_on.isoformat() if battle.played_on else "")


def _told(kept: Any) -> Told | None:
    try:
        return Told.from_json(kept) if kept else None
    except Refusal:
        return None


def _units(told: Told | None, letter: str) -> tuple[Taken, ...]:
    if told is None or letter not in ("A", "B"):
        return ()
    gone = set(told.gone(letter))
    return tuple(Taken(one.unit, one.hero, one.key in gone) for one in told.fielded[letter])
