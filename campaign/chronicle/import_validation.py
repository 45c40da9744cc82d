"""A chronicle that comes from elsewhere is looked through before it is believed: is each line whole, and is it by the rules?"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.annals.acts import Body, act_of, in_force, known_acts, words
from campaign.annals.effects import Effect, apply
from campaign.annals.fought import fought, is_battle
from campaign.annals.founding import NAME_MOST, RULES_TEXT_MOST
from campaign.annals.lines import CORRECTIONS, RESTORE, STRUCK, Line, effective, fold
from campaign.annals.state import PLACE_KEYS, STATUSES, State
from campaign.annals.tales import Names, effect_name, tale
from campaign.annals.terms import FREE_TERMS, TERM
from campaign.annals.wording import capital
from heraldry import Arms
from refusal import Refusal
from rulebook.kingdoms import MOST_KINGDOMS, territory
from rulebook.options import OPTION
from rulebook.scenarios import SCENARIO

KINGDOM = re.compile(r"k[1-9][0-9]{0,3}")
NUMBER_MOST = 10**9
EARLIEST = "1970-01-01"


class NotWhole(ValueError):
    """What is wrong with a line, in a few words that follow its number."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A line whose effects are not what the rules make of it today."""

    number: int
    tale: str
    sentence: str


def scrutinise(
    lines: Sequence[Line], *, today: dt.date, progress: Callable[[int], object] = lambda k: None
) -> tuple[State, tuple[Difference, ...]]:
    """Where the lines lead, and what the rulebook says otherwise; or a refusal that names the first problem.

    ``progress`` is told how many lines have been judged by the rulebook.
    """
    acts: dict[int, str] = {}
    for at, line in enumerate(lines, 1):
        if line.number != at:
            raise Refusal(f"Entry {at} is missing: the one in its place has the number {line.number}.")
        acts[line.number] = line.act
        try:
            _line(line, acts, today)
        except NotWhole as problem:
            raise Refusal(f"Entry {line.number} is not whole: {problem}.") from problem
        except Refusal as refusal:
            raise Refusal(f"Entry {line.number} is not whole: {refusal.sentence}") from refusal
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise Refusal(f"Entry {line.number} is not whole: {type(error).__name__} {error}.") from error
    if not lines or lines[0].act != "founded":
        raise Refusal("The first entry must be the founding of the campaign.")
    order = effective(lines)
    state = fold(order)
    if not state.masters:
        raise Refusal("Nobody is left as game master at the end of this chronicle.")
    if len(state.in_play()) > MOST_KINGDOMS:
        raise Refusal(f"A campaign has at most {MOST_KINGDOMS} kingdoms.")
    return state, _differences(order, state, progress)


def _differences(order: Sequence[Line], end: State, progress: Callable[[int], object]) -> tuple[Difference, ...]:
    """Each line is judged again in the state it found; what the table kept by agreement shows here too."""
    found: list[Difference] = []
    names = Names(end)
    state = State()
    for done, line in enumerate(order):
        if done % 500 == 0:
            progress(done)
        if line.act not in (*CORRECTIONS, RESTORE, STRUCK):
            sentence = _judged(line, state)
            if sentence:
                found.append(Difference(line.number, _told(line, names), sentence))
        apply(state, line.effects)
    return tuple(found)


def _judged(line: Line, state: State) -> str:
    try:
        effects = act_of(line.act).effects(state, line.body, in_force(line.body))
    except Refusal as refusal:
        return refusal.sentence
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise Refusal(f"Entry {line.number} is not whole: {type(error).__name__} {error}.") from error
    if effects == line.effects:
        return ""
    names = Names(state)
    ours = [_said(effect, names) for effect in effects if effect not in line.effects]
    theirs = [_said(effect, names) for effect in line.effects if effect not in effects]
    said = [f"the rulebook has {', '.join(ours)}"] if any(ours) else []
    said += [f"the file has {', '.join(theirs)}"] if any(theirs) else []
    return capital("; ".join(said) or "its effects stand otherwise in the file") + "."


