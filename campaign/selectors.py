"""Reading a chronicle: its lines, the state now, the state at any past line. Caches are carried, dropped and proved here."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from django.db.models import Q

from campaign.annals.effects import Effect
from campaign.annals.lines import CORRECTIONS, RESTORE, Line, effective, fold, standing
from campaign.annals.state import State
from campaign.models import Campaign, Checkpoint, Snapshot
from log.models import Entry

# Between two checkpoints a past map folds at most this many lines.
STRIDE = 500
FIELDS = ("number", "act", "body", "effects", "played_on", "actor_id", "on_behalf_of_id")


def lines_of(campaign: Campaign, entries: Iterable[Entry] | None = None) -> list[Line]:
    """Every line, in the order entered."""
    rows = Entry.objects.filter(log=campaign.log_id).order_by("number") if entries is None else entries
    return [_line(row) for row in rows.values_list(*FIELDS)]  # type: ignore[attr-defined]


def lines_of_each(campaigns: Iterable[Campaign]) -> Iterator[tuple[Campaign, list[Line]]]:
    """The same for several campaigns, in one look."""
    chosen = list(campaigns)
    rows = Entry.objects.filter(log__in=[one.log_id for one in chosen]).order_by("number")
    lines: dict[int, list[Line]] = {one.log_id: [] for one in chosen}
    for log_id, *row in rows.values_list("log_id", *FIELDS):
        lines[log_id].append(_line(tuple(row)))
    return ((one, lines[one.log_id]) for one in chosen)


def _line(row: tuple) -> Line:
    number, act, body, effects, played_on, actor, behalf = row
    return Line(number, act, body, effects, played_on.isoformat(), actor, behalf)


def first_day(campaign: Campaign) -> dt.date:
    """The day it was founded; nothing in it was played before."""
    return Entry.objects.values_list("played_on", flat=True).get(log=campaign.log_id, number=1)


def state_of(campaign: Campaign) -> State:
    """Where the campaign stands now."""
    return State.from_json(snapshot_of(campaign).state)


def kept_or_folded(campaign: Campaign) -> State:
    """The same for a campaign read together with its log and snapshot: no further query where the snapshot is the newest."""
    kept = getattr(campaign, "snapshot", None)
    if kept is not None and kept.length == campaign.log.length:
        return State.from_json(kept.state)
    return state_of(campaign)


def snapshot_of(campaign: Campaign) -> Snapshot:
    """The kept state if it is the newest, else a new one folded from the log (not saved: reading writes nothing)."""
    kept = Snapshot.objects.filter(campaign=campaign).first()
    if kept is not None and kept.length == campaign.log.length:
        return kept
    return taken(campaign, lines_of(campaign))


def taken(campaign: Campaign, lines: list[Line]) -> Snapshot:
    order = effective(lines)
    last = max((line.played_on for line in lines), default=dt.date.min.isoformat())
    number = max((line.number for line in lines), default=0)
    return Snapshot(
        campaign=campaign, length=number, last_played=dt.date.fromisoformat(last), state=fold(order).to_json()
    )


def refold(campaign: Campaign, *, since: tuple[dt.date, int] | None = None) -> State:
    """Fold everything anew and keep it; past checkpoints from ``since`` on are dropped and laid anew."""
    lines = lines_of(campaign)
    snapshot = taken(campaign, lines)
    keep(campaign, snapshot)
    drop_checkpoints(campaign, since)
    return State.from_json(snapshot.state)


def keep(campaign: Campaign, snapshot: Snapshot) -> None:
    """The log is held, so nobody else keeps one meanwhile."""
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
    """Where the campaign stood after this line, as corrected since."""
    entry = Entry.objects.filter(log=campaign.log_id, number=number).values_list("played_on", "number").first()
    if entry is None:
        return State()
    day, number = entry
    upto = Q(played_on__lt=day) | Q(played_on=day, number__lte=number)
    start = Checkpoint.objects.filter(upto, campaign=campaign).order_by("-played_on", "-number").first()
    entries = Entry.objects.filter(upto, log=campaign.log_id)
    if start is not None:
        entries = entries.filter(
            Q(played_on__gt=start.played_on) | Q(played_on=start.played_on, number__gt=start.number)
        )
    lines = lines_of(campaign, entries.order_by("played_on", "number"))
    stand = standing(corrections_of(campaign))
    state = State.from_json(start.state) if start else State()
    for begin in range(0, len(lines), STRIDE):
        part = lines[begin : begin + STRIDE]
        state = fold(effective(part, stand), state)
        if len(part) == STRIDE:
            last = part[-1]
            Checkpoint.objects.get_or_create(
                campaign=campaign,
                played_on=dt.date.fromisoformat(last.played_on),
                number=last.number,
                defaults={"state": state.to_json()},
            )
    return state


def state_as_known(campaign: Campaign, number: int) -> State:
    """What the chronicle said when this line had just been entered, before any later correction."""
    entries = Entry.objects.filter(log=campaign.log_id, number__lte=number).order_by("number")
    return fold(effective(lines_of(campaign, entries)))


def effects_of_line(campaign: Campaign, number: int) -> list[Effect]:
    """What a line does as it reads now: amended, it does something else; struck, nothing."""
    line = next(iter(lines_of(campaign, Entry.objects.filter(log=campaign.log_id, number=number))), None)
    stand = standing(corrections_of(campaign))
    if line is None or number in stand.struck:
        return []
    return stand.effects[number] if number in stand.amended else line.effects


def corrections_of(campaign: Campaign) -> list[Line]:
    return lines_of(
        campaign, Entry.objects.filter(log=campaign.log_id, act__in=(*CORRECTIONS, RESTORE)).order_by("number")
    )


def problems(campaign: Campaign) -> list[str]:
    """What ``verify_chronicle`` says: nothing, if every cache equals the log."""
    said = []
    lines = lines_of(campaign)
    numbers = [line.number for line in lines]
    if numbers != list(range(1, len(lines) + 1)):
        said.append("the numbers of its entries have gaps")
    if campaign.log.length != len(lines):
        said.append(f"the log says {campaign.log.length} entries and holds {len(lines)}")
    state = fold(effective(lines))
    kept = Snapshot.objects.filter(campaign=campaign).first()
    if kept is not None and kept.length == campaign.log.length and State.from_json(kept.state) != state:
        said.append("the snapshot is not what the log folds to")
    if campaign.name != state.name:
        said.append(f"it is called {campaign.name!r}, and its chronicle says {state.name!r}")
    order = effective(lines)
    for point in Checkpoint.objects.filter(campaign=campaign):
        place = (point.played_on.isoformat(), point.number)
        if State.from_json(point.state) != fold(line for line in order if line.place <= place):
            said.append(f"the checkpoint after entry {point.number} is not what the log folds to")
    return said
