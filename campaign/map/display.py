"""The map ready to draw: who holds what, how it is painted, what may be attacked and why, what has changed."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from campaign.chronicle.state import State
from campaign.map.kingdom_colours import Livery, assign_liveries
from dataclass_json import PageOnly, stored_as
from heraldry import Arms
from refusal import Refusal
from rulebook.campaign.attack_targets import Target, list_targets
from rulebook.campaign.campaign_map import CampaignMap, are_adjacent

PLACE_WORDS = {"castle": "castle", "lands": "lands", "border_1": "first borderland", "border_2": "second borderland"}
_LETTER = {"border_1": "a", "border_2": "b"}


@dataclass(frozen=True, slots=True)
class MapKingdom:
    """A kingdom as the map shows it."""

    id: str
    number: int  # from 1, clockwise; stands on the map where a name does not fit, and in the list
    name: str
    arms: Arms
    livery: Livery
    holds: int = 4
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class MapTerritory:
    """One territory as the map shows it."""

    api_name = "Target"

    key: str = field(metadata=stored_as("target"))
    place: PageOnly[str]
    name: str
    owner: str  # the kingdom whose map it stands on
    holder: str
    holder_name: PageOnly[str] = ""
    legal: Annotated[bool | None, "null without an attacker"] = None
    why: Annotated[str, "The rule's reason why it can or cannot be attacked."] = ""
    chosen: PageOnly[bool] = False
    contested: Annotated[str, "About the open battle for it."] = ""
    was: PageOnly[str] = ""  # who held it when the viewer was last here, if that has changed
    url: PageOnly[str] = ""

    @property
    def taken(self) -> bool:
        return self.holder != self.owner

    @property
    def place_words(self) -> str:
        return PLACE_WORDS[self.place]


@dataclass(frozen=True, slots=True)
class MapDisplay:
    title: str
    kingdoms: tuple[MapKingdom, ...]
    territories: tuple[MapTerritory, ...]
    seed: str = ""
    attacker: str = ""  # the kingdom whose targets are shown
    via: str = ""  # the territory from which the chosen target is reached

    def kingdom(self, key: str) -> MapKingdom:
        return next(kingdom for kingdom in self.kingdoms if kingdom.id == key)

    def short(self, territory: MapTerritory) -> str:
        """The number of a territory: its kingdom's, and a letter for the borderlands."""
        return f"{self.kingdom(territory.owner).number}{_LETTER.get(territory.place, '')}"

    @property
    def targets(self) -> tuple[MapTerritory, ...]:
        return tuple(territory for territory in self.territories if territory.legal)

    @property
    def changed(self) -> tuple[MapTerritory, ...]:
        return tuple(territory for territory in self.territories if territory.was)

    @property
    def rows(self) -> tuple[tuple[MapKingdom, tuple[MapTerritory, ...]], ...]:
        """Kingdom by kingdom, for the list beneath the map."""
        territories: dict[str, list[MapTerritory]] = {kingdom.id: [] for kingdom in self.kingdoms}
        for territory in self.territories:
            territories[territory.owner].append(territory)
        return tuple((kingdom, tuple(territories[kingdom.id])) for kingdom in self.kingdoms)


def _isolate_name(name: str) -> str:
    """A name within a sentence; one that runs from right to left must not turn the rest of the sentence round."""
    if any(unicodedata.bidirectional(mark) in _TURNING for mark in name):
        return f"\u2068{name}\u2069"
    return name


_TURNING = frozenset(("R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI"))


def describe_territory(display: MapDisplay, territory: MapTerritory) -> str:
    """One territory in plain words, for screen readers."""
    owner, holder = (_isolate_name(display.kingdom(key).name) for key in (territory.owner, territory.holder))
    parts = [f"{_isolate_name(territory.name)}, {territory.place_words} of {owner}, held by {holder}."]
    if territory.contested:
        parts.append(territory.contested)
    if territory.chosen:
        parts.append("Chosen.")
    if territory.legal is not None and territory.why:
        parts.append(f"{'Can be attacked' if territory.legal else 'Cannot be attacked'}: {territory.why}")
    if territory.was:
        parts.append(f"{_isolate_name(display.kingdom(territory.was).name)} held it when you last visited.")
    return " ".join(parts)


