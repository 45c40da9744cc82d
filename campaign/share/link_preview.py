"""What a messenger is told of a campaign's pages."""

from __future__ import annotations

from django.urls import reverse

from campaign.models import Campaign
from pages.share import Shared, shared


def of_campaign(campaign: Campaign, words: str, *, title: str = "", path: str = "") -> Shared | None:
    """Only what everybody with the link may see tells a messenger about itself."""
    if campaign.visibility != Campaign.Visibility.PUBLIC:
        return None
    card = f"{reverse('campaign:card', args=[campaign.code])}?v={campaign.log.version}"
    address = path or campaign.get_absolute_url()
    return shared(title or campaign.name, words, address, card, f"Map and standings of {campaign.name}")
