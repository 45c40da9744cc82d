"""What an entry does to the state: a closed list of effects, decided once, then only applied.

Applying never fails: an effect on something that is gone (its entry was struck, a later one kept) does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from campaign.chronicle.state import GONE, PLACE_KEYS, House, Kingdom, OpenBattle, State

Effect = dict[str, Any]


def set_campaign_name(state: State, e: Effect) -> None:
    state.name = e["name"]


def set_master(state: State, e: Effect) -> None:
    person = e["person"]
    if e["is"] and person not in state.masters:
        state.masters.append(person)
    elif not e["is"] and person in state.masters:
        state.masters.remove(person)


def add_kingdom(state: State, e: Effect) -> None:
    key = e["kingdom"]
    houses = [House(house["name"], house["arms"]) for house in e["houses"]]
    state.kingdoms[key] = Kingdom(key, e["name"], e["arms"], houses, dict(e["places"]), e.get("ruler"))
    state.kingdom_count = max(state.kingdom_count, int(key[1:]))
    for place in PLACE_KEYS:
        state.holders.setdefault(f"{key}.{place}", key)


def set_status(state: State, e: Effect) -> None:
    kingdom = state.kingdoms.get(e["kingdom"])
    if kingdom:
        kingdom.status = e["to"]
        if e["to"] == GONE:
            for place in PLACE_KEYS:
                state.holders.pop(f"{kingdom.id}.{place}", None)


def set_ruler(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.ruler = e["person"]


def set_regent(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.regent = e["person"]


def change_names_and_arms(state: State, e: Effect) -> None:
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


def change_loyalty(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.loyalty += e["by"]


def change_vp(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.vp += e["by"]


def set_house_lost(state: State, e: Effect) -> None:
    if kingdom := state.kingdoms.get(e["kingdom"]):
        kingdom.houses[e["house"] - 1].lost = e["lost"]


def set_holder(state: State, e: Effect) -> None:
    owner = e["territory"].rpartition(".")[0]
    if owner in state.kingdoms and e["by"] in state.kingdoms and state.kingdoms[owner].status != GONE:
        state.holders[e["territory"]] = e["by"]


def set_house_rule(state: State, e: Effect) -> None:
    if e["value"] == e["book"]:
        state.options.pop(e["key"], None)
    else:
        state.options[e["key"]] = e["value"]


def set_term(state: State, e: Effect) -> None:
    state.terms[e["key"]] = e["value"]


def open_battle(state: State, e: Effect) -> None:
    number = e["battle"]
    state.battles[number] = OpenBattle(number, e["attacker"], e["defender"], e["target"], e["line"], e.get("scenario"))
    state.battle_count = max(state.battle_count, number)


def close_battle(state: State, e: Effect) -> None:
    state.battles.pop(e["battle"], None)
    state.battle_count = max(state.battle_count, e["battle"])


def set_season(state: State, e: Effect) -> None:
    state.season_open = e["open"]
    if e["open"]:
        state.season, state.season_name = e["season"], e["name"]


def start_war(state: State, e: Effect) -> None:
    """A new war: the same kingdoms, rulers and arms, everything else as at the beginning."""
    state.war = e["war"]
    state.winner = None
    state.battles.clear()
    for kingdom in state.kingdoms.values():
        # Dissolved kingdoms restart too: a later entry may bring one back.
        kingdom.loyalty = kingdom.vp = 0
        for sworn in kingdom.houses:
            sworn.lost = False
        if kingdom.status != GONE:
            for place in PLACE_KEYS:
                state.holders[f"{kingdom.id}.{place}"] = kingdom.id


def set_winner(state: State, e: Effect) -> None:
    state.winner = e["kingdom"]


def reserve_number(state: State, e: Effect) -> None:
    """A number that was given once is never given again, even if its entry was struck."""
    if "kingdom" in e:
        state.kingdom_count = max(state.kingdom_count, int(e["kingdom"][1:]))
    if "battle" in e:
        state.battle_count = max(state.battle_count, e["battle"])


APPLY_BY_NAME: dict[str, Callable[[State, Effect], None]] = {
    "named": set_campaign_name,
    "master": set_master,
    "joined": add_kingdom,
    "status": set_status,
    "ruler": set_ruler,
    "regent": set_regent,
    "looks": change_names_and_arms,
    "loyalty": change_loyalty,
    "vp": change_vp,
    "house": set_house_lost,
    "hold": set_holder,
    "option": set_house_rule,
    "term": set_term,
    "declared": open_battle,
    "closed": close_battle,
    "season": set_season,
    "war": start_war,
    "won": set_winner,
    "numbered": reserve_number,
}


def apply_effects(state: State, effects: Iterable[Effect]) -> None:
    for effect in effects:
        APPLY_BY_NAME[effect["do"]](state, effect)
