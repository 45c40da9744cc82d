"""The battle slip: one frozen sheet, drawn as a page to print from the browser and by the printing press alike."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import cast

from battles.armies import roster_of, side_rows
from battles.models import Battle
from battles.telling.asks import ROUNDS_OFFERED
from campaign.annals.state import State
from campaign.annals.terms import FREE_TERMS
from heraldry import Arms
from musters.sheet import Box
from rulebook.army import HOUSE_SLOTS, HOUSES, KING_SLOT, Origin, Slot
from rulebook.options import OPTIONS, Options
from rulebook.ranks import ranks
from rulebook.scenarios import SCENARIO, Scenario
from rulebook.siege import GARRISON_BALLISTAE, TRAIN_CAT_NON
from rulebook.units import UNIT

BLANK_BOXES = 5
LEGEND = (
    ("plain", "Empty box: one wound, removed from the left."),
    ("leader", "Last box: the leader, the hero or the King. He falls last."),
    ("joined", "Boxes that touch belong to one model: it is removed with its last box."),
)


@dataclass(frozen=True, slots=True)
class SlipUnit:
    key: str
    name: str
    sender: str
    q: int | None
    sq: int | None
    ac: int | None
    boxes: tuple[Box, ...]  # in the order of removal
    note: str  # weapon, hero


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line to fill in: what pays, how much, how many."""

    key: str
    text: str
    each: int


@dataclass(frozen=True, slots=True)
class SlipSide:
    letter: str
    name: str
    role: str
    wins: str
    arms: Arms | None
    vp: int | None  # in hand before the battle
    loyalty: int | None
    units: tuple[SlipUnit, ...]
    lines: tuple[ScoreLine, ...]
    is_mustered: bool


@dataclass(frozen=True, slots=True)
class SlipSheet:
    title: str
    under: str
    scenario: Scenario | None
    sides: tuple[SlipSide, ...]
    rounds: int  # columns of the grid below
    mounds: int  # tall mounds to tell round by round; 0: no grid
    crossings: int
    buildings: int
    escapes: bool
    legend: tuple[tuple[str, str], ...]
    house_rules: tuple[str, ...]
    address: str  # what the QR opens
    no_qr: str  # why there is none
    words: tuple[str, ...]
    place_to_type: str  # where the words are typed in
    blank: bool

    @property
    def round_numbers(self) -> range:
        return range(1, self.rounds + 1)


def slip_sheet(
    battle: Battle,
    state: State | None,
    *,
    address: str,
    no_qr: str,
    words: tuple[str, ...],
    place_to_type: str,
    hidden: Container[str | None] = (),
) -> SlipSheet:
    """``hidden``: kingdoms whose muster whoever prints it may not see; their figures are written in by hand."""
    scenario = SCENARIO.get(battle.scenario)
    place = state.place_name(battle.target) if state and battle.target else ""
    rows = side_rows(battle, state, hidden)
    sides = []
    for row in rows:
        found = roster_of(battle, row, state)
        realm = state.kingdoms.get(row.kingdom or "") if state else None
        if found is not None:
            units = tuple(
                SlipUnit(u.key, u.name, u.sender, u.q, u.sq, u.ac, u.boxes, ", ".join(filter(None, (u.weapon_name, u.hero.name if u.hero else ""))))
                for u in found.units
            )  # fmt: skip
        else:
            units = tuple(
                _open_unit(u.told.slot, u.sender or u.title, u.told.unit if u.told.origin != "house" else None)
                for u in row.units
            )
        sides.append(
            _side(
                row.letter, scenario, name=row.name, arms=row.arms, vp=realm.vp if realm else None,
                loyalty=realm.loyalty if realm else None, units=units, is_mustered=found is not None,
            )
        )  # fmt: skip
    names = " against ".join(row.name for row in rows)
    return _sheet(
        title=place or names,
        under=", ".join(filter(None, (f"Battle {battle.number}" if battle.number else "", names if place else ""))),
        scenario=scenario,
        sides=tuple(sides),
        house_rules=_rules(Options.from_differences(battle.options), state),
        address=address,
        no_qr=no_qr,
        words=words,
        place_to_type=place_to_type,
        blank=False,
    )


