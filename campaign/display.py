"""A campaign ready to draw, for page, JSON and paper."""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from campaign import selectors
from campaign.approvals.pending_list import ApprovalRow, approval_rows, confirmation_text
from campaign.chronicle.effects import Effect, FealtyChanged, LoyaltyChanged, VpChanged
from campaign.chronicle.entries_and_fold import CORRECTIONS, RESTORE, CorrectionIndex, index_corrections
from campaign.chronicle.sentences import Names, describe_effect, describe_entry, describe_reason
from campaign.chronicle.state import PLAYING, Kingdom, State, Status
from campaign.corrections.amend_forms import AMENDABLE_ACTS
from campaign.map.display import MapKingdom, list_map_kingdoms
from campaign.models import Approval, Campaign, Member
from campaign.permissions import ids_of, is_master
from campaign.selectors import photos_of_battles
from dataclass_json import PageOnly, stored_as
from heraldry import Arms
from log.models import Entry
from pages.fields.columns_and_rows import take
from people.models import Person
from people.requester import Who
from photos.display import PhotoRow
from prepared_queries import prepared_query

ENTRIES_PER_PAGE = 15
NEWEST_ENTRIES = 2  # the rest of a page of entries is folded

ALL, BATTLES, MY_KINGDOM, NOTES = "all", "battles", "mine", "notes"
SHOWN = (ALL, BATTLES, MY_KINGDOM, NOTES)
BATTLE_ACTS = ("roll_off", "battle_declared", "battle_called_off", "result")


def filter_entries(show: str, kingdoms: Sequence[str]) -> Q:
    """The entries that a filter of the chronicle shows; ``kingdoms`` are the viewer's own."""
    if show == BATTLES:
        return Q(act__in=BATTLE_ACTS)
    if show == NOTES:
        return Q(act="note")
    if show != MY_KINGDOM:
        return Q()
    concerned = Q(pk__in=[])
    for key in kingdoms:
        for text in (f'"{key}"', f'"{key}.'):  # the kingdom itself, or one of its territories
            concerned |= Q(body_text__contains=text) | Q(effects_text__contains=text)
    return concerned


@dataclass(frozen=True)
class CampaignRow:
    code: str
    name: str
    visibility: Campaign.Visibility
    founded_at: dt.datetime
    archived_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class MemberRow:
    """``mine``: the viewer looks after them; ``linkless``: and has not given them a personal link yet."""

    api_name = "Member"

    person: PageOnly[Person]
    code: Annotated[str, "The person's code; acts take it as their person."] = field(metadata=stored_as("person"))
    name: str
    role: str
    is_master: PageOnly[bool]
    rules: Annotated[tuple[str, ...], "Names of the kingdoms they rule or act for."]
    mine: PageOnly[bool] = False
    linkless: PageOnly[bool] = False


@dataclass(frozen=True, slots=True)
class EffectRow:
    api_name = "Effect"

    text: str
    why: str
    kingdom: str
    name: PageOnly[str]
    arms: PageOnly[Arms | None]
    good: PageOnly[bool | None]  # a gain, a loss, or neither


@dataclass(frozen=True, slots=True)
class CorrectionNote:
    """The correction of an entry: how, by which entry, by whom, when and why."""

    kind: str
    entry: int
    actor: str
    on: dt.date
    why: str


@dataclass(frozen=True, slots=True)
class EntryRow:
    """``photos`` are of its battle, which has a page of its own."""

    number: int
    act: str
    sentence: str = field(metadata=stored_as("tale"))
    actor: str
    for_whom: PageOnly[str]
    confirmed: Annotated[str, "By whom, if it needed approval."]
    effects: tuple[EffectRow, ...]
    played_on: dt.date
    entered_at: dt.datetime
    is_struck: bool
    corrected: PageOnly[CorrectionNote | None]
    can_correct: PageOnly[bool]
    is_correction: PageOnly[bool]
    has_amend_form: PageOnly[bool] = False
    battle: PageOnly[int | None] = None
    photos: PageOnly[tuple[PhotoRow, ...]] = ()

    @property
    def entered_later(self) -> dt.date | None:
        """The day it was entered, if not the day it was played."""
        day = timezone.localdate(self.entered_at)
        return day if day != self.played_on else None


@dataclass(frozen=True, slots=True)
class HouseRow:
    api_name = "House"

    number: int
    name: str
    arms: PageOnly[Arms]
    lost: bool


@dataclass(frozen=True, slots=True)
class KingdomRow:
    api_name = "Kingdom"

    id: str
    name: str
    arms: PageOnly[Arms]
    on_map: PageOnly[MapKingdom]
    ruler: str
    regent: str
    status: Status
    loyalty: int
    vp: int
    holds: int
    houses: tuple[HouseRow, ...]
    mine: PageOnly[bool]

    @property
    def sworn(self) -> int:
        return sum(not house.lost for house in self.houses)


