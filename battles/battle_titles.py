"""What a battle is called in a list: a title, and a line under it."""

from __future__ import annotations

from battles.models import Battle
from campaign.annals.state import State
from rulebook.scenarios import SCENARIO


def names_of(battle: Battle, state: State | None) -> dict[str, str]:
    """What each side is called, by its letter; ``state`` is of its campaign, if it has one."""
    found = {}
    for row in battle.sides:
        realm = state.kingdoms.get(row["kingdom"]) if state else None
        found[row["side"]] = realm.name if realm else row["name"] or f"Side {row['side']}"
    return found


def titled(battle: Battle, state: State | None) -> tuple[str, str]:
    names = list(names_of(battle, state).values())
    scenario = SCENARIO[battle.scenario].name if battle.scenario in SCENARIO else "scenario still open"
    title = state.place_name(battle.target) if state and battle.target else " against ".join(names)
    under = f"{' against '.join(names)}, {scenario}" if title not in names and battle.target else scenario
    return title, under
