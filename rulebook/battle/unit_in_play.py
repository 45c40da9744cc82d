"""A unit in play: who stands in it and in which order they fall, where it is, and what wounds do to it."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Literal

from dataclass_json import enum_of
from refusal import Refusal
from rulebook.data.battlefield import TERRAIN, Terrain
from rulebook.data.heroes import HERO, HERO_REACH, hero_of
from rulebook.data.units import UNIT, Unit, unit_of
from rulebook.input_checks import check_count, check_inches, check_one_of, look_up, quote_value

Role = Literal["plain", "leader", "hero", "guard", "king", "crew", "cat"]


@dataclass(frozen=True, slots=True)
class Model:
    role: Role
    name: str
    wounds: int
    hero: str | None = None


def casualty_order(unit_key: str, hero_key: str | None = None) -> tuple[Model, ...]:
    """The models of a fresh unit, first to fall first: plain models, the leader or hero, the King last of all.

    A Ladybug is attached, not a model, and does not appear.
    """
    unit = unit_of(unit_key)
    hero = _standing_hero(unit, hero_key)
    if unit.key == "king":
        guards = (Model("guard", "Guard", 1),) * (1 if hero else 2)
        king = Model("king", "King", 2)
        return (*guards, hero, king) if hero else (*guards, king)
    if unit.key == "battle_cat":
        return (Model("cat", "Battle Cat", 4),)
    if unit.war_machine:
        return (Model("crew", "Crew", 1),) * (unit.models - 1) + (Model("leader", "Leader", 1),)
    return (Model("plain", "Mouse", 1),) * (unit.models - 1) + (hero or Model("leader", "Leader", 1),)


def _standing_hero(unit: Unit, hero_key: str | None) -> Model | None:
    if hero_key is None:
        return None
    hero = hero_of(hero_key)
    if hero.key == "ladybug":
        # It can fly to any unit, one without a hero chance included.
        return None
    if unit.never_hero:
        raise Refusal(f"{unit.name} cannot have a {hero.name}: no hero joins {unit.some}.", field="hero")
    return Model("hero", hero.name, hero.wounds, hero.key)


def total_wounds(unit_key: str, hero_key: str | None = None) -> int:
    """Unsaved hits that remove the whole unit."""
    return sum(model.wounds for model in casualty_order(unit_key, hero_key))


cached_casualty_order = cache(casualty_order)

KingStatus = Literal["near", "far", "fleeing", "gone"]
KING_STATUSES: tuple[str, ...] = ("near", "far", "fleeing", "gone")

# A fortress is a walled area, or a tower or battlement on which nobody can ride. The gatehouse is a battlement.
WALLS: tuple[str, ...] = ("tower", "battlement", "gatehouse")
COURTYARD = "courtyard"

FLAGS: tuple[str, ...] = ("spear", "shield", "ladybug", "fleeing", "blessed", "first_activated")


@dataclass(frozen=True, slots=True)
class UnitInPlay:
    """A unit as it is now. Who has fallen follows from ``models``: plain models go first, the leader last."""

    key: Annotated[str, enum_of(UNIT)]
    models: int
    hero: Annotated[str, enum_of(HERO)] | None = None
    wounds: int = 0  # marked on the last model to fall: King, cat or leading Snake-Slayer
    hero_wounds: int = 0  # marked on a Snake-Slayer who stands beside the King
    spear: bool = False  # Rat Riders' spears, or the spear of a cat's rider
    shield: bool = False  # of a cat's rider, not yet spent
    ladybug: bool = False
    fleeing: bool = False
    blessed: bool = False  # by a Cleric, until the round ends
    kissed: int = 0  # models a Princess has kissed this round
    first_activated: bool = False  # first of its army this round, which a Messenger favours

    def __post_init__(self) -> None:
        unit = look_up(self.key, UNIT, "unit")
        check_count(self.models, "number of models", least=1, most=unit.models)
        for what in FLAGS:
            flag = getattr(self, what)
            if flag is not False and flag is not True:
                raise Refusal(f"{what} is {quote_value(flag)}. Use true or false.", field=what)
        if self.hero == "ladybug":
            raise Refusal("A Ladybug replaces no model. Use the ladybug field.", field="hero")
        last = self.ranks[-1]  # refuses a hero where none ever joins
        check_count(self.wounds, f"number of wounds marked on the {last.name}", most=last.wounds - 1)
        if self.hero_wounds != 0:
            beside = self.hero_beside_king
            check_count(
                self.hero_wounds, "number of wounds marked on the hero", most=beside.wounds - 1 if beside else 0
            )
        if self.kissed != 0:
            check_count(self.kissed, "number of kissed models", most=self.kissable)
        if self.spear and not unit.rolls_for_weapon:
            raise Refusal(f"{unit.name} cannot have spears. Only Rat Riders and a Battle Cat can.", field="spear")
        if self.shield and unit.key != "battle_cat":
            raise Refusal(f"{unit.name} cannot have a shield. Only a Battle Cat can.", field="shield")
        if self.shield and not self.spear:
            raise Refusal("A Battle Cat with a shield also has a spear.", field="shield")
        if self.fleeing and not unit.tests_morale:
            raise Refusal(f"A {unit.name} never tests morale, so it cannot be fleeing.", field="fleeing")

    @property
    def unit(self) -> Unit:
        return UNIT[self.key]

    @property
    def ranks(self) -> tuple[Model, ...]:
        """Everyone who marched, first to fall first."""
        return cached_casualty_order(self.key, self.hero)

    @property
    def standing(self) -> tuple[Model, ...]:
        return cached_casualty_order(self.key, self.hero)[-self.models :]

    @property
    def living_hero(self) -> str | None:
        """The hero, unless he fell at the King's side. Anywhere else he is the last to fall."""
        if self.hero is None or (self.key == "king" and self.models == 1):
            return None
        return self.hero

    @property
    def hero_beside_king(self) -> Model | None:
        if self.key == "king" and self.living_hero is not None:
            return self.standing[-2]
        return None

    @property
    def kissable(self) -> int:
        """Models a Princess may choose: neither King nor hero (HERO-11)."""
        return self.models - (self.living_hero is not None) - (self.key == "king")

    @property
    def wounds_left(self) -> int:
        """Unsaved hits that remove the unit."""
        return sum(model.wounds for model in self.standing) - self.wounds - self.hero_wounds

    def after_losses(self, models: int, wounds: int, hero_wounds: int) -> "UnitInPlay":
        """The unit with fewer models. Of plain ones a kissed model falls last: she keeps her favourite in the rear."""
        # Written out rather than replace(), which takes three times as long: odds make many of these.
        left = UnitInPlay(
            self.key,
            models,
            self.hero,
            wounds,
            hero_wounds,
            self.spear,
            self.shield,
            self.ladybug,
            self.fleeing,
            self.blessed,
            0,
            self.first_activated,
        )
        return replace(left, kissed=min(self.kissed, left.kissable)) if self.kissed else left

    def round_over(self) -> "UnitInPlay":
        """The unit when the round has ended: blessing, kiss and Messenger are over."""
        if not (self.blessed or self.kissed or self.first_activated):
            return self
        return replace(self, blessed=False, kissed=0, first_activated=False)


