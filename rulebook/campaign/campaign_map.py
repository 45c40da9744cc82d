"""The campaign map: who holds what, what touches what, and who has won.

A kingdom has four territories, and its row names who holds them: ``("oak", "oak", "oak", "fen")`` in the row of Oak
says that Fen has taken the second borderland. ``row[LANDS]`` is the holder of the lands.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.input_checks import look_up, quote_value
from text import join_list

FEWEST_KINGDOMS = 2
MAX_KINGDOMS = 100  # as many as the old empire broke into


@dataclass(frozen=True, slots=True)
class TerritoryKind:
    key: str
    name: str
    text: str
    rules: tuple[str, ...]


# fmt: off
TERRITORY_KINDS: tuple[TerritoryKind, ...] = (
    TerritoryKind("castle",   "Castle",
          "The King's seat. It falls only to a siege, and only the holder of its lands can lay one.",
          ("CAMP-01", "CAMP-02", "MAP-09")),
    TerritoryKind("lands",    "Lands",
          "Fields and villages between castle and borders. They are open to attack once both borderlands have fallen.",
          ("CAMP-01", "MAP-01", "MAP-03")),
    TerritoryKind("border_1", "First borderland",
          "The rim of the kingdom. It touches the lands behind it, "
          "the other borderland and every borderland of the other kingdoms.",
          ("CAMP-01", "MAP-04", "MAP-06")),
    TerritoryKind("border_2", "Second borderland",
          "The rim of the kingdom. It touches the lands behind it, "
          "the other borderland and every borderland of the other kingdoms.",
          ("CAMP-01", "MAP-04", "MAP-06")),
)
# fmt: on

TERRITORY_KIND: dict[str, TerritoryKind] = {place.key: place for place in TERRITORY_KINDS}

CASTLE, LANDS, BORDER_1, BORDER_2 = range(4)
_PLACE_AT = {place.key: at for at, place in enumerate(TERRITORY_KINDS)}
_SUFFIX = tuple("." + place.key for place in TERRITORY_KINDS)
_PLACE_KEYS = tuple(place.key for place in TERRITORY_KINDS)

Holders = tuple[str, str, str, str]


class Territory(NamedTuple):
    """One box of one kingdom's map; its key is ``kingdom.place``."""

    kingdom: str
    place: str

    @property
    def key(self) -> str:
        return f"{self.kingdom}.{self.place}"

    @property
    def is_border(self) -> bool:
        return self.place.startswith("border_")


def parse_territory(key: str) -> Territory:
    """``k1.lands`` taken apart."""
    kingdom, dot, place = key.rpartition(".") if isinstance(key, str) else ("", "", "")
    if not (kingdom and dot and place in TERRITORY_KIND):
        raise Refusal(
            f"{quote_value(key)} is not a territory. Write kingdom.place with {join_list(TERRITORY_KIND, 'or')}.",
            field="territory",
        )
    return Territory(kingdom, place)


def are_adjacent(one: str, other: str) -> bool:
    """Whether two territories touch (R-69): castle and lands, lands and each borderland, any two borderlands."""
    a, b = parse_territory(one), parse_territory(other)
    if a == b:
        return False
    if a.is_border and b.is_border:
        return True
    if a.kingdom != b.kingdom:
        return False
    # What is left lies in one kingdom and is not two borderlands: the lands touch the rest, the castle nothing else.
    return "lands" in (a.place, b.place)


