"""Start in mid-war: loyalty, VP, houses, map and season when the chronicle began, in one entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from campaign.chronicle.acts.administration import STANDING, SeasonName, StartingScores
from campaign.chronicle.acts.registry import Act, register_act, require_kingdom, require_whole_number
from campaign.chronicle.effects import Effect, FealtyChanged, LoyaltyChanged, SeasonTurned, TerritoryTaken, VpChanged
from campaign.chronicle.fields import Holders
from campaign.chronicle.state import State
from dataclass_json import stored_as
from refusal import Refusal
from rulebook.campaign.campaign_map import CampaignMap, parse_territory
from rulebook.data.house_rules import Options

MAX_LOYALTY, MAX_VP, MAX_SEASON = 99, 999, 999


@dataclass(frozen=True, slots=True)
class StartingSeason:
    number: int
    name: SeasonName


@register_act("standing")
class SetStartingPosition(Act):
    """Written before the first battle; until then it can be corrected as often as needed."""

    kingdoms_at_start: Mapping[str, StartingScores] = field(metadata=stored_as("kingdoms"), default_factory=dict)
    holders: Holders = field(default_factory=dict)
    season: StartingSeason | None = None

    def decide(self, state: State, rules: Options) -> list[Effect]:
        if state.battle_count:
            raise Refusal("The chronicle already has battles. Enter differences as an agreed change.", status=409)
        effects: list[Effect] = []
        for key, given in self.kingdoms_at_start.items():
            effects += _score_effects(state, require_kingdom(state, key).id, given, rules)
        effects += _map_effects(state, self.holders, rules)
        if self.season:
            effects += _season_effects(state, self.season)
        if not effects:
            raise Refusal("Nothing was changed.")
        return effects


def _score_effects(state: State, key: str, given: StartingScores, options: Options) -> list[Effect]:
    kingdom = state.kingdoms[key]
    effects: list[Effect] = []
    most = MAX_LOYALTY if options.loyalty_cap is None else options.loyalty_cap
    what, field = f"Loyalty of {kingdom.name}", f"{key}-loyalty"
    loyalty = require_whole_number(given.loyalty, what, least=-most, most=most, field=field)
    if loyalty != kingdom.loyalty:
        effects.append(LoyaltyChanged(key, loyalty - kingdom.loyalty, STANDING))
    vp = require_whole_number(given.vp, f"VP of {kingdom.name}", least=0, most=MAX_VP, field=f"{key}-vp")
    if vp != kingdom.vp:
        effects.append(VpChanged(key, vp - kingdom.vp, STANDING))
    for number in given.lost:
        require_whole_number(number, "The number of the house", least=1, most=4, field=f"{key}-lost")
    for number, house in enumerate(kingdom.houses, 1):
        if house.lost != (number in given.lost):
            effects.append(FealtyChanged(key, number, number in given.lost, STANDING))
    return effects


def _map_effects(state: State, holders: Mapping[str, str], options: Options) -> list[Effect]:
    effects: list[Effect] = []
    campaign_map = state.campaign_map()
    for key, holder in holders.items():
        require_kingdom(state, parse_territory(key).kingdom, "territory")
        require_kingdom(state, holder, "holder")
        campaign_map = campaign_map.with_holder(key, holder)
        if state.holders.get(key) != holder:
            effects.append(TerritoryTaken(key, holder, why=STANDING))
    if sentence := explain_impossible_map(state, campaign_map, options):
        raise Refusal(sentence, field="map")
    return effects


def _season_effects(state: State, given: StartingSeason) -> list[Effect]:
    require_whole_number(given.number, "The number of the season", least=1, most=MAX_SEASON, field="season")
    if (state.season_open, state.season, state.season_name) == (True, given.number, given.name):
        return []
    return [SeasonTurned(True, given.number, given.name)]


def explain_impossible_map(state: State, campaign_map: CampaignMap, options: Options) -> str:
    """Why no war can lead to this map, or an empty string. (MAP-01, MAP-04, MAP-08, MAP-09, R-71, R-72)"""
    for key in campaign_map.kingdoms:
        name, held = state.kingdoms[key].name, campaign_map.map_of(key)
        place = {part: state.place_name(f"{key}.{part}") for part in held}
        own = [state.place_name(held_key) for held_key in campaign_map.holdings(key)]
        borders = [part for part in ("border_1", "border_2") if held[part] == key]
        if held["castle"] != key:
            if held["lands"] == key or own:
                problem = f"{name} has lost its castle but still holds {own[0]}."
                return f"{problem} A King without a castle is out and holds nothing."
            if held["lands"] != held["castle"] and not options.third_party_attacks:
                taker = state.kingdoms[held["castle"]].name
                problem = f"{taker} holds {place['castle']} but not {place['lands']} around it."
                return f"{problem} Only the holder of the lands can take a castle."
        # Whoever took another castle may have had a borderland of his own back with it.
        took = any(campaign_map.holder(f"{other}.castle") == key for other in campaign_map.kingdoms if other != key)
        if held["lands"] != key and borders and not took:
            problem = f"{place['lands']} is lost while {name} still holds {place[borders[0]]}."
            return f"{problem} The lands fall only after both borderlands."
        taker = held["lands"]
        if taker != key and taker not in (held["border_1"], held["border_2"]) and not options.third_party_attacks:
            problem = f"{state.kingdoms[taker].name} holds {place['lands']} but no borderland of {name}."
            return f"{problem} You can take the lands only from a borderland you hold."
    for key in campaign_map.kingdoms:
        castles = sum(campaign_map.holder(f"{other}.castle") == key for other in campaign_map.kingdoms)
        if castles >= options.kingdoms_to_hold:
            return f"{state.kingdoms[key].name} holds {castles} castles. By your house rules that wins the war."
    return ""
