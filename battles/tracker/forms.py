"""Reads the tracker's forms into steps. The rules are checked later."""

from dataclasses import dataclass, fields

from django.http import QueryDict

from battles.tracker.core import logged_steps
from battles.tracker.core.combat_helper import TICKS, ticks_for
from battles.tracker.core.fight_progress import BEARER_TICKS, NO_TICKS, Ticks
from battles.tracker.core.logged_steps import Body
from battles.tracker.core.state import TrackerState
from battles.tracker.core.steps.solo_turn import Distances
from battles.tracker.core.steps.tracker_step import MAX_INCHES, TrackerStep, get_step
from battles.tracker.core.steps.units import FixedUnit, FixTracker
from battles.typed_and_rolled_dice import parse_dice
from dataclass_json import json_keys, read, write
from json_input import read_json
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.input_checks import quote_value
from text import join_list

# Fields with whole numbers, and fields with words. Each step takes those it has.
NUMBERS = (
    "models",
    "wounds",
    "hero_wounds",
    "roll",
    "second",
    "building",
    "vp",
    "round",
    "die",
    "face",
    "damage",
    "of",
)
WORDS = ("unit", "target", "other", "side", "did", "how", "fight", "piece", "event", "keep", "why")
YES_OR_NO = {"moved": "on", "put_away": "away", "stopped": "stopped"}  # sent as "on"


@dataclass(frozen=True, slots=True)
class RolledHere:
    """Dice the service rolled for a form."""

    faces: tuple[int, ...] | None = None
    roll: int | None = None
    second: int | None = None
    face: int | None = None
    rolls: dict[str, int] | None = None

    def to_body(self) -> Body:
        return {part.name: value for part in fields(self) if (value := getattr(self, part.name)) is not None}


NOTHING_ROLLED = RolledHere()


def read_number(raw: str, what: str) -> int:
    if (parsed := parse_int(raw, signed=True)) is not None:
        return parsed
    raise Refusal(f"The {what} is {quote_value(raw)}. Enter a whole number.", field=what)


def read_inches(raw: str, what: str = "distance") -> float | None:
    if not raw.strip():
        return None
    try:
        inches = float(raw.replace(",", ".").strip(' "″'))
    except ValueError:
        raise Refusal(f"The {what} is {quote_value(raw)}. Enter inches.", field=what) from None
    if not 0 <= inches <= MAX_INCHES:
        raise Refusal(f"The {what} is {quote_value(raw)}. Enter 0 to {MAX_INCHES} inches.", field=what)
    return inches


def step_from_form(
    kind: str, data: QueryDict, sides: tuple[str, ...], rolled: RolledHere = NOTHING_ROLLED
) -> TrackerStep:
    """The step that a form sends, with the dice that were rolled for it."""
    known = set(json_keys(get_step(kind)).values())
    body: Body = {name: data[name] for name in WORDS if name in known and data.get(name)}
    for name in NUMBERS:
        if name in known and data.get(name):
            body[name] = read_number(data[name], name)
    if "at" in known and data.get("at_count"):
        body["at"] = read_number(data["at_count"], "at_count")
    if kind == "token":
        body["token"], _, on = data.get("token", "").partition("-")
        body["on"] = on == "on"
    if kind == "contact":
        body["other"], _, apart = data.get("other", "").partition("-")
        body["on"] = not apart
    if kind in YES_OR_NO:
        body[YES_OR_NO[kind]] = data.get("on", "yes") == "yes"
    if "to" in known and (kind == "stands_at" or data.get("terrain") or data.get("castle")):
        body["to"] = _position(data)
    if "held" in known:
        body["held"] = {side: read_number(data[f"held_{side}"], "held") for side in sides if data.get(f"held_{side}")}
    if "rolls" in known:
        body["rolls"] = {
            side: read_number(data[f"roll_{side}"], "initiative roll") for side in sides if data.get(f"roll_{side}")
        }
    if kind == "fight":
        body["ticks"] = write(ticks_of(data))
    if kind == "morale_holds":
        body["ticks"] = {what: bool(data.get(what)) for what in ("king_near", *BEARER_TICKS)}
    if kind == "dice":
        body |= {"faces": parse_dice(data.get("faces", "")), "here": rolled.faces is not None}
    if kind == "piece_is":
        body["vat"] = bool(data.get("vat"))
    if kind == "solo":
        body["seen"] = {unit: write(seen) for unit, seen in solo_distances(data).items()}
        if data.get("at"):
            body["at"] = data["at"]
    if "inches" in known and (inches := read_inches(data.get("inches", ""))):
        body["inches"] = inches
    return logged_steps.read_sent(kind, body | rolled.to_body())


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


