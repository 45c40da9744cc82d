"""Reads the tracker's forms into the body of a step. The rules are checked later."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from battles.dice_input import parse_dice
from battles.tracker.core.combat_helper import TICKS
from battles.tracker.core.state import TrackerState
from json_input import read_json
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.basics.input_checks import quote_value
from text import join_list

Body = dict[str, Any]

# Fields with whole numbers.
_NUMBERS = "models wounds hero_wounds roll second building vp round die face at_count damage of"
NUMBERS = tuple(_NUMBERS.split())
PLAIN = ("unit", "target", "other", "side", "did", "how", "fight", "piece", "event", "keep", "why")


def read_number(raw: str, what: str) -> int:
    if (found := parse_int(raw, signed=True)) is not None:
        return found
    raise Refusal(f"The {what} is {quote_value(raw)}. Enter a whole number.", field=what)


def read_inches(raw: str, what: str = "distance") -> float | None:
    if not raw.strip():
        return None
    try:
        found = float(raw.replace(",", ".").strip(' "″'))
    except ValueError:
        raise Refusal(f"The {what} is {quote_value(raw)}. Enter inches.", field=what) from None
    if not 0 <= found <= 100:
        raise Refusal(f"The {what} is {quote_value(raw)}. Enter 0 to 100 inches.", field=what)
    return found


def step_body(kind: str, data: QueryDict, sides: tuple[str, ...]) -> Body:
    """The body of one step from a form."""
    body: Body = {name: data[name] for name in PLAIN if data.get(name)}
    for name in NUMBERS:
        if data.get(name):
            body[name] = read_number(data[name], name)
    if "at_count" in body:
        body["at"] = body.pop("at_count")
    if kind == "token":
        what, _, on = data.get("token", "").partition("-")
        body |= {"token": what, "on": on == "on"}
    if kind == "contact":
        other, _, apart = data.get("other", "").partition("-")
        body |= {"other": other, "on": not apart}
    if kind in ("moved", "put_away", "stopped"):
        on = data.get("on", "yes") == "yes"
        body |= {"on": on, "away": on, "stopped": on}
    if kind == "stands_at" or data.get("terrain") or data.get("castle"):
        body["to"] = _position(data)
    if kind in ("held", "crossings", "round_over"):
        body["held"] = {side: read_number(data[f"held_{side}"], "held") for side in sides if data.get(f"held_{side}")}
    if kind in ("begin", "round_over"):
        rolls = {
            side: read_number(data[f"roll_{side}"], "initiative roll") for side in sides if data.get(f"roll_{side}")
        }
        body["rolls"] = rolls or None
    if kind == "fight":
        body["ticks"] = ticks_of(data)
    if kind == "morale_holds":
        body["ticks"] = {what: bool(data.get(what)) for what in ("king_near", "bearer")}
    if kind == "dice":
        body["faces"] = parse_dice(data.get("faces", ""))
        body["here"] = "here" in data
    if kind == "piece_is":
        body["vat"] = bool(data.get("vat"))
    if kind == "solo":
        body |= {"seen": solo_distances(data), "at": data.get("at") or None}
    if kind in ("blessed", "kissed", "ladybug"):
        body["inches"] = read_inches(data.get("inches", "")) or 0
    return body


def seen_cells(data: QueryDict) -> Body:
    """The cells the form was drawn from; the step is refused if they have changed."""
    try:
        cells = read_json(data.get("seen_cells") or "{}")
    except Refusal:
        cells = None
    if not isinstance(cells, dict) or len(cells) > 4:
        raise Refusal("This form is incomplete. Reload the page.", field="seen_cells")
    return cells


def _position(data: QueryDict) -> Body:
    if data.get("castle") and data["castle"] != "outside":
        return {"castle": data["castle"]}
    terrain, _, tall = (data.get("terrain") or "clear").partition("+")
    return {"terrain": terrain, "extra_tall": bool(tall)}


def ticks_of(data: QueryDict) -> Body:
    """Ticks and terrain of the combat helper. Only a form that showed the ticks can clear them."""
    how = data.get("how", "")
    if how not in TICKS:
        raise Refusal(f"There is no attack {quote_value(how)}. Choose one of {join_list(TICKS)}.", field="how")
    if not data.get("told"):
        return {}
    ticks: Body = {tick.key: bool(data.get(tick.key)) for tick in TICKS[how]}
    for what in ("flanked", "target_flanked"):
        if what in ticks:
            ticks[what] = int(ticks[what])
    for prefix in ("", "target_"):
        if data.get(f"{prefix}at"):
            ground, _, tall = data[f"{prefix}at"].partition("+")
            ticks |= {f"{prefix}at": ground, f"{prefix}extra_tall": bool(tall)}
    found = read_inches(data.get("inches", ""))
    if found is not None:
        ticks["inches"] = found
    return ticks


def solo_distances(data: QueryDict) -> dict[str, Body]:
    """For each solo unit: the nearest enemy, its distance, and whether it is visible and reachable."""
    distances: dict[str, Body] = {}
    for name in data:
        part, _, unit = name.partition("_")
        if part != "enemy" or not unit:
            continue
        distances[unit] = {
            "enemy": data[name] or None,
            "inches": read_inches(data.get(f"inches_{unit}", "")) or 0,
            "sees": bool(data.get(f"sees_{unit}")),
            "reach": bool(data.get(f"reach_{unit}")),
        }
        if data.get(f"friend_{unit}"):
            distances[unit]["friend"] = data[f"friend_{unit}"]
    return distances


def fix_tracker_body(data: QueryDict, tracker: TrackerState) -> Body:
    """The body of a fix. Only changed units are included, so taps from other phones are kept."""
    body: Body = {"units": {}}
    if data.get("round") and read_number(data["round"], "round") != tracker.round:
        body["round"] = read_number(data["round"], "round")
    for unit in tracker.units():
        row: Body = {}
        if f"models_{unit.id}" not in data:
            continue
        models = read_number(data[f"models_{unit.id}"] or "0", f"models of {unit.name}")
        wounds = read_number(data.get(f"wounds_{unit.id}") or "0", f"wounds of {unit.name}")
        hero = read_number(data.get(f"hero_{unit.id}") or "0", f"wounds of the hero of {unit.name}")
        fate = data.get(f"gone_{unit.id}", "")
        if models == 0 and not fate:
            fate = "removed"
        if fate:
            row = {"gone": fate}
            same = not unit.here and unit.gone is not None and unit.gone["how"] == fate
        else:
            flees, acted = bool(data.get(f"flees_{unit.id}")), bool(data.get(f"acted_{unit.id}"))
            row = {"models": models, "wounds": wounds, "hero_wounds": hero, "flees": flees, "acted": acted}
            now = (unit.now.models, unit.now.wounds, unit.now.hero_wounds, unit.fleeing, unit.acted)
            same = unit.here and now == (models, wounds, hero, flees, acted)
        if not same:
            body["units"][unit.id] = row
    spent = {
        side: read_number(data[f"spent_{side}"], "VP spent") for side in tracker.sides if data.get(f"spent_{side}")
    }
    changed = {side: vp for side, vp in spent.items() if vp != tracker.vp_spent(side)}
    if changed:
        body["spent"] = changed
    return body
