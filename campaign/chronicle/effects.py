"""What a line does to the state: a closed list of effects, each worked out once and applied for ever after.

Applying never fails and never judges: an effect on something that is no longer there (because the line that brought it
was struck, and the table chose to keep the later one) does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from campaign.annals.state import GONE, PLACE_KEYS, House, Kingdom, OpenBattle, State

Effect = dict[str, Any]


def named(state: State, e: Effect) -> None:
    state.name = e["name"]


def master(state: State, e: Effect) -> None:
    person = e["person"]
    if e["is"] and person not in state.masters:
        state.masters.append(person)
    elif not e["is"] and person in state.masters:
        state.masters.remove(person)


def joined(state: State, e: Effect) -> None:
    key = e["kingdom"]
    houses = [House(house["name"], house["arms"]) for house in e["houses"]]
    state.kingdoms[key] = Kingdom(key, e["name"], e["arms"], houses, dict(e["places"]), e.get("ruler"))
    state.kingdom_count = max(state.kingdom_count, int(key[1:]))
    for place in PLACE_KEYS:
        state.holders.setdefault(f"{key}.{place}", key)


def status(state: State, e: Effect) -> None:
    kingdom = state.kingdoms.get(e["kingdom"])
    if kingdom:
        kingdom.status = e["to"]
        if e["to"] == GONE:
            for place in PLACE_KEYS:
                state.holders.pop(f"{kingdom.id}.{place}", None)


def ruler(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.ruler = e["person"]


def regent(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.regent = e["person"]


def looks(state: State, e: Effect) -> None:
    """Names and arms of a kingdom, its houses and its places."""
    kingdom = state.kingdoms.get(e["kingdom"])
    if not kingdom:
        return
    kingdom.name = e.get("name", kingdom.name)
    kingdom.arms = e.get("arms", kingdom.arms)
    kingdom.places.update(e.get("places", {}))
    for number, given in e.get("houses", {}).items():
        house = kingdom.houses[int(number) - 1]
        house.name = given.get("name", house.name)
        house.arms = given.get("arms", house.arms)


def loyalty(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.loyalty += e["by"]


def vp(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.vp += e["by"]


def house(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.houses[e["house"] - 1].lost = e["lost"]


def hold(state: State, e: Effect) -> None:
    owner = e["territory"].rpartition(".")[0]
    if owner in state.kingdoms and e["by"] in state.kingdoms and state.kingdoms[owner].status != GONE:
        state.holders[e["territory"]] = e["by"]


def option(state: State, e: Effect) -> None:
    if e["value"] == e["book"]:
        state.options.pop(e["key"], None)
    else:
        state.options[e["key"]] = e["value"]


def term(state: State, e: Effect) -> None:
    state.terms[e["key"]] = e["value"]


def declared(state: State, e: Effect) -> None:
    number = e["battle"]
    state.battles[number] = OpenBattle(number, e["attacker"], e["defender"], e["target"], e["line"], e.get("scenario"))
    state.battle_count = max(state.battle_count, number)


def closed(state: State, e: Effect) -> None:
    state.battles.pop(e["battle"], None)
    state.battle_count = max(state.battle_count, e["battle"])


def season(state: State, e: Effect) -> None:
    state.season_open = e["open"]
    if e["open"]:
        state.season, state.season_name = e["season"], e["name"]


def war(state: State, e: Effect) -> None:
    """A new war: the same kingdoms, rulers and arms, everything else as at the beginning."""
    state.war = e["war"]
    state.winner = None
    state.battles.clear()
    for kingdom in state.kingdoms.values():
        # One that was dissolved may be kept in play by a later entry; its points begin afresh with the rest.
        kingdom.loyalty = kingdom.vp = 0
        for sworn in kingdom.houses:
            sworn.lost = False
        if kingdom.status != GONE:
            for place in PLACE_KEYS:
                state.holders[f"{kingdom.id}.{place}"] = kingdom.id


def won(state: State, e: Effect) -> None:
    state.winner = e["kingdom"]


def numbered(state: State, e: Effect) -> None:
    """A number that was given once is never given again, even if its line was struck."""
    if "kingdom" in e:
        state.kingdom_count = max(state.kingdom_count, int(e["kingdom"][1:]))
    if "battle" in e:
        state.battle_count = max(state.battle_count, e["battle"])


APPLY: dict[str, Callable[[State, Effect], None]] = {
    fn.__name__: fn
    for fn in (
        named, master, joined, status, ruler, regent, looks, loyalty, vp, house, hold, option, term, declared, closed,
        season, war, won, numbered,
    )
}  # fmt: skip


def apply(state: State, effects: Iterable[Effect]) -> None:
    for effect in effects:
        APPLY[effect["do"]](state, effect)