def _said(effect: Effect, names: Names) -> str:
    text, kingdom = effect_name(effect, names)
    return f"{names.kingdom(kingdom)} {text}" if text else str(effect["do"])


def _told(line: Line, names: Names) -> str:
    said = tale(line, names)
    if not isinstance(said, str):
        raise NotWhole("it tells nothing that can be read")
    return said


# --- one line -------------------------------------------------------------------------------------------------------


def _line(line: Line, acts: dict[int, str], today: dt.date) -> None:
    if line.act not in known_acts() and line.act not in (*CORRECTIONS, RESTORE):
        raise NotWhole(f"this site knows no act called {line.act!r}")
    day = dt.date.fromisoformat(line.played_on)
    if line.played_on < EARLIEST or day > today + dt.timedelta(days=1):
        raise NotWhole(f"it was played on {line.played_on}")
    _effects(line.effects)
    if line.act in CORRECTIONS:
        _correction(line, acts)
    elif line.act == RESTORE:
        if acts.get(line.body["restores"]) not in CORRECTIONS or line.body["restores"] >= line.number:
            raise NotWhole("it restores an entry that corrects nothing")
    else:
        _body(line.act, line)
    words(line.body.get("why", ""), "The reason", most=RULES_TEXT_MOST, empty=True)
    _confirmed(line.body.get("confirmed", []))
    _told(line, Names(State()))


def _confirmed(rows: object) -> None:
    """Who agreed to it before it was written, and on whose phone."""
    if not isinstance(rows, list):
        raise NotWhole("who confirmed it is no list")
    for row in rows:
        if "stood" in _table(row):
            _count(row["stood"])
        else:
            _person(row.get("person"))
            _maybe_person(row.get("phone"))
            _maybe(_kingdom)(row.get("side"))


def _body(act: str, line: Line) -> None:
    in_force(line.body)
    _told(line, Names(State()))
    if is_battle(line):
        battle = fought(line)
        if battle.outcome not in ("attacker", "defender", "draw"):
            raise NotWhole(f"a battle ends for the attacker, the defender or in a draw; not {battle.outcome!r}")
        _kingdom(battle.attacker)
        _kingdom(battle.defender)
        _territory(battle.target)
        _scenario(battle.scenario)
        for count in battle.removed.values():
            _count(count)


def _correction(line: Line, acts: dict[int, str]) -> None:
    bundle = line.body["bundle"]
    numbers = [*bundle["strike"], *(int(number) for number in bundle["amend"])]
    for number in [*numbers, line.body["target"]]:
        kind = acts.get(number, "")
        if number >= line.number or kind in ("", "founded", RESTORE, *CORRECTIONS):
            raise NotWhole(f"it corrects entry {number}, which cannot be corrected")
    for number, changed in bundle["amend"].items():
        _effects(changed["effects"])
        if "body" in changed:
            act = acts[int(number)]
            _body(act, Line(int(number), act, _table(changed["body"]), changed["effects"], line.played_on))


# --- effects, field by field ----------------------------------------------------------------------------------------


def _effects(effects: object) -> None:
    if not isinstance(effects, list):
        raise NotWhole("its effects are no list")
    for effect in effects:
        shape = SHAPES.get(_table(effect).get("do"))
        if shape is None:
            raise NotWhole(f"there is no effect called {effect.get('do')!r}")
        for name, check in shape.items():
            check(effect.get(name))
        if effect["do"] == "option" and (
            OPTION[effect["key"]].read(effect["value"]),
            OPTION[effect["key"]].default,
        ) != (
            effect["value"],
            effect["book"],
        ):
            raise NotWhole(f"{effect['value']!r} is no setting of {effect['key']}")
        for name in ("why", "was"):
            if not isinstance(effect.get(name) or "", str):
                raise NotWhole(f"{name} must be text")
        if "battle" in effect:
            _count(effect["battle"])


def _table(value: Any) -> Body:
    if not isinstance(value, dict):
        raise NotWhole("a table of values is missing")
    return value


def _kingdom(value: object) -> None:
    if not isinstance(value, str) or not KINGDOM.fullmatch(value):
        raise NotWhole(f"{value!r} is no kingdom")


