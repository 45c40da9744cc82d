"""Home page items: battles you have to muster for, unfinished musters."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from campaign import selectors as campaign_selectors
from campaign.chronicle.state import Kingdom, OpenBattle, State
from campaign.models import Campaign
from musters import permissions
from musters.models import Muster
from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people.requester import Who
from prepared_queries import prepared_query


@dataclass(frozen=True, slots=True)
class MusterSide:
    """One side of an open battle, with its muster if there is one."""

    campaign: Campaign
    battle: OpenBattle
    kingdom: Kingdom
    other: Kingdom
    place: str
    muster: Muster | None
    mine: bool
    hidden: bool
    concerns_me: bool  # as the enemy, or as game master

    @property
    def is_mustered(self) -> bool:
        return self.muster is not None and self.muster.entry is not None

    @property
    def url(self) -> str:
        if self.muster:
            return self.muster.get_absolute_url()
        return reverse("musters:begin", args=[self.campaign.code, self.battle.number, self.kingdom.id])


@prepared_query
def _musters_of(campaigns: tuple[int, ...]) -> QuerySet[Muster]:
    return Muster.objects.filter(campaign__in=campaigns)


def open_sides(who: Who) -> list[MusterSide]:
    """Every side of every open battle in the person's campaigns: two queries."""
    running = campaign_selectors.own_campaigns(who).running
    with_battles = tuple(campaign.pk for campaign, state in running if state.battles)
    rows = _musters_of(with_battles) if with_battles else []
    musters = {(row.campaign_id, row.battle, row.kingdom): row for row in rows}
    sides = []
    for campaign, state in running:
        for battle in state.battles.values():
            for key, against in ((battle.attacker, battle.defender), (battle.defender, battle.attacker)):
                if key in state.kingdoms and against in state.kingdoms:
                    sides.append(
                        _side(
                            who, campaign, state, battle, key, against, musters.get((campaign.pk, battle.number, key))
                        )
                    )
    return sides


def _side(
    who: Who, campaign: Campaign, state: State, battle: OpenBattle, key: str, against: str, muster: Muster | None
) -> MusterSide:
    if muster:
        muster.campaign = campaign
    mine = permissions.is_ruler(state, key, who)
    hidden = bool(muster and permissions.is_hidden_from(state, muster, who))
    concerns_me = permissions.can_act_for(state, against, who)
    return MusterSide(
        campaign,
        battle,
        state.kingdoms[key],
        state.kingdoms[against],
        state.place_name(battle.target),
        muster,
        mine,
        hidden,
        concerns_me,
    )


def register() -> None:
    pages_home_items.register_source(home_items_for)


def home_items_for(request: HttpRequest) -> Iterator[HomeItem]:
    for side in open_sides(request.who):
        if side.is_mustered or not (side.mine or side.concerns_me):
            continue
        title = f"{side.kingdom.name} musters for {side.place}"
        text = f"{side.campaign.name}, battle {side.battle.number}, against {side.other.name}."
        if not side.mine:
            yield HomeItem(
                group="others",
                title=title,
                text=f"{text} Waiting for its muster.",
                url=side.campaign.get_absolute_url(),
                button="Go to the campaign",
                icon="c-banner",
            )
            continue
        half = side.muster is not None
        yield HomeItem(
            group="me",
            title=title,
            text=f"{text} {'Your muster is not finished.' if half else 'Muster your army.'}",
            url=side.url,
            button="Continue the muster" if half else "Muster",
            icon="c-banner",
        )
