"""Link previews of a campaign's pages."""

from __future__ import annotations

from django.urls import reverse

from campaign.models import Campaign
from pages.site_address_for_guests import LinkPreview, make_link_preview


def campaign_link_preview(campaign: Campaign, words: str, *, title: str = "", path: str = "") -> LinkPreview | None:
    """Only public campaigns have one."""
    if campaign.visibility != Campaign.Visibility.PUBLIC:
        return None
    card = f"{reverse('campaign:share_picture', args=[campaign.code])}?v={campaign.log.version}"
    address = path or campaign.get_absolute_url()
    return make_link_preview(title or campaign.name, words, address, card, f"Map and standings of {campaign.name}")