def new_unit(
    key: str, hero: str | None = None, *, spear: bool = False, shield: bool = False, ladybug: bool = False
) -> UnitInPlay:
    """A unit at full strength. A Ladybug may be given as the hero it was mustered as."""
    unit = look_up(key, UNIT, "unit")
    if hero == "ladybug":
        hero, ladybug = None, True
    return UnitInPlay(unit.key, unit.models, hero, spear=spear, shield=shield, ladybug=ladybug)


@dataclass(frozen=True, slots=True)
class Place:
    terrain: Annotated[str, enum_of(TERRAIN)] = "clear"
    piece: Annotated[str, enum_of((*WALLS, COURTYARD))] | None = None  # the courtyard is clear ground
    extra_tall: bool = False
    flanked: int = 0  # enemy units in contact besides the one it fights
    king: KingStatus | None = None  # where its own King is; nothing said means far off and not fleeing
    bearers: int = 0  # Standard Bearers and Musicians of other units within 8" that do not flee

    def __post_init__(self) -> None:
        if self.terrain == "clear" and self.piece is None and self.king is None and self.extra_tall is False:
            # The common case, checked quickly: a situation is made for every phone at the table.
            if self.flanked != 0 or self.bearers != 0:
                self._check_counts()
            return
        terrain = look_up(self.terrain, TERRAIN, "terrain")
        if not terrain.enterable:
            raise Refusal(f"Units cannot enter {terrain.name.lower()}.", field="terrain")
        if self.piece == COURTYARD:
            if terrain.key != "clear":
                raise Refusal(f"The courtyard is clear ground, not {terrain.name.lower()}.", field="piece")
        elif self.piece is not None:
            check_one_of(self.piece, (*WALLS, COURTYARD), "piece")
            if terrain.key != "fortress":
                raise Refusal(f"A {self.piece} is a fortress, not {terrain.name.lower()}.", field="piece")
        if self.extra_tall is not False and (self.extra_tall is not True or terrain.key != "mound"):
            raise Refusal(f"{terrain.name} cannot be extra tall; only a mound can.", field="extra_tall")
        if self.king is not None:
            check_one_of(self.king, KING_STATUSES, "King")
        self._check_counts()

    def _check_counts(self) -> None:
        check_count(self.flanked, "number of flanking units")
        check_count(self.bearers, "number of Standard Bearers near")

    @property
    def ground(self) -> Terrain:
        return TERRAIN[self.terrain]

    @property
    def on_wall(self) -> bool:
        return self.piece in WALLS

    @property
    def in_castle(self) -> bool:
        return self.piece is not None

    @property
    def in_courtyard(self) -> bool:
        return self.piece == COURTYARD

    @property
    def height(self) -> int:
        """0 on the level, 1 on a mound, 2 on an extra tall one."""
        return 0 if self.terrain != "mound" else 2 if self.extra_tall else 1


