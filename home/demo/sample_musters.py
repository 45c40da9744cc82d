"""Sample musters: one in the chronicle and one half done."""

from __future__ import annotations

from campaign.models import Campaign
from musters import permissions as musters_permissions
from musters import services as musters_services
from musters import vp_payments
from musters.models import Muster
from people.requester import Who

# The rolls, in the order of the questions.
OAKHOLD = (9, 10, 5, 8, 9, 10, 3, 10, 4, 6, 6, 9, 5, 5)
THISTLEDOWN = (4, 7, 8, 2)


def add_musters(campaign: Campaign, people: dict[str, Who]) -> None:
    """For the open battle: Oakhold is done, Thistledown is at its second house."""
    state = musters_permissions.state_of(_fresh(campaign))
    fought = (b.number for b in state.battles.values() if {b.attacker, b.defender} == {"k1", "k3"})
    battle = next(fought, None)
    if battle is None:
        return
    oak = musters_services.begin_muster(people["Wren"], _fresh(campaign), battle, "k1")
    if oak.entry is None:
        _enter_rolls(oak, people["Wren"], OAKHOLD)
        oak = musters_permissions.get_muster(people["Wren"], oak.code)
        if musters_services.load_muster_state(oak.log_id).muster().army is not None:
            vp_payments.finish_muster(oak, people["Wren"], key="demo-muster-taken")
    teasel = musters_services.begin_muster(people["Oda"], _fresh(campaign), battle, "k3")
    if teasel.log.length == 1:
        _enter_rolls(teasel, people["Oda"], THISTLEDOWN)


def _fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("log", "snapshot").get(pk=campaign.pk)


def _enter_rolls(muster: Muster, who: Who, faces: tuple[int, ...]) -> None:
    """Answer while there are rolls. Each answer has its own key, so a second run changes nothing."""
    left = list(faces)
    muster = musters_permissions.get_muster(who, muster.code)
    while (now := musters_services.load_muster_state(muster.log_id).muster()).question is not None:
        question = now.question
        if question.die and not left:
            return
        value = left.pop(0) if question.die else question.default
        musters_services.submit_answer(
            muster,
            who,
            key=f"demo-muster-{question.number:03d}",
            question=musters_services.question_token(now),
            value=value,
        )
