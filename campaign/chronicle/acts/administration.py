"""Acts of the table itself: founding, kingdoms coming and going, rulers, masters, house rules, seasons, notes."""

from __future__ import annotations

from typing import Any

from campaign.annals.acts import MEMBER, RULER, Act, Body, kingdom, register, whole, words
from campaign.annals.effects import Effect
from campaign.annals.state import GONE, PLACE_KEYS, PLAYING, STATUSES, State
from campaign.annals.terms import FREE_TERMS, TERM
from heraldry import Arms
from refusal import Refusal
from rulebook.kingdoms import MOST_KINGDOMS, territory
from rulebook.options import OPTION, Options

NAME_MOST = 200
NOTE_MOST = 2000
RULES_TEXT_MOST = 4000


def _founded(state: State, body: Body, options: Options) -> list[Effect]:
    name = words(body.get("name"), "The name of the campaign", most=NAME_MOST, field="name")
    return [{"do": "named", "name": name}, {"do": "master", "person": body["master"], "is": True}]


def _renamed(state: State, body: Body, options: Options) -> list[Effect]:
    name = words(body.get("to"), "The name of the campaign", most=NAME_MOST, field="name")
    if name == state.name:
        raise Refusal("It has that name already.", field="name")
    return [{"do": "named", "name": name}]


def _note(state: State, body: Body, options: Options) -> list[Effect]:
    words(body.get("text"), "The note", most=NOTE_MOST, field="text")
    return []


def _nothing(state: State, body: Body, options: Options) -> list[Effect]:
    return []


# --- kingdoms ------------------------------------------------------------------------------------------------------


def _next_kingdom(state: State, body: Body) -> Body:
    return {**body, "kingdom": f"k{state.kingdom_count + 1}"}


def _joins(state: State, body: Body, options: Options) -> list[Effect]:
    key = body["kingdom"]
    if key in state.kingdoms:
        raise Refusal("This kingdom has joined already.", field="kingdom")
    if len(state.in_play()) >= MOST_KINGDOMS:
        raise Refusal(f"A campaign has at most {MOST_KINGDOMS} kingdoms.")
    name = words(body.get("name"), "The name of the kingdom", most=NAME_MOST, field="name")
    if any(other.name.casefold() == name.casefold() for other in state.in_play()):
        raise Refusal(f"There is a kingdom called {name} already.", field="name")
    houses = body.get("houses")
    if not isinstance(houses, list) or len(houses) != 4:
        raise Refusal("A kingdom has four noble houses.", field="houses")
    Arms.from_dict(body.get("arms") or {})  # refuses what is no coat of arms
    for house in houses:
        words(house.get("name"), "The name of a house", most=NAME_MOST, field="houses")
        Arms.from_dict(house.get("arms") or {})
    places = body.get("places")
    if not isinstance(places, dict) or set(places) != set(PLACE_KEYS):
        raise Refusal("A kingdom has a castle, lands and two borderlands, each with a name.", field="places")
    for place in places.values():
        words(place, "The name of a territory", most=NAME_MOST, field="places")
    joined = {"do": "joined", "kingdom": key, "name": name, "arms": body["arms"], "houses": houses, "places": places}
    effects: list[Effect] = [{**joined, "ruler": body.get("ruler")}]
    return effects + _starting_from(body, key)


def _starting_from(body: Body, key: str) -> list[Effect]:
    """For groups in mid-war: what the kingdom had when the chronicle began."""
    begin = body.get("standing") or {}
    why = {"why": "standing"}
    effects: list[Effect] = []
    if loyalty := whole(begin.get("loyalty", 0), "Loyalty", least=-99, most=99, field="loyalty"):
        effects.append({"do": "loyalty", "kingdom": key, "by": loyalty, **why})
    if vp := whole(begin.get("vp", 0), "VP", least=0, most=999, field="vp"):
        effects.append({"do": "vp", "kingdom": key, "by": vp, **why})
    for number in begin.get("lost", []):
        whole(number, "The number of the house", least=1, most=4, field="houses")
        effects.append({"do": "house", "kingdom": key, "house": number, "lost": True, **why})
    return effects


def _map_set(state: State, body: Body, options: Options) -> list[Effect]:
    """The map as it stood when the chronicle began, set after the kingdoms have joined."""
    effects: list[Effect] = []
    for key, holder in body.get("holders", {}).items():
        kingdom(state, territory(key).kingdom, "territory")
        kingdom(state, holder, "holder")
        if state.holders.get(key) != holder:
            effects.append({"do": "hold", "territory": key, "by": holder, "why": "standing"})
    return effects


def _status(state: State, body: Body, options: Options) -> list[Effect]:
    realm = kingdom(state, body.get("kingdom"))
    to = body.get("to")
    if to not in STATUSES:
        raise Refusal(f"A kingdom can be {', '.join(STATUSES)}; not {to!r}.", field="to")
    if realm.status == to:
        raise Refusal(f"{realm.name} is {to} already.", field="to")
    if to != PLAYING and (battle := state.busy(realm.id)):
        raise Refusal(f"{realm.name} is in battle {battle.number}. Settle or call off that battle first.", status=409)
    effects: list[Effect] = []
    if to == GONE:
        effects += _land_after(state, body, realm.id)
    return [*effects, {"do": "status", "kingdom": realm.id, "to": to}]


