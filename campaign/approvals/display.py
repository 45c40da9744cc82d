"""One petition ready to draw: every version with what it would do, who said yes, who decides, and what its viewer may do."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from campaign import reading
from campaign.annals import consent
from campaign.annals.acts import act_of
from campaign.annals.consent import MASTER
from campaign.annals.corrections import Change
from campaign.annals.lines import Line
from campaign.annals.state import State
from campaign.annals.tales import Names, tale
from campaign.changes import change_words
from campaign.models import Petition
from campaign.settling import kingdoms_of, live
from campaign.sheet import EffectRow, LedgerLine, effect_rows, ledger, names_for
from campaign.waiting import PetitionRow, row_of, shown, waits_words, with_phone
from people.models import Person
from people.who import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class VersionRow:
    number: int
    by: str
    for_whom: str
    tale: str
    effects: tuple[EffectRow, ...]
    played_on: dt.date
    why: str
    digest: str
    agreed: tuple[str, ...]  # who said yes to it, and on whose phone
    refusal: str  # why it could not be written as things are now
    mine: bool
    chosen: bool  # the viewer said yes to it


@dataclass(frozen=True, slots=True)
class PetitionSheet:
    row: PetitionRow
    act: str
    is_open: bool
    is_correction: bool
    entry: int | None
    stands_at: dt.datetime | None
    decides: str
    versions: tuple[VersionRow, ...]
    objections: tuple[tuple[str, str], ...]  # who, and why
    line: LedgerLine | None  # the entry a correction is about
    changes: tuple[
        tuple[str, str, str, bool], ...
    ]  # what, as it stands, after this, and whether it is new since it was asked
    why: str
    may_answer: bool
    may_decide: bool  # as game master, for good
    own_side: str  # the side of the viewer who may decide: it is a matter of their own
    may_withdraw: bool
    others: tuple[tuple[int, str], ...]  # who else may answer here, on this phone
    late: bool


def petition_sheet(petition: Petition, who: Who) -> PetitionSheet:
    campaign = petition.campaign
    state = reading.state_of(campaign)
    names = _names(petition, state)
    mine = set(who.person.all_ids()) if who.person else set()
    voices = consent.voices(state, kingdoms_of(petition), mine)
    body = petition.versions[0]["body"]
    changes: tuple[tuple[str, str, str, bool], ...] = ()
    line = None
    if petition.is_correction:
        before = body.get("before")
        changes = tuple(
            (*words, before is not None and row not in before)
            for row in body["changes"]
            if (words := change_words(Change(*row), names))
        )
        line = next(iter(ledger(campaign, who, names, numbers=[body["target"]])), None)
    row = row_of(petition, state, names, mine)
    may_decide = petition.is_open and MASTER in voices
    side = consent.side_of(state, petition.sides, mine) if may_decide else None
    return PetitionSheet(
        row=row,
        act=petition.act,
        is_open=petition.is_open,
        is_correction=petition.is_correction,
        entry=petition.entry,
        stands_at=petition.stands_at,
        decides=decides(petition, state, names),
        versions=tuple(_version(petition, n, state, names, mine, voices) for n, _ in shown(petition)),
        objections=tuple(_objections(petition, names)),
        line=line,
        changes=changes,
        why=body.get("why", "") if petition.is_correction else "",
        may_answer=petition.is_open and bool(voices),
        may_decide=may_decide,
        own_side=names.kingdom(side) if side else "",
        may_withdraw=petition.is_open and (MASTER in voices or any(one["person"] in mine for _, one in live(petition))),
        others=tuple(_others(petition, state, names, mine)),
        late="all the same" in petition.trouble,
    )


def decides(petition: Petition, state: State, names: Names) -> str:
    """Who decides, in one sentence."""
    if not petition.is_open:
        return ""
    if petition.stage == Petition.Stage.DISPUTED:
        return f"{waits_words(petition, state, names)} Other battles go on meanwhile."
    return waits_words(petition, state, names)


def _names(petition: Petition, state: State) -> Names:
    campaign = petition.campaign
    names = names_for(campaign, state, campaign.members.select_related("person__merged_into"))
    wanted = {one["person"] for one in petition.versions} | {one["behalf"] for one in petition.versions}
    wanted |= {vote[part] for vote in petition.votes.values() for part in ("person", "phone")}
    missing = wanted - set(names.people) - {None}
    found = {person.pk: person.root.name for person in Person.objects.filter(pk__in=missing).select_related("merged_into")} if missing else {}  # fmt: skip
    return Names(state, {**names.people, **found})


def _version(
    petition: Petition, number: int, state: State, names: Names, mine: set[int], voices: list[str]
) -> VersionRow:
    told = petition.versions[number]
    effects, refusal, said = (), "", ""
    if not petition.is_correction:
        line, refusal = _as_it_would_be(petition, told, state)
        effects, said = effect_rows(line.effects, names), tale(line, names)
    return VersionRow(
        number=number,
        by=names.person(told["person"]),
        for_whom=names.person(told["behalf"]) if told["behalf"] else "",
        tale=said,
        effects=tuple(effects),
        played_on=dt.date.fromisoformat(told["played"]),
        why=told["why"],
        digest=told["digest"],
        agreed=agreed_by(petition, number, names),
        refusal=refusal,
        mine=told["person"] in mine,
        chosen=any(petition.votes.get(voice, {}).get("version") == number for voice in voices),
    )


def _as_it_would_be(petition: Petition, told: dict, state: State) -> tuple[Line, str]:
    """The line this version would become if it were written now."""
    kind, body = act_of(petition.act), {**told["body"], "line": 0}
    line = Line(0, petition.act, body, [], told["played"])
    if not petition.is_open:
        return line, ""
    try:
        body = kind.prepare(state, body) if kind.prepare else body
        return line._replace(body=body, effects=kind.effects(state, body, state.rules())), ""
    except Refusal as refusal:
        return line, refusal.sentence


def agreed_by(petition: Petition, number: int, names: Names) -> tuple[str, ...]:
    author = petition.versions[number]["person"]
    said = []
    for vote in petition.votes.values():
        if vote["version"] == number and vote["person"] != author:
            said.append(with_phone(names, vote["person"], vote["phone"]))
    return tuple(dict.fromkeys(said))


def _objections(petition: Petition, names: Names) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for vote in petition.votes.values():
        if vote["version"] is None:
            found[with_phone(names, vote["person"], vote["phone"])] = vote.get("why", "")
    return list(found.items())


def _others(petition: Petition, state: State, names: Names, mine: set[int]) -> list[tuple[int, str]]:
    """Those asked who could say it on this phone: whoever acts for a kingdom whose word is missing."""
    if not petition.is_open or len(live(petition)) != 1:
        return []  # where two versions stand, each chooses on a phone of their own
    missing = consent.missing(state, petition.asks, petition.votes, live(petition)[0][0])
    found: dict[int, str] = {}
    for key in missing:
        people = state.masters if key == MASTER else [state.kingdoms[key].acting]
        found |= {person: names.person(person) for person in people if person is not None and person not in mine}
    return list(found.items())
