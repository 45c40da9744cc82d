"""After a battle: its photos, who adds and decides about them, and what its players wrote."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from battles.models import Battle
from battles.permissions import permissions_of
from battles.side_display import title_and_subtitle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.entries_and_fold import index_corrections
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.permissions import can_run, roles_in
from dataclass_json import Ask
from log.models import Entry
from people.requester import Who
from photos.display import PhotoRow, shown_photos_of
from photos.models import SubjectKind, register_subject
from prepared_queries import prepared_query
from refusal import Refusal


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
    photos_of = shown_photos_of("battle", dict(_battles_with_numbers(campaign.pk, tuple(numbers))))
    return {int(number): photos for number, photos in photos_of.items()}


# ── What players wrote, as the chronicle has it now ─────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class WrittenReport:
    entry: Annotated[int, Ask("Entry", "of the chronicle")]
    text: str
    by: str
    on: dt.date


def add_written_report(battle: Battle, who: Who, *, key: str, text: str) -> None:
    """A report in plain words is a note of the chronicle about this battle, so files, prints and privacy know it."""
    if battle.campaign is None or not battle.number:
        raise Refusal("Only battles of a campaign have a chronicle to write in.", status=409)
    campaign_services.add_note(battle.campaign, who, key=key, text=text, battle=battle.number)


@prepared_query
def _notes_about(log_id: int, battle: str) -> QuerySet[Entry]:
    notes = Entry.objects.filter(log=log_id, act="note").alias(about=KeyTextTransform("battle", "body"))
    return notes.filter(about=battle).select_related("actor__merged_into").order_by("number")


def written_reports_of(battle: Battle) -> tuple[WrittenReport, ...]:
    """Without struck ones; amended ones as amended."""
    if battle.campaign is None or not battle.number:
        return ()
    notes = _notes_about(battle.campaign.log_id, str(battle.number))
    if not notes:
        return ()
    stand = index_corrections(campaign_selectors.corrections_of(battle.campaign))
    return tuple(
        WrittenReport(
            entry=row.number,
            text=str(stand.bodies.get(row.number, row.body)["text"]),
            by=row.actor.root.name if row.actor else "",
            on=row.played_on,
        )
        for row in notes
        if row.number not in stand.struck
    )
