"""A coat of arms: its parts, and the rule of tincture that all of them follow."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any

from chance import Dice
from dataclass_json import Whole, enum_of
from heraldry.parts import (
    BARE,
    CHARGE,
    CHARGES,
    COLOURS,
    COUNTERCHANGED,
    DIVISION,
    DIVISIONS,
    METALS,
    ORDINARIES,
    ORDINARY,
    PARTED,
    TINCTURE,
    TINCTURES,
    Spots,
    blazon,
    contrasts,
)
from refusal import Refusal

BESIDE, UPON = "beside", "upon"

# From this likeness on, two shields are easily confused.
ALIKE = 0.65


# The words of each part; "" where there is none.
WORDS: Mapping[str, tuple[str, ...]] = {
    "field": tuple(TINCTURE),
    "division": tuple(DIVISION),
    "field2": (*TINCTURE, ""),
    "ordinary": tuple(ORDINARY),
    "ordinary_tincture": (*TINCTURE, COUNTERCHANGED, ""),
    "charge": (*CHARGE, "none"),
    "charge_tincture": (*TINCTURE, COUNTERCHANGED, ""),
    "placing": (BESIDE, UPON),
}


@dataclass(frozen=True, slots=True)
class Arms:
    """Always legal: choices that break the rule are refused, so drawings need not check."""

    field: Annotated[str, enum_of(WORDS["field"])]
    division: Annotated[str, enum_of(WORDS["division"])] = "plain"
    field2: Annotated[str, enum_of(WORDS["field2"])] = ""
    ordinary: Annotated[str, enum_of(WORDS["ordinary"])] = "none"
    ordinary_tincture: Annotated[str, enum_of(WORDS["ordinary_tincture"])] = ""
    charge: Annotated[str, enum_of(WORDS["charge"])] = "none"
    charge_tincture: Annotated[str, enum_of(WORDS["charge_tincture"])] = ""
    charges_count: Annotated[int, Whole("The number of charges", 0, 6)] = 0
    placing: Annotated[str, enum_of(WORDS["placing"])] = BESIDE

    def __post_init__(self) -> None:
        _check_words(self)
        _check_field(self)
        _check_ordinary(self)
        _check_charge(self)

    # ── Making ──────────────────────────────────────────────────────────────────────────────────────────

    @classmethod
    def from_choices(cls, **choices: Any) -> "Arms":
        """From the choices of a form. Those that do not apply (a second tincture for a plain field) are dropped."""
        kept = dict(choices)
        if kept.get("division", "plain") == "plain":
            kept["field2"] = ""
        if kept.get("ordinary", "none") == "none":
            kept["ordinary_tincture"] = ""
            kept["placing"] = BESIDE
        if kept.get("charge", "none") == "none":
            kept.update(charge_tincture="", charges_count=0, placing=BESIDE)
        return cls(**kept)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Arms":
        """From stored or sent data, which may hold anything."""
        if not isinstance(data, Mapping):
            raise Refusal("Give arms as an object with field, division, ordinary and charge.", field="arms")
        try:
            return _read_parts(*chain.from_iterable(data.items()))
        except TypeError:  # a list or an object, which nothing is kept for
            return _read_parts.__wrapped__(*chain.from_iterable(data.items()))

    def to_dict(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_seed(cls, seed: str, *, livery: str = "", unlike: "Iterable[Arms]" = ()) -> "Arms":
        """The arms of this seed, always the same.

        With ``livery`` the field has that tincture; with ``unlike`` they differ from those given, so that the
        houses of one campaign can be told apart.
        """
        if livery and livery not in TINCTURE:
            raise Refusal(f"There is no tincture called {livery!r}.", field="livery")
        return _arms_from_seed(seed, livery, tuple(unlike))

    # ── Asking ──────────────────────────────────────────────────────────────────────────────────────────

    @property
    def livery(self) -> str:
        """The tincture used on maps and counters: the field's first colour, else its metal."""
        for tincture in (self.field, self.field2):
            if tincture in COLOURS:
                return tincture
        return self.field

    @property
    def is_mixed(self) -> bool:
        return bool(self.field2) and contrasts(self.field, self.field2)

    def spots(self) -> Spots:
        return _spots(self.division, self.ordinary, self.placing).get(self.charges_count, ())

    def blazon(self) -> str:
        return blazon(self)

    def likeness(self, other: "Arms") -> float:
        """How alike two shields look across a room, 0 to 1. The field weighs most, then the shapes on it."""
        score = 0.0
        score += 0.3 * (self.field == other.field)
        score += 0.2 * ((self.division, self.field2) == (other.division, other.field2))
        score += 0.2 * ((self.ordinary, self.ordinary_tincture) == (other.ordinary, other.ordinary_tincture))
        score += 0.2 * (self.charge == other.charge)
        score += 0.1 * ((self.charges_count, self.charge_tincture) == (other.charges_count, other.charge_tincture))
        return score


