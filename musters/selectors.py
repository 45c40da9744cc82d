"""Armies that were mustered, for the apps above: which army stands for a kingdom in a battle."""

from __future__ import annotations

from typing import Any

from campaign.annals.state import Kingdom, State
from campaign.models import Campaign
from heraldry import Arms
from musters.models import Muster
from musters.rolls.plain import army_json, army_of, call_json, call_of
from musters.sheet import House, Roster, roster
from rulebook.army import Army

__all__ = ["armies_for", "army_for", "army_json", "army_of", "call_json", "call_of", "muster_for", "roster_for"]


def muster_for(campaign: Campaign, battle: int, kingdom: str) -> Muster | None:
    """The muster of one side of a battle, begun or taken."""
    return Muster.objects.filter(campaign=campaign, battle=battle, kingdom=kingdom).first()


def army_for(campaign: Campaign, battle: int, kingdom: str) -> Army | None:
    """The army that was written into the chronicle for this side, or None while there is none."""
    return armies_for(campaign, battle).get(kingdom)


def armies_for(campaign: Campaign, battle: int) -> dict[str, Army]:
    """Both sides' armies of a battle, as far as they stand, by kingdom: one query."""
    rows = Muster.objects.filter(campaign=campaign, battle=battle).taken().values_list("kingdom", "army")
    return {kingdom: army_of(kept) for kingdom, kept in rows}


def roster_for(army: Army, state: State, kingdom: str, *, under: str = "", **more: Any) -> Roster:
    """The roster of a kingdom's army with the names and arms of today."""
    realm = state.kingdoms.get(kingdom)
    if realm is None:
        return roster(army, under=under, **more)
    more.setdefault("options", state.rules())
    return roster(
        army,
        title=realm.name,
        under=under,
        arms=Arms.from_dict(realm.arms),
        houses=houses_of(realm),
        king=f"King of {realm.name}",
        **more,
    )


def houses_of(realm: Kingdom) -> list[House]:
    return [House(house.name, Arms.from_dict(house.arms)) for house in realm.houses]