def ticks_of(data: QueryDict) -> Ticks:
    """Ticks and terrain of the combat helper. Only a form that showed the ticks can clear them."""
    how = data.get("how", "")
    if how not in TICKS:
        raise Refusal(f"There is no attack {quote_value(how)}. Choose one of {join_list(TICKS)}.", field="how")
    if not data.get("told"):
        return NO_TICKS
    ticks: dict[str, bool | int | float | str] = {
        tick.key: bool(data.get(tick.key)) for tick in ticks_for(how, several_bearers=True)
    }
    for what in ("flanked", "target_flanked"):
        if what in ticks:
            ticks[what] = int(ticks[what])
    for prefix in ("", "target_"):
        if data.get(f"{prefix}at"):
            ground, _, tall = data[f"{prefix}at"].partition("+")
            ticks |= {f"{prefix}at": ground, f"{prefix}extra_tall": bool(tall)}
    if (distance := read_inches(data.get("inches", ""))) is not None:
        ticks["inches"] = distance
    return read(Ticks, ticks)


def solo_distances(data: QueryDict) -> dict[str, Distances]:
    """For each solo unit: the nearest enemy, its distance, and whether it is visible and reachable."""
    distances = {}
    for name in data:
        part, _, unit = name.partition("_")
        if part != "enemy" or not unit:
            continue
        distances[unit] = Distances(
            data[name],
            read_inches(data.get(f"inches_{unit}", "")) or 0.0,
            bool(data.get(f"sees_{unit}")),
            bool(data.get(f"reach_{unit}")),
            data.get(f"friend_{unit}") or None,
            piece=data.get(f"piece_{unit}"),
            piece_inches=read_inches(data.get(f"wall_{unit}", "")),
        )
    return distances


def fix_from_form(data: QueryDict, tracker: TrackerState) -> FixTracker:
    """Only changed units are included, so taps from other phones are kept."""
    number = read_number(data["round"], "round") if data.get("round") else tracker.round
    units = {}
    for unit in tracker.units():
        if f"models_{unit.id}" not in data:
            continue
        models = read_number(data[f"models_{unit.id}"] or "0", f"models of {unit.name}")
        wounds = read_number(data.get(f"wounds_{unit.id}") or "0", f"wounds of {unit.name}")
        hero = read_number(data.get(f"hero_{unit.id}") or "0", f"wounds of the hero of {unit.name}")
        fate = data.get(f"gone_{unit.id}", "")
        if models == 0 and not fate:
            fate = "removed"
        if fate:
            fixed = FixedUnit(gone="escaped" if fate == "escaped" else "removed")
            same = unit.gone is not None and unit.gone.how == fixed.gone
        else:
            flees, acted = bool(data.get(f"flees_{unit.id}")), bool(data.get(f"acted_{unit.id}"))
            fixed = FixedUnit(models=models, wounds=wounds, hero_wounds=hero, flees=flees, acted=acted)
            now = (unit.now.models, unit.now.wounds, unit.now.hero_wounds, unit.fleeing, unit.acted)
            same = unit.here and now == (models, wounds, hero, flees, acted)
        if not same:
            units[unit.id] = fixed
    spent = {
        side: read_number(data[f"spent_{side}"], "VP spent") for side in tracker.sides if data.get(f"spent_{side}")
    }
    changed = {side: vp for side, vp in spent.items() if vp != tracker.vp_spent(side)}
    return FixTracker(number if number != tracker.round else None, units, changed)