# --- the map ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CampaignMap:
    """Who holds each territory of every kingdom, at one moment. Never changed: what happens makes a new one."""

    kingdoms: tuple[str, ...] = ()
    rows: tuple[Holders, ...] = ()  # the holders of castle, lands and both borderlands, kingdom by kingdom
    # Given only by the methods below, which start from a map already checked.
    _at: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self._at:
            return
        if len(self.kingdoms) > MAX_KINGDOMS:
            raise Refusal(
                f"A campaign has at most {MAX_KINGDOMS} kingdoms, not {len(self.kingdoms)}.", field="kingdoms"
            )
        for name in self.kingdoms:
            if not isinstance(name, str) or not name.strip():
                raise Refusal(f"{quote_value(name)} is not a valid kingdom name.", field="kingdoms")
        at = {name: i for i, name in enumerate(self.kingdoms)}
        if len(at) != len(self.kingdoms):
            twice = join_list(name for name in at if self.kingdoms.count(name) > 1)
            raise Refusal(f"Two kingdoms have the same name: {twice}.", field="kingdoms")
        if len(self.rows) != len(at) or any(len(row) != 4 or not at.keys() >= set(row) for row in self.rows):
            raise Refusal("Every territory needs a holder who is on this map.", field="rows")
        object.__setattr__(self, "_at", at)

    @classmethod
    def start(cls, kingdoms: Iterable[str]) -> "CampaignMap":
        """The map before the first battle: every King holds his own four territories."""
        names = tuple(kingdoms)
        if not FEWEST_KINGDOMS <= len(names) <= MAX_KINGDOMS:
            raise Refusal(
                f"A campaign has {FEWEST_KINGDOMS} to {MAX_KINGDOMS} kingdoms, not {len(names)}.", field="kingdoms"
            )
        return cls(names, tuple((name,) * 4 for name in names))

    def with_kingdom(self, kingdom: str) -> "CampaignMap":
        return CampaignMap((*self.kingdoms, kingdom), (*self.rows, (kingdom,) * 4))

    def with_holder(self, key: str, holder: str) -> "CampaignMap":
        """The map with one territory in other hands. No rule is asked; ``conquest`` does that."""
        place = self._find(key)
        self._kingdom(holder)
        at = self._at[place.kingdom]
        row = list(self.rows[at])
        row[_PLACE_AT[place.place]] = holder
        new = (row[0], row[1], row[2], row[3])
        return CampaignMap(self.kingdoms, (*self.rows[:at], new, *self.rows[at + 1 :]), self._at)

    # --- questions about one territory or one kingdom -----------------------------------------------------------

    def holder(self, key: str) -> str:
        place = self._find(key)
        return self.rows[self._at[place.kingdom]][_PLACE_AT[place.place]]

    def is_fallen(self, key: str) -> bool:
        """Fallen: not held by its own kingdom, whoever else holds it (R-75)."""
        return self.holder(key) != self._find(key).kingdom

    def is_out(self, kingdom: str) -> bool:
        """A King without his castle is out (R-72)."""
        return self.rows[self._kingdom(kingdom)][CASTLE] != kingdom

    @property
    def out(self) -> tuple[str, ...]:
        return tuple(name for name, row in zip(self.kingdoms, self.rows, strict=True) if row[CASTLE] != name)

    @property
    def living(self) -> tuple[str, ...]:
        return tuple(name for name, row in zip(self.kingdoms, self.rows, strict=True) if row[CASTLE] == name)

    def map_of(self, kingdom: str) -> dict[str, str]:
        """Place by place, who holds it: the four boxes of one kingdom's map (MAP-10)."""
        return dict(zip(_PLACE_KEYS, self.rows[self._kingdom(kingdom)], strict=True))

    def holdings(self, kingdom: str) -> tuple[str, ...]:
        """Everything a kingdom holds, its own and what it took, in the order of the map."""
        self._kingdom(kingdom)
        return tuple(key for key, holder in self if holder == kingdom)

    def gains(self, kingdom: str) -> tuple[str, ...]:
        return tuple(key for key in self.holdings(kingdom) if parse_territory(key).kingdom != kingdom)

    def losses(self, kingdom: str) -> dict[str, str]:
        return {f"{kingdom}.{place}": who for place, who in self.map_of(kingdom).items() if who != kingdom}

    def taken(self) -> dict[str, str]:
        """Every territory that is not with its own King, with its holder (MAP-10)."""
        return {
            name + _SUFFIX[place]: row[place]
            for name, row in zip(self.kingdoms, self.rows, strict=True)
            for place in range(4)
            if row[place] != name
        }

    def castles(self, kingdom: str) -> int:
        """Kingdoms held: a kingdom is held by whoever sits in its castle (R-71)."""
        self._kingdom(kingdom)
        return sum(row[CASTLE] == kingdom for row in self.rows)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for name, row in zip(self.kingdoms, self.rows, strict=True):
            for place in range(4):
                yield name + _SUFFIX[place], row[place]

    def neighbours(self, key: str) -> tuple[str, ...]:
        self._find(key)
        return tuple(other for other, _ in self if are_adjacent(key, other))

    def problems(self) -> tuple[str, ...]:
        """What no series of battles by the book can lead to. A warning for whoever set the map by hand."""
        problems = []
        for name, row in zip(self.kingdoms, self.rows, strict=True):
            if row[CASTLE] != name and row[LANDS] == name:
                problems.append(f"The castle of {name} fell before its lands.")
            if row[LANDS] != name and name in row[BORDER_1:]:
                problems.append(f"The lands of {name} fell before both borderlands.")
        for name in self.out:
            problems += [f"{name} is out but still holds {key}." for key in self.holdings(name)]
        return tuple(problems)

    def _find(self, key: str) -> Territory:
        place = parse_territory(key)
        self._kingdom(place.kingdom)
        return place

    def _kingdom(self, kingdom: str) -> int:
        return look_up(kingdom, self._at, "kingdom")


# --- winning ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Victory:
    kingdom: str
    castles: int
    rules: tuple[str, ...]
    text: str


def find_victory(campaign_map: CampaignMap, options: Options = BY_THE_BOOK) -> Victory | None:
    """Who has won the campaign on this map, or None while it continues."""
    living = campaign_map.living
    if len(campaign_map.kingdoms) < FEWEST_KINGDOMS or not living:
        return None
    # Counted in one walk, since every verdict on a target asks whether the campaign is over.
    held = Counter(row[CASTLE] for row in campaign_map.rows)
    first = max(living, key=held.__getitem__)
    castles = held[first]
    if len(campaign_map.kingdoms) == 2:
        if len(living) == 2:
            return None
        return Victory(first, castles, ("CAMP-02",), "The enemy's castle fell to a siege, which wins the campaign.")
    if castles >= options.kingdoms_to_hold:
        text = f"The King holds {castles} kingdoms; {options.kingdoms_to_hold} win the campaign."
        return Victory(first, castles, ("CAMP-03", "R-71"), text)
    if len(living) == 1:
        return Victory(first, castles, ("CAMP-03", "R-72"), "No other King is left.")
    return None
