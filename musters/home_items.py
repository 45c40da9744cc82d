"""What waits on the home page: a battle that waits for your muster, a muster half done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from campaign.annals.state import Kingdom, OpenBattle, State
from campaign.models import Campaign
from musters import may
from musters.models import Muster
from pages import moves
from pages.moves import Move
from people.who import Who


@dataclass(frozen=True, slots=True)
class Waiting:
    """One side of an open battle that has no army yet, or whose army is there to be looked at."""

    campaign: Campaign
    battle: OpenBattle
    realm: Kingdom
    other: Kingdom
    place: str
    muster: Muster | None
    mine: bool
    hidden: bool
    concerns_me: bool  # as the enemy, or as game master

    @property
    def url(self) -> str:
        if self.muster:
            return self.muster.get_absolute_url()
        return reverse("musters:begin", args=[self.campaign.code, self.battle.number, self.realm.id])


def waiting(who: Who) -> list[Waiting]:
    """Every side of every open battle of one's campaigns: two queries however many there are."""
    campaigns = list(Campaign.objects.of(who).filter(archived_at=None).select_related("log", "snapshot"))
    rows = Muster.objects.filter(campaign__in=campaigns) if campaigns else []
    musters = {(row.campaign_id, row.battle, row.kingdom): row for row in rows}
    found = []
    for campaign in campaigns:
        state = may.state_of(campaign)
        for battle in state.battles.values():
            for key, against in ((battle.attacker, battle.defender), (battle.defender, battle.attacker)):
                if key in state.kingdoms and against in state.kingdoms:
                    found.append(_side(who, campaign, state, battle, key, against, musters.get((campaign.pk, battle.number, key))))  # fmt: skip
    return found


def _side(
    who: Who, campaign: Campaign, state: State, battle: OpenBattle, key: str, against: str, muster: Muster | None
) -> Waiting:
    if muster:
        muster.campaign = campaign
    mine = may.rules(state, key, who)
    hidden = bool(muster and may.hidden_from(state, muster, who))
    concerns_me = may.acts_for(state, against, who)
    return Waiting(campaign, battle, state.kingdoms[key], state.kingdoms[against], state.place_name(battle.target), muster, mine, hidden, concerns_me)  # fmt: skip


def register() -> None:
    moves.register(of)


def of(request: HttpRequest) -> Iterator[Move]:
    for side in waiting(request.who):
        if side.muster and side.muster.entry is not None:
            continue
        if not side.mine:
            if side.concerns_me:
                yield _waits_for_others(side)
            continue
        half = side.muster is not None
        yield Move(
            waits="me",
            title=f"{side.realm.name} musters for {side.place}",
            text=f"{side.campaign.name}, battle {side.battle.number}, against {side.other.name}."
            + (" The muster is half done." if half else " A battle waits for your muster."),
            url=side.url,
            button="Go on mustering" if half else "Muster",
            icon="c-banner",
        )


def _waits_for_others(side: Waiting) -> Move:
    return Move(
        waits="others",
        title=f"{side.realm.name} musters for {side.place}",
        text=f"{side.campaign.name}, battle {side.battle.number}, against {side.other.name}. Its army has not come yet.",
        url=side.campaign.get_absolute_url(),
        button="Go to the campaign",
        icon="c-banner",
    )
