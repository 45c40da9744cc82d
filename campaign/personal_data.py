"""What campaigns add to the file of somebody's own data."""

from __future__ import annotations

from campaign.models import Approval
from people import privacy


def register() -> None:
    privacy.register_part("petitions", reports_and_votes_of)


def reports_and_votes_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    """What somebody reported and answered."""
    found = []
    for row in Approval.objects.filter(campaign__members__person__in=ids).select_related("campaign").distinct():
        versions = [one for one in row.versions if one["person"] in ids]
        votes = {key: vote for key, vote in row.votes.items() if vote["person"] in ids}
        if versions or votes:
            about = {"campaign": row.campaign.code, "about": row.subject, "stage": row.stage, "entry": row.entry}
            found.append(about | {"said": versions, "answered": votes})
    return found
