"""Acts that run the campaign: founding, kingdoms coming and going, rulers, masters, house rules, seasons, notes."""

from __future__ import annotations

from typing import Any

from campaign.chronicle.acts.registry import (
    MEMBER,
    RULER,
    ActKind,
    Body,
    register_act_kind,
    require_kingdom,
    require_text,
    require_whole_number,
)
from campaign.chronicle.campaign_terms import FREE_TERMS, TERM
from campaign.chronicle.effects import Effect
from campaign.chronicle.state import GONE, PLACE_KEYS, PLAYING, STATUSES, State
from heraldry import Arms
from refusal import Refusal
from rulebook.campaign.territories import MOST_KINGDOMS, parse_territory
from rulebook.data.house_rules import OPTION, Options

NAME_MOST = 200
NOTE_MOST = 2000
RULES_TEXT_MOST = 4000


def _decide_founding(state: State, body: Body, options: Options) -> list[Effect]:
    name = require_text(body.get("name"), "The name of the campaign", most=NAME_MOST, field="name")
    return [{"do": "named", "name": name}, {"do": "master", "person": body["master"], "is": True}]


def _decide_renaming(state: State, body: Body, options: Options) -> list[Effect]:
    name = require_text(body.get("to"), "The name of the campaign", most=NAME_MOST, field="name")
    if name == state.name:
        raise Refusal("The campaign already has that name.", field="name")
    return [{"do": "named", "name": name}]


def _decide_note(state: State, body: Body, options: Options) -> list[Effect]:
    require_text(body.get("text"), "The note", most=NOTE_MOST, field="text")
    return []


def _decide_no_change(state: State, body: Body, options: Options) -> list[Effect]:
    return []


# --- kingdoms ------------------------------------------------------------------------------------------------------


def _next_kingdom(state: State, body: Body) -> Body:
    return {**body, "kingdom": f"k{state.kingdom_count + 1}"}


def _decide_kingdom_joining(state: State, body: Body, options: Options) -> list[Effect]:
    key = body["kingdom"]
    if key in state.kingdoms:
        raise Refusal("This kingdom has already joined.", field="kingdom")
    if len(state.in_play()) >= MOST_KINGDOMS:
        raise Refusal(f"A campaign has at most {MOST_KINGDOMS} kingdoms.")
    name = require_text(body.get("name"), "The name of the kingdom", most=NAME_MOST, field="name")
    if any(other.name.casefold() == name.casefold() for other in state.in_play()):
        raise Refusal(f"There is already a kingdom called {name}.", field="name")
    houses = body.get("houses")
    if not isinstance(houses, list) or len(houses) != 4:
        raise Refusal("A kingdom has four noble houses.", field="houses")
    Arms.from_dict(body.get("arms") or {})  # refuses what is no coat of arms
    for house in houses:
        require_text(house.get("name"), "The name of a house", most=NAME_MOST, field="houses")
        Arms.from_dict(house.get("arms") or {})
    places = body.get("places")
    if not isinstance(places, dict) or set(places) != set(PLACE_KEYS):
        raise Refusal("A kingdom has a castle, lands and two borderlands, each with a name.", field="places")
    for place in places.values():
        require_text(place, "The name of a territory", most=NAME_MOST, field="places")
    joined = {"do": "joined", "kingdom": key, "name": name, "arms": body["arms"], "houses": houses, "places": places}
    effects: list[Effect] = [{**joined, "ruler": body.get("ruler")}]
    return effects + _starting_scores(body, key)


def _starting_scores(body: Body, key: str) -> list[Effect]:
    """For groups in mid-war: what the kingdom had when the chronicle began."""
    begin = body.get("standing") or {}
    why = {"why": "standing"}
    effects: list[Effect] = []
    if loyalty := require_whole_number(begin.get("loyalty", 0), "Loyalty", least=-99, most=99, field="loyalty"):
        effects.append({"do": "loyalty", "kingdom": key, "by": loyalty, **why})
    if vp := require_whole_number(begin.get("vp", 0), "VP", least=0, most=999, field="vp"):
        effects.append({"do": "vp", "kingdom": key, "by": vp, **why})
    for number in begin.get("lost", []):
        require_whole_number(number, "The number of the house", least=1, most=4, field="houses")
        effects.append({"do": "house", "kingdom": key, "house": number, "lost": True, **why})
    return effects


