"""Whatever a table remembers besides cards must be declared, so that nothing is shown or hidden by accident.

    class Table(engine.Table):
        turn: int = public(0)          # everybody sees it
        trail: list[str] = public(list)
        promise: list[int] = secret(0) # one value per seat, each sees the own one
        hands: list[Zone] = seat_zones("hand", OWNER)  # zones, drawn by the rules of zones
        price: dict = fixed()          # worked out from deck and options in ``prepare``; not drawn

Any other lower-case name in the class body is an error when the class is made; anything else set later has no slot.
"""

from collections.abc import Callable
from typing import Any

PUBLIC, SECRET, PLACES, FIXED = "public", "secret", "places", "fixed"
# Who sees a place.
ALL, OWNER, NONE = "all", "owner", "none"


class Field:
    __slots__ = ("default", "kind")

    def __init__(self, kind: str, default: Any = None) -> None:
        self.kind = kind
        self.default = default

    @property
    def is_plain(self) -> bool:
        """Whether every table can start from the same value."""
        return self.kind == PUBLIC and not callable(self.default)

    def start(self, seats: int) -> Any:
        count = seats if self.kind == SECRET else 1
        values = [self.default() if callable(self.default) else self.default for _ in range(count)]
        return values if self.kind == SECRET else values[0]


def public(default: Any | Callable[[], Any] = None) -> Any:
    return Field(PUBLIC, default)


def secret(default: Any | Callable[[], Any] = None) -> Any:
    return Field(SECRET, default)


def table_zone(label: str, sees: str = ALL, *, ordered: bool = False, browsable: bool = True) -> Any:
    """A pile of the whole table, which is opened with ``Table.zone``."""
    return Field(PLACES, ("zone", (label, sees, ordered, browsable)))


def seat_zones(label: str, sees: str, *, ordered: bool = False) -> Any:
    """A pile for each seat, opened with ``Table.zones_each``."""
    return Field(PLACES, ("zones_each", (label, sees, ordered)))


def table_spots(label: str, names: tuple[str, ...]) -> Any:
    """Several open piles, opened with ``Table.spots``."""
    return Field(PLACES, ("spots", (label, names)))


def seat_spots(label: str, names: tuple[str, ...], *, alike: bool = False) -> Any:
    """Several open piles for each seat, opened with ``Table.spots_each``."""
    return Field(PLACES, ("spots_each", (label, names, alike)))


def fixed() -> Any:
    return Field(FIXED)


class DeclaredFieldsMeta(type):
    """Makes the slots of a table from its declared fields and refuses the others."""

    FIELDS: dict[str, Field]
    PUBLIC_FIELDS: tuple[str, ...]
    COPIED_FIELDS: tuple[str, ...]
    SECRET_FIELDS: tuple[str, ...]
    STARTING_VALUES: tuple[tuple[str, Any], ...]
    STARTING_FIELDS: tuple[tuple[str, Field], ...]
    PLACES: tuple[tuple[str, Callable[..., Any], tuple[Any, ...]], ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> "DeclaredFieldsMeta":
        fields: dict[str, Field] = {}
        for base in reversed(bases):
            fields.update(getattr(base, "FIELDS", {}))
        own: dict[str, Field] = {}
        for key in list(space):
            value = space[key]
            if isinstance(value, Field):
                own[key] = space.pop(key)
            elif not (key.startswith("__") or key.isupper() or callable(value) or hasattr(value, "__get__")):
                raise TypeError(f"{name}.{key} must be declared public(), secret(), fixed() or as a place.")
        slots = space.get("__slots__", ())
        for key in space.get("__annotations__", {}):
            if key not in own and key not in slots and not key.isupper():
                raise TypeError(f"{name}.{key} must be declared public(), secret(), fixed() or as a place.")
        space["__slots__"] = (*slots, *own)
        fields.update(own)
        space["FIELDS"] = fields
        space["PUBLIC_FIELDS"] = tuple(key for key, field in fields.items() if field.kind == PUBLIC)
        # A field that starts from list or dict is handed out as a copy.
        space["COPIED_FIELDS"] = tuple(key for key in space["PUBLIC_FIELDS"] if callable(fields[key].default))
        space["SECRET_FIELDS"] = tuple(key for key, field in fields.items() if field.kind == SECRET)
        starting = [(key, field) for key, field in fields.items() if field.kind in (PUBLIC, SECRET)]
        space["STARTING_VALUES"] = tuple((key, field.default) for key, field in starting if field.is_plain)
        space["STARTING_FIELDS"] = tuple((key, field) for key, field in starting if not field.is_plain)
        kind = super().__new__(mcs, name, bases, space)
        places = [(key, *field.default) for key, field in fields.items() if field.kind == PLACES]
        kind.PLACES = tuple((key, getattr(kind, make), given) for key, make, given in places)
        return kind
