"""The state of a campaign: what its entries add up to.

It holds people by id only; their names are stored elsewhere and can be deleted there.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from dataclass_json import Shape, enum_of
from heraldry import Arms
from rulebook.campaign.campaign_map import TERRITORY_KINDS, CampaignMap
from rulebook.data.house_rules import Options, Value

PLAYING, FROZEN, SOLO, GONE = "playing", "frozen", "solo", "gone"
Status = Annotated[str, enum_of((PLAYING, FROZEN, SOLO, GONE))]
PLACE_KEYS = tuple(place.key for place in TERRITORY_KINDS)

Json = dict[str, Any]
ArmsJson = Annotated[Json, Shape(Arms)]


@dataclass(slots=True)
class House:
    name: str
    arms: Json
    lost: bool = False
    hero: str = ""  # the name its ruler gave the hero

    def copy(self) -> "House":
        return House(self.name, self.arms, self.lost, self.hero)

    def to_json(self) -> Json:
        # The hero only where it has a name: most snapshots have none.
        return {"name": self.name, "arms": self.arms, "lost": self.lost} | ({"hero": self.hero} if self.hero else {})


@dataclass(slots=True)
class Kingdom:
    id: str
    name: str
    arms: Json
    houses: list[House]
    places: dict[str, str]
    ruler: int | None = None
    regent: int | None = None
    status: str = PLAYING
    loyalty: int = 0
    vp: int = 0

    def copy(self) -> "Kingdom":
        return replace(self, houses=[house.copy() for house in self.houses], places=dict(self.places))

    def to_json(self) -> Json:
        return _fields_of(self) | {"houses": [house.to_json() for house in self.houses]}

    @property
    def acting(self) -> int | None:
        """Who acts for it: the regent while there is one."""
        return self.regent if self.regent is not None else self.ruler

    def lost_houses(self) -> tuple[int, ...]:
        """Numbers of the houses whose fealty is lost, as the rulebook counts them, from 1."""
        return tuple(number for number, house in enumerate(self.houses, 1) if house.lost)


@dataclass(slots=True)
class OpenBattle:
    """A battle declared and not yet decided. While it is open, its target and its kingdoms are spoken for."""

    number: int
    attacker: str
    defender: str
    target: str
    line: int
    scenario: str | None = None

    def opponent_of(self, kingdom: str) -> str:
        return self.defender if kingdom == self.attacker else self.attacker


@dataclass(frozen=True, slots=True)
class RolledDie:
    """A die of a roll-off. ``by`` paid for a bought one, if not the kingdom itself."""

    kingdom: str
    roll: int
    bought: bool = False
    by: str | None = None
    keep: Literal["old", "new"] = "new"


@dataclass(frozen=True, slots=True)
class AttackRoll:
    """The roll-off that binds until the battle it led to is settled. No winner: a tie that has to be rolled again."""

    winner: str | None
    dice: tuple[RolledDie, ...]
    pair: tuple[str, str] | None = None
    battle: int | None = None  # the battle the winner declared

    @property
    def is_due(self) -> bool:
        """Decided, and the winner has not declared yet."""
        return self.winner is not None and self.battle is None


@dataclass(slots=True)
class State:
    name: str = ""
    kingdoms: dict[str, Kingdom] = field(default_factory=dict)
    holders: dict[str, str] = field(default_factory=dict)  # every territory key, with the kingdom that holds it
    masters: list[int] = field(default_factory=list)
    options: dict[str, Value] = field(default_factory=dict)  # differences from the book only
    terms: dict[str, Any] = field(default_factory=dict)  # what the table agreed outside the rules: dice, confirming …
    season: int = 0
    season_name: str = ""
    season_open: bool = False
    war: int = 1
    battles: dict[int, OpenBattle] = field(default_factory=dict)
    battle_count: int = 0
    kingdom_count: int = 0
    winner: str | None = None
    attack_roll: AttackRoll | None = None

    def copy(self) -> "State":
        return replace(
            self,
            kingdoms={key: kingdom.copy() for key, kingdom in self.kingdoms.items()},
            holders=dict(self.holders),
            masters=list(self.masters),
            options=dict(self.options),
            terms=dict(self.terms),
            battles=dict(self.battles),  # an OpenBattle is never changed, only put in and taken out
        )

    def rules(self) -> Options:
        return Options.from_differences(self.options)

    def campaign_map(self) -> CampaignMap:
        """The map as the rulebook reads it, without kingdoms that were dissolved."""
        ids = tuple(key for key, kingdom in self.kingdoms.items() if kingdom.status != GONE)
        rows = []
        for key in ids:
            row = tuple(self.holders.get(f"{key}.{place}", key) for place in PLACE_KEYS)
            rows.append(tuple(holder if holder in ids else key for holder in row))
        return CampaignMap(ids, tuple(rows))  # type: ignore[arg-type]

    def in_play(self) -> list[Kingdom]:
        return [kingdom for kingdom in self.kingdoms.values() if kingdom.status != GONE]

    def count_holdings(self, kingdom: str) -> int:
        return sum(holder == kingdom for holder in self.holders.values())

    def holds_own_castle(self, kingdom: str) -> bool:
        return self.holders.get(f"{kingdom}.castle") == kingdom

    def open_battle_of(self, kingdom: str) -> OpenBattle | None:
        """The open battle this kingdom is in."""
        return next((b for b in self.battles.values() if kingdom in (b.attacker, b.defender)), None)

    def open_battle_for(self, territory: str) -> OpenBattle | None:
        return next((b for b in self.battles.values() if b.target == territory), None)

    def ruled_by(self, persons: set[int]) -> list[Kingdom]:
        """The kingdoms any of these ids acts for, as ruler or regent."""
        return [k for k in self.in_play() if k.ruler in persons or k.regent in persons]

    def place_name(self, territory: str) -> str:
        owner, _, place = territory.rpartition(".")
        kingdom = self.kingdoms.get(owner)
        return kingdom.places.get(place, territory) if kingdom else territory

    def to_json(self) -> Json:
        """As it is saved beside the log."""
        row = _fields_of(self)
        row["kingdoms"] = [kingdom.to_json() for kingdom in self.kingdoms.values()]
        row["battles"] = [asdict(battle) for battle in self.battles.values()]
        # Only where there is one: most snapshots have none.
        row.pop("attack_roll")
        return row | ({"attack_roll": asdict(self.attack_roll)} if self.attack_roll else {})

    @classmethod
    def from_json(cls, kept: Json) -> "State":
        """A separate copy: changing it does not change the saved JSON."""
        rest = {key: value for key, value in kept.items() if key not in ("kingdoms", "battles", "attack_roll")}
        rest |= {"holders": dict(kept["holders"]), "masters": list(kept["masters"])}
        rest |= {"options": dict(kept["options"]), "terms": dict(kept["terms"])}
        kingdoms = {}
        for row in kept["kingdoms"]:
            houses = [House(**house) for house in row["houses"]]
            kingdoms[row["id"]] = Kingdom(**{**row, "houses": houses, "places": dict(row["places"])})
        battles = {row["number"]: OpenBattle(**row) for row in kept["battles"]}
        if rolled := kept.get("attack_roll"):  # older snapshots have none
            dice = tuple(RolledDie(**die) for die in rolled["dice"])
            pair = tuple(rolled["pair"]) if rolled["pair"] else None
            rest["attack_roll"] = AttackRoll(rolled["winner"], dice, pair, rolled["battle"])
        return cls(kingdoms=kingdoms, battles=battles, **rest)


def _fields_of(row: Kingdom | State) -> Json:
    return {name: getattr(row, name) for name in row.__slots__}


class HouseJson(TypedDict):
    name: str
    arms: ArmsJson
    lost: bool
    hero: NotRequired[str]


class KingdomJson(TypedDict):
    id: str
    name: str
    arms: ArmsJson
    places: dict[str, str]
    ruler: str | None
    regent: str | None
    status: Status
    loyalty: int
    vp: int
    houses: list[HouseJson]


class StateJson(TypedDict):
    """What ``State.to_json`` answers, for the API's schema. The API names people by their codes."""

    name: str
    kingdoms: list[KingdomJson]
    holders: dict[str, str]
    masters: list[str]
    options: dict[str, Value]
    terms: dict[str, str]
    season: int
    season_name: str
    season_open: bool
    war: int
    battles: list[OpenBattle]
    battle_count: int
    kingdom_count: int
    winner: str | None
    attack_roll: NotRequired[AttackRoll]


