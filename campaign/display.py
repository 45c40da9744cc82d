"""A campaign ready to draw: page, JSON and paper draw the same sheet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from campaign import reading
from campaign.annals.acts import act_of
from campaign.annals.lines import CORRECTIONS, RESTORE, Line, Standing, standing
from campaign.annals.state import Kingdom, State
from campaign.annals.tales import Names, effect_name, tale, why
from campaign.door import is_master
from campaign.map.sheet import Crown, crowns_of
from campaign.models import Campaign
from campaign.rewriting import REWRITTEN
from campaign.waiting import PetitionRow, confirmed_words, rows
from heraldry import Arms
from log.models import Entry
from people.models import Person
from people.who import Who

# Lines of the chronicle on a page: an evening or two. The rest is a tap away.
PAGE = 15


@dataclass(frozen=True, slots=True)
class MemberRow:
    person: Person
    role: str
    is_master: bool
    rules: tuple[str, ...]  # names of the kingdoms they rule or act for
    mine: bool = False  # the viewer looks after them
    linkless: bool = False  # and has not handed them a personal link yet


@dataclass(frozen=True, slots=True)
class EffectRow:
    text: str
    why: str
    kingdom: str
    name: str
    arms: Arms | None
    good: bool | None  # a gain, a loss, or neither


@dataclass(frozen=True, slots=True)
class CorrectionNote:
    """What became of a line: struck or amended, by which entry, by whom, when and why."""

    kind: str
    entry: int
    actor: str
    on: dt.date
    why: str


@dataclass(frozen=True, slots=True)
class LedgerLine:
    number: int
    act: str
    tale: str
    actor: str
    for_whom: str
    confirmed: str  # by whom, if others were asked
    effects: tuple[EffectRow, ...]
    played_on: dt.date
    entered_at: dt.datetime
    corrected: CorrectionNote | None
    may_correct: bool
    is_correction: bool
    is_rewritten: bool = False  # corrected on the form it was written with
    battle: int | None = None  # the battle it tells of, which has a page of its own

    @property
    def entered_later(self) -> dt.date | None:
        """The day it was entered, if that was not the day it was played."""
        day = timezone.localdate(self.entered_at)
        return day if day != self.played_on else None

    @property
    def is_struck(self) -> bool:
        return self.corrected is not None and self.corrected.kind == "strike"


@dataclass(frozen=True, slots=True)
class HouseRow:
    number: int
    name: str
    arms: Arms
    lost: bool


@dataclass(frozen=True, slots=True)
class KingdomRow:
    id: str
    name: str
    arms: Arms
    crown: Crown
    ruler: str
    regent: str
    status: str
    loyalty: int
    vp: int
    holds: int
    houses: tuple[HouseRow, ...]
    mine: bool

    @property
    def sworn(self) -> int:
        return sum(not house.lost for house in self.houses)


@dataclass(frozen=True, slots=True)
class BattleRow:
    number: int
    attacker: str
    defender: str
    target: str
    place: str
    scenario: str | None


@dataclass(frozen=True, slots=True)
class CampaignSheet:
    code: str
    name: str
    visibility: str
    version: int
    season: str
    season_open: bool
    winner: str
    kingdoms: tuple[KingdomRow, ...]
    battles: tuple[BattleRow, ...]
    petitions: tuple[PetitionRow, ...]
    members: tuple[MemberRow, ...]
    lines: tuple[LedgerLine, ...]
    length: int
    older: int
    may_write: bool
    may_run: bool
    fought: bool  # a battle was declared or logged
    lead: str

    @property
    def linkless(self) -> tuple[str, ...]:
        """Friends the viewer has written down for this table and not let in yet."""
        return tuple(row.person.name for row in self.members if row.linkless)


def campaign_sheet(
    campaign: Campaign, who: Who, *, state: State | None = None, before: int | None = None
) -> CampaignSheet:
    """Everything its page shows. The same few queries whatever the size."""
    now = state or reading.state_of(campaign)
    members = list(campaign.members.select_related(*MEMBER_ROWS))
    names = names_for(campaign, now, members)
    mine = set(who.person.all_ids()) if who.person else set()
    lines = ledger(campaign, who, names, before=before)
    belongs = any(m.person_id in mine for m in members)
    # What waits is for the table alone.
    waiting = campaign.petitions.open().select_related("campaign") if belongs else ()
    return CampaignSheet(
        code=campaign.code,
        name=campaign.name,
        visibility=campaign.visibility,
        version=campaign.log.version,
        season=season_words(now),
        season_open=now.season_open,
        winner=names.kingdom(now.winner) if now.winner else "",
        kingdoms=kingdom_rows(now, names, mine),
        battles=battle_rows(now, names),
        petitions=rows(waiting, now, names, mine),
        members=member_rows(members, now, mine),
        lines=lines,
        length=campaign.log.length,
        older=lines[-1].number - 1 if lines else 0,
        may_write=belongs,
        may_run=is_master(now, who),
        fought=bool(now.battle_count),
        lead=lead(now, names),
    )


def names_for(campaign: Campaign, state: State, members: Iterable[Any]) -> Names:
    """Names of everyone a line or a kingdom may name. Members are read already; others are fetched once."""
    people = {m.person_id: m.person.root.name for m in members}
    wanted = {p for k in state.kingdoms.values() for p in (k.ruler, k.regent) if p} | set(state.masters)
    missing = wanted - set(people)
    if missing:
        for person in Person.objects.filter(pk__in=missing).select_related("merged_into"):
            people[person.pk] = person.root.name
    return Names(state, people)


def kingdom_rows(state: State, names: Names, mine: set[int]) -> tuple[KingdomRow, ...]:
    rows = []
    for crown in crowns_of(state):
        kingdom: Kingdom = state.kingdoms[crown.id]
        houses = tuple(
            HouseRow(number, house.name, Arms.from_dict(house.arms), house.lost)
            for number, house in enumerate(kingdom.houses, 1)
        )
        rows.append(
            KingdomRow(
                id=kingdom.id,
                name=kingdom.name,
                arms=crown.arms,
                crown=crown,
                ruler=names.person(kingdom.ruler) if kingdom.ruler else "",
                regent=names.person(kingdom.regent) if kingdom.regent else "",
                status=kingdom.status,
                loyalty=kingdom.loyalty,
                vp=kingdom.vp,
                holds=crown.holds,
                houses=houses,
                mine=bool({kingdom.ruler, kingdom.regent} & mine),
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.holds, -row.vp, -row.loyalty, row.crown.number)))


def battle_rows(state: State, names: Names) -> tuple[BattleRow, ...]:
    return tuple(
        BattleRow(
            b.number, names.kingdom(b.attacker), names.kingdom(b.defender), b.target, names.place(b.target), b.scenario
        )
        for b in state.battles.values()
    )


def season_words(state: State) -> str:
    if not state.season:
        return ""
    name = f"Season {state.season}, {state.season_name}"
    return name if state.season_open else f"{name}, closed"


def lead(state: State, names: Names) -> str:
    """One sentence that says what matters now."""
    if state.winner:
        return f"{names.kingdom(state.winner)} has won the war."
    if state.battles:
        battle = next(iter(state.battles.values()))
        said = f"{names.kingdom(battle.attacker)} attacks {names.place(battle.target)}, held by {names.kingdom(battle.defender)}."
        more = len(state.battles) - 1
        return said + (f" {more} more battle{'s are' if more > 1 else ' is'} open." if more else "")
    if len(state.in_play()) < 2:
        return "A war needs two kingdoms at least. Let them join."
    return "No battle is open. Roll off for the attack, or log a battle you have fought."


# What a member's row reads, in the one query that fetches the members.
MEMBER_ROWS = ("person__merged_into__personal_link", "person__personal_link")


def member_rows(members: Iterable[Any], state: State, viewer: Collection[int] = ()) -> tuple[MemberRow, ...]:
    """Each person once: two who turned out to be one may both have joined before. Masters first."""
    rows: dict[int, MemberRow] = {}
    for member in sorted(members, key=lambda member: member.role != "master"):
        row = _member(member, state, viewer)
        rows.setdefault(row.person.pk, row)
    return tuple(rows.values())


def _member(member: Any, state: State, viewer: Collection[int]) -> MemberRow:
    person = member.person.root
    ruled = tuple(kingdom.name for kingdom in state.ruled_by({member.person_id, person.pk}))
    mine = person.keeper_id in viewer and not person.has_account and not person.is_forgotten
    linkless = mine and getattr(person, "personal_link", None) is None
    return MemberRow(person, member.get_role_display(), member.role == "master", ruled, mine, linkless)


# --- the ledger -----------------------------------------------------------------------------------------------------


def ledger(
    campaign: Campaign, who: Who, names: Names, *, before: int | None = None, numbers: Sequence[int] | None = None
) -> tuple[LedgerLine, ...]:
    """The newest lines, or those before an entry, newest first, each with what became of it since."""
    entries = Entry.objects.filter(log=campaign.log_id).order_by("-number")
    entries = entries.select_related("actor__merged_into", "on_behalf_of__merged_into")
    if before is not None:
        entries = entries.filter(number__lt=before)
    found = list(entries.filter(number__in=numbers) if numbers is not None else entries[:PAGE])
    corrections = {entry.number: entry for entry in _corrections(campaign)}
    stand = standing(_line(entry) for entry in corrections.values())
    return tuple(_ledger_line(entry, names, stand, corrections) for entry in found)


def _corrections(campaign: Campaign) -> list[Entry]:
    rows = Entry.objects.filter(log=campaign.log_id, act__in=(*CORRECTIONS, RESTORE)).order_by("number")
    return list(rows.select_related("actor__merged_into"))


def _line(entry: Entry) -> Line:
    return Line(
        entry.number,
        entry.act,
        entry.body,
        entry.effects,
        entry.played_on.isoformat(),
        entry.actor_id,
        entry.on_behalf_of_id,
    )


def _ledger_line(entry: Entry, names: Names, stand: Standing, corrections: dict[int, Entry]) -> LedgerLine:
    line = _line(entry)
    number = entry.number
    if number in stand.amended:
        line = line._replace(body=stand.bodies.get(number, line.body), effects=stand.effects[number])
    by = corrections.get(stand.struck.get(number) or stand.amended.get(number) or 0)
    note = None
    if by is not None:
        kind = "strike" if number in stand.struck else "amend"
        note = CorrectionNote(kind, by.number, _name(by.actor), by.played_on, by.body.get("why", ""))
    elif number in stand.restored:
        undone = corrections[stand.restored[number]]
        note = CorrectionNote(
            "restore", undone.number, _name(undone.actor), undone.played_on, undone.body.get("why", "")
        )
    actor = _name(entry.actor)
    if entry.actor_id:
        names = Names(names.state, {**names.people, entry.actor_id: actor})
    correction = entry.act in (*CORRECTIONS, RESTORE)
    return LedgerLine(
        number=number,
        act=entry.act,
        tale=tale(line, names),
        actor=actor,
        for_whom=_name(entry.on_behalf_of) if entry.on_behalf_of_id else "",
        confirmed=confirmed_words(entry.body.get("confirmed") or [], names),
        effects=effect_rows(line.effects, names),
        played_on=entry.played_on,
        entered_at=entry.entered_at,
        corrected=note,
        may_correct=not correction and entry.act != "founded" and (note is None or note.kind != "strike"),
        is_correction=entry.act in CORRECTIONS and number not in stand.restored,
        is_rewritten=entry.act in REWRITTEN,
        battle=line.body.get("battle") if entry.act in ("battle_declared", "result") else None,
    )


def _name(person: Person | None) -> str:
    return person.root.name if person else ""


def effect_rows(
    effects: Iterable[dict[str, Any]], names: Names, *, of_one_battle: bool = False
) -> tuple[EffectRow, ...]:
    """Each with its reason; on the page of one battle the reason does not say again which battle it was."""
    rows = []
    for effect in effects:
        text, kingdom = effect_name(effect, names)
        if not text:
            continue
        realm = names.state.kingdoms.get(kingdom)
        by = effect.get("by")
        good = by > 0 if isinstance(by, int) else not effect["lost"] if effect["do"] == "house" else None
        arms = Arms.from_dict(realm.arms) if realm else None
        said = why({**effect, "battle": None} if of_one_battle else effect)
        rows.append(EffectRow(text, said, kingdom, names.kingdom(kingdom), arms, good))
    return tuple(rows)


def acts_open_to(state: State, who: Who, act: str) -> list[Kingdom]:
    """The kingdoms for which this one may do an act: all for a master, one's own for a ruler."""
    if is_master(state, who):
        return state.in_play()
    kind = act_of(act)
    return state.ruled_by(set(who.person.all_ids())) if who.person and kind.by != "master" else []
