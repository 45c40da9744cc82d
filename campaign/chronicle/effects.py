"""What an entry does to the state: a closed union of effects, decided once, then only applied.

Applying never fails: an effect on something that is gone (its entry was struck, a later one kept) does nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, assert_never

from campaign.chronicle.fields import (
    ArmsJson,
    Change,
    HouseLooks,
    HouseNumber,
    KnownKingdom,
    KnownTerritory,
    Name,
    NewHouse,
    Number,
    PersonId,
    PlaceNames,
    Why,
)
from campaign.chronicle.state import (
    FREE_TERMS,
    GONE,
    PLACE_KEYS,
    TERM,
    AttackRoll,
    House,
    Kingdom,
    OpenBattle,
    RolledDie,
    State,
)
from dataclass_json import Check, Count, Text, Whole, stored_as
from refusal import Refusal
from rulebook.data.house_rules import OPTION
from rulebook.data.scenarios import SCENARIO

MAX_RULES_TEXT = 4000
MAX_DICE = 800


def _check_scenario(key: str) -> None:
    if key not in SCENARIO:
        raise Refusal(f"There is no scenario called {key!r}.", field="scenario")


def _check_term(key: str) -> None:
    if key not in TERM and key not in FREE_TERMS:
        raise Refusal(f"There is no agreement called {key!r}.", field="terms")


def _check_house_rule(key: str) -> None:
    if key not in OPTION:
        raise Refusal(f"There is no house rule called {key!r}.", field="options")


Scenario = Annotated[str, Check(_check_scenario)]


@dataclass(frozen=True, slots=True)
class CampaignNamed:
    do: ClassVar[str] = "named"
    name: Name


@dataclass(frozen=True, slots=True)
class MasterChanged:
    do: ClassVar[str] = "master"
    person: PersonId
    is_master: bool = field(metadata=stored_as("is"))


@dataclass(frozen=True, slots=True)
class KingdomJoined:
    do: ClassVar[str] = "joined"
    kingdom: KnownKingdom
    name: Name
    arms: ArmsJson
    houses: tuple[NewHouse, NewHouse, NewHouse, NewHouse]
    places: PlaceNames
    ruler: PersonId | None


@dataclass(frozen=True, slots=True)
class StatusChanged:
    do: ClassVar[str] = "status"
    kingdom: KnownKingdom
    to: Literal["playing", "frozen", "solo", "gone"]


@dataclass(frozen=True, slots=True)
class RulerChanged:
    do: ClassVar[str] = "ruler"
    kingdom: KnownKingdom
    person: PersonId | None


@dataclass(frozen=True, slots=True)
class RegentChanged:
    do: ClassVar[str] = "regent"
    kingdom: KnownKingdom
    person: PersonId | None


@dataclass(frozen=True, slots=True)
class LooksChanged:
    """Names and arms of a kingdom, its houses and its places."""

    do: ClassVar[str] = "looks"
    kingdom: KnownKingdom
    name: Name | None = None
    arms: ArmsJson | None = None
    places: PlaceNames = field(default_factory=dict)
    houses: Mapping[Literal["1", "2", "3", "4"], HouseLooks] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoyaltyChanged:
    do: ClassVar[str] = "loyalty"
    kingdom: KnownKingdom
    by: Change
    why: Why = ""
    battle: Number | None = None


@dataclass(frozen=True, slots=True)
class VpChanged:
    do: ClassVar[str] = "vp"
    kingdom: KnownKingdom
    by: Change
    why: Why = ""
    battle: Number | None = None


@dataclass(frozen=True, slots=True)
class FealtyChanged:
    do: ClassVar[str] = "house"
    kingdom: KnownKingdom
    house: HouseNumber
    lost: bool
    why: Why = ""
    battle: Number | None = None


@dataclass(frozen=True, slots=True)
class TerritoryTaken:
    do: ClassVar[str] = "hold"
    territory: KnownTerritory
    by: KnownKingdom
    was: str | None = None
    why: Why = ""
    battle: Number | None = None


@dataclass(frozen=True, slots=True)
class HouseRuleChanged:
    do: ClassVar[str] = "option"
    key: Annotated[str, Check(_check_house_rule)]
    value: str | int | bool | None
    book: str | int | bool | None


@dataclass(frozen=True, slots=True)
class TermChanged:
    do: ClassVar[str] = "term"
    key: Annotated[str, Check(_check_term)]
    value: Annotated[str, Text("The text", MAX_RULES_TEXT, empty=True)]


@dataclass(frozen=True, slots=True)
class DieOfRollOff:
    kingdom: KnownKingdom
    roll: Annotated[int, Whole("The die", 1, 10)]
    bought: bool = False
    by: KnownKingdom | None = None
    keep: Literal["old", "new"] = "new"


@dataclass(frozen=True, slots=True)
class AttackRolled:
    """All dice of the roll-off so far, and whom they let attack."""

    do: ClassVar[str] = "attack_rolled"
    winner: KnownKingdom | None
    dice: Annotated[tuple[DieOfRollOff, ...], Count("Dice", MAX_DICE)]
    pair: tuple[KnownKingdom, KnownKingdom] | None = None


@dataclass(frozen=True, slots=True)
class BattleDeclared:
    do: ClassVar[str] = "declared"
    battle: Number
    attacker: KnownKingdom
    defender: KnownKingdom
    target: KnownTerritory
    line: Number
    scenario: Scenario | None


@dataclass(frozen=True, slots=True)
class BattleClosed:
    do: ClassVar[str] = "closed"
    battle: Number
    defender: KnownKingdom | None = None


@dataclass(frozen=True, slots=True)
class SeasonTurned:
    do: ClassVar[str] = "season"
    open: bool
    season: Number
    name: Name


@dataclass(frozen=True, slots=True)
class WarStarted:
    """A new war: the same kingdoms, rulers and arms, everything else as at the beginning."""

    do: ClassVar[str] = "war"
    war: Number


@dataclass(frozen=True, slots=True)
class WarWon:
    do: ClassVar[str] = "won"
    kingdom: KnownKingdom
    why: Why = ""
    battle: Number | None = None


@dataclass(frozen=True, slots=True)
class NumberReserved:
    """A number that was given once is never given again, even if its entry was struck."""

    do: ClassVar[str] = "numbered"
    kingdom: KnownKingdom | None = None
    battle: Number | None = None


Effect = (
    VpChanged
    | LoyaltyChanged
    | TerritoryTaken
    | FealtyChanged
    | BattleClosed
    | BattleDeclared
    | AttackRolled
    | CampaignNamed
    | MasterChanged
    | KingdomJoined
    | StatusChanged
    | RulerChanged
    | RegentChanged
    | LooksChanged
    | HouseRuleChanged
    | TermChanged
    | SeasonTurned
    | WarStarted
    | WarWon
    | NumberReserved
)


def apply_effects(state: State, effects: Iterable[Effect]) -> None:
    for effect in effects:
        _apply(state, effect)


def _apply(state: State, effect: Effect) -> None:  # the most frequent first: they are tried in this order
    match effect:
        case VpChanged():
            if kingdom := state.kingdoms.get(effect.kingdom):
                kingdom.vp += effect.by
        case LoyaltyChanged():
            if kingdom := state.kingdoms.get(effect.kingdom):
                kingdom.loyalty += effect.by
        case TerritoryTaken():
            owner = state.kingdoms.get(effect.territory.rpartition(".")[0])
            if owner and effect.by in state.kingdoms and owner.status != GONE:
                state.holders[effect.territory] = effect.by
        case BattleClosed():
            closed = state.battles.pop(effect.battle, None)
            if state.attack_roll and (closed is None or state.attack_roll.battle == closed.number):
                state.attack_roll = None
            state.battle_count = max(state.battle_count, effect.battle)
        case BattleDeclared():
            number = effect.battle
            state.battles[number] = OpenBattle(
                number, effect.attacker, effect.defender, effect.target, effect.line, effect.scenario
            )
            state.battle_count = max(state.battle_count, number)
            if state.attack_roll and state.attack_roll.battle is None:
                state.attack_roll = replace(state.attack_roll, winner=effect.attacker, battle=number)
        case AttackRolled():
            dice = tuple(RolledDie(die.kingdom, die.roll, die.bought, die.by, die.keep) for die in effect.dice)
            state.attack_roll = AttackRoll(effect.winner, dice, effect.pair)
        case FealtyChanged():
            if kingdom := state.kingdoms.get(effect.kingdom):
                kingdom.houses[effect.house - 1].lost = effect.lost
        case CampaignNamed():
            state.name = effect.name
        case MasterChanged():
            if effect.is_master and effect.person not in state.masters:
                state.masters.append(effect.person)
            elif not effect.is_master and effect.person in state.masters:
                state.masters.remove(effect.person)
        case KingdomJoined():
            _add_kingdom(state, effect)
        case StatusChanged():
            if kingdom := state.kingdoms.get(effect.kingdom):
                kingdom.status = effect.to
                if effect.to == GONE:
                    for place in PLACE_KEYS:
                        state.holders.pop(f"{kingdom.id}.{place}", None)
        case RulerChanged():
            if kingdom := state.kingdoms.get(effect.kingdom):
                kingdom.ruler = effect.person
        case RegentChanged():
            if kingdom := state.kingdoms.get(effect.kingdom):
                kingdom.regent = effect.person
        case LooksChanged():
            if kingdom := state.kingdoms.get(effect.kingdom):
                _change_looks(kingdom, effect)
        case HouseRuleChanged():
            if effect.value == effect.book:
                state.options.pop(effect.key, None)
            else:
                state.options[effect.key] = effect.value
        case TermChanged():
            state.terms[effect.key] = effect.value
        case SeasonTurned():
            state.season_open = effect.open
            if effect.open:
                state.season, state.season_name = effect.season, effect.name
        case WarStarted():
            _start_war(state, effect.war)
        case WarWon():
            state.winner = effect.kingdom
            state.attack_roll = None
        case NumberReserved():
            if effect.kingdom is not None:
                state.kingdom_count = max(state.kingdom_count, int(effect.kingdom[1:]))
            if effect.battle is not None:
                state.battle_count = max(state.battle_count, effect.battle)
        case _:
            assert_never(effect)


def _add_kingdom(state: State, effect: KingdomJoined) -> None:
    key = effect.kingdom
    houses = [House(house.name, dict(house.arms)) for house in effect.houses]
    state.kingdoms[key] = Kingdom(key, effect.name, dict(effect.arms), houses, dict(effect.places), effect.ruler)
    state.kingdom_count = max(state.kingdom_count, int(key[1:]))
    for place in PLACE_KEYS:
        state.holders.setdefault(f"{key}.{place}", key)


def _change_looks(kingdom: Kingdom, effect: LooksChanged) -> None:
    if effect.name is not None:
        kingdom.name = effect.name
    if effect.arms is not None:
        kingdom.arms = dict(effect.arms)
    kingdom.places.update(effect.places)
    for number, given in effect.houses.items():
        house = kingdom.houses[int(number) - 1]
        if given.name is not None:
            house.name = given.name
        if given.arms is not None:
            house.arms = dict(given.arms)
        if given.hero is not None:
            house.hero = given.hero


def _start_war(state: State, number: int) -> None:
    state.war = number
    state.winner = state.attack_roll = None
    state.battles.clear()
    for kingdom in state.kingdoms.values():
        # Dissolved kingdoms restart too: a later entry may bring one back.
        kingdom.loyalty = kingdom.vp = 0
        for sworn in kingdom.houses:
            sworn.lost = False
        if kingdom.status != GONE:
            for place in PLACE_KEYS:
                state.holders[f"{kingdom.id}.{place}"] = kingdom.id
