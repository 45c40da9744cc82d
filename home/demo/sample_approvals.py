"""Sample approval: Tam's correction waits for Wren, whose kingdom it affects."""

from __future__ import annotations

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.chronicle.acts.administration import ChangeHouseRules
from campaign.models import Campaign
from log import services as log_services
from people.requester import Who


def add_approvals(campaign: Campaign, people: dict[str, Who]) -> None:
    master, tam = people["Wren"], people["Tam"]
    if log_services.find_answer(campaign.log_id, who=tam.ref, key="demo-asks") is not None:
        return
    campaign_services.write(campaign, master, ChangeHouseRules(terms={"correct": "touched"}), key="demo-terms")
    fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
    entries = campaign_selectors.entries_of(fresh)
    drawn = next(entry for entry in entries if entry.act == "result" and entry.body["outcome"] == "draw")
    body = {**drawn.body, "outcome": "defender"}
    approvals_services.submit_correction(
        fresh,
        tam,
        key="demo-asks",
        kind="amend",
        target=drawn.number,
        body=body,
        digest=campaign_services.preview_correction(entries, "amend", drawn.number, body).digest,
        why="The last of your archers fled before the light went. We held the Levels.",
    )
