"""In the demo anyone may ask for a correction: Tam's waits for Wren, whose kingdom it touches."""

from __future__ import annotations

from campaign import door, petitions, reading
from campaign.models import Campaign
from log import door as log_door
from people.who import Who


def fill(campaign: Campaign, people: dict[str, Who]) -> None:
    master, tam = people["Wren"], people["Tam"]
    if log_door.answered(campaign.log_id, who=tam.ref, key="demo-asks") is not None:
        return
    door.do(campaign, master, key="demo-terms", act="house_rules", body={"terms": {"correct": "touched"}})
    fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
    lines = reading.lines_of(fresh)
    drawn = next(line for line in lines if line.act == "result" and line.body["outcome"] == "draw")
    body = {**drawn.body, "outcome": "defender"}
    petitions.lay_correction(
        fresh,
        tam,
        key="demo-asks",
        kind="amend",
        target=drawn.number,
        body=body,
        digest=door.preview(lines, "amend", drawn.number, body).digest,
        why="The last of your archers fled before the light went. We held the Levels.",
    )