def _decide_starting_map(state: State, body: Body, options: Options) -> list[Effect]:
    """The map starting position, set after the kingdoms have joined."""
    effects: list[Effect] = []
    for key, holder in body.get("holders", {}).items():
        require_kingdom(state, parse_territory(key).kingdom, "territory")
        require_kingdom(state, holder, "holder")
        if state.holders.get(key) != holder:
            effects.append({"do": "hold", "territory": key, "by": holder, "why": "standing"})
    return effects


def _decide_kingdom_status(state: State, body: Body, options: Options) -> list[Effect]:
    realm = require_kingdom(state, body.get("kingdom"))
    to = body.get("to")
    if to not in STATUSES:
        raise Refusal(f"A kingdom can be {', '.join(STATUSES)}; not {to!r}.", field="to")
    if realm.status == to:
        raise Refusal(f"{realm.name} is already {to}.", field="to")
    if to != PLAYING and (battle := state.open_battle_of(realm.id)):
        raise Refusal(f"{realm.name} is in battle {battle.number}. Finish or call off that battle first.", status=409)
    effects: list[Effect] = []
    if to == GONE:
        effects += _pass_on_land(state, body, realm.id)
    return [*effects, {"do": "status", "kingdom": realm.id, "to": to}]


def _pass_on_land(state: State, body: Body, leaving: str) -> list[Effect]:
    """The players decide what becomes of a dissolved kingdom's gains; its own land leaves the map."""
    effects: list[Effect] = []
    heirs = body.get("heirs") or {}
    for key, holder in state.holders.items():
        owner = parse_territory(key).kingdom
        if holder != leaving or owner == leaving:
            continue
        heir = heirs.get(key, owner)
        if heir == leaving:
            raise Refusal("A dissolved kingdom keeps nothing. Choose who gets each territory it took.", field="heirs")
        require_kingdom(state, heir, "heirs")
        effects.append({"do": "hold", "territory": key, "by": heir, "why": "dissolved"})
    return effects


def _decide_ruler(state: State, body: Body, options: Options) -> list[Effect]:
    realm = require_kingdom(state, body.get("kingdom"))
    if realm.ruler == body.get("person"):
        raise Refusal(f"{realm.name} already has that ruler.", field="person")
    return [{"do": "ruler", "kingdom": realm.id, "person": body.get("person")}]


def _decide_regent(state: State, body: Body, options: Options) -> list[Effect]:
    realm = require_kingdom(state, body.get("kingdom"))
    if realm.regent == body.get("person"):
        raise Refusal(f"{realm.name} already has that regent." if realm.regent else f"{realm.name} has no regent.")
    return [{"do": "regent", "kingdom": realm.id, "person": body.get("person")}]


def _decide_names_and_arms(state: State, body: Body, options: Options) -> list[Effect]:
    realm = require_kingdom(state, body.get("kingdom"))
    changed: dict[str, Any] = {key: body[key] for key in ("name", "arms", "places", "houses") if body.get(key)}
    if not changed:
        raise Refusal("Nothing was changed.")
    if "arms" in changed:
        Arms.from_dict(changed["arms"])
    if "name" in changed:
        require_text(changed["name"], "The name of the kingdom", most=NAME_MOST, field="name")
    for place, name in changed.get("places", {}).items():
        if place not in PLACE_KEYS:
            raise Refusal(f"{place!r} is not a place in a kingdom.", field="places")
        require_text(name, "The name of a territory", most=NAME_MOST, field="places")
    for number, house in changed.get("houses", {}).items():
        if str(number) not in ("1", "2", "3", "4"):
            raise Refusal("The houses are 1, 2, 3 and 4.", field="houses")
        if "name" in house:
            require_text(house["name"], "The name of a house", most=NAME_MOST, field="houses")
        if "arms" in house:
            Arms.from_dict(house["arms"])
    return [{"do": "looks", "kingdom": realm.id, **changed}]


