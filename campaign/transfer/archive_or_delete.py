"""Archive a campaign, take it out again, or delete it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from campaign.invitations.services import KIND
from campaign.models import Campaign
from log import services as log_services
from log.models import Log
from people.models import Pass
from refusal import Refusal


def set_archived(campaign: Campaign, archived: bool) -> None:
    archive_campaign(campaign) if archived else unarchive_campaign(campaign)


def archive_campaign(campaign: Campaign) -> None:
    """Make it read-only."""
    with transaction.atomic():
        log_services.bump_versions(campaign.log_id)  # waits for writes in progress
        Campaign.objects.filter(pk=campaign.pk, archived_at=None).update(archived_at=timezone.now())


def unarchive_campaign(campaign: Campaign) -> None:
    with transaction.atomic():
        log_services.bump_versions(campaign.log_id)
        Campaign.objects.filter(pk=campaign.pk).update(archived_at=None)


def delete_campaign(campaign: Campaign, *, typed: str, exported: bool) -> None:
    """Delete it with its chronicle: only if archived, exported, and its name is typed."""
    if not campaign.archived_at:
        raise Refusal("Archive the campaign first, so that nobody adds to it.", status=409)
    if not exported:
        raise Refusal("Download the campaign's file first. It is all that will be left.", status=409)
    if " ".join(typed.split()).casefold() != campaign.name.casefold():
        raise Refusal("That is not the name of the campaign.", field="name")
    with transaction.atomic():
        Pass.objects.filter(kind=KIND, target=campaign.pk).delete()
        campaign.delete()
        # The campaign points at its log, so the log goes second; its entries and receipts go with it.
        Log.objects.filter(pk=campaign.log_id).delete()
