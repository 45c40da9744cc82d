"""An army ready to draw: page, JSON and paper draw the same roster. Every figure comes from the rulebook's rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from campaign.chronicle.state import Kingdom, State
from dataclass_json import PageOnly, stored_as
from heraldry import Arms
from pages.fields.columns_and_rows import take
from rulebook.battle.dice import melee_pools, shooting_pools
from rulebook.battle.unit_in_play import Model
from rulebook.data.heroes import HERO, Hero
from rulebook.data.house_rules import BY_THE_BOOK, OPTION, Options
from rulebook.data.units import WEAPON_NAMES
from rulebook.muster.army import Army, MusteredUnit
from text import join_list

# What each weapon does, shown below the unit.
WEAPON_TEXT = {
    "spears": "+1 to hit when the unit charges.",
    "spear": "An [A] when the cat charges.",
    "spear_and_shield": "An [A] when the cat charges; the shield turns the first hit of the battle.",
}


@dataclass(frozen=True, slots=True)
class WoundBox:
    """One wound box. Boxes are in the order in which models are removed; the last is the leader or the King."""

    model: int  # which model it belongs to, from 0; a model with two wounds has two boxes
    role: str  # plain, leader, hero, guard, king, crew, cat
    name: str
    is_last_of_model: bool  # crossing it removes the model
    is_leader: bool  # leader, leading hero or King: removed last


@dataclass(frozen=True, slots=True)
class RosterHero:
    key: str
    name: str
    timing: str
    reach: int | None
    wounds: int
    text: str
    unit: str  # key of the roster's unit the hero stands in
    unit_name: str


@dataclass(frozen=True, slots=True)
class RosterDice:
    """Dice of one group: whose, how many, at which quality."""

    whose: str
    dice: int
    quality: int
    rerolls: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterUnit:
    key: str  # king, house-1 … house-4, garrison-1, train-2, rebel-3: stable within the army
    unit: str  # key of the rulebook's row; icon c-<unit>
    name: str  # Rat Riders
    title: str  # Rat Riders with spears, led by a Wizard
    origin: str  # king, house, garrison, train, rebel
    number: int
    sender: str  # House Acorn; The King; Garrison 1
    arms: PageOnly[Arms | None]
    blazon: Annotated[str | None, "The arms in words."] = field(metadata=stored_as("arms"))
    q: int
    sq: int | None
    ac: int
    models: int
    wounds: int  # in total
    wounds_of_models: tuple[int, ...]  # in the order of removal
    melee: int  # dice at full strength
    shooting: int  # dice at full strength; 0: it does not shoot
    melee_dice: tuple[RosterDice, ...]
    shooting_dice: tuple[RosterDice, ...]
    move: int
    mounted: bool
    base: str
    morale_bonus: int
    tests_morale: bool
    boxes: tuple[WoundBox, ...]
    removal: str  # the order of removal in words
    hero: RosterHero | None
    weapon: str | None
    weapon_name: str
    weapon_text: str
    text: str
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    units: int
    models: int
    wounds: int
    heroes: int
    melee: int
    shooting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    title: str
    under: str  # "Battle 8, against Fenwick", or empty
    arms: PageOnly[Arms | None]
    blazon: Annotated[str | None, "The arms in words."] = field(metadata=stored_as("arms"))
    loyalty: int
    siege: str | None  # attacker, defender
    units: tuple[RosterUnit, ...]
    heroes: tuple[RosterHero, ...]
    totals: Totals
    notes: tuple[str, ...]  # silent or lost houses, house rules, other remarks
    dice: tuple[int, ...]
    dice_from: str  # a sentence about where the dice came from, or empty
    code: str  # the army code, or empty

    @property
    def by_key(self) -> dict[str, RosterUnit]:
        return {unit.key: unit for unit in self.units}


@dataclass(frozen=True, slots=True)
class House:
    name: str
    arms: Arms | None = None


def build_roster(
    army: Army,
    *,
    title: str = "An army",
    under: str = "",
    arms: Arms | None = None,
    houses: Sequence[House] | Mapping[int, House] = (),
    king: str = "The King",
    options: Options = BY_THE_BOOK,
    dice_from: str = "",
    code: str = "",
) -> Roster:
    """The roster of an army. ``houses``: the four in order or by number; without them they are House 1 to 4."""
    named = dict(houses) if isinstance(houses, Mapping) else dict(enumerate(houses, 1))
    units = tuple([_unit(sent, named, king, arms, options) for sent in army.units])
    heroes = tuple([unit.hero for unit in units if unit.hero is not None])
    totals = Totals(
        units=len(units),
        models=sum(unit.models for unit in units),
        wounds=sum(unit.wounds for unit in units),
        heroes=len(heroes),
        melee=sum(unit.melee for unit in units),
        shooting=sum(unit.shooting for unit in units),
    )
    return take(
        Roster,
        army,
        title=title,
        under=under,
        arms=arms,
        blazon=arms.blazon() if arms else None,
        units=units,
        heroes=heroes,
        totals=totals,
        notes=roster_notes(army, named, options),
        dice_from=dice_from,
        code=code,
    )


def _unit(
    sent: MusteredUnit, houses: Mapping[int, House], king: str, arms: Arms | None, options: Options
) -> RosterUnit:
    row = sent.row
    house = houses.get(sent.slot.number) if sent.slot.origin == "house" else None
    sender = house.name if house else king if sent.slot.origin == "king" else sent.slot.name
    standing = sent.in_play()
    melee = tuple(take(RosterDice, pool) for pool in melee_pools(standing, options))
    shooting = tuple(take(RosterDice, pool) for pool in shooting_pools(standing, options))
    ranks = sent.ranks
    borne = house.arms if house else arms
    return take(
        RosterUnit,
        row,
        key=sent.slot.key,
        unit=sent.unit,
        title=sent.name,
        origin=sent.slot.origin,
        number=sent.slot.number,
        sender=sender,
        arms=borne,
        blazon=borne.blazon() if borne else None,
        models=len(ranks),
        wounds=sent.wounds,
        wounds_of_models=tuple(model.wounds for model in ranks),
        melee=sum(unit.dice for unit in melee),
        shooting=sum(unit.dice for unit in shooting),
        melee_dice=melee,
        shooting_dice=shooting,
        boxes=_boxes(ranks),
        removal=_removal(ranks),
        hero=_hero(HERO[sent.hero], sent) if sent.hero else None,
        weapon=sent.weapon,
        weapon_name=WEAPON_NAMES[sent.weapon] if sent.weapon else "",
        weapon_text=WEAPON_TEXT[sent.weapon] if sent.weapon else "",
    )


def _hero(hero: Hero, sent: MusteredUnit) -> RosterHero:
    return take(RosterHero, hero, timing=hero.when, unit=sent.slot.key, unit_name=sent.row.name)


def _boxes(ranks: Sequence[Model]) -> tuple[WoundBox, ...]:
    boxes = []
    for number, model in enumerate(ranks):
        last = number == len(ranks) - 1
        boxes += [
            WoundBox(number, model.role, model.name, wound == model.wounds - 1, last and model.role != "cat")
            for wound in range(model.wounds)
        ]
    return tuple(boxes)


def _removal(ranks: Sequence[Model]) -> str:
    """For example: 4 mice, then the Wizard."""
    if len(ranks) == 1:
        return f"The {ranks[0].name} takes {ranks[0].wounds} wounds."
    groups: list[list[Model]] = []
    for model in ranks:
        if groups and groups[-1][0] == model:
            groups[-1].append(model)
        else:
            groups.append([model])
    groups_in_words = [_group(group) for group in groups]
    return f"Removed in this order: {', then '.join(groups_in_words)}."


_PLURAL = {"Mouse": "mice", "Guard": "guards", "Crew": "crew"}


def _group(group: Sequence[Model]) -> str:
    model = group[0]
    if model.role in ("plain", "guard", "crew"):
        if len(group) == 1:
            return {"plain": "1 mouse", "guard": "1 guard", "crew": "1 of the crew"}[model.role]
        return f"{len(group)} {_PLURAL.get(model.name, model.name.lower())}"
    name = f"the {model.name.lower() if model.role == 'leader' else model.name}"
    return f"{name} ({model.wounds} wounds)" if model.wounds > 1 else name


def roster_notes(army: Army, houses: Mapping[int, House], options: Options) -> tuple[str, ...]:
    """Remarks beside the units: houses that sent nobody, lost fealty, house rules."""

    def named(numbers: Sequence[int]) -> str:
        return join_list([houses[n].name if n in houses else f"House {n}" for n in numbers])

    notes = []
    if army.silent:
        notes.append(f"{named(army.silent)} sent nobody: fealty was already lost.")
    if army.lost:
        notes.append(f"{named(army.lost)} sent nobody: fealty is lost. Regain it for 2 VP.")
    if army.regained:
        notes.append(f"{named(army.regained)} regained fealty for this muster.")
    if army.vp_spent:
        notes.append(f"{army.vp_spent} VP spent on this muster.")
    if army.siege == "defender":
        notes.append("The defender has two Ballistae on the walls.")
    elif army.siege == "attacker":
        notes.append("The attacker brings two Cat-non.")
    notes += army.problems()
    for key in ("barbarian", "champion_scope", "bearers_stack"):
        if getattr(options, key) != getattr(BY_THE_BOOK, key):
            row = OPTION[key]
            notes.append(f"House rule, {row.title}: {row.meaning(getattr(options, key))}")
    return tuple(notes)


# ── A kingdom's army ─────────────────────────────────────────────────────────────────────────────────────


def roster_for(army: Army, state: State, kingdom: str, *, under: str = "", **more: Any) -> Roster:
    """The roster of a kingdom's army with its current names and arms."""
    this_kingdom = state.kingdoms.get(kingdom)
    if this_kingdom is None:
        return build_roster(army, under=under, **more)
    more.setdefault("options", state.rules())
    return build_roster(
        army,
        title=this_kingdom.name,
        under=under,
        arms=Arms.from_dict(this_kingdom.arms),
        houses=houses_of(this_kingdom),
        king=f"King of {this_kingdom.name}",
        **more,
    )


def houses_of(kingdom: Kingdom) -> list[House]:
    return [House(house.name, Arms.from_dict(house.arms)) for house in kingdom.houses]