def describe_map(display: MapDisplay) -> str:
    """The whole map in plain words."""
    held = ", ".join(f"{_isolate_name(kingdom.name)} {kingdom.holds}" for kingdom in display.kingdoms)
    parts = [f"Territories held: {held}."]
    if display.attacker:
        names = [_isolate_name(territory.name) for territory in display.targets]
        attacker = _isolate_name(display.kingdom(display.attacker).name)
        parts.append(f"{attacker} can attack {', '.join(names)}." if names else f"{attacker} has nothing to attack.")
    fought = [_isolate_name(territory.name) for territory in display.territories if territory.contested]
    if fought:
        parts.append(f"Contested now: {', '.join(fought)}.")
    return " ".join(parts)


def list_map_kingdoms(state: State) -> tuple[MapKingdom, ...]:
    """Every kingdom on the map with its livery. Dissolved kingdoms keep theirs, so that no colour ever changes."""
    arms = {kingdom.id: Arms.from_dict(kingdom.arms) for kingdom in state.kingdoms.values()}
    liveries = dict(zip(arms, assign_liveries(shield.livery for shield in arms.values()), strict=True))
    return tuple(
        MapKingdom(
            id=kingdom.id,
            number=number,
            name=kingdom.name,
            arms=arms[kingdom.id],
            livery=liveries[kingdom.id],
            holds=state.count_holdings(kingdom.id),
            is_out=not state.holds_own_castle(kingdom.id),
        )
        for number, kingdom in enumerate(state.in_play(), 1)
    )


def build_map_display(
    state: State,
    *,
    seed: str = "",
    title: str = "",
    attacker: str = "",
    against: str = "",
    chosen: str = "",
    before: Mapping[str, str] | None = None,
    url: Callable[[str], str] | None = None,
) -> MapDisplay:
    """The map of a state.

    ``attacker``: whose targets are shown; ``against``: only what this kingdom holds; ``chosen``: the target picked;
    ``before``: the holders at the viewer's last visit; ``url``: the URL of a territory, or "" for none.
    """
    campaign_map = state.campaign_map()
    kingdoms = list_map_kingdoms(state)
    targets: Sequence[Target] = ()
    if attacker:
        try:
            targets = list_targets(campaign_map, attacker, state.rules(), against=against or None)
        except Refusal:  # a map of one kingdom has nobody to attack
            attacker = ""
    verdicts = {target.territory: target for target in targets}
    territories = []
    for key, holder in campaign_map:
        owner, _, place = key.rpartition(".")
        verdict = verdicts.get(key)
        battle = state.open_battle_for(key)
        was = (before or {}).get(key, holder)
        territories.append(
            MapTerritory(
                key=key,
                place=place,
                name=state.place_name(key),
                owner=owner,
                holder=holder,
                holder_name=state.kingdoms[holder].name,
                # A territory that is already contested cannot be attacked again.
                legal=(verdict.legal and battle is None) if verdict else None,
                why=verdict.verdict.text if verdict else "",
                chosen=key == chosen,
                contested=f"Battle {battle.number} is being fought here." if battle else "",
                was=was if was != holder and was in campaign_map.kingdoms else "",
                url=url(key) if url else "",
            )
        )
    return MapDisplay(
        title=title or f"Map of {len(kingdoms)} kingdoms",
        kingdoms=kingdoms,
        territories=tuple(territories),
        seed=seed,
        attacker=attacker,
        via=_find_route(campaign_map, attacker, chosen),
    )


def _find_route(campaign_map: CampaignMap, attacker: str, chosen: str) -> str:
    """The territory from which the attacker reaches the target, in the same kingdom if possible."""
    if not attacker or not chosen:
        return ""
    beside = [key for key in campaign_map.holdings(attacker) if are_adjacent(key, chosen)]
    owner = chosen.rpartition(".")[0]
    return next((key for key in beside if key.rpartition(".")[0] == owner), "")
