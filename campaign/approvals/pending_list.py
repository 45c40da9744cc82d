"""Pending approvals, one row each: for the campaign's page, the home page and the API."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.approvals.versions_and_votes import Version, current_versions, kingdoms_of
from campaign.chronicle import consent
from campaign.chronicle.battles_from_entries import is_battle
from campaign.chronicle.consent import MASTER
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.sentences import Names, describe_entry
from campaign.chronicle.state import State
from campaign.models import Approval
from text import join_list

MASTERS = "the game master"


@dataclass(frozen=True, slots=True)
class ApprovalRow:
    pk: int
    url: str
    title: str
    text: str
    stage: Approval.Stage
    waits_for: tuple[str, ...]
    asks_me: bool
    trouble: str


def approval_row(approval: Approval, state: State, names: Names, mine: set[int]) -> ApprovalRow:
    voices = consent.list_castable_votes(state, kingdoms_of(approval), mine)
    return ApprovalRow(
        pk=approval.pk,
        url=approval.get_absolute_url(),
        title=title_of(approval, names),
        text=summary_of(approval, state, names, mine),
        stage=Approval.Stage(approval.stage),
        waits_for=find_waited_for(approval, state, names),
        asks_me=any(is_asked(approval, state, voice) for voice in voices),
        trouble=approval.trouble or closed_battle_text(approval, state),
    )


def approval_rows(approvals: Iterable[Approval], state: State, names: Names, mine: set[int]) -> tuple[ApprovalRow, ...]:
    return tuple(approval_row(approval, state, names, mine) for approval in approvals)


def shown_versions(approval: Approval) -> list[tuple[int, Version]]:
    """The current versions; of a withdrawn approval, the versions it had."""
    return current_versions(approval) or list(enumerate(approval.versions))


def title_of(approval: Approval, names: Names) -> str:
    body = approval.versions[0]["body"]
    if approval.is_correction:
        return f"Correction of entry {body['target']}"
    if not is_battle(ChronicleEntry(0, approval.act, body, [], "")):
        return approval.act.replace("_", " ").capitalize()
    battle = body.get("battle")
    return names.place(body["target"]) + (f", battle {battle}" if battle else "")


def summary_of(approval: Approval, state: State, names: Names, mine: Collection[int] = ()) -> str:
    """Who says what and who still has to answer; the reader is "you"."""
    author = names.person(approval.versions[0]["person"])
    versions = shown_versions(approval)
    if approval.is_correction:
        what = {"strike": "strike", "amend": "amend", "restore": "undo"}[approval.act]
        summary = f"{author} wants to {what} it."
    elif len(versions) > 1:
        summary = f"{join_list([names.person(version['person']) for _, version in versions])} disagree."
    else:
        body = versions[0][1]["body"]
        if len(approval.sides) == 2:
            body = {"defender": approval.sides[1], **body}
        sentence = describe_entry(ChronicleEntry(0, approval.act, body, [], ""), names)
        summary = f"{names.person(versions[0][1]['person'])} says: {sentence}"
    return f"{summary} {waiting_text(approval, state, names, mine)}".strip()


def waiting_text(approval: Approval, state: State, names: Names, mine: Collection[int] = ()) -> str:
    if not approval.is_open:
        return ""
    waits = join_list(find_waited_for(approval, state, names, mine))
    if approval.stage == Approval.Stage.DISPUTED:
        sides = [key for key in consent.filter_reachable(state, approval.asks) if key != MASTER]
        agree = ", or the sides agree" if len(sides) > 1 else ""
        return f"The game master decides{agree}."
    return f"Waiting for {waits}." if waits else ""


def find_waited_for(approval: Approval, state: State, names: Names, mine: Collection[int] = ()) -> tuple[str, ...]:
    """Names of those who still have to answer."""
    versions = current_versions(approval)
    if not approval.is_open or not versions:
        return ()
    missing = min((consent.find_missing_votes(state, approval.asks, approval.votes, n) for n, _ in versions), key=len)
    return tuple(dict.fromkeys(name_of_answerer(state, key, names, mine) for key in missing))


def is_asked(approval: Approval, state: State, voice: str) -> bool:
    """Whether this vote is still missing."""
    if not approval.is_open:
        return False
    if approval.stage == Approval.Stage.DISPUTED:
        return voice == MASTER or voice not in approval.votes
    return voice in consent.find_missing_votes(state, approval.asks, approval.votes, current_versions(approval)[0][0])


def closed_battle_text(approval: Approval, state: State) -> str:
    """Why a report can only be withdrawn: its battle is closed."""
    battle = approval.versions[0]["body"].get("battle")
    if approval.is_open and not approval.is_correction and battle and battle not in state.battles:
        return f"Battle {battle} is not open. It was already reported or called off."
    return ""


def name_of_answerer(state: State, key: str, names: Names, mine: Collection[int] = ()) -> str:
    if key == MASTER:
        return MASTERS
    acting = state.kingdoms[key].acting
    return "you" if acting in mine else names.person(acting)


def name_with_phone(names: Names, person: int, phone: int | None) -> str:
    return names.person(person) + (f" on {names.person(phone)}’s phone" if phone else "")


def confirmation_text(rows: Sequence[Mapping[str, Any]], names: Names) -> str:
    """How an entry says who confirmed it."""
    if any("stood" in row for row in rows):
        return "final after 7 days without objection"
    masters = [name_with_phone(names, row["person"], row.get("phone")) for row in rows if not row.get("side")]
    words = [f"confirmed by {join_list(masters)}"] if masters else []
    words += [
        f"decided by {names.person(row['person'])}, game master and on the side of {names.kingdom(row['side'])}"
        for row in rows
        if row.get("side")
    ]
    return ", ".join(words)


def reports_and_votes_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    """What somebody reported and answered, for the file of their own data."""
    rows = []
    for row in Approval.objects.filter(campaign__members__person__in=ids).select_related("campaign").distinct():
        versions = [version for version in row.versions if version["person"] in ids]
        votes = {key: vote for key, vote in row.votes.items() if vote["person"] in ids}
        if versions or votes:
            about = {"campaign": row.campaign.code, "about": row.subject, "stage": row.stage, "entry": row.entry}
            rows.append(about | {"said": versions, "answered": votes})
    return rows
