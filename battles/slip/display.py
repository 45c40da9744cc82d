"""The battle slip ready to draw, for the browser and for PDF alike."""

from collections.abc import Container
from dataclasses import dataclass
from typing import cast

from django.urls import reverse

from battles.models import Battle
from battles.result.core.report import ROUNDS_OFFERED
from battles.side_display import hidden_kingdoms, roster_of, side_rows
from battles.slip import access_codes
from campaign.chronicle.state import FREE_TERMS, State
from heraldry import Arms
from musters.display import RosterUnit, WoundBox
from pages.site_address_for_guests import guest_url
from people.requester import Who
from rulebook.battle.castle import GARRISON_BALLISTAE, TRAIN_CAT_NON
from rulebook.battle.unit_in_play import casualty_order
from rulebook.data.house_rules import OPTIONS, Options
from rulebook.data.scenario_goals import Track
from rulebook.data.scenarios import SCENARIO, Scenario
from rulebook.data.units import UNIT
from rulebook.muster.army import HOUSE_SLOTS, HOUSES, KING_SLOT, Origin, Slot

BLANK_BOXES = 5
NO_CODE = "This slip has no code yet. Make one on the battle's slip page."
LEGEND = (
    ("plain", "Each box is one wound: cross off from the left."),
    ("leader", "Last box: the leader, hero or King, who falls last."),
    ("joined", "Touching boxes are one model, removed with its last box."),
)


