"""Acts that run the campaign: founding, kingdoms coming and going, rulers, masters, house rules, seasons, notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import dataclass_json
from campaign.chronicle.acts.registry import (
    MEMBER,
    NAME_MOST,
    RULER,
    Act,
    ArmsJson,
    Holders,
    KingdomId,
    PersonId,
    register_act,
    require_kingdom,
    require_text,
    require_whole_number,
)
from campaign.chronicle.campaign_terms import FREE_TERMS, TERM
from campaign.chronicle.effects import Effect
from campaign.chronicle.state import GONE, PLACE_KEYS, PLAYING, STATUSES, State
from dataclass_json import Count, Text, stored_as
from refusal import Refusal
from rulebook.campaign.territories import MOST_KINGDOMS, parse_territory
from rulebook.data.house_rules import OPTION, Options

NOTE_MOST = 2000
RULES_TEXT_MOST = 4000

CampaignName = Annotated[str, Text("The name of the campaign", NAME_MOST)]
KingdomName = Annotated[str, Text("The name of the kingdom", NAME_MOST)]
HouseName = Annotated[str, Text("The name of a house", NAME_MOST)]
PlaceName = Annotated[str, Text("The name of a territory", NAME_MOST)]
PlaceNames = Annotated[Mapping[str, PlaceName], Count("Places", len(PLACE_KEYS))]
SeasonName = Annotated[str, Text("The name of the season", NAME_MOST)]


@register_act
@dataclass(frozen=True, slots=True)
class FoundCampaign(Act):
    key: ClassVar[str] = "founded"

    name: CampaignName
    master: PersonId

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.masters:
            raise Refusal("The campaign is already founded.", status=409)
        return [{"do": "named", "name": self.name}, {"do": "master", "person": self.master, "is": True}]


@register_act
@dataclass(frozen=True, slots=True)
class RenameCampaign(Act):
    key: ClassVar[str] = "renamed"

    to: CampaignName
    was: Annotated[str, Text("The old name", NAME_MOST, empty=True)] = field(metadata=stored_as("from"), default="")

    def numbered(self, state: State, entry: int) -> RenameCampaign:
        return replace(self, was=self.was or state.name)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.to == state.name:
            raise Refusal("The campaign already has that name.", field="name")
        return [{"do": "named", "name": self.to}]


@register_act
@dataclass(frozen=True, slots=True)
class AddNote(Act):
    key: ClassVar[str] = "note"
    by: ClassVar[str] = MEMBER

    text: Annotated[str, Text("The note", NOTE_MOST)]

    def decide(self, state: State, rules: Options) -> list[Effect]:
        return []


@register_act
@dataclass(frozen=True, slots=True)
class JoinCampaign(Act):
    key: ClassVar[str] = "joined"
    by: ClassVar[str] = MEMBER

    def decide(self, state: State, rules: Options) -> list[Effect]:
        return []


# --- kingdoms ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewHouse:
    name: HouseName
    arms: ArmsJson


@dataclass(frozen=True, slots=True)
class StartingScores:
    """For groups in mid-war: what a kingdom had when the chronicle began."""

    loyalty: int = 0
    vp: int = 0
    lost: tuple[int, ...] = ()


@register_act
@dataclass(frozen=True, slots=True)
class AddKingdom(Act):
    key: ClassVar[str] = "kingdom_joins"
    given_numbers: ClassVar[tuple[str, ...]] = ("kingdom",)

    name: KingdomName
    arms: ArmsJson
    houses: tuple[NewHouse, ...]
    places: PlaceNames
    ruler: PersonId | None = None
    standing: StartingScores = StartingScores()
    kingdom: KingdomId | None = None

    def numbered(self, state: State, entry: int) -> AddKingdom:
        return replace(self, kingdom=f"k{state.kingdom_count + 1}")

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.kingdom is None or self.kingdom in state.kingdoms:
            raise Refusal("This kingdom has already joined.", field="kingdom")
        if len(state.in_play()) >= MOST_KINGDOMS:
            raise Refusal(f"A campaign has at most {MOST_KINGDOMS} kingdoms.")
        if any(other.name.casefold() == self.name.casefold() for other in state.in_play()):
            raise Refusal(f"There is already a kingdom called {self.name}.", field="name")
        if len(self.houses) != 4:
            raise Refusal("A kingdom has four noble houses.", field="houses")
        if set(self.places) != set(PLACE_KEYS):
            raise Refusal("A kingdom has a castle, lands and two borderlands, each with a name.", field="places")
        joined: Effect = {
            "do": "joined",
            "kingdom": self.kingdom,
            "name": self.name,
            "arms": dict(self.arms),
            "houses": dataclass_json.write(self.houses),
            "places": dict(self.places),
            "ruler": self.ruler,
        }
        return [joined, *_starting_scores(self.standing, self.kingdom)]


def _starting_scores(begin: StartingScores, key: str) -> list[Effect]:
    why = {"why": "standing"}
    effects: list[Effect] = []
    if require_whole_number(begin.loyalty, "Loyalty", least=-99, most=99, field="loyalty"):
        effects.append({"do": "loyalty", "kingdom": key, "by": begin.loyalty, **why})
    if require_whole_number(begin.vp, "VP", least=0, most=999, field="vp"):
        effects.append({"do": "vp", "kingdom": key, "by": begin.vp, **why})
    for number in begin.lost:
        require_whole_number(number, "The number of the house", least=1, most=4, field="houses")
        effects.append({"do": "house", "kingdom": key, "house": number, "lost": True, **why})
    return effects


@register_act
@dataclass(frozen=True, slots=True)
class SetStartingMap(Act):
    """The map starting position, set after the kingdoms have joined."""

    key: ClassVar[str] = "map_set"

    holders: Holders = field(default_factory=dict)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        effects: list[Effect] = []
        for key, holder in self.holders.items():
            require_kingdom(state, parse_territory(key).kingdom, "territory")
            require_kingdom(state, holder, "holder")
            if state.holders.get(key) != holder:
                effects.append({"do": "hold", "territory": key, "by": holder, "why": "standing"})
        return effects


@register_act
@dataclass(frozen=True, slots=True)
class SetKingdomStatus(Act):
    key: ClassVar[str] = "kingdom_status"

    kingdom: KingdomId
    to: str
    heirs: Holders = field(default_factory=dict)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        realm = require_kingdom(state, self.kingdom)
        if self.to not in STATUSES:
            raise Refusal(f"A kingdom can be {', '.join(STATUSES)}; not {self.to!r}.", field="to")
        if realm.status == self.to:
            raise Refusal(f"{realm.name} is already {self.to}.", field="to")
        if self.to != PLAYING and (battle := state.open_battle_of(realm.id)):
            raise Refusal(
                f"{realm.name} is in battle {battle.number}. Finish or call off that battle first.", status=409
            )
        effects: list[Effect] = []
        if self.to == GONE:
            effects += self._pass_on_land(state)
        return [*effects, {"do": "status", "kingdom": realm.id, "to": self.to}]

    def _pass_on_land(self, state: State) -> list[Effect]:
        """The players decide what becomes of a dissolved kingdom's gains; its own land leaves the map."""
        effects: list[Effect] = []
        for key, holder in state.holders.items():
            owner = parse_territory(key).kingdom
            if holder != self.kingdom or owner == self.kingdom:
                continue
            heir = self.heirs.get(key, owner)
            if heir == self.kingdom:
                raise Refusal(
                    "A dissolved kingdom keeps nothing. Choose who gets each territory it took.", field="heirs"
                )
            require_kingdom(state, heir, "heirs")
            effects.append({"do": "hold", "territory": key, "by": heir, "why": "dissolved"})
        return effects


