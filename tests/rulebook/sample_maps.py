"""Maps for the tests of kingdoms, targets and conquest: small ones made by hand, and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from rulebook.campaign.attack_targets import can_attack, list_legal_targets
from rulebook.campaign.campaign_map import CampaignMap
from rulebook.campaign.conquest import battle_consequences
from rulebook.data.house_rules import Options

TWO = CampaignMap.start(["oak", "fen"])
THREE = CampaignMap.start(["oak", "fen", "moor"])
ONGOING = Options(kingdoms_to_hold=100)
RIVALS = Options(third_party_attacks=True)


def held(campaign_map: CampaignMap, **taken: str) -> CampaignMap:
    """``fen_border_1="oak"``: a map with these territories in other hands."""
    for key, who in taken.items():
        kingdom, _, place = key.partition("_")
        campaign_map = campaign_map.with_holder(f"{kingdom}.{place}", who)
    return campaign_map


@st.composite
def any_map(draw: st.DrawFn) -> CampaignMap:
    """Random holders: maps that no battle leads to must work too."""
    names = [f"k{i}" for i in range(draw(st.integers(2, 5)))]
    who = st.sampled_from(names)
    return CampaignMap(tuple(names), tuple(tuple(draw(who) for _ in range(4)) for _ in names))  # type: ignore[misc]


@st.composite
def played_map(draw: st.DrawFn) -> CampaignMap:
    """A map after some battles, each for a legal target."""
    campaign_map = CampaignMap.start(f"k{i}" for i in range(draw(st.integers(2, 5))))
    options = draw(st.sampled_from([ONGOING, Options(kingdoms_to_hold=100, third_party_attacks=True)]))
    for _ in range(draw(st.integers(0, 25))):
        able = [king for king in campaign_map.living if can_attack(campaign_map, king, options)]
        if not able:
            break
        attacker = draw(st.sampled_from(able))
        chosen = draw(st.sampled_from(list_legal_targets(campaign_map, attacker, options)))
        campaign_map = battle_consequences(campaign_map, attacker, chosen.territory, "attacker", options).campaign_map
    return campaign_map