@dataclass(frozen=True, slots=True)
class BattleRow:
    api_name = "Battle"

    number: int
    attacker: str
    defender: str
    target: str
    place: str
    scenario: PageOnly[str | None]


@dataclass(frozen=True, slots=True)
class MoreLinks:
    """What decides which links are folded under "More"."""

    code: str
    kingdoms: int
    can_write: bool
    can_run: bool
    open_battle: int | None
    winner: str
    season: str
    fought: bool


@dataclass(frozen=True, slots=True)
class CampaignDisplay:
    api_name = "CampaignDetail"

    code: str
    name: str
    visibility: Campaign.Visibility
    version: int
    live: Annotated[str, "A stream that says when the version has changed."]
    season: str
    season_open: PageOnly[bool]
    winner: str
    war: PageOnly[int]
    kingdoms: tuple[KingdomRow, ...]
    battles: tuple[BattleRow, ...]
    approvals: tuple[ApprovalRow, ...] = field(metadata=stored_as("petitions"))
    members: tuple[MemberRow, ...]
    entries: tuple[EntryRow, ...] = field(metadata=stored_as("lines"))
    length: int
    older: int
    can_write: bool = field(metadata=stored_as("may_write"))
    can_run: bool = field(metadata=stored_as("may_run"))
    fought: PageOnly[bool]  # a battle was declared or logged
    lead: str
    attacks: PageOnly[str] = ""  # the viewer's kingdom that won the roll-off and has to choose a target
    open_battle: PageOnly[int | None] = None  # the battle the viewer's kingdom is in
    show: PageOnly[str] = ALL  # which entries are shown
    vacant: PageOnly[tuple[KingdomRow, ...]] = ()  # offered to a member without a kingdom

    @property
    def newest(self) -> tuple[EntryRow, ...]:
        return self.entries[:NEWEST_ENTRIES]

    @property
    def earlier(self) -> tuple[EntryRow, ...]:
        """Folded on the page."""
        return self.entries[NEWEST_ENTRIES:]

    @property
    def links(self) -> MoreLinks:
        return take(MoreLinks, self, kingdoms=len(self.kingdoms))

    @property
    def linkless(self) -> tuple[str, ...]:
        """Guests of the viewer who have no personal link yet."""
        return tuple(row.person.name for row in self.members if row.linkless)


@prepared_query
def _members_with_people(campaign: int) -> QuerySet[Member]:
    return Member.objects.filter(campaign=campaign).select_related(*MEMBER_RELATIONS)


@prepared_query
def _open_approvals(campaign: int) -> QuerySet[Approval]:
    return Approval.objects.filter(campaign=campaign).open().select_related("campaign")


def build_campaign_display(
    campaign: Campaign, who: Who, *, state: State | None = None, before: int | None = None, show: str = ALL
) -> CampaignDisplay:
    """Everything its page shows, in a fixed number of queries."""
    now = state or selectors.state_of(campaign)
    members = _members_with_people(campaign.pk)
    names = names_for(campaign, now, members)
    mine = ids_of(who)
    ruled = [kingdom.id for kingdom in now.ruled_by(mine)]
    rows = add_photos(campaign, entry_rows(campaign, who, names, before=before, only=filter_entries(show, ruled)))
    belongs = any(member.person_id in mine for member in members)
    kingdoms = kingdom_rows(now, names, mine)
    own_battle = next((battle.number for key in ruled if (battle := now.open_battle_of(key))), None)
    waiting = _open_approvals(campaign.pk) if belongs else ()
    return CampaignDisplay(
        code=campaign.code,
        name=campaign.name,
        visibility=Campaign.Visibility(campaign.visibility),
        version=campaign.log.version,
        live=f"/live/{campaign.log_id}/",
        season=season_text(now),
        season_open=now.season_open,
        winner=names.kingdom(now.winner) if now.winner else "",
        war=now.war,
        kingdoms=kingdoms,
        battles=battle_rows(now, names),
        approvals=approval_rows(waiting, now, names, mine),
        members=member_rows(members, now, mine),
        entries=rows,
        length=campaign.log.length,
        older=rows[-1].number - 1 if rows else 0,
        can_write=belongs,
        can_run=is_master(now, who),
        fought=bool(now.battle_count),
        lead=lead_sentence(now, names),
        attacks=due_attacker(now, mine),
        open_battle=own_battle,
        show=show,
        vacant=tuple(row for row in kingdoms if not row.ruler and row.status == PLAYING and belongs and not ruled),
    )


@dataclass(frozen=True, slots=True)
class LivePart:
    """What a list of several campaigns listens to: their logs, and the versions it was drawn at."""

    log_ids: tuple[int, ...]
    versions: str