@lru_cache(maxsize=4096, typed=True)  # a page reads the same few arms dozens of times; True is not 1
def _read_parts(*names_and_values: Any) -> Arms:
    """Arms from the names and values of stored or sent data, one after the other."""
    data = dict(zip(names_and_values[::2], names_and_values[1::2], strict=True))
    known = {part.name for part in fields(Arms)}
    for name, value in data.items():
        if name not in known:
            raise Refusal(f"Arms have no part called {str(name)[:40]!r}.", field="arms")
        wanted = int if name == "charges_count" else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise Refusal(f"The {_part_name(name)} is not valid.", field=name)
    if "field" not in data:
        raise Refusal("Choose a tincture for the field.", field="field")
    return Arms.from_choices(**data)


# ── The rule ─────────────────────────────────────────────────────────────────────────────────────────────


def _part_name(name: str) -> str:
    return {
        "field": "tincture of the field",
        "field2": "second tincture",
        "ordinary_tincture": "tincture of the ordinary",
        "charge_tincture": "tincture of the charges",
        "charges_count": "number of charges",
    }.get(name, name)


def _join_commas(words: Iterable[str]) -> str:
    # Commas only: "or" is itself a tincture.
    return ", ".join(words)


def _check_words(arms: Arms) -> None:
    """Every choice is a word we know."""
    for name, known in WORDS.items():
        if (value := getattr(arms, name)) not in known:
            raise Refusal(f"There is no {_part_name(name)} called {str(value)[:40]!r}.", field=name)


def _check_field(arms: Arms) -> None:
    if arms.division == "plain":
        if arms.field2:
            raise Refusal(
                "A plain field has one tincture. Choose a division or remove the second tincture.", field="field2"
            )
        return
    words = DIVISION[arms.division].words
    if not arms.field2:
        raise Refusal(f"A field {words} has two tinctures. Choose the second.", field="field2")
    if arms.field2 == arms.field:
        raise Refusal(f"A field {words} needs two different tinctures.", field="field2")
    if DIVISION[arms.division].is_varied and not contrasts(arms.field, arms.field2):
        kind = METALS if arms.field in COLOURS else COLOURS
        raise Refusal(
            f"{arms.field.capitalize()} and {arms.field2} would run together on a field {words}. "
            f"Choose with {arms.field}: {_join_commas(kind)}.",
            field="field2",
        )


def _legal_on_field(arms: Arms) -> tuple[str, ...]:
    if not arms.is_mixed:  # plain, or two colours or two metals side by side
        return tuple(key for key in TINCTURE if contrasts(key, arms.field))
    if DIVISION[arms.division].is_varied:  # neutral: neither side of the rule, but it must differ from both
        return tuple(key for key in TINCTURE if key not in (arms.field, arms.field2))
    return (COUNTERCHANGED,)


def _check_tincture(what: str, tincture: str, under: str, legal: tuple[str, ...], name: str) -> None:
    if tincture in legal:
        return
    if not tincture:
        raise Refusal(f"{what} needs a tincture. Choose for {under}: {_join_commas(legal)}.", field=name)
    if legal == (COUNTERCHANGED,):
        raise Refusal(
            f"The field is part metal, part colour, so {what[0].lower()}{what[1:]} on it must be counterchanged.",
            field=name,
        )
    if tincture == COUNTERCHANGED:
        raise Refusal(
            f"Counterchanging needs a field of metal and colour. Choose for {under}: {_join_commas(legal)}.", field=name
        )
    if tincture in under.split(" and "):
        raise Refusal(f"{what} {tincture} would vanish on {under}. Choose: {_join_commas(legal)}.", field=name)
    kinds = "metal on metal" if TINCTURE[tincture].is_metal else "colour on colour"
    raise Refusal(f"{what} {tincture} would be on {under}, {kinds}. Choose: {_join_commas(legal)}.", field=name)


def _check_ordinary(arms: Arms) -> None:
    if arms.ordinary == "none":
        if arms.ordinary_tincture:
            raise Refusal("Choose an ordinary before its tincture.", field="ordinary_tincture")
        return
    what = _capitalise(ORDINARY[arms.ordinary].words)
    _check_tincture(what, arms.ordinary_tincture, _field_words(arms), _legal_on_field(arms), name="ordinary_tincture")


def _field_words(arms: Arms) -> str:
    return f"{arms.field} and {arms.field2}" if arms.field2 else arms.field


def allowed_counts(division: str, ordinary: str, placing: str) -> tuple[int, ...]:
    return tuple(_spots(division, ordinary, placing))


