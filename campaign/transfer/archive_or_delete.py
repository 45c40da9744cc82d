"""Putting a campaign into the archive, taking it out again, and deleting it for good."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from campaign.invitations import KIND
from campaign.models import Campaign
from log import door
from log.models import Log
from people.models import Pass
from refusal import Refusal


def put_in(campaign: Campaign) -> None:
    """It can be read as before; nothing more is written in it."""
    with transaction.atomic():
        door.stir(campaign.log_id)  # waits for whoever writes just now; what they had read of the campaign is old then
        Campaign.objects.filter(pk=campaign.pk, archived_at=None).update(archived_at=timezone.now())


def take_out(campaign: Campaign) -> None:
    with transaction.atomic():
        door.stir(campaign.log_id)
        Campaign.objects.filter(pk=campaign.pk).update(archived_at=None)


def delete(campaign: Campaign, *, typed: str, exported: bool) -> None:
    """Gone with its chronicle. Only from the archive, after its file was taken, and by its name."""
    if not campaign.archived_at:
        raise Refusal("Put the campaign into the archive first, so that nobody writes in it meanwhile.", status=409)
    if not exported:
        raise Refusal("Take the campaign's file first. It is all that will be left.", status=409)
    if " ".join(typed.split()).casefold() != campaign.name.casefold():
        raise Refusal("That is not the name of the campaign.", field="name")
    with transaction.atomic():
        Pass.objects.filter(kind=KIND, target=campaign.pk).delete()
        campaign.delete()
        # The campaign points at its log, so the log goes second; its entries and receipts go with it.
        Log.objects.filter(pk=campaign.log_id).delete()