OPEN = Place()


def check_placement(unit: UnitInPlay, place: Place) -> None:
    """Refuse what is impossible: riders on a wall, a King who is not with his own unit."""
    if place.piece in WALLS and unit.unit.mounted:
        raise Refusal(f"{unit.unit.name} cannot be on a {place.piece}: mounted units cannot climb it.", field="piece")
    if place.king is not None and unit.key == "king" and place.king != king_status(unit, place):
        state = "is fleeing with it" if unit.fleeing else "is with it"
        raise Refusal(f"The King cannot be {place.king}: this is his own unit, and he {state}.", field="king")


def king_status(unit: UnitInPlay, place: Place) -> KingStatus:
    """Where a unit's King is. His own unit has him with it."""
    if unit.key == "king":
        return "fleeing" if unit.fleeing else "near"
    return place.king or "far"


def king_status_at(distance: float | None, *, fleeing: bool = False, gone: bool = False) -> KingStatus:
    """The King's word for a place, from his distance: within 8" is near, 8" included (UNIT-22, R-25)."""
    if gone:
        return "gone"
    if fleeing:
        return "fleeing"
    if distance is None:
        raise Refusal("Enter the distance to the King, unless he is fleeing or gone.", field="king")
    return "near" if check_inches(distance, "distance to the King") <= HERO_REACH else "far"


# ── Who falls ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Losses:
    """What wounds did to a unit. ``after`` is None when its last model fell."""

    after: UnitInPlay | None
    fallen: tuple[Model, ...]
    marked: int  # wounds that a model with several survived
    surplus: int  # wounds nobody was left to take

    @property
    def models_lost(self) -> int:
        return len(self.fallen)

    @property
    def destroyed(self) -> bool:
        return self.after is None


def take_wounds(unit: UnitInPlay, wounds: int) -> Losses:
    """Give a unit so many unsaved hits.

    Models fall from the front, each once its wounds are full, and what is left is marked on the one in front then. Of a
    King's unit in full strength (two guards with 1 wound each, the King with 2), three hits fell both guards and mark
    one wound on the King; five remove the unit, and the fifth finds nobody.
    """
    left = check_count(wounds, "number of wounds")
    if left == 0:
        return Losses(unit, (), 0, 0)
    standing = unit.standing
    last = len(standing) - 1
    hero_wounds = unit.hero_wounds
    for front, model in enumerate(standing):
        beside_king = model.role == "hero" and front != last
        needed = model.wounds - (unit.wounds if front == last else hero_wounds if beside_king else 0)
        if left < needed:
            break
        left -= needed
        if beside_king:
            hero_wounds = 0
    else:
        return Losses(None, standing, 0, left)
    leader_wounds = unit.wounds
    if front == last:
        leader_wounds += left
    else:
        hero_wounds += left  # nobody else in front of the last has several wounds
    after = unit.after_losses(unit.models - front, leader_wounds, hero_wounds)
    return Losses(after, standing[:front], left, 0)
