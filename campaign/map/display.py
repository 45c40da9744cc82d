"""The map ready to draw: who holds what, how it is painted, what may be attacked and why, what has changed."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from campaign.annals.state import GONE, State
from campaign.map.liveries import Livery, liveries
from heraldry import Arms
from refusal import Refusal
from rulebook.kingdoms import Realm, adjacent
from rulebook.targets import targets

PLACE_WORDS = {
    "castle": "castle",
    "lands": "lands",
    "border_1": "first borderland",
    "border_2": "second borderland",
}
_LETTER = {"border_1": "a", "border_2": "b"}


@dataclass(frozen=True, slots=True)
class Crown:
    """A kingdom as the map shows it."""

    id: str
    number: int  # from 1, clockwise; stands on the map where a name does not fit, and in the list
    name: str
    arms: Arms
    livery: Livery
    holds: int = 4
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Ground:
    """One territory as the map shows it."""

    key: str
    place: str
    name: str
    owner: str  # the kingdom whose map it stands on
    holder: str
    holder_name: str = ""
    legal: bool | None = None  # None while nobody is choosing a target
    why: str = ""  # the rule's sentence on why it may or may not be attacked
    chosen: bool = False
    contested: str = ""  # a sentence about the open battle for it
    was: str = ""  # who held it when the viewer was last here, if that has changed
    url: str = ""

    @property
    def taken(self) -> bool:
        return self.holder != self.owner

    @property
    def place_words(self) -> str:
        return PLACE_WORDS[self.place]


@dataclass(frozen=True, slots=True)
class MapSheet:
    title: str
    crowns: tuple[Crown, ...]
    grounds: tuple[Ground, ...]
    seed: str = ""
    attacker: str = ""  # the kingdom whose targets are shown
    via: str = ""  # the territory from which the chosen target is reached

    def crown(self, kingdom: str) -> Crown:
        return next(crown for crown in self.crowns if crown.id == kingdom)

    def short(self, ground: Ground) -> str:
        """The number of a territory: its kingdom's, and a letter for the borderlands."""
        return f"{self.crown(ground.owner).number}{_LETTER.get(ground.place, '')}"

    @property
    def targets(self) -> tuple[Ground, ...]:
        return tuple(ground for ground in self.grounds if ground.legal)

    @property
    def changed(self) -> tuple[Ground, ...]:
        return tuple(ground for ground in self.grounds if ground.was)

    @property
    def rows(self) -> tuple[tuple[Crown, tuple[Ground, ...]], ...]:
        """Kingdom by kingdom, for the list beneath the map."""
        found: dict[str, list[Ground]] = {crown.id: [] for crown in self.crowns}
        for ground in self.grounds:
            found[ground.owner].append(ground)
        return tuple((crown, tuple(found[crown.id])) for crown in self.crowns)


def _named(name: str) -> str:
    """A name within a sentence; one that runs from right to left must not turn the rest of the sentence round."""
    if any(unicodedata.bidirectional(mark) in _TURNING for mark in name):
        return f"\u2068{name}\u2069"
    return name


_TURNING = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI"))


def said(sheet: MapSheet, ground: Ground) -> str:
    """One territory in plain words, for those who do not see the map."""
    owner, holder = _named(sheet.crown(ground.owner).name), _named(sheet.crown(ground.holder).name)
    parts = [f"{_named(ground.name)}, {ground.place_words} of {owner}, held by {holder}."]
    if ground.contested:
        parts.append(ground.contested)
    if ground.chosen:
        parts.append("Chosen.")
    if ground.legal is not None:
        parts.append(f"{'May be attacked' if ground.legal else 'Closed'}: {ground.why}" if ground.why else "")
    if ground.was:
        parts.append(f"Before your last visit {_named(sheet.crown(ground.was).name)} held it.")
    return " ".join(part for part in parts if part)


def summary(sheet: MapSheet) -> str:
    """The whole map in plain words."""
    held = ", ".join(f"{_named(crown.name)} {crown.holds}" for crown in sheet.crowns)
    parts = [f"Territories held: {held}."]
    if sheet.attacker:
        names = [_named(ground.name) for ground in sheet.targets]
        attacker = _named(sheet.crown(sheet.attacker).name)
        parts.append(f"{attacker} may attack {', '.join(names)}." if names else f"{attacker} has nothing to attack.")
    fought = [_named(ground.name) for ground in sheet.grounds if ground.contested]
    if fought:
        parts.append(f"Fought over now: {', '.join(fought)}.")
    return " ".join(parts)


# ── From the chronicle ───────────────────────────────────────────────────────────────────────────────────


def crowns_of(state: State) -> tuple[Crown, ...]:
    """Every kingdom on the map with its livery. Those dissolved keep theirs, so nobody's colour changes when one leaves."""
    painted = dict(
        zip(state.kingdoms, liveries(_arms(k.arms).livery for k in state.kingdoms.values()), strict=True)
    )  # fmt: skip
    there = [k for k in state.kingdoms.values() if k.status != GONE]
    return tuple(
        Crown(
            id=kingdom.id,
            number=number,
            name=kingdom.name,
            arms=_arms(kingdom.arms),
            livery=painted[kingdom.id],
            holds=state.holdings(kingdom.id),
            is_out=not state.castle_stands(kingdom.id),
        )
        for number, kingdom in enumerate(there, 1)
    )


def _arms(stored: Mapping[str, object]) -> Arms:
    return Arms.from_dict(stored)


def map_sheet(
    state: State,
    *,
    seed: str = "",
    title: str = "",
    attacker: str = "",
    against: str = "",
    chosen: str = "",
    before: Mapping[str, str] | None = None,
    url: Callable[[str], str] | None = None,
) -> MapSheet:
    """The map of a state.

    ``attacker``: whose targets are shown; ``against``: only what this kingdom holds; ``chosen``: the target picked; ``before``:
    the holders at the viewer's last visit; ``url``: the address of a territory, or "" for one that leads nowhere.
    """
    realm = state.realm()
    crowns = crowns_of(state)
    verdicts = {}
    if attacker:
        try:
            verdicts = {
                target.territory: target for target in targets(realm, attacker, state.rules(), against=against or None)
            }
        except Refusal:  # a realm of one kingdom has nobody to attack
            attacker = ""
    grounds = []
    for key, holder in realm:
        owner, _, place = key.rpartition(".")
        verdict = verdicts.get(key)
        battle = state.contested(key)
        was = (before or {}).get(key, holder)
        grounds.append(
            Ground(
                key=key,
                place=place,
                name=state.place_name(key),
                owner=owner,
                holder=holder,
                holder_name=state.kingdoms[holder].name,
                # What is fought over already cannot be declared upon again.
                legal=(verdict.legal and battle is None) if verdict else None,
                why=verdict.verdict.text if verdict else "",
                chosen=key == chosen,
                contested=f"Battle {battle.number} is fought over it." if battle else "",
                was=was if was != holder and was in realm.kingdoms else "",
                url=url(key) if url else "",
            )
        )
    return MapSheet(
        title=title or f"Map of {len(crowns)} kingdoms",
        crowns=crowns,
        grounds=tuple(grounds),
        seed=seed,
        attacker=attacker,
        via=_via(realm, attacker, chosen),
    )


def _via(realm: Realm, attacker: str, chosen: str) -> str:
    """From where the attacker reaches his target: a territory he holds beside it, on the same kingdom's map if there is one."""
    if not attacker or not chosen:
        return ""
    beside = [key for key in realm.holdings(attacker) if adjacent(key, chosen)]
    owner = chosen.rpartition(".")[0]
    return next((key for key in beside if key.rpartition(".")[0] == owner), "")
