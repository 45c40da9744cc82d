"""Acts that run the campaign: founding, kingdoms coming and going, rulers, masters, house rules, seasons, notes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, get_args

from campaign.chronicle.acts.registry import (
    MEMBER,
    RULER,
    Act,
    register_act,
    require_kingdom,
    require_text,
    require_whole_number,
)
from campaign.chronicle.effects import (
    MAX_RULES_TEXT,
    CampaignNamed,
    Effect,
    FealtyChanged,
    HouseRuleChanged,
    KingdomJoined,
    LooksChanged,
    LoyaltyChanged,
    MasterChanged,
    RegentChanged,
    RulerChanged,
    SeasonTurned,
    StatusChanged,
    TermChanged,
    TerritoryTaken,
    VpChanged,
    WarStarted,
)
from campaign.chronicle.fields import (
    MAX_NAME,
    ArmsJson,
    BattleNumber,
    Holders,
    HouseLooks,
    KingdomId,
    NewHouse,
    PersonId,
    PlaceNames,
)
from campaign.chronicle.state import FREE_TERMS, GONE, PLACE_KEYS, PLAYING, TERM, State
from dataclass_json import Shape, Text, stored_as
from look_alikes import look_alike_refusal, require_plain_names, shape_of
from refusal import Refusal
from rulebook.campaign.campaign_map import MAX_KINGDOMS, parse_territory
from rulebook.data.house_rules import OPTION, Options

MAX_NOTE = 2000
STANDING = "standing"  # why: as it was when the chronicle began

OptionValue = str | int | bool | None
HouseKey = Literal["1", "2", "3", "4"]
HOUSE_NUMBERS: tuple[HouseKey, ...] = get_args(HouseKey)

CampaignName = Annotated[str, Text("The name of the campaign", MAX_NAME)]
KingdomName = Annotated[str, Text("The name of the kingdom", MAX_NAME)]
SeasonName = Annotated[str, Text("The name of the season", MAX_NAME)]


@register_act("founded")
class FoundCampaign(Act):
    name: CampaignName
    master: PersonId
    season: Annotated[str, Text("The name of the season", MAX_NAME, empty=True)] = ""  # empty in older chronicles

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.masters:
            raise Refusal("The campaign is already founded.", status=409)
        season = [SeasonTurned(True, 1, self.season)] if self.season else []
        return [CampaignNamed(self.name), MasterChanged(self.master, True), *season]


@register_act("renamed")
class RenameCampaign(Act):
    to: CampaignName
    was: Annotated[str, Text("The old name", MAX_NAME, empty=True)] = field(metadata=stored_as("from"), default="")

    def numbered(self, state: State, entry: int) -> "RenameCampaign":
        return replace(self, was=self.was or state.name)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.to == state.name:
            raise Refusal("The campaign already has that name.", field="name")
        return [CampaignNamed(self.to)]


@register_act("note", by=MEMBER)
class AddNote(Act):
    text: Annotated[str, Text("The note", MAX_NOTE)]
    battle: BattleNumber = 0  # the battle it tells of; 0: none

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.battle > state.battle_count:
            raise Refusal(f"There is no battle {self.battle} in this campaign.", field="battle")
        return []


@register_act("joined", by=MEMBER)
class JoinCampaign(Act):
    def decide(self, state: State, rules: Options) -> list[Effect]:
        return []


@dataclass(frozen=True, slots=True)
class StartingScores:
    """For groups in mid-war: what a kingdom had when the chronicle began."""

    loyalty: int = 0
    vp: int = 0
    lost: tuple[int, ...] = ()


@register_act("kingdom_joins")
class AddKingdom(Act):
    given_numbers: ClassVar[tuple[str, ...]] = ("kingdom",)

    name: KingdomName
    arms: ArmsJson
    houses: tuple[NewHouse, ...]
    places: PlaceNames
    ruler: PersonId | None = None
    standing: StartingScores = StartingScores()
    kingdom: KingdomId | None = None

    def numbered(self, state: State, entry: int) -> "AddKingdom":
        return replace(self, kingdom=f"k{state.kingdom_count + 1}")

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.kingdom is None or self.kingdom in state.kingdoms:
            raise Refusal("This kingdom has already joined.", field="kingdom")
        if len(state.in_play()) >= MAX_KINGDOMS:
            raise Refusal(f"A campaign has at most {MAX_KINGDOMS} kingdoms.")
        _check_kingdom_name(self.name, state, besides=self.kingdom)
        require_plain_names([*self.places.values(), *(house.name for house in self.houses)])
        if len(self.houses) != 4:
            raise Refusal("A kingdom has four noble houses.", field="houses")
        if set(self.places) != set(PLACE_KEYS):
            raise Refusal("A kingdom has a castle, lands and two borderlands, each with a name.", field="places")
        one, two, three, four = self.houses
        joined = KingdomJoined(self.kingdom, self.name, self.arms, (one, two, three, four), self.places, self.ruler)
        return [joined, *_starting_scores(self.standing, self.kingdom)]


def _check_kingdom_name(name: str, state: State, *, besides: str) -> None:
    require_plain_names([name])
    others = [other.name for other in state.in_play() if other.id != besides]
    if name.casefold() in (other.casefold() for other in others):
        raise Refusal(f"There is already a kingdom called {name}.", field="name")
    if shape_of(name).casefold() in (shape_of(other).casefold() for other in others):
        raise look_alike_refusal(name)


def _starting_scores(begin: StartingScores, key: str) -> list[Effect]:
    effects: list[Effect] = []
    if require_whole_number(begin.loyalty, "Loyalty", least=-99, most=99, field="loyalty"):
        effects.append(LoyaltyChanged(key, begin.loyalty, STANDING))
    if require_whole_number(begin.vp, "VP", least=0, most=999, field="vp"):
        effects.append(VpChanged(key, begin.vp, STANDING))
    for number in begin.lost:
        require_whole_number(number, "The number of the house", least=1, most=4, field="houses")
        effects.append(FealtyChanged(key, number, True, STANDING))
    return effects


@register_act("map_set")
class SetStartingMap(Act):
    """The map starting position, set after the kingdoms have joined."""

    holders: Holders = field(default_factory=dict)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        effects: list[Effect] = []
        for key, holder in self.holders.items():
            require_kingdom(state, parse_territory(key).kingdom, "territory")
            require_kingdom(state, holder, "holder")
            if state.holders.get(key) != holder:
                effects.append(TerritoryTaken(key, holder, why=STANDING))
        return effects


@register_act("kingdom_status")
class SetKingdomStatus(Act):
    kingdom: KingdomId
    to: Literal["playing", "frozen", "solo", "gone"]
    heirs: Holders = field(default_factory=dict)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        kingdom = require_kingdom(state, self.kingdom)
        if kingdom.status == self.to:
            raise Refusal(f"{kingdom.name} is already {self.to}.", field="to")
        if self.to != PLAYING and (battle := state.open_battle_of(kingdom.id)):
            sentence = f"{kingdom.name} is in battle {battle.number}. Finish or call off that battle first."
            raise Refusal(sentence, status=409)
        passed_on = self._pass_on_land(state) if self.to == GONE else []
        return [*passed_on, StatusChanged(kingdom.id, self.to)]

    def _pass_on_land(self, state: State) -> list[Effect]:
        """The players decide what becomes of a dissolved kingdom's gains; its own land leaves the map."""
        effects: list[Effect] = []
        for key, holder in state.holders.items():
            owner = parse_territory(key).kingdom
            if holder != self.kingdom or owner == self.kingdom:
                continue
            heir = self.heirs.get(key, owner)
            if heir == self.kingdom:
                sentence = "A dissolved kingdom keeps nothing. Choose who gets each territory it took."
                raise Refusal(sentence, field="heirs")
            require_kingdom(state, heir, "heirs")
            effects.append(TerritoryTaken(key, heir, why="dissolved"))
        return effects


