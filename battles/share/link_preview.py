"""What a battle's share picture and its link preview show."""

from __future__ import annotations

from django.urls import reverse

from battles.display import BattleDisplay, SideResult
from battles.models import Battle
from battles.share.picture import BattleCard, CardSide
from campaign.models import Campaign
from pages.site_address_for_guests import LinkPreview, make_link_preview


def card_of(display: BattleDisplay) -> BattleCard:
    scenario = display.scenario.name if display.scenario else ""
    campaign = f"{display.campaign_name}, battle {display.number}" if display.number else ""
    sides = tuple(CardSide(s.row.name, s.row.arms, s.result == "won", _figures(s)) for s in display.sides)
    ending = display.story[-2:] if len(display.story) > 1 else ()
    sentences = tuple(sentence for paragraph in ending for sentence in paragraph)[:1]
    return BattleCard(display.heading, ", ".join(filter(None, (campaign, scenario))), display.lead, sides, sentences)


def _figures(side: SideResult) -> str:
    figures = []
    if side.vp is not None:
        figures.append(f"{side.vp} VP")
    if side.removed is not None and side.fielded:
        figures.append(f"{side.removed} of {side.fielded} units removed")
    return ", ".join(figures)


def link_preview_of(battle: Battle, display: BattleDisplay) -> LinkPreview | None:
    """Only battles of public campaigns have a link preview."""
    if battle.campaign is None or battle.campaign.visibility != Campaign.Visibility.PUBLIC:
        return None
    picture = f"{reverse('battles:share', args=[battle.code])}?v={battle.log.version}.{battle.campaign.log.version}"
    return make_link_preview(
        display.heading, display.lead, battle.get_absolute_url(), picture, f"{display.heading}: {display.lead}"
    )