@dataclass(frozen=True, slots=True)
class SlipUnit:
    key: str
    name: str
    sender: str
    q: int | None
    sq: int | None
    ac: int | None
    boxes: tuple[WoundBox, ...]  # in the order of removal
    note: str  # weapon, hero


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the score to fill in: what for, and VP each."""

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
class SlipDisplay:
    title: str
    under: str
    scenario: Scenario | None
    sides: tuple[SlipSide, ...]
    rounds: int  # columns of the grid below
    tracks: tuple[Track, ...]  # what is noted below the armies
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


def printable_slip(battle: Battle, state: State | None, who: Who) -> SlipDisplay:
    """The slip of a battle with the code that opens its report, for page and paper."""
    slip = access_codes.find_slip(battle)
    opens = guest_url(slip.link.get_absolute_url()) if slip else None
    return slip_display(
        battle,
        state,
        address=opens.url if opens else "",
        no_qr=opens.why_no_qr if opens else NO_CODE,
        words=access_codes.words_of(slip.link) if slip else (),
        place_to_type=guest_url(reverse("battles:enter_code")).url,
        hidden=hidden_kingdoms(battle, state, who),
    )


def slip_display(
    battle: Battle,
    state: State | None,
    *,
    address: str,
    no_qr: str,
    words: tuple[str, ...],
    place_to_type: str,
    hidden: Container[str | None] = (),
) -> SlipDisplay:
    """``hidden``: kingdoms whose muster the requester may not see; their units stay blank."""
    scenario = SCENARIO.get(battle.scenario)
    place = state.place_name(battle.target) if state and battle.target else ""
    rows = side_rows(battle, state, hidden)
    sides = []
    for row in rows:
        roster = roster_of(battle, row, state)
        kingdom = state.kingdoms.get(row.kingdom or "") if state else None
        if roster is not None:
            units = tuple(
                SlipUnit(u.key, u.name, u.sender, u.q, u.sq, u.ac, u.boxes, _weapon_and_hero(u)) for u in roster.units
            )
        else:
            units = tuple(
                _open_unit(u.fielded.slot, u.sender or u.title, u.fielded.unit if u.fielded.origin != "house" else None)
                for u in row.units
            )
        sides.append(
            _side(
                row.letter,
                scenario,
                name=row.name,
                arms=row.arms,
                vp=kingdom.vp if kingdom else None,
                loyalty=kingdom.loyalty if kingdom else None,
                units=units,
                is_mustered=roster is not None,
            )
        )
    names = " against ".join(row.name for row in rows)
    return _slip(
        title=place or names,
        under=", ".join(filter(None, (f"Battle {battle.number}" if battle.number else "", names if place else ""))),
        scenario=scenario,
        sides=tuple(sides),
        house_rules=_house_rules(Options.from_differences(battle.options), state),
        address=address,
        no_qr=no_qr,
        words=words,
        place_to_type=place_to_type,
        blank=False,
    )


def blank_slip(scenario: str, *, address: str, no_qr: str, place_to_type: str) -> SlipDisplay:
    """A slip without a battle: names, units and code stay blank."""
    row = SCENARIO.get(scenario)
    houses = [_open_unit(HOUSE_SLOTS[house], "", None) for house in HOUSES]
    units = (_open_unit(KING_SLOT, "The King's unit", "king"), *houses)
    sides = tuple(
        _side(
            letter,
            row,
            name="",
            arms=None,
            vp=None,
            loyalty=None,
            units=(*units, *_siege_units(letter, row)),
            is_mustered=False,
        )
        for letter in ("A", "B")
    )
    return _slip(
        title=row.name if row else "A battle",
        under="",
        scenario=row,
        sides=sides,
        house_rules=(),
        address=address,
        no_qr=no_qr,
        words=(),
        place_to_type=place_to_type,
        blank=True,
    )


def _siege_units(letter: str, scenario: Scenario | None) -> tuple[SlipUnit, ...]:
    """Units in a siege that are not mustered: the attacker's Cat-non, the garrison's Ballistae."""
    if scenario is None or not scenario.is_siege:
        return ()
    attacker, defender = ("train", "cat_non", TRAIN_CAT_NON), ("garrison", "ballista", GARRISON_BALLISTAE)
    origin, unit, number = attacker if letter == "A" else defender
    slots = [Slot(cast(Origin, origin), n) for n in range(1, number + 1)]
    return tuple(_open_unit(slot, slot.name, unit) for slot in slots)


def _slip(*, scenario: Scenario | None, **rest: object) -> SlipDisplay:
    return SlipDisplay(
        scenario=scenario,
        rounds=(scenario.rounds if scenario and scenario.rounds else ROUNDS_OFFERED),
        tracks=scenario.tracks if scenario else (),
        legend=LEGEND,
        **rest,  # type: ignore[arg-type]
    )


def _side(letter: str, scenario: Scenario | None, **rest: object) -> SlipSide:
    task = next((side for side in scenario.sides if side.key == letter), None) if scenario else None
    scored = [line for line in scenario.vp if line.side in ("both", letter)] if scenario else []
    lines = tuple(ScoreLine(line.key, line.text, line.vp) for line in scored)
    return SlipSide(
        letter=letter,
        role=task.name if task and scenario and not scenario.equal else "",
        wins=task.wins if task else "",
        lines=lines,
        **rest,  # type: ignore[arg-type]
    )


def _open_unit(slot: Slot, sender: str, unit: str | None) -> SlipUnit:
    """A unit not mustered yet: five boxes fit every unit of mice; its values are written in by hand."""
    if unit is not None:
        row = UNIT[unit]
        boxes = _boxes(unit)
        return SlipUnit(slot.key, row.name, sender, row.q, row.sq, row.ac, boxes, "")
    last = BLANK_BOXES - 1
    boxes = tuple(WoundBox(n, "leader" if n == last else "plain", "", True, n == last) for n in range(BLANK_BOXES))
    return SlipUnit(slot.key, "", sender, None, None, None, boxes, "")


def _weapon_and_hero(unit: RosterUnit) -> str:
    return ", ".join(filter(None, (unit.weapon_name, unit.hero.name if unit.hero else "")))


def _boxes(unit: str) -> tuple[WoundBox, ...]:
    models = casualty_order(unit, None)
    boxes = []
    for number, model in enumerate(models):
        last = number == len(models) - 1
        boxes += [WoundBox(number, model.role, model.name, w == model.wounds - 1, last) for w in range(model.wounds)]
    return tuple(boxes)


def _house_rules(options: Options, state: State | None) -> tuple[str, ...]:
    """House rules in force, printed so that nobody has to look them up."""
    rules = [
        f"{row.title}: {row.meaning(getattr(options, row.key))}"
        for row in OPTIONS
        if getattr(options, row.key) != row.default
    ]
    words = (state.terms.get("house_rules") or "").strip() if state else ""
    return tuple([*rules, f"{FREE_TERMS['house_rules']}: {words}"] if words else rules)
