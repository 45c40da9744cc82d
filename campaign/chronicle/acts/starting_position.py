"""Starting in mid-war: loyalty, VP, houses, the map and the season as they stood when the chronicle began, in one line."""

from __future__ import annotations

from campaign.annals.acts import Act, Body, kingdom, register, whole, words
from campaign.annals.effects import Effect
from campaign.annals.state import State
from refusal import Refusal
from rulebook.kingdoms import Realm, territory
from rulebook.options import Options

WHY = {"why": "standing"}
LOYALTY_MOST, VP_MOST, SEASON_MOST, NAME_MOST = 99, 999, 999, 200


def _standing(state: State, body: Body, options: Options) -> list[Effect]:
    """Written before the first battle, and again as often as it was typed wrongly until then."""
    if state.battle_count:
        raise Refusal(
            "Battles stand in the chronicle already. What was otherwise is a change by agreement now.", status=409
        )
    effects: list[Effect] = []
    for key, told in (body.get("kingdoms") or {}).items():
        effects += _points(state, kingdom(state, key).id, told, options)
    effects += _map(state, body.get("holders") or {}, options)
    effects += _season(state, body.get("season") or {})
    if not effects:
        raise Refusal("Nothing was changed.")
    return effects


def _points(state: State, key: str, told: Body, options: Options) -> list[Effect]:
    realm = state.kingdoms[key]
    effects: list[Effect] = []
    most = LOYALTY_MOST if options.loyalty_cap is None else options.loyalty_cap
    loyalty = whole(told.get("loyalty", 0), f"Loyalty of {realm.name}", least=-most, most=most, field=f"{key}-loyalty")
    if loyalty != realm.loyalty:
        effects.append({"do": "loyalty", "kingdom": key, "by": loyalty - realm.loyalty, **WHY})
    vp = whole(told.get("vp", 0), f"VP of {realm.name}", least=0, most=VP_MOST, field=f"{key}-vp")
    if vp != realm.vp:
        effects.append({"do": "vp", "kingdom": key, "by": vp - realm.vp, **WHY})
    lost = told.get("lost") or []
    for number in lost:
        whole(number, "The number of the house", least=1, most=4, field=f"{key}-lost")
    for number, house in enumerate(realm.houses, 1):
        if house.lost != (number in lost):
            effects.append({"do": "house", "kingdom": key, "house": number, "lost": number in lost, **WHY})
    return effects


def _map(state: State, holders: dict[str, str], options: Options) -> list[Effect]:
    effects: list[Effect] = []
    realm = state.realm()
    for key, holder in holders.items():
        kingdom(state, territory(key).kingdom, "territory")
        kingdom(state, holder, "holder")
        realm = realm.held_by(key, holder)
        if state.holders.get(key) != holder:
            effects.append({"do": "hold", "territory": key, "by": holder, **WHY})
    if sentence := impossible(state, realm, options):
        raise Refusal(sentence, field="map")
    return effects


def _season(state: State, told: Body) -> list[Effect]:
    if not told:
        return []
    number = whole(told.get("number"), "The number of the season", least=1, most=SEASON_MOST, field="season")
    name = words(told.get("name"), "The name of the season", most=NAME_MOST, field="season_name")
    if (state.season_open, state.season, state.season_name) == (True, number, name):
        return []
    return [{"do": "season", "open": True, "season": number, "name": name}]


def impossible(state: State, realm: Realm, options: Options) -> str:
    """Why no war can have led to this map, in one sentence; or nothing. (MAP-01, MAP-04, MAP-08, MAP-09, R-71, R-72)"""
    for key in realm.kingdoms:
        name, held = state.kingdoms[key].name, realm.map_of(key)
        place = {part: state.place_name(f"{key}.{part}") for part in held}
        own = [state.place_name(one) for one in realm.holdings(key)]
        borders = [part for part in ("border_1", "border_2") if held[part] == key]
        if held["castle"] != key:
            if held["lands"] == key or own:
                return f"{name} has lost its castle and still holds {own[0]}. A King without a castle is out, and holds nothing."
            if held["lands"] != held["castle"] and not options.third_party_attacks:
                taker = state.kingdoms[held["castle"]].name
                return f"{taker} holds {place['castle']} and not {place['lands']} around it. Only the holder of the lands takes a castle."
        # Whoever took another castle may have had a borderland of his own back with it.
        took = any(realm.holder(f"{other}.castle") == key for other in realm.kingdoms if other != key)
        if held["lands"] != key and borders and not took:
            return f"{place['lands']} is lost while {name} still holds {place[borders[0]]}. The lands fall only after both borderlands."
        taker = held["lands"]
        if taker != key and taker not in (held["border_1"], held["border_2"]) and not options.third_party_attacks:
            return f"{state.kingdoms[taker].name} holds {place['lands']} and no borderland of {name}. The lands are taken from a borderland one holds."
    for key in realm.kingdoms:
        castles = sum(realm.holder(f"{other}.castle") == key for other in realm.kingdoms)
        if castles >= options.kingdoms_to_hold:
            return f"{state.kingdoms[key].name} holds {castles} castles. By the rules of this table that war is won."
    return ""


register(Act("standing", _standing, rulers=lambda body: ()))
