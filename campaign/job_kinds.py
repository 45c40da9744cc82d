"""What a campaign leaves to a job or to the clock."""

from __future__ import annotations

from campaign import arriving, petitions
from jobs import clock
from jobs.kinds import Kind, register
from jobs.models import Due


def put_away(due: Due) -> None:
    arriving.put_away_old()


register(Kind(arriving.LOOK, "Looking through a campaign's file", work="campaign.arriving:look_through", seconds=600))
clock.rings(arriving.WAITING, put_away)
clock.rings(petitions.STANDS, petitions.stand)