@register_act
@dataclass(frozen=True, slots=True)
class SetRuler(Act):
    key: ClassVar[str] = "ruler_changed"

    kingdom: KingdomId
    person: PersonId | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        realm = require_kingdom(state, self.kingdom)
        if realm.ruler == self.person:
            raise Refusal(f"{realm.name} already has that ruler.", field="person")
        return [{"do": "ruler", "kingdom": realm.id, "person": self.person}]


@register_act
@dataclass(frozen=True, slots=True)
class NameRegent(Act):
    key: ClassVar[str] = "regent_named"
    by: ClassVar[str] = RULER

    kingdom: KingdomId
    person: PersonId | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        realm = require_kingdom(state, self.kingdom)
        if realm.regent == self.person:
            raise Refusal(f"{realm.name} already has that regent." if realm.regent else f"{realm.name} has no regent.")
        return [{"do": "regent", "kingdom": realm.id, "person": self.person}]


@dataclass(frozen=True, slots=True)
class HouseLooks:
    name: HouseName | None = None
    arms: ArmsJson | None = None


@register_act
@dataclass(frozen=True, slots=True)
class ChangeNamesAndArms(Act):
    key: ClassVar[str] = "kingdom_looks"
    by: ClassVar[str] = RULER

    kingdom: KingdomId
    name: KingdomName | None = None
    arms: ArmsJson | None = None
    places: PlaceNames = field(default_factory=dict)
    houses: Mapping[str, HouseLooks] = field(default_factory=dict)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        realm = require_kingdom(state, self.kingdom)
        for place in self.places:
            if place not in PLACE_KEYS:
                raise Refusal(f"{place!r} is not a place in a kingdom.", field="places")
        for number in self.houses:
            if number not in ("1", "2", "3", "4"):
                raise Refusal("The houses are 1, 2, 3 and 4.", field="houses")
        given = {"name": self.name, "arms": self.arms, "places": self.places, "houses": self.houses}
        changed: dict[str, Any] = {key: dataclass_json.write(value) for key, value in given.items() if value}
        if not changed:
            raise Refusal("Nothing was changed.")
        return [{"do": "looks", "kingdom": realm.id, **changed}]