def _spots(division: str, ordinary: str, placing: str) -> Mapping[int, Spots]:
    row = ORDINARY[ordinary]
    if placing == UPON:
        return row.upon
    if ordinary == "none":
        return PARTED.get(division, BARE)
    return row.beside


def _check_charge(arms: Arms) -> None:
    if arms.charge == "none":
        if arms.charge_tincture or arms.charges_count or arms.placing != BESIDE:
            raise Refusal("Choose a charge first.", field="charge")
        return
    row, ordinary = CHARGE[arms.charge], ORDINARY[arms.ordinary]
    if arms.placing == UPON and arms.ordinary == "none":
        raise Refusal("Choose an ordinary to place charges upon.", field="placing")
    if arms.placing == UPON and not ordinary.upon:
        raise Refusal(
            f"{_capitalise(ordinary.words)} is too narrow for charges. Place them beside it.", field="placing"
        )
    if arms.placing == BESIDE and not ordinary.beside:
        raise Refusal(
            f"{_capitalise(ordinary.words)} leaves no room beside it. Place the charge upon it.", field="placing"
        )
    if arms.placing == BESIDE and DIVISION[arms.division].is_varied:
        raise Refusal(
            f"A field {DIVISION[arms.division].words} is too busy for charges. Place them upon an ordinary.",
            field="placing",
        )
    counts = _spots(arms.division, arms.ordinary, arms.placing)
    if arms.charges_count not in counts:
        where = ordinary.words if arms.ordinary != "none" else "this field"
        raise Refusal(
            f"There is no room for {arms.charges_count} charges {'upon' if arms.placing == UPON else 'with'} {where}. "
            f"Numbers that fit: {_join_commas(map(str, counts))}.",
            field="charges_count",
        )
    what = _capitalise(row.one) if arms.charges_count == 1 else _capitalise(row.many)
    if arms.placing == UPON:
        if arms.ordinary_tincture == COUNTERCHANGED:
            raise Refusal(
                f"A counterchanged ordinary cannot bear charges. Place the {row.many} beside it.", field="placing"
            )
        legal = tuple(key for key in TINCTURE if contrasts(key, arms.ordinary_tincture))
        _check_tincture(what, arms.charge_tincture, arms.ordinary_tincture, legal, name="charge_tincture")
    else:
        _check_tincture(what, arms.charge_tincture, _field_words(arms), _legal_on_field(arms), name="charge_tincture")


def _capitalise(words: str) -> str:
    return words[0].upper() + words[1:]


# ── What else would be legal ─────────────────────────────────────────────────────────────────────────────

# Every value each part can take, in the order people are offered them.
Choices = dict[str, Any]  # for each part one of its values, or what somebody sent in its place
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "field": tuple(row.key for row in TINCTURES),
    "division": tuple(row.key for row in DIVISIONS),
    "field2": tuple(row.key for row in TINCTURES),
    "ordinary": tuple(row.key for row in ORDINARIES),
    "ordinary_tincture": (*(row.key for row in TINCTURES), COUNTERCHANGED),
    "charge": ("none", *(row.key for row in CHARGES)),
    "charge_tincture": (*(row.key for row in TINCTURES), COUNTERCHANGED),
    "charges_count": (1, 2, 3, 4, 5, 6),
    "placing": (BESIDE, UPON),
}


def legal_choices(choices: Mapping[str, Any], part: str) -> list[Any]:
    """The values of one part that are legal with all the other choices."""
    legal = []
    for value in CHOICES[part]:
        try:
            Arms.from_choices(**{**choices, part: value})
        except Refusal:
            continue
        legal.append(value)
    return legal


def fill_gaps(choices: Mapping[str, Any]) -> Choices:
    """The same choices with gaps filled: missing tinctures, a number or place that does not fit.

    Choices that break the rule of tincture stay, to be refused later.
    """
    kept: Choices = {
        **{"division": "plain", "field2": "", "ordinary": "none", "ordinary_tincture": ""},
        **{"charge": "none", "charge_tincture": "", "charges_count": 1, "placing": BESIDE},
        **choices,
    }
    if kept["division"] != "plain" and not kept["field2"]:
        kept["field2"] = _first(lambda key: contrasts(key, kept["field"]))
    try:
        field = _plain_arms(kept["field"], kept["division"], kept["field2"] if kept["division"] != "plain" else "")
    except (Refusal, KeyError):
        return kept
    legal = _legal_on_field(field)
    if kept["ordinary"] in ORDINARY and kept["ordinary"] != "none" and not kept["ordinary_tincture"]:
        kept["ordinary_tincture"] = legal[0]
    if kept["charge"] != "none" and kept["ordinary"] in ORDINARY:
        row = ORDINARY[kept["ordinary"]]
        busy = DIVISION[kept["division"]].is_varied
        if kept["placing"] == UPON and not row.upon:
            kept["placing"] = BESIDE
        elif kept["placing"] == BESIDE and row.upon and (busy or not row.beside):
            kept["placing"] = UPON
        counts = _spots(kept["division"], kept["ordinary"], kept["placing"])
        if counts and kept["charges_count"] not in counts:
            kept["charges_count"] = min(counts, key=lambda count: abs(count - (kept["charges_count"] or 1)))
        if not kept["charge_tincture"]:
            under = kept["ordinary_tincture"]
            if kept["placing"] == UPON and under in TINCTURE:
                legal = tuple(key for key in TINCTURE if contrasts(key, under))
            kept["charge_tincture"] = under if under in legal else legal[0]
    return kept