def live_part_of(campaigns: Sequence[Campaign]) -> LivePart | None:
    """For campaigns fetched with their logs; a stream carries at most twenty."""
    if not campaigns:
        return None
    logs = [campaign.log for campaign in campaigns[:20]]
    return LivePart(tuple(log.pk for log in logs), ",".join(f"{log.pk}={log.version}" for log in logs))


@prepared_query
def _people(ids: tuple[int, ...]) -> QuerySet[Person]:
    return Person.objects.filter(pk__in=ids).select_related("merged_into")


def names_of_people(ids: Collection[int]) -> dict[int, str]:
    return {person.pk: person.root.name for person in _people(tuple(ids))} if ids else {}


def names_for(campaign: Campaign, state: State, members: Iterable[Any] | None = None) -> Names:
    """Names of everyone an entry or a kingdom can mention. ``members``: with their people, if they have been read."""
    if members is None:
        members = campaign.members.select_related("person__merged_into")
    people = {member.person_id: member.person.root.name for member in members}
    wanted = {p for k in state.kingdoms.values() for p in (k.ruler, k.regent) if p} | set(state.masters)
    return Names(state, people | names_of_people(wanted - set(people)))


def kingdom_rows(state: State, names: Names, mine: set[int]) -> tuple[KingdomRow, ...]:
    rows = []
    for on_map in list_map_kingdoms(state):
        kingdom: Kingdom = state.kingdoms[on_map.id]
        houses = tuple(
            HouseRow(number, house.name, Arms.from_dict(house.arms), house.lost)
            for number, house in enumerate(kingdom.houses, 1)
        )
        rows.append(
            KingdomRow(
                id=kingdom.id,
                name=kingdom.name,
                arms=on_map.arms,
                on_map=on_map,
                ruler=names.person(kingdom.ruler) if kingdom.ruler else "",
                regent=names.person(kingdom.regent) if kingdom.regent else "",
                status=kingdom.status,
                loyalty=kingdom.loyalty,
                vp=kingdom.vp,
                holds=on_map.holds,
                houses=houses,
                mine=bool({kingdom.ruler, kingdom.regent} & mine),
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.holds, -row.vp, -row.loyalty, row.on_map.number)))


def battle_rows(state: State, names: Names) -> tuple[BattleRow, ...]:
    rows = []
    for battle in state.battles.values():
        attacker, defender = names.kingdom(battle.attacker), names.kingdom(battle.defender)
        place = names.place(battle.target)
        rows.append(BattleRow(battle.number, attacker, defender, battle.target, place, battle.scenario))
    return tuple(rows)


def due_attacker(state: State, mine: set[int]) -> str:
    """The kingdom of these people that won the roll-off and has not declared its attack yet (ATTACKER-03)."""
    winner = state.attack_roll.winner if state.attack_roll and state.attack_roll.is_due else None
    return winner if winner and winner in {kingdom.id for kingdom in state.ruled_by(mine)} else ""


def season_text(state: State) -> str:
    if not state.season:
        return ""
    name = f"Season {state.season}, {state.season_name}"
    return name if state.season_open else f"{name}, closed"


def lead_sentence(state: State, names: Names) -> str:
    """One sentence that says what matters now."""
    if state.winner:
        return f"{names.kingdom(state.winner)} has won the war."
    if state.battles:
        battle, more = next(iter(state.battles.values())), len(state.battles) - 1
        attacker, defender = names.kingdom(battle.attacker), names.kingdom(battle.defender)
        sentence = f"{attacker} attacks {names.place(battle.target)}, held by {defender}."
        return sentence + (f" {more} more battle{'s are' if more > 1 else ' is'} open." if more else "")
    if len(state.in_play()) < 2:
        return "A war needs at least two kingdoms. Add them."
    return "No battle is open. Roll for the attack or log a battle."


# Fetched together with the members.
MEMBER_RELATIONS = ("person__merged_into__personal_link", "person__personal_link")


def member_rows(members: Iterable[Any], state: State, viewer: Collection[int] = ()) -> tuple[MemberRow, ...]:
    """Each person once, even if merged from two members. Masters first."""
    rows: dict[int, MemberRow] = {}
    for member in sorted(members, key=lambda member: member.role != "master"):
        row = _member_row(member, state, viewer)
        rows.setdefault(row.person.pk, row)
    return tuple(rows.values())


def _member_row(member: Any, state: State, viewer: Collection[int]) -> MemberRow:
    person = member.person.root
    ruled = tuple(kingdom.name for kingdom in state.ruled_by({member.person_id, person.pk}))
    mine = person.keeper_id in viewer and not person.has_account and not person.is_forgotten
    linkless = mine and getattr(person, "personal_link", None) is None
    role = member.get_role_display()
    return MemberRow(person, person.code, person.name, role, member.role == "master", ruled, mine, linkless)