# --- masters -------------------------------------------------------------------------------------------------------


@register_act
@dataclass(frozen=True, slots=True)
class ShareMaster(Act):
    key: ClassVar[str] = "master_shared"

    person: PersonId

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.person in state.masters:
            raise Refusal("They are already a game master.", field="person")
        return [{"do": "master", "person": self.person, "is": True}]


@register_act
@dataclass(frozen=True, slots=True)
class StepDownAsMaster(Act):
    key: ClassVar[str] = "master_left"

    person: PersonId
    to: PersonId | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.person not in state.masters:
            raise Refusal("They are not a game master.", field="person")
        if self.to == self.person or (len(state.masters) == 1 and self.to is None):
            raise Refusal("A campaign needs a game master. Choose who takes over.", field="to")
        effects: list[Effect] = []
        if self.to is not None and self.to not in state.masters:
            effects.append({"do": "master", "person": self.to, "is": True})
        return [*effects, {"do": "master", "person": self.person, "is": False}]


# --- house rules and terms --------------------------------------------------------------------------------------------


@register_act
@dataclass(frozen=True, slots=True)
class ChangeHouseRules(Act):
    key: ClassVar[str] = "house_rules"

    options: Mapping[str, str | int | bool | None] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        effects: list[Effect] = []
        for key, value in self.options.items():
            if key not in OPTION:
                raise Refusal(f"There is no house rule called {key!r}.", field="options")
            row = OPTION[key]
            read = row.read(value)
            if state.options.get(key, row.default) != read:
                effects.append({"do": "option", "key": key, "value": read, "book": row.default})
        for key, value in self.terms.items():
            if key in FREE_TERMS:
                require_text(value, "The text", most=RULES_TEXT_MOST, field=key, empty=True)
            elif key not in TERM:
                raise Refusal(f"There is no agreement called {key!r}.", field="terms")
            elif value not in TERM[key].values:
                raise Refusal(f"{key} can be {', '.join(TERM[key].values)}; not {value!r}.", field=key)
            if state.terms.get(key, TERM[key].default if key in TERM else "") != value:
                effects.append({"do": "term", "key": key, "value": value})
        if not effects:
            raise Refusal("Nothing was changed.")
        return effects


# --- seasons -------------------------------------------------------------------------------------------------------


@register_act
@dataclass(frozen=True, slots=True)
class OpenSeason(Act):
    key: ClassVar[str] = "season_opened"

    name: SeasonName
    new_war: bool = False

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.season_open:
            raise Refusal(f"Season {state.season} is still open. Close it first.", status=409)
        effects: list[Effect] = []
        if self.new_war:
            effects.append({"do": "war", "war": state.war + 1})
        return [*effects, {"do": "season", "open": True, "season": state.season + 1, "name": self.name}]


@register_act
@dataclass(frozen=True, slots=True)
class CloseSeason(Act):
    key: ClassVar[str] = "season_closed"

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if not state.season_open:
            raise Refusal("No season is open.", status=409)
        if state.battles:
            numbers = ", ".join(str(number) for number in state.battles)
            raise Refusal(
                f"Still open: battle {numbers}. Finish or call off each before you close the season.", status=409
            )
        return [{"do": "season", "open": False, "season": state.season, "name": state.season_name}]
