"""One approval ready to draw: each version, who approved it, who decides, what the viewer can do."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from campaign import selectors
from campaign.approvals.pending_list import ApprovalRow, approval_row, name_with_phone, shown_versions, waiting_text
from campaign.approvals.versions_and_votes import Version, current_versions, kingdoms_of
from campaign.chronicle import codec, consent
from campaign.chronicle.consent import MASTER
from campaign.chronicle.corrections import StateChange
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.sentences import ChangeRow, Names, describe_changes, describe_entry
from campaign.chronicle.state import State
from campaign.display import EffectRow, EntryRow, effect_rows, entry_rows, names_for, names_of_people
from campaign.models import Approval
from campaign.permissions import ids_of
from dataclass_json import PageOnly, stored_as
from pages.fields.columns_and_rows import extend
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


@dataclass(frozen=True, slots=True)
class Objection:
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class PersonHere:
    """Somebody else who can answer on this phone."""

    pk: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalDisplay(ApprovalRow):
    """The row, and the rest of its page."""

    api_name = "Approval"

    act: str
    is_open: PageOnly[bool]
    is_correction: PageOnly[bool]
    entry: int | None
    stands_at: dt.datetime | None
    decides: str  # who, in one sentence
    versions: tuple[VersionRow, ...]
    objections: PageOnly[tuple[Objection, ...]]
    corrected: PageOnly[EntryRow | None]  # the entry a correction is about
    changes: PageOnly[tuple[ChangeRow, ...]]
    correction_reason: PageOnly[str]
    can_answer: bool = field(metadata=stored_as("may_answer"))
    can_decide: bool = field(metadata=stored_as("may_decide"))  # as game master, for good
    own_side: PageOnly[str]  # the side of a viewer who can decide
    can_withdraw: bool = field(metadata=stored_as("may_withdraw"))
    others: PageOnly[tuple[PersonHere, ...]]
    late: PageOnly[bool]  # it affects later entries, which nobody has accepted yet


def build_approval_display(approval: Approval, who: Who) -> ApprovalDisplay:
    """An example: Wren's report of battle 3 waits for Oda.

    It has one version, "Oakhold beat Fenwick …", with nobody in ``agreed`` yet. Oda ``can_answer``; on Wren's phone
    ``others`` lists her, so that she can confirm there. If it was played before entries that it affects, her answer is
    refused: ``trouble`` says so, and ``late`` offers to record it all the same.
    """
    campaign = approval.campaign
    state = selectors.state_as_read(campaign)
    names = _names(approval, state)
    mine = ids_of(who)
    voices = consent.list_castable_votes(state, kingdoms_of(approval), mine)
    body = approval.versions[0]["body"]
    corrected = None
    changes: tuple[ChangeRow, ...] = ()
    if approval.is_correction:
        corrected = next(iter(entry_rows(campaign, who, names, numbers=[body["target"]])), None)
        changes = _changes_asked_for(body, names)
    can_decide = approval.is_open and MASTER in voices
    side = consent.find_own_side(state, approval.sides, mine) if can_decide else None
    wrote_one = any(version["person"] in mine for _, version in current_versions(approval))
    waiting = waiting_text(approval, state, names, mine)
    return extend(
        ApprovalDisplay,
        approval_row(approval, state, names, mine),
        act=approval.act,
        is_open=approval.is_open,
        is_correction=approval.is_correction,
        entry=approval.entry,
        stands_at=approval.stands_at,
        decides=f"{waiting} Other battles go on." if approval.stage == Approval.Stage.DISPUTED else waiting,
        versions=tuple(_version_row(approval, n, state, names, mine, voices) for n, _ in shown_versions(approval)),
        objections=_objections(approval, names),
        corrected=corrected,
        changes=changes,
        correction_reason=body.get("why", "") if approval.is_correction else "",
        can_answer=approval.is_open and bool(voices),
        can_decide=can_decide,
        own_side=names.kingdom(side) if side else "",
        can_withdraw=approval.is_open and (MASTER in voices or wrote_one),
        others=_people_asked_here(approval, state, names, mine),
        late=bool(approval.trouble) and any(version.get("flagged") for _, version in current_versions(approval)),
    )


def _changes_asked_for(body: Mapping[str, Any], names: Names) -> tuple[ChangeRow, ...]:
    """What a correction changes. If it was asked for once more, what is new since then is marked."""
    before = body.get("before")
    rows = describe_changes([StateChange(*change) for change in body["changes"]], names)
    return tuple(
        replace(row, is_new=before is not None and change not in before)
        for row, change in zip(rows, body["changes"], strict=True)
    )


def _names(approval: Approval, state: State) -> Names:
    names = names_for(approval.campaign, state)
    wanted = {version[part] for version in approval.versions for part in ("person", "behalf")}
    wanted |= {vote[part] for vote in approval.votes.values() for part in ("person", "phone")}
    return Names(state, {**names.people, **names_of_people(wanted - set(names.people) - {None})})


def _version_row(
    approval: Approval, number: int, state: State, names: Names, mine: set[int], voices: list[str]
) -> VersionRow:
    version = approval.versions[number]
    effects: tuple[EffectRow, ...] = ()
    refusal = sentence = ""
    if not approval.is_correction:
        entry, refusal = _preview_entry(approval, version, state)
        effects, sentence = effect_rows(entry.effects, names), describe_entry(entry, names)
    agreed = (
        name_with_phone(names, vote["person"], vote["phone"])
        for vote in approval.votes.values()
        if vote["version"] == number and vote["person"] != version["person"]
    )
    return VersionRow(
        number=number,
        by=names.person(version["person"]),
        for_whom=names.person(version["behalf"]) if version["behalf"] else "",
        sentence=sentence,
        effects=effects,
        played_on=dt.date.fromisoformat(version["played"]),
        why=version["why"],
        digest=version["digest"],
        agreed=tuple(dict.fromkeys(agreed)),
        refusal=refusal,
        mine=version["person"] in mine,
        chosen=any(approval.votes.get(voice, {}).get("version") == number for voice in voices),
    )


def _preview_entry(approval: Approval, version: Version, state: State) -> tuple[ChronicleEntry, str]:
    """The entry this version would become now, or why it cannot."""
    entry = ChronicleEntry(0, approval.act, version["body"], [], version["played"])
    if not approval.is_open:
        return entry, ""
    try:
        act = codec.read_stored(approval.act, version["body"]).numbered(state, 0)
        return entry._replace(body=codec.write_sent(act), effects=act.decide(state, state.rules())), ""
    except Refusal as refusal:
        return entry, refusal.sentence


def _objections(approval: Approval, names: Names) -> tuple[Objection, ...]:
    """Each person's, once."""
    objections = {
        name_with_phone(names, vote["person"], vote["phone"]): vote.get("why", "")
        for vote in approval.votes.values()
        if vote["version"] is None
    }
    return tuple(Objection(who, why) for who, why in objections.items())


def _people_asked_here(approval: Approval, state: State, names: Names, mine: set[int]) -> tuple[PersonHere, ...]:
    """People who still have to answer and could do so on this phone."""
    if not approval.is_open or len(current_versions(approval)) != 1:
        return ()  # with two versions, everyone uses their own phone
    missing = consent.find_missing_votes(state, approval.asks, approval.votes, current_versions(approval)[0][0])
    asked = [person for key in missing for person in (state.masters if key == MASTER else [state.kingdoms[key].acting])]
    others = dict.fromkeys(person for person in asked if person is not None and person not in mine)
    return tuple(PersonHere(person, names.person(person)) for person in others)