def _first(fits: Callable[[str], bool]) -> str:
    return next(key for key in TINCTURE if fits(key))


# ── From a seed ──────────────────────────────────────────────────────────────────────────────────────────

# One of these falls: an ordinary among charges is the commonest shield, a bare ordinary the rarest.
_MANNERS = (*("ordinary and charges",) * 9, *("ordinary bearing charges",) * 5, *("charges",) * 4, *("ordinary",) * 2)


# Ordinaries that stay readable when counterchanged over each parting.
_CALM = {
    "per_pale": ("chief", "fess", "bend", "bend_sinister", "chevron", "saltire", "bordure", "cross"),
    "per_fess": ("pale", "bend", "bend_sinister", "saltire", "pile", "cross", "bordure", "flaunches"),
    "quarterly": ("cross", "saltire", "bordure", "bend"),
    "per_chevron": ("chief", "bordure"),
    "per_bend": ("bordure",),
    "per_bend_sinister": ("bordure",),
    "per_saltire": ("bordure",),
}


@lru_cache(maxsize=1024)
def _arms_from_seed(seed: str, livery: str, others: tuple[Arms, ...]) -> Arms:
    """Every page draws the arms of whoever looks at it."""
    dice = Dice(f"arms/1/{seed}")
    tries = 0
    while True:
        drawn = _draw_arms(dice, livery)
        if drawn is None:
            continue
        tries += 1
        # With very many others, accept some likeness in the end.
        if tries > 200 or all(drawn.likeness(other) < ALIKE for other in others):
            return drawn


def _draw_arms(dice: Dice, livery: str) -> Arms | None:
    """One attempt; None if the result breaks the rule of tincture."""
    # Metals are two of seven but half of all good fields, so the kind falls first.
    field = livery or dice.choice(METALS if dice.below(100) < 38 else COLOURS)
    division = "plain" if dice.below(100) < 28 else dice.choice(DIVISIONS[1:]).key
    field2 = ""
    if division != "plain":
        other = METALS if field in COLOURS else COLOURS
        two_of_a_kind = field in COLOURS and not DIVISION[division].is_varied and dice.below(100) < 15
        field2 = dice.choice(COLOURS if two_of_a_kind else other)
    manner = dice.choice(_MANNERS)
    ordinary = dice.choice(ORDINARIES[1:]).key if manner.startswith("ordinary") else "none"
    mixed = division in _CALM and contrasts(field, field2)
    if ordinary != "none" and mixed and ordinary not in _CALM[division]:
        # Counterchanging a shape along a slanting cut is lawful but restless: left to those who choose it.
        return None
    placing = UPON if manner == "ordinary bearing charges" else BESIDE
    try:
        arms = Arms.from_choices(
            field=field,
            division=division,
            field2=field2,
            ordinary=ordinary,
            ordinary_tincture=""
            if ordinary == "none"
            else dice.choice(_legal_on_field(_plain_arms(field, division, field2))),
        )
        if manner == "ordinary":
            # On a plain field that would be too few arms for too many houses.
            return arms if division != "plain" else None
        count = dice.choice(tuple(_spots(division, ordinary, placing)) or (0,))
        charge = dice.choice(CHARGES).key
        under = arms.ordinary_tincture if placing == UPON else ""
        if under == COUNTERCHANGED:
            return None
        legal = tuple(key for key in TINCTURE if contrasts(key, under)) if under else _legal_on_field(arms)
        # Charges mostly take the ordinary's tincture when they can: few tinctures make a strong shield.
        repeat = arms.ordinary_tincture in legal and dice.below(100) < 60
        tincture = arms.ordinary_tincture if repeat else dice.choice(legal)
        return replace(arms, charge=charge, charge_tincture=tincture, charges_count=count, placing=placing)
    except Refusal:
        return None


def _plain_arms(field: str, division: str, field2: str) -> Arms:
    return Arms(field=field, division=division, field2=field2)