# ── Agreements besides the rules ─────────────────────────────────────────────────────────────────────────
# Dice, confirming, correcting, free text. The first choice is the default.


@dataclass(frozen=True, slots=True)
class Term:
    key: str
    title: str
    choices: tuple[tuple[str, str], ...]  # the value, and how a page says it

    @property
    def default(self) -> str:
        return self.choices[0][0]

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(value for value, _ in self.choices)

    def format_value(self, value: object) -> str:
        return dict(self.choices).get(str(value), str(value))


# Only choices that the site acts on are offered.
TERMS = (
    Term(
        "dice",
        "Whose dice",
        (
            ("typed", "Our own dice, typed in"),
            ("service", "Rolled by the site"),
            ("sealed", "Sealed: from a secret word entered by each captain"),
        ),
    ),
    Term(
        "confirm",
        "Who confirms a result",
        (("one", "One report is enough"), ("both", "Both sides"), ("master", "The game master")),
    ),
    Term(
        "stands",
        "Unconfirmed reports",
        (("on", "Become final after 7 days unless someone objects"), ("off", "Wait until someone confirms them")),
    ),
    Term(
        "correct",
        "Who can correct the chronicle",
        (("master", "The game master"), ("touched", "Anyone, if the affected players agree")),
    ),
    Term(
        "muster_sight",
        "Who can see the other side's muster before the battle",
        (
            ("open", "Everyone, as it is rolled"),
            ("after", "Both sides, once both are done"),
            ("own", "Only its own side"),
        ),
    ),
)
TERM = {term.key: term for term in TERMS}

# Agreements in the players' own words.
FREE_TERMS = {"house_rules": "House rules in your own words", "victory_words": "What wins the war"}


def get_term(terms: Mapping[str, object], key: str) -> str:
    """The agreed value, or the default."""
    return str(terms.get(key) or TERM[key].default)


def term_title(key: str) -> str:
    return TERM[key].title if key in TERM else FREE_TERMS.get(key, key)


def describe_term_value(key: str, value: object) -> str:
    if key in TERM:
        return TERM[key].format_value(TERM[key].default if value is None else value)
    return str(value or "none")