def _territory(value: object) -> None:
    if not isinstance(value, str):
        raise NotWhole(f"{value!r} is no territory")
    _kingdom(territory(value).kingdom)


def _count(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= NUMBER_MOST:
        raise NotWhole(f"{value!r} is no count")


def _by(value: object) -> None:
    _count(abs(value) if isinstance(value, int) and not isinstance(value, bool) else value)


def _house(value: object) -> None:
    _count(value)
    if value not in (1, 2, 3, 4):
        raise NotWhole(f"there is no house {value!r}")


def _truth(value: object) -> None:
    if not isinstance(value, bool):
        raise NotWhole(f"{value!r} is neither yes nor no")


def _name(value: object) -> None:
    words(value, "The name", most=NAME_MOST)


def _person(value: object) -> None:
    _count(value)


def _maybe_person(value: object) -> None:
    if value is not None:
        _count(value)


def _arms(value: object) -> None:
    Arms.from_dict(_table(value))


def _houses(value: object) -> None:
    if not isinstance(value, list) or len(value) != 4:
        raise NotWhole("a kingdom has four houses")
    for house in value:
        _name(_table(house).get("name"))
        _arms(house.get("arms"))


def _places(value: object) -> None:
    if set(_table(value)) != set(PLACE_KEYS):
        raise NotWhole("a kingdom has a castle, lands and two borderlands")
    _some_places(value)


def _some_places(value: object) -> None:
    for place, name in _table(value or {}).items():
        if place not in PLACE_KEYS:
            raise NotWhole(f"{place!r} is no place of a kingdom")
        _name(name)


def _some_houses(value: object) -> None:
    for number, house in _table(value or {}).items():
        if number not in ("1", "2", "3", "4"):
            raise NotWhole(f"there is no house {number!r}")
        if "name" in _table(house):
            _name(house["name"])
        if "arms" in house:
            _arms(house["arms"])


def _status(value: object) -> None:
    if value not in STATUSES:
        raise NotWhole(f"no kingdom is {value!r}")


def _scenario(value: object) -> None:
    if value is not None and value not in SCENARIO:
        raise NotWhole(f"there is no scenario called {value!r}")


def _term(value: object) -> None:
    if value not in TERM and value not in FREE_TERMS:
        raise NotWhole(f"there is nothing called {value!r} to agree on")


def _term_value(value: object) -> None:
    words(value, "The text", most=RULES_TEXT_MOST, empty=True)


def _option_key(value: object) -> None:
    if value not in OPTION:
        raise NotWhole(f"there is no house rule called {value!r}")


def _maybe(check: Callable[[object], None]) -> Callable[[object], None]:
    return lambda value: None if value is None else check(value)


SHAPES: dict[object, dict[str, Callable[[object], None]]] = {
    "named": {"name": _name},
    "master": {"person": _person, "is": _truth},
    "joined": {"kingdom": _kingdom, "name": _name, "arms": _arms, "houses": _houses, "places": _places, "ruler": _maybe_person},
    "status": {"kingdom": _kingdom, "to": _status},
    "ruler": {"kingdom": _kingdom, "person": _maybe_person},
    "regent": {"kingdom": _kingdom, "person": _maybe_person},
    "looks": {"kingdom": _kingdom, "name": _maybe(_name), "arms": _maybe(_arms), "places": _some_places, "houses": _some_houses},
    "loyalty": {"kingdom": _kingdom, "by": _by},
    "vp": {"kingdom": _kingdom, "by": _by},
    "house": {"kingdom": _kingdom, "house": _house, "lost": _truth},
    "hold": {"territory": _territory, "by": _kingdom},
    "option": {"key": _option_key},
    "term": {"key": _term, "value": _term_value},
    "declared": {"battle": _count, "attacker": _kingdom, "defender": _kingdom, "target": _territory, "line": _count, "scenario": _scenario},
    "closed": {"battle": _count, "defender": _maybe(_kingdom)},
    "season": {"open": _truth, "season": _count, "name": _name},
    "war": {"war": _count},
    "won": {"kingdom": _kingdom},
}  # fmt: skip
