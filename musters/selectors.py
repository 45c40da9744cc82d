"""Finished armies, for other apps: which army a kingdom has in a battle."""

from __future__ import annotations

from typing import Any

from campaign.chronicle.state import Kingdom, State
from campaign.models import Campaign
from heraldry import Arms
from musters.core.army_json import army_from_json
from musters.display import House, Roster, build_roster
from musters.models import Muster
from rulebook.muster.army import Army


def muster_for(campaign: Campaign, battle: int, kingdom: str) -> Muster | None:
    """The muster of one side of a battle, finished or not."""
    return Muster.objects.filter(campaign=campaign, battle=battle, kingdom=kingdom).first()


def armies_for(campaign: Campaign, battle: int) -> dict[str, Army]:
    """The finished armies of a battle by kingdom: one query."""
    rows = Muster.objects.filter(campaign=campaign, battle=battle).taken().values_list("kingdom", "army")
    return {kingdom: army_from_json(kept) for kingdom, kept in rows}


def roster_for(army: Army, state: State, kingdom: str, *, under: str = "", **more: Any) -> Roster:
    """The roster of a kingdom's army with its current names and arms."""
    this_kingdom = state.kingdoms.get(kingdom)
    if this_kingdom is None:
        return build_roster(army, under=under, **more)
    more.setdefault("options", state.rules())
    return build_roster(
        army,
        title=this_kingdom.name,
        under=under,
        arms=Arms.from_dict(this_kingdom.arms),
        houses=houses_of(this_kingdom),
        king=f"King of {this_kingdom.name}",
        **more,
    )


def houses_of(kingdom: Kingdom) -> list[House]:
    return [House(house.name, Arms.from_dict(house.arms)) for house in kingdom.houses]
