"""Photos of a battle: who sees them, who adds them, who decides; and those of several battles, for the chronicle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet

from battles.battle_titles import title_and_subtitle
from battles.models import Battle
from battles.permissions import permissions_of
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.permissions import can_run, roles_in
from people.requester import Who
from photos.display import PhotoRow, shown_photos_of
from photos.models import SubjectKind, register_subject
from prepared_queries import prepared_query


def register() -> None:
    register_subject(
        SubjectKind(
            key="battle",
            model=Battle,
            find=find_battle,
            can_see=lambda battle, who: Battle.objects.visible_to(who).filter(pk=battle.pk).exists(),
            can_add=can_add,
            can_manage=can_manage,
            managed=managed_battles,
            describe=lambda battle: title_and_subtitle(battle, _state_of(battle))[0],
            url=Battle.get_absolute_url,
        )
    )
    campaign_selectors.register_battle_photos(photos_by_number)


def find_battle(pk: int) -> Battle | None:
    return Battle.objects.select_related("campaign__log", "campaign__snapshot").filter(pk=pk).first()


def _state_of(battle: Battle) -> State | None:
    return campaign_selectors.state_as_read(battle.campaign) if battle.campaign else None


def can_add(battle: Battle, who: Who) -> bool:
    """Members of the campaign; outside a campaign, whoever may edit the battle."""
    if who.person is None:
        return False
    if battle.campaign_id is None:
        return permissions_of(battle, who, None).run
    return battle.campaign is not None and bool(roles_in(battle.campaign, who))


def can_manage(battle: Battle, who: Who) -> bool:
    if battle.campaign is None:
        return permissions_of(battle, who, None).master
    return can_run(battle.campaign, who)


def managed_battles(ids: Iterable[int], who: Who) -> Iterable[int]:
    if who.person is None:
        return ()
    mine = Q(campaign__in=Campaign.objects.run_by(who)) | Q(campaign=None, made_by__in=who.person.all_ids())
    return Battle.objects.filter(mine, pk__in=ids).values_list("pk", flat=True)


@prepared_query
def _battles_with_numbers(campaign: int, numbers: tuple[int, ...]) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign=campaign, number__in=numbers).order_by().values_list("pk", "number")


def photos_by_number(campaign: Campaign, numbers: Sequence[int]) -> Mapping[int, tuple[PhotoRow, ...]]:
    """The photos of a campaign's battles, by the number of the battle, without those that were reported."""
    found = shown_photos_of("battle", dict(_battles_with_numbers(campaign.pk, tuple(numbers))))
    return {int(number): photos for number, photos in found.items()}
