"""What a battle is called in lists: a title and a subtitle."""

from __future__ import annotations

from battles.models import Battle
from campaign.chronicle.state import State
from rulebook.data.scenarios import SCENARIO


def side_names_of(battle: Battle, state: State | None) -> dict[str, str]:
    """The name of each side by its letter. ``state`` is that of its campaign, if it has one."""
    found = {}
    for row in battle.sides:
        kingdom = state.kingdoms.get(row["kingdom"]) if state else None
        found[row["side"]] = kingdom.name if kingdom else row["name"] or f"Side {row['side']}"
    return found


def title_and_subtitle(battle: Battle, state: State | None) -> tuple[str, str]:
    names = list(side_names_of(battle, state).values())
    scenario = SCENARIO[battle.scenario].name if battle.scenario in SCENARIO else "scenario not chosen yet"
    title = state.place_name(battle.target) if state and battle.target else " against ".join(names)
    under = f"{' against '.join(names)}, {scenario}" if title not in names and battle.target else scenario
    return title, under
