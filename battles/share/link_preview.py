"""What a picture shows of a battle, and what a messenger is told of its page."""

from __future__ import annotations

from django.urls import reverse

from battles.models import Battle
from battles.picture import BattleCard, CardSide
from battles.sheet import BattleSheet, SideResult
from campaign.models import Campaign
from pages.share import Shared, shared


def card_of(sheet: BattleSheet) -> BattleCard:
    scenario = sheet.scenario.name if sheet.scenario else ""
    campaign = f"{sheet.campaign_name}, battle {sheet.number}" if sheet.number else ""
    sides = tuple(CardSide(s.row.name, s.row.arms, s.result == "won", _figures(s)) for s in sheet.sides)
    ending = sheet.story[-2:] if len(sheet.story) > 1 else ()
    sentences = tuple(sentence for paragraph in ending for sentence in paragraph)[:1]
    return BattleCard(sheet.heading, ", ".join(filter(None, (campaign, scenario))), sheet.lead, sides, sentences)


def _figures(side: SideResult) -> str:
    said = []
    if side.vp is not None:
        said.append(f"{side.vp} VP")
    if side.removed is not None and side.fielded:
        said.append(f"{side.removed} of {side.fielded} units removed")
    return ", ".join(said)


def shared_of(battle: Battle, sheet: BattleSheet) -> Shared | None:
    """Only what everybody with the link may see tells a messenger about itself."""
    if battle.campaign is None or battle.campaign.visibility != Campaign.Visibility.PUBLIC:
        return None
    picture = f"{reverse('battles:share', args=[battle.code])}?v={battle.log.version}.{battle.chronicle_version}"
    return shared(sheet.heading, sheet.lead, battle.get_absolute_url(), picture, f"{sheet.heading}: {sheet.lead}")