def _land_after(state: State, body: Body, leaving: str) -> list[Effect]:
    """The table decides what becomes of the gains of a kingdom that is dissolved; its own land leaves the map with it."""
    effects: list[Effect] = []
    heirs = body.get("heirs") or {}
    for key, holder in state.holders.items():
        owner = territory(key).kingdom
        if holder != leaving or owner == leaving:
            continue
        heir = heirs.get(key, owner)
        if heir == leaving:
            raise Refusal("A kingdom that leaves keeps nothing. Say who takes each of its gains.", field="heirs")
        kingdom(state, heir, "heirs")
        effects.append({"do": "hold", "territory": key, "by": heir, "why": "dissolved"})
    return effects


def _ruler(state: State, body: Body, options: Options) -> list[Effect]:
    realm = kingdom(state, body.get("kingdom"))
    if realm.ruler == body.get("person"):
        raise Refusal(f"{realm.name} is ruled so already.", field="person")
    return [{"do": "ruler", "kingdom": realm.id, "person": body.get("person")}]


def _regent(state: State, body: Body, options: Options) -> list[Effect]:
    realm = kingdom(state, body.get("kingdom"))
    if realm.regent == body.get("person"):
        raise Refusal(
            f"Nothing changes: {realm.name} has that regent already."
            if realm.regent
            else f"{realm.name} has no regent."
        )
    return [{"do": "regent", "kingdom": realm.id, "person": body.get("person")}]


def _looks(state: State, body: Body, options: Options) -> list[Effect]:
    realm = kingdom(state, body.get("kingdom"))
    changed: dict[str, Any] = {key: body[key] for key in ("name", "arms", "places", "houses") if body.get(key)}
    if not changed:
        raise Refusal("Nothing was changed.")
    if "arms" in changed:
        Arms.from_dict(changed["arms"])
    if "name" in changed:
        words(changed["name"], "The name of the kingdom", most=NAME_MOST, field="name")
    for place, name in changed.get("places", {}).items():
        if place not in PLACE_KEYS:
            raise Refusal(f"{place!r} is no place of a kingdom.", field="places")
        words(name, "The name of a territory", most=NAME_MOST, field="places")
    for number, house in changed.get("houses", {}).items():
        if str(number) not in ("1", "2", "3", "4"):
            raise Refusal("The houses are 1, 2, 3 and 4.", field="houses")
        if "name" in house:
            words(house["name"], "The name of a house", most=NAME_MOST, field="houses")
        if "arms" in house:
            Arms.from_dict(house["arms"])
    return [{"do": "looks", "kingdom": realm.id, **changed}]


# --- masters -------------------------------------------------------------------------------------------------------


def _master_shared(state: State, body: Body, options: Options) -> list[Effect]:
    if body.get("person") in state.masters:
        raise Refusal("They are game master already.", field="person")
    return [{"do": "master", "person": body["person"], "is": True}]


def _master_left(state: State, body: Body, options: Options) -> list[Effect]:
    if body.get("person") not in state.masters:
        raise Refusal("They are not game master.", field="person")
    if len(state.masters) == 1 and body.get("to") is None:
        raise Refusal("A campaign needs a game master. Hand it over to somebody.", field="to")
    effects: list[Effect] = []
    if body.get("to") is not None and body["to"] not in state.masters:
        effects.append({"do": "master", "person": body["to"], "is": True})
    return [*effects, {"do": "master", "person": body["person"], "is": False}]


# --- house rules and terms --------------------------------------------------------------------------------------------


def _house_rules(state: State, body: Body, options: Options) -> list[Effect]:
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
            words(value, "The text", most=RULES_TEXT_MOST, field=key, empty=True)
        elif key not in TERM:
            raise Refusal(f"There is nothing called {key!r} to agree on.", field="terms")
        elif value not in TERM[key].values:
            raise Refusal(f"{key} can be {', '.join(TERM[key].values)}; not {value!r}.", field=key)
        if state.terms.get(key, TERM[key].default if key in TERM else "") != value:
            effects.append({"do": "term", "key": key, "value": value})
    if not effects:
        raise Refusal("Nothing was changed.")
    return effects


# --- seasons -------------------------------------------------------------------------------------------------------


def _season_opened(state: State, body: Body, options: Options) -> list[Effect]:
    if state.season_open:
        raise Refusal(f"Season {state.season} is still open. Close it first.", status=409)
    name = words(body.get("name"), "The name of the season", most=NAME_MOST, field="name")
    effects: list[Effect] = []
    if body.get("new_war"):
        effects.append({"do": "war", "war": state.war + 1})
    return [*effects, {"do": "season", "open": True, "season": state.season + 1, "name": name}]


def _season_closed(state: State, body: Body, options: Options) -> list[Effect]:
    if not state.season_open:
        raise Refusal("No season is open.", status=409)
    if state.battles:
        numbers = ", ".join(str(number) for number in state.battles)
        raise Refusal(f"Still open: battle {numbers}. Settle or call off each before the season closes.", status=409)
    return [{"do": "season", "open": False, "season": state.season, "name": state.season_name}]


for _act in (
    Act("founded", _founded),
    Act("renamed", _renamed),
    Act("note", _note, by=MEMBER),
    Act("joined", _nothing, by=MEMBER),
    Act("kingdom_joins", _joins, prepare=_next_kingdom),
    Act("map_set", _map_set, rulers=lambda body: ()),
    Act("kingdom_status", _status),
    Act("ruler_changed", _ruler),
    Act("regent_named", _regent, by=RULER),
    Act("kingdom_looks", _looks, by=RULER),
    Act("master_shared", _master_shared),
    Act("master_left", _master_left),
    Act("house_rules", _house_rules),
    Act("season_opened", _season_opened),
    Act("season_closed", _season_closed),
):
    register(_act)