def blank_slip(scenario: str, *, address: str, no_qr: str, place_to_type: str) -> SlipSheet:
    """A slip for a battle nobody has declared: names, units and code stay open."""
    row = SCENARIO.get(scenario)
    houses = [_open_unit(HOUSE_SLOTS[house], "", None) for house in HOUSES]
    units = (_open_unit(KING_SLOT, "The King's unit", "king"), *houses)
    sides = tuple(
        _side(letter, row, name="", arms=None, vp=None, loyalty=None, units=(*units, *_siege_units(letter, row)), is_mustered=False)
        for letter in ("A", "B")
    )  # fmt: skip
    return _sheet(
        title=row.name if row else "A battle", under="", scenario=row, sides=sides, house_rules=(), address=address, no_qr=no_qr,
        words=(), place_to_type=place_to_type, blank=True,
    )  # fmt: skip


def _siege_units(letter: str, scenario: Scenario | None) -> tuple[SlipUnit, ...]:
    """What comes to a siege without being mustered: the attacker's Cat-non, the garrison's Ballistae."""
    if scenario is None or scenario.key != "siege":
        return ()
    origin, unit, number = ("train", "cat_non", TRAIN_CAT_NON) if letter == "A" else ("garrison", "ballista", GARRISON_BALLISTAE)  # fmt: skip
    slots = [Slot(cast(Origin, origin), n) for n in range(1, number + 1)]
    return tuple(_open_unit(slot, slot.name, unit) for slot in slots)


def _sheet(*, scenario: Scenario | None, **rest: object) -> SlipSheet:
    key = scenario.key if scenario else ""
    return SlipSheet(
        scenario=scenario,
        rounds=(scenario.rounds if scenario and scenario.rounds else ROUNDS_OFFERED),
        mounds=3 if key == "hold_the_hills" else 0,
        crossings=3 if key == "secure_the_crossing" else 0,
        buildings=4 if key == "chevauchee" else 0,
        escapes=key == "break_free",
        legend=LEGEND,
        **rest,  # type: ignore[arg-type]
    )


def _side(letter: str, scenario: Scenario | None, **rest: object) -> SlipSide:
    task = next((side for side in scenario.sides if side.key == letter), None) if scenario else None
    lines = tuple(
        ScoreLine(line.key, line.text, line.vp) for line in scenario.vp if line.side in ("both", letter)
    ) if scenario else ()  # fmt: skip
    return SlipSide(
        letter=letter,
        role=task.name if task and scenario and not scenario.equal else "",
        wins=task.wins if task else "",
        lines=lines,
        **rest,  # type: ignore[arg-type]
    )


def _open_unit(slot: Slot, sender: str, unit: str | None) -> SlipUnit:
    """A unit nobody has told yet: five boxes fit every unit of mice; figures are written in by hand."""
    if unit is not None:
        row = UNIT[unit]
        boxes = _boxes(unit)
        return SlipUnit(slot.key, row.name, sender, row.q, row.sq, row.ac, boxes, "")
    boxes = tuple(Box(n, "leader" if n == BLANK_BOXES - 1 else "plain", "", True, n == BLANK_BOXES - 1) for n in range(BLANK_BOXES))  # fmt: skip
    return SlipUnit(slot.key, "", sender, None, None, None, boxes, "")


def _boxes(unit: str) -> tuple[Box, ...]:
    models = ranks(unit, None)
    found = []
    for number, model in enumerate(models):
        last = number == len(models) - 1
        found += [Box(number, model.role, model.name, w == model.wounds - 1, last) for w in range(model.wounds)]
    return tuple(found)


def _rules(options: Options, state: State | None) -> tuple[str, ...]:
    """Where this table differs from the book, so that nobody looks it up twice."""
    said = [
        f"{row.title}: {row.meaning(getattr(options, row.key))}"
        for row in OPTIONS
        if getattr(options, row.key) != row.default
    ]
    words = (state.terms.get("house_rules") or "").strip() if state else ""
    return tuple([*said, f"{FREE_TERMS['house_rules']}: {words}"] if words else said)