@register_act("ruler_changed")
class SetRuler(Act):
    kingdom: KingdomId
    person: PersonId | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        kingdom = require_kingdom(state, self.kingdom)
        if kingdom.ruler == self.person:
            raise Refusal(f"{kingdom.name} already has that ruler.", field="person")
        return [RulerChanged(kingdom.id, self.person)]


@register_act("throne_taken", by=MEMBER)
class TakeThrone(Act):
    """A member without a kingdom takes one that has no ruler. The service makes sure that ``person`` is the actor."""

    kingdom: KingdomId
    person: PersonId

    def decide(self, state: State, rules: Options) -> list[Effect]:
        kingdom = require_kingdom(state, self.kingdom)
        if kingdom.ruler is not None or kingdom.status != PLAYING:
            raise Refusal(f"{kingdom.name} is not free any more. Ask the game master for a kingdom.", status=409)
        if ruled := state.ruled_by({self.person}):
            raise Refusal(f"You already rule {ruled[0].name}. Ask the game master to change rulers.", status=409)
        return [RulerChanged(kingdom.id, self.person)]


@register_act("regent_named", by=RULER)
class NameRegent(Act):
    kingdom: KingdomId
    person: PersonId | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        kingdom = require_kingdom(state, self.kingdom)
        if kingdom.regent == self.person:
            raise Refusal(f"{kingdom.name} {'already has that' if kingdom.regent else 'has no'} regent.")
        return [RegentChanged(kingdom.id, self.person)]