def entry_rows(
    campaign: Campaign,
    who: Who,
    names: Names,
    *,
    before: int | None = None,
    numbers: Sequence[int] | None = None,
    only: Q | None = None,
) -> tuple[EntryRow, ...]:
    """The newest entries, or those before one, newest first, with their corrections."""
    if numbers is None and not only:
        entries = _newest_entries(campaign.log_id) if before is None else _entries_before(campaign.log_id, before)
    else:
        rows = _entries_with_people(campaign.log_id)
        if before is not None:
            rows = rows.filter(number__lt=before)
        if only:
            texts = {"body_text": Cast("body", TextField()), "effects_text": Cast("effects", TextField())}
            rows = rows.annotate(**texts).filter(only)
        entries = list(rows.filter(number__in=numbers) if numbers is not None else rows[:ENTRIES_PER_PAGE])
    corrections = {entry.number: entry for entry in _corrections(campaign.log_id)}
    index = index_corrections(selectors.chronicle_entry(entry) for entry in corrections.values())
    return tuple(_entry_row(entry, names, index, corrections) for entry in entries)


def add_photos(campaign: Campaign, rows: tuple[EntryRow, ...]) -> tuple[EntryRow, ...]:
    """The rows with the photos of the battles whose results they are."""
    numbers = [row.battle for row in rows if row.battle and row.act == "result" and not row.is_struck]
    photos = photos_of_battles(campaign, numbers)
    return tuple(replace(row, photos=photos.get(row.battle or 0, ())) if row.act == "result" else row for row in rows)


def _entries_with_people(log_id: int) -> QuerySet[Entry]:
    entries = Entry.objects.filter(log=log_id).order_by("-number")
    return entries.select_related("actor__merged_into", "on_behalf_of__merged_into")


@prepared_query
def _newest_entries(log_id: int) -> QuerySet[Entry]:
    return _entries_with_people(log_id)[:ENTRIES_PER_PAGE]


@prepared_query
def _entries_before(log_id: int, before: int) -> QuerySet[Entry]:
    return _entries_with_people(log_id).filter(number__lt=before)[:ENTRIES_PER_PAGE]


@prepared_query
def _corrections(log_id: int) -> QuerySet[Entry]:
    return selectors.correction_entries(log_id).select_related("actor__merged_into")


def _entry_row(entry: Entry, names: Names, index: CorrectionIndex, corrections: dict[int, Entry]) -> EntryRow:
    number, actor = entry.number, _name_of(entry.actor)
    reads = index.amend(selectors.chronicle_entry(entry))
    note = None
    if by := corrections.get(index.find_correction(number) or index.restored.get(number) or 0):
        kind = "strike" if number in index.struck else "amend" if number in index.amended else RESTORE
        note = CorrectionNote(kind, by.number, _name_of(by.actor), by.played_on, by.body.get("why", ""))
    if entry.actor_id:
        names = Names(names.state, {**names.people, entry.actor_id: actor})
    is_struck = number in index.struck
    return EntryRow(
        number=number,
        act=entry.act,
        sentence=describe_entry(reads, names),
        actor=actor,
        for_whom=_name_of(entry.on_behalf_of) if entry.on_behalf_of_id else "",
        confirmed=confirmation_text(entry.body.get("confirmed") or [], names),
        effects=effect_rows(reads.effects, names),
        played_on=entry.played_on,
        entered_at=entry.entered_at,
        is_struck=is_struck,
        corrected=note,
        can_correct=entry.act not in (*CORRECTIONS, RESTORE, "founded") and not is_struck,
        is_correction=entry.act in CORRECTIONS and number not in index.restored,
        has_amend_form=entry.act in AMENDABLE_ACTS,
        battle=reads.body.get("battle") if entry.act in ("battle_declared", "result", "note") else None,
    )


def _name_of(person: Person | None) -> str:
    return person.root.name if person else ""


def effect_rows(effects: Iterable[Effect], names: Names, *, of_one_battle: bool = False) -> tuple[EffectRow, ...]:
    """Each with its reason; ``of_one_battle`` leaves out which battle it was."""
    rows = []
    for effect in effects:
        text, key = describe_effect(effect, names)
        if not text:
            continue
        good = None
        if isinstance(effect, VpChanged | LoyaltyChanged):
            good = effect.by > 0
        elif isinstance(effect, FealtyChanged):
            good = not effect.lost
        kingdom = names.state.kingdoms.get(key)
        arms = Arms.from_dict(kingdom.arms) if kingdom else None
        reason = describe_reason(effect, of_one_battle=of_one_battle)
        rows.append(EffectRow(text, reason, key, names.kingdom(key), arms, good))
    return tuple(rows)
