"""One approval ready to draw: each version, who approved it, who decides, what the viewer can do."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from campaign import selectors
from campaign.approvals.pending_list import ApprovalRow, approval_row, name_with_phone, shown_versions, waiting_text
from campaign.approvals.versions_and_votes import current_versions, kingdoms_of
from campaign.chronicle import codec, consent
from campaign.chronicle.consent import MASTER
from campaign.chronicle.corrections import StateChange
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.sentences import Names, change_text, describe_entry
from campaign.chronicle.state import State
from campaign.display import EffectRow, EntryRow, effect_rows, entry_rows, names_for
from campaign.models import Approval
from dataclass_json import PageOnly, stored_as
from pages.fields.rows import extend
from people.models import Person
from people.requester import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class VersionRow:
    """``agreed``: who approved it, and on whose phone; ``chosen``: the viewer approved it."""

    api_name = "ApprovalVersion"

    number: int
    by: str
    for_whom: str
    sentence: str = field(metadata=stored_as("tale"))
    effects: tuple[EffectRow, ...]
    played_on: dt.date
    why: str
    digest: str
    agreed: tuple[str, ...]
    refusal: Annotated[str, "Why it cannot be written now."]
    mine: PageOnly[bool]
    chosen: PageOnly[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalDisplay(ApprovalRow):
    """The row, and the rest of its page."""

    api_name = "Approval"

    act: str
    is_open: PageOnly[bool]
    is_correction: PageOnly[bool]
    entry: int | None
    stands_at: dt.datetime | None
    decides: str
    versions: tuple[VersionRow, ...]
    objections: PageOnly[tuple[tuple[str, str], ...]]  # who, and why
    corrected: PageOnly[EntryRow | None]  # the entry a correction is about
    # What, before, after, and whether it is new since they were asked.
    changes: PageOnly[tuple[tuple[str, str, str, bool], ...]]
    correction_reason: PageOnly[str]
    can_answer: bool = field(metadata=stored_as("may_answer"))
    can_decide: bool = field(metadata=stored_as("may_decide"))  # as game master, for good
    own_side: PageOnly[str]  # the side of a viewer who can decide
    can_withdraw: bool = field(metadata=stored_as("may_withdraw"))
    others: PageOnly[tuple[tuple[int, str], ...]]  # who else can answer on this phone
    late: PageOnly[bool]


def build_approval_display(approval: Approval, who: Who) -> ApprovalDisplay:
    campaign = approval.campaign
    state = selectors.state_as_read(campaign)
    names = _names(approval, state)
    mine = set(who.person.all_ids()) if who.person else set()
    voices = consent.list_castable_votes(state, kingdoms_of(approval), mine)
    body = approval.versions[0]["body"]
    changes: tuple[tuple[str, str, str, bool], ...] = ()
    entry = None
    if approval.is_correction:
        before = body.get("before")
        changes = tuple(
            (*words, before is not None and row not in before)
            for row in body["changes"]
            if (words := change_text(StateChange(*row), names))
        )
        entry = next(iter(entry_rows(campaign, who, names, numbers=[body["target"]])), None)
    row = approval_row(approval, state, names, mine)
    can_decide = approval.is_open and MASTER in voices
    side = consent.find_own_side(state, approval.sides, mine) if can_decide else None
    return extend(
        ApprovalDisplay,
        row,
        act=approval.act,
        is_open=approval.is_open,
        is_correction=approval.is_correction,
        entry=approval.entry,
        stands_at=approval.stands_at,
        decides=decision_text(approval, state, names, mine),
        versions=tuple(_version_row(approval, n, state, names, mine, voices) for n, _ in shown_versions(approval)),
        objections=tuple(_objections(approval, names)),
        corrected=entry,
        changes=changes,
        correction_reason=body.get("why", "") if approval.is_correction else "",
        can_answer=approval.is_open and bool(voices),
        can_decide=can_decide,
        own_side=names.kingdom(side) if side else "",
        can_withdraw=approval.is_open
        and (MASTER in voices or any(one["person"] in mine for _, one in current_versions(approval))),
        others=tuple(_people_asked_here(approval, state, names, mine)),
        late="record it anyway" in approval.trouble or "all the same" in approval.trouble,
    )


def decision_text(approval: Approval, state: State, names: Names, mine: Collection[int] = ()) -> str:
    """Who decides, in one sentence; the reader is "you"."""
    if not approval.is_open:
        return ""
    if approval.stage == Approval.Stage.DISPUTED:
        return f"{waiting_text(approval, state, names, mine)} Other battles go on."
    return waiting_text(approval, state, names, mine)


def _names(approval: Approval, state: State) -> Names:
    campaign = approval.campaign
    names = names_for(campaign, state, campaign.members.select_related("person__merged_into"))
    wanted = {one["person"] for one in approval.versions} | {one["behalf"] for one in approval.versions}
    wanted |= {vote[part] for vote in approval.votes.values() for part in ("person", "phone")}
    missing = wanted - set(names.people) - {None}
    found = (
        {person.pk: person.root.name for person in Person.objects.filter(pk__in=missing).select_related("merged_into")}
        if missing
        else {}
    )
    return Names(state, {**names.people, **found})


def _version_row(
    approval: Approval, number: int, state: State, names: Names, mine: set[int], voices: list[str]
) -> VersionRow:
    version = approval.versions[number]
    effects: tuple[EffectRow, ...] = ()
    refusal, sentence = "", ""
    if not approval.is_correction:
        entry, refusal = _preview_entry(approval, version, state)
        effects, sentence = effect_rows(entry.effects, names), describe_entry(entry, names)
    return VersionRow(
        number=number,
        by=names.person(version["person"]),
        for_whom=names.person(version["behalf"]) if version["behalf"] else "",
        sentence=sentence,
        effects=tuple(effects),
        played_on=dt.date.fromisoformat(version["played"]),
        why=version["why"],
        digest=version["digest"],
        agreed=find_agreed_names(approval, number, names),
        refusal=refusal,
        mine=version["person"] in mine,
        chosen=any(approval.votes.get(voice, {}).get("version") == number for voice in voices),
    )


def _preview_entry(approval: Approval, version: Mapping[str, Any], state: State) -> tuple[ChronicleEntry, str]:
    """The entry this version would become now."""
    entry = ChronicleEntry(0, approval.act, version["body"], [], version["played"])
    if not approval.is_open:
        return entry, ""
    try:
        act = codec.read_stored(approval.act, version["body"]).numbered(state, 0)
        return entry._replace(body=codec.write_sent(act), effects=act.decide(state, state.rules())), ""
    except Refusal as refusal:
        return entry, refusal.sentence


def find_agreed_names(approval: Approval, number: int, names: Names) -> tuple[str, ...]:
    author = approval.versions[number]["person"]
    agreed = []
    for vote in approval.votes.values():
        if vote["version"] == number and vote["person"] != author:
            agreed.append(name_with_phone(names, vote["person"], vote["phone"]))
    return tuple(dict.fromkeys(agreed))


def _objections(approval: Approval, names: Names) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for vote in approval.votes.values():
        if vote["version"] is None:
            found[name_with_phone(names, vote["person"], vote["phone"])] = vote.get("why", "")
    return list(found.items())


def _people_asked_here(approval: Approval, state: State, names: Names, mine: set[int]) -> list[tuple[int, str]]:
    """People who still have to answer and could do so on this phone."""
    if not approval.is_open or len(current_versions(approval)) != 1:
        return []  # with two versions, everyone uses their own phone
    missing = consent.find_missing_votes(state, approval.asks, approval.votes, current_versions(approval)[0][0])
    found: dict[int, str] = {}
    for key in missing:
        people = state.masters if key == MASTER else [state.kingdoms[key].acting]
        found |= {person: names.person(person) for person in people if person is not None and person not in mine}
    return list(found.items())
