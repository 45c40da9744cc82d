"""Read a chronicle: its entries, the state now or at any past entry. Caches are kept, dropped and checked here."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.http import Http404

from campaign.chronicle.codec import load_effects
from campaign.chronicle.effects import Effect
from campaign.chronicle.entries_and_fold import (
    CORRECTIONS,
    RESTORE,
    ChronicleEntry,
    effective_entries,
    fold,
    index_corrections,
)
from campaign.chronicle.state import State
from campaign.models import Campaign, Checkpoint, Member, Snapshot
from campaign.permissions import can_run, require_member
from log.models import Entry
from people.requester import Who
from photos.display import PhotoRow
from prepared_queries import prepared_query
from refusal import Refusal

# A past map folds at most this many entries.
CHECKPOINT_EVERY = 500
FIELDS = ("number", "act", "body", "effects", "played_on", "actor_id", "on_behalf_of_id")


def get_visible_campaign(who: Who, code: str) -> Campaign:
    """The campaign with this code, or 404 if they may not see it."""
    campaign = _visible_campaigns.first(who, code)
    if campaign is None:
        raise Http404
    return campaign


@prepared_query
def _visible_campaigns(who: Who, code: str) -> QuerySet[Campaign]:
    return Campaign.objects.visible_to(who).filter(code=code).select_related("log")


def get_campaign_as_master(who: Who, code: str) -> Campaign:
    """The same for the game master only; others are refused."""
    campaign = get_visible_campaign(who, code)
    if not can_run(campaign, who):
        raise Refusal("Only the game master can do this.", status=403)
    return campaign


def get_campaign_with_state(who: Who, code: str, *, as_master: bool = False) -> tuple[Campaign, State]:
    """The same, and its state now."""
    campaign = get_campaign_as_master(who, code) if as_master else get_visible_campaign(who, code)
    return campaign, state_of(campaign)


def get_campaign_as_member(who: Who, code: str) -> Campaign:
    """The same for members alone."""
    campaign = get_visible_campaign(who, code)
    require_member(campaign, who)
    return campaign


def entries_of(campaign: Campaign, entries: QuerySet[Entry] | None = None) -> list[ChronicleEntry]:
    """Every entry, in the order entered."""
    rows = Entry.objects.filter(log=campaign.log_id).order_by("number") if entries is None else entries
    return [_entry_from_row(row) for row in rows.values_list(*FIELDS)]


def entries_of_each(campaigns: Iterable[Campaign]) -> Iterator[tuple[Campaign, list[ChronicleEntry]]]:
    """The same for several campaigns, in one query."""
    chosen = list(campaigns)
    entries: dict[int, list[ChronicleEntry]] = {campaign.log_id: [] for campaign in chosen}
    for log_id, *row in Entry.objects.filter(log__in=entries).order_by("number").values_list("log_id", *FIELDS):
        entries[log_id].append(_entry_from_row(tuple(row)))
    return ((campaign, entries[campaign.log_id]) for campaign in chosen)


def _entry_from_row(row: tuple[Any, ...]) -> ChronicleEntry:
    number, act, body, effects, played_on, actor, behalf = row
    return ChronicleEntry(number, act, body, load_effects(effects), played_on.isoformat(), actor, behalf)


def chronicle_entry(entry: Entry) -> ChronicleEntry:
    """An entry that was read with its people."""
    return _entry_from_row(tuple(getattr(entry, name) for name in FIELDS))


def first_day(campaign: Campaign) -> dt.date:
    """The day it was founded."""
    return Entry.objects.values_list("played_on", flat=True).get(log=campaign.log_id, number=1)


def state_of(campaign: Campaign) -> State:
    """The state now, read anew."""
    campaign._state.fields_cache.pop("snapshot", None)
    return State.from_json(snapshot_of(campaign).state)


def state_as_read(campaign: Campaign) -> State:
    """The state that was read with this campaign or after it, without another query; else it is read now."""
    return State.from_json(snapshot_of(campaign).state)


@dataclass(frozen=True, slots=True)
class OwnCampaigns:
    """Every campaign somebody belongs to, with its log and state."""

    campaigns: tuple[Campaign, ...]
    states: dict[int, State]

    @property
    def run(self) -> list[Campaign]:
        """Those that they run as game master and that are not archived."""
        return [campaign for campaign in self.campaigns if campaign.archived_at is None and campaign.is_run]

    @property
    def running(self) -> list[tuple[Campaign, State]]:
        """Those that are not archived."""
        return [(campaign, self.states[campaign.pk]) for campaign in self.campaigns if campaign.archived_at is None]

    def state_of(self, campaign: Campaign) -> State:
        """Also of a campaign that is not theirs, which is read then."""
        if campaign.pk not in self.states:
            self.states[campaign.pk] = state_of(campaign)
        return self.states[campaign.pk]


@prepared_query
def _own_campaigns(who: Who) -> QuerySet[Campaign]:
    members = Member.objects.filter(campaign=OuterRef("pk")).order_by()
    run = members.filter(person__in=who.person.all_ids() if who.person else (), role=Member.Role.MASTER)
    size = members.values("campaign").annotate(size=Count("pk")).values("size")
    return Campaign.objects.of(who).select_related("log", "snapshot").annotate(is_run=Exists(run), size=Subquery(size))


def own_campaigns(who: Who) -> OwnCampaigns:
    """Read once per request, however many parts of a page ask."""
    if "own_campaigns" not in who.read_once:
        rows = tuple(_own_campaigns(who))
        states = {campaign.pk: state_as_read(campaign) for campaign in rows}
        who.read_once["own_campaigns"] = OwnCampaigns(rows, states)
    own: OwnCampaigns = who.read_once["own_campaigns"]
    return own


@prepared_query
def _snapshots(campaign: int) -> QuerySet[Snapshot]:
    return Snapshot.objects.filter(campaign=campaign)


def snapshot_of(campaign: Campaign) -> Snapshot:
    """The saved snapshot if it is current, else a new unsaved one.

    The campaign keeps it: whoever is handed the same campaign, also under its log's lock, does not read it again.
    """
    kept: Snapshot | None = campaign._state.fields_cache.get("snapshot")
    if kept is None or kept.length != campaign.log.length:
        kept = _snapshots.first(campaign.pk)
        if kept is None or kept.length != campaign.log.length:
            kept = make_snapshot(campaign, entries_of(campaign))
        campaign.snapshot = kept
    return kept


def make_snapshot(campaign: Campaign, entries: list[ChronicleEntry]) -> Snapshot:
    last = max((entry.played_on for entry in entries), default=dt.date.min.isoformat())
    number = max((entry.number for entry in entries), default=0)
    state = fold(effective_entries(entries)).to_json()
    return Snapshot(campaign=campaign, length=number, last_played=dt.date.fromisoformat(last), state=state)


def refold(campaign: Campaign, *, since: tuple[dt.date, int] | None = None) -> State:
    """Fold everything again and save it; checkpoints from ``since`` on are dropped."""
    entries = entries_of(campaign)
    snapshot = make_snapshot(campaign, entries)
    save_snapshot(campaign, snapshot)
    drop_checkpoints(campaign, since)
    return State.from_json(snapshot.state)


def save_snapshot(campaign: Campaign, snapshot: Snapshot) -> None:
    """Save it; the log is locked, so nobody else saves one now."""
    values = {"length": snapshot.length, "last_played": snapshot.last_played, "state": snapshot.state}
    if not Snapshot.objects.filter(campaign=campaign).update(**values):
        Snapshot.objects.create(campaign=campaign, **values)
    campaign.snapshot = snapshot


def drop_checkpoints(campaign: Campaign, since: tuple[dt.date, int] | None = None) -> None:
    rows = Checkpoint.objects.filter(campaign=campaign)
    if since is not None:
        day, number = since
        rows = rows.filter(Q(played_on__gt=day) | Q(played_on=day, number__gte=number))
    rows.delete()


def state_at(campaign: Campaign, number: int) -> State:
    """The state after this entry, with all corrections."""
    day = Entry.objects.filter(log=campaign.log_id, number=number).values_list("played_on", flat=True).first()
    if day is None:
        return State()
    upto = Q(played_on__lt=day) | Q(played_on=day, number__lte=number)
    start = Checkpoint.objects.filter(upto, campaign=campaign).order_by("-played_on", "-number").first()
    entries = Entry.objects.filter(upto, log=campaign.log_id)
    if start is not None:
        entries = entries.filter(
            Q(played_on__gt=start.played_on) | Q(played_on=start.played_on, number__gt=start.number)
        )
    order = entries_of(campaign, entries.order_by("played_on", "number"))
    corrections = index_corrections(corrections_of(campaign))
    state = State.from_json(start.state) if start else State()
    for begin in range(0, len(order), CHECKPOINT_EVERY):
        part = order[begin : begin + CHECKPOINT_EVERY]
        state = fold(effective_entries(part, corrections), state)
        if len(part) == CHECKPOINT_EVERY:
            last = part[-1]
            Checkpoint.objects.get_or_create(
                campaign=campaign,
                played_on=dt.date.fromisoformat(last.played_on),
                number=last.number,
                defaults={"state": state.to_json()},
            )
    return state


def state_as_known(campaign: Campaign, number: int) -> State:
    """The state right after this entry was entered, without later corrections."""
    entries = Entry.objects.filter(log=campaign.log_id, number__lte=number).order_by("number")
    return fold(effective_entries(entries_of(campaign, entries)))


def effects_of_entry(campaign: Campaign, number: int) -> list[Effect]:
    """The current effects of an entry: changed if amended, none if struck."""
    rows = [_entry_from_row(row) for row in _entry_rows(campaign.log_id, number)]
    corrections = index_corrections(corrections_of(campaign))
    return corrections.amend(rows[0]).effects if rows and number not in corrections.struck else []


def corrections_of(campaign: Campaign) -> list[ChronicleEntry]:
    return [_entry_from_row(row) for row in _correction_rows(campaign.log_id)]


@prepared_query
def _entry_rows(log_id: int, number: int) -> QuerySet[Entry]:
    return Entry.objects.filter(log=log_id, number=number).values_list(*FIELDS)


def correction_entries(log_id: int) -> QuerySet[Entry]:
    rows = Entry.objects.filter(log=log_id, act__in=(*CORRECTIONS, RESTORE))
    # SQLite would rather read a whole log by number than sort these few. It cannot for a sum.
    return rows.order_by(F("number") + 0)


@prepared_query
def _correction_rows(log_id: int) -> QuerySet[Entry]:
    return correction_entries(log_id).values_list(*FIELDS)


def find_own_result(campaign: Campaign, who: Who, **fought: object) -> int | None:
    """The last result of such a battle that this person entered or asked others to confirm."""
    if who.person is None:
        return None
    fields = {f"body__{name}": value for name, value in fought.items()}
    rows = Entry.objects.filter(log=campaign.log_id, act="result", actor__in=who.person.all_ids(), **fields)
    return rows.order_by("-number").values_list("number", flat=True).first()


def find_problems(campaign: Campaign) -> list[str]:
    """What ``verify_chronicle`` prints: nothing, if every cache matches the log."""
    problems = []
    entries = entries_of(campaign)
    numbers = [entry.number for entry in entries]
    if numbers != list(range(1, len(entries) + 1)):
        problems.append("its entry numbers have gaps")
    if campaign.log.length != len(entries):
        problems.append(f"the log should have {campaign.log.length} entries but has {len(entries)}")
    order = effective_entries(entries)
    state = fold(order)
    kept = Snapshot.objects.filter(campaign=campaign).first()
    if kept is not None and kept.length == campaign.log.length and State.from_json(kept.state) != state:
        problems.append("the snapshot differs from the log")
    if campaign.name != state.name:
        problems.append(f"its name is {campaign.name!r}, but the chronicle says {state.name!r}")
    for point in Checkpoint.objects.filter(campaign=campaign):
        place = (point.played_on.isoformat(), point.number)
        if State.from_json(point.state) != fold(entry for entry in order if entry.sort_key <= place):
            problems.append(f"the checkpoint after entry {point.number} differs from the log")
    return problems


BattlePhotos = Callable[[Campaign, Sequence[int]], Mapping[int, tuple[PhotoRow, ...]]]

_battle_photos: list[BattlePhotos] = []


def register_battle_photos(find: BattlePhotos) -> None:
    """``find`` gives the photos of battles by their numbers."""
    _battle_photos.append(find)


def photos_of_battles(campaign: Campaign, numbers: Sequence[int]) -> Mapping[int, tuple[PhotoRow, ...]]:
    return {} if not numbers or not _battle_photos else _battle_photos[0](campaign, numbers)
