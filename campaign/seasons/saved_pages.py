"""Save the page of a season when it closes."""

from __future__ import annotations

from collections.abc import Sequence

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.seasons import story
from campaign.chronicle.seasons.season_records import (
    find_season_as_closed,
)
from campaign.models import Campaign, SeasonPage


def register() -> None:
    campaign_services.register_follow_up(
        "season_closed", lambda written: save_season_page(written.campaign, written.entry.number)
    )


def save_season_page(campaign: Campaign, entry: int, entries: Sequence[ChronicleEntry] | None = None) -> None:
    """Save the page of the season that this entry closed."""
    record = find_season_as_closed(campaign_selectors.entries_of(campaign) if entries is None else entries, entry)
    if record is not None:
        defaults = {"season": record.number, "content": story.build_season_page(record)}
        SeasonPage.objects.get_or_create(campaign=campaign, entry=entry, defaults=defaults)
