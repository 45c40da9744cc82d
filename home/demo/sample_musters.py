"""Musters of the demo world: one written into the chronicle, one half done, typed in through the same door as at a table."""

from __future__ import annotations

from campaign.models import Campaign
from musters import door, may, paying
from musters.models import Muster
from people.who import Who

# What fell on the dice, in the order asked; every unit is taken as it came.
OAKHOLD = (9, 10, 5, 8, 9, 10, 3, 10, 4, 6, 6, 9, 5, 5)
THISTLEDOWN = (4, 7, 8, 2)


def fill(campaign: Campaign, people: dict[str, Who]) -> None:
    """For the battle that is open now: Oakhold stands, Thistledown has got as far as its second house."""
    state = may.state_of(_fresh(campaign))
    fought = (b.number for b in state.battles.values() if {b.attacker, b.defender} == {"k1", "k3"})
    battle = next(fought, None)
    if battle is None:
        return
    oak = door.begin(people["Wren"], _fresh(campaign), battle, "k1")
    if oak.entry is None:
        _type(oak, people["Wren"], OAKHOLD)
        oak = may.found(people["Wren"], oak.code)
        if door.course_of(oak.log_id).muster().army is not None:
            paying.take(oak, people["Wren"], key="demo-muster-taken")
    teasel = door.begin(people["Oda"], _fresh(campaign), battle, "k3")
    if teasel.log.length == 1:
        _type(teasel, people["Oda"], THISTLEDOWN)


def _fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("log", "snapshot").get(pk=campaign.pk)


def _type(muster: Muster, who: Who, faces: tuple[int, ...]) -> None:
    """Answer as far as these dice go. Each answer has a key of its own, so a second run doubles nothing."""
    left = list(faces)
    muster = may.found(who, muster.code)
    while (now := door.course_of(muster.log_id).muster()).question is not None:
        question = now.question
        if question.die and not left:
            return
        value = left.pop(0) if question.die else question.default
        door.step(muster, who, key=f"demo-muster-{question.number:03d}", question=door.token(now), value=value)