@register_act("kingdom_looks", by=RULER)
class ChangeNamesAndArms(Act):
    kingdom: KingdomId
    name: KingdomName | None = None
    arms: ArmsJson | None = None
    places: PlaceNames = field(default_factory=dict)
    houses: Mapping[HouseKey, HouseLooks] = field(default_factory=dict)

    def decide(self, state: State, rules: Options) -> list[Effect]:
        kingdom = require_kingdom(state, self.kingdom)
        if not (self.name or self.arms or self.places or self.houses):
            raise Refusal("Nothing was changed.")
        if self.name and self.name != kingdom.name:
            _check_kingdom_name(self.name, state, besides=kingdom.id)
        require_plain_names([*self.places.values(), *(house.name for house in self.houses.values() if house.name)])
        return [LooksChanged(kingdom.id, self.name, self.arms, self.places, self.houses)]


@register_act("master_shared")
class ShareMaster(Act):
    person: PersonId

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.person in state.masters:
            raise Refusal("They are already a game master.", field="person")
        return [MasterChanged(self.person, True)]


@register_act("master_left")
class StepDownAsMaster(Act):
    person: PersonId
    to: PersonId | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if self.person not in state.masters:
            raise Refusal("They are not a game master.", field="person")
        if self.to == self.person or (len(state.masters) == 1 and self.to is None):
            raise Refusal("A campaign needs a game master. Choose who takes over.", field="to")
        heir: list[Effect] = [MasterChanged(self.to, True)] if self.to and self.to not in state.masters else []
        return [*heir, MasterChanged(self.person, False)]


@register_act("house_rules")
class ChangeHouseRules(Act):
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    terms: Mapping[str, Annotated[str, Shape({"type": "string", "maxLength": MAX_RULES_TEXT})]] = field(
        default_factory=dict
    )

    def decide(self, state: State, rules: Options) -> list[Effect]:
        effects: list[Effect] = []
        for key, value in self.options.items():
            if key not in OPTION:
                raise Refusal(f"There is no house rule called {key!r}.", field="options")
            row = OPTION[key]
            read = row.read(value)
            if state.options.get(key, row.default) != read:
                effects.append(HouseRuleChanged(key, read, row.default))
        for key, value in self.terms.items():
            if key in FREE_TERMS:
                require_text(value, "The text", most=MAX_RULES_TEXT, field=key, empty=True)
            elif key not in TERM:
                raise Refusal(f"There is no agreement called {key!r}.", field="terms")
            elif value not in TERM[key].values:
                raise Refusal(f"{key} can be {', '.join(TERM[key].values)}; not {value!r}.", field=key)
            if state.terms.get(key, TERM[key].default if key in TERM else "") != value:
                effects.append(TermChanged(key, value))
        if not effects:
            raise Refusal("Nothing was changed.")
        return effects


@register_act("season_opened")
class OpenSeason(Act):
    name: SeasonName
    new_war: bool = False

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.season_open:
            raise Refusal(f"Season {state.season} is still open. Close it first.", status=409)
        war: list[Effect] = [WarStarted(state.war + 1)] if self.new_war else []
        return [*war, SeasonTurned(True, state.season + 1, self.name)]


@register_act("season_closed")
class CloseSeason(Act):
    def decide(self, state: State, rules: Options) -> list[Effect]:
        if not state.season_open:
            raise Refusal("No season is open.", status=409)
        if state.battles:
            numbers = ", ".join(map(str, state.battles))
            sentence = f"Still open: battle {numbers}. Finish or call off each before you close the season."
            raise Refusal(sentence, status=409)
        return [SeasonTurned(False, state.season, state.season_name)]