# --- masters -------------------------------------------------------------------------------------------------------


def _decide_sharing_master(state: State, body: Body, options: Options) -> list[Effect]:
    if body.get("person") in state.masters:
        raise Refusal("They are already a game master.", field="person")
    return [{"do": "master", "person": body["person"], "is": True}]


def _decide_master_leaving(state: State, body: Body, options: Options) -> list[Effect]:
    if body.get("person") not in state.masters:
        raise Refusal("They are not a game master.", field="person")
    if len(state.masters) == 1 and body.get("to") is None:
        raise Refusal("A campaign needs a game master. Choose who takes over.", field="to")
    effects: list[Effect] = []
    if body.get("to") is not None and body["to"] not in state.masters:
        effects.append({"do": "master", "person": body["to"], "is": True})
    return [*effects, {"do": "master", "person": body["person"], "is": False}]


# --- house rules and terms --------------------------------------------------------------------------------------------


def _decide_house_rules(state: State, body: Body, options: Options) -> list[Effect]:
    effects: list[Effect] = []
    for key, value in (body.get("options") or {}).items():
        if key not in OPTION:
            raise Refusal(f"There is no house rule called {key!r}.", field="options")
        row = OPTION[key]
        read = row.read(value)
        if state.options.get(key, row.default) != read:
            effects.append({"do": "option", "key": key, "value": read, "book": row.default})
    for key, value in (body.get("terms") or {}).items():
        if key in FREE_TERMS:
            require_text(value, "The text", most=RULES_TEXT_MOST, field=key, empty=True)
        elif key not in TERM:
            raise Refusal(f"There is no agreement called {key!r}.", field="terms")
        elif value not in TERM[key].values:
            raise Refusal(f"{key} can be {', '.join(TERM[key].values)}; not {value!r}.", field=key)
        if state.terms.get(key, TERM[key].default if key in TERM else "") != value:
            effects.append({"do": "term", "key": key, "value": value})
    if not effects:
        raise Refusal("Nothing was changed.")
    return effects


# --- seasons -------------------------------------------------------------------------------------------------------


def _decide_season_opening(state: State, body: Body, options: Options) -> list[Effect]:
    if state.season_open:
        raise Refusal(f"Season {state.season} is still open. Close it first.", status=409)
    name = require_text(body.get("name"), "The name of the season", most=NAME_MOST, field="name")
    effects: list[Effect] = []
    if body.get("new_war"):
        effects.append({"do": "war", "war": state.war + 1})
    return [*effects, {"do": "season", "open": True, "season": state.season + 1, "name": name}]


def _decide_season_closing(state: State, body: Body, options: Options) -> list[Effect]:
    if not state.season_open:
        raise Refusal("No season is open.", status=409)
    if state.battles:
        numbers = ", ".join(str(number) for number in state.battles)
        raise Refusal(f"Still open: battle {numbers}. Finish or call off each before you close the season.", status=409)
    return [{"do": "season", "open": False, "season": state.season, "name": state.season_name}]


for _act in (
    ActKind("founded", _decide_founding),
    ActKind("renamed", _decide_renaming),
    ActKind("note", _decide_note, by=MEMBER),
    ActKind("joined", _decide_no_change, by=MEMBER),
    ActKind("kingdom_joins", _decide_kingdom_joining, prepare=_next_kingdom),
    ActKind("map_set", _decide_starting_map, rulers=lambda body: ()),
    ActKind("kingdom_status", _decide_kingdom_status),
    ActKind("ruler_changed", _decide_ruler),
    ActKind("regent_named", _decide_regent, by=RULER),
    ActKind("kingdom_looks", _decide_names_and_arms, by=RULER),
    ActKind("master_shared", _decide_sharing_master),
    ActKind("master_left", _decide_master_leaving),
    ActKind("house_rules", _decide_house_rules),
    ActKind("season_opened", _decide_season_opening),
    ActKind("season_closed", _decide_season_closing),
):
    register_act_kind(_act)
