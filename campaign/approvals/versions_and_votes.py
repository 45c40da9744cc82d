"""Versions and votes of an approval, and the entry written once everyone agrees."""

import copy
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from django.utils import timezone

from campaign import selectors
from campaign.chronicle import codec, consent
from campaign.chronicle.consent import MASTER
from campaign.chronicle.corrections import CorrectionPreview
from campaign.chronicle.state import State
from campaign.models import Approval
from campaign.permissions import is_master
from campaign.services import JudgedAct, LockedCampaign, preview_correction
from jobs import timers
from log.services import Answer
from people.models import Person
from people.requester import Who
from refusal import Refusal

FINALISE_TIMER = "petition-stands"


class Version(TypedDict):
    """One version of a report, or a correction, as an approval stores it."""

    person: int
    behalf: int | None
    body: codec.Body
    played: str  # ISO
    late: bool
    why: str
    digest: str
    at: str
    gone: NotRequired[bool]
    flagged: NotRequired[list[int]]  # entries it affects, if it was refused because of them


class Vote(TypedDict):
    """A vote, stored under its kingdom or under MASTER."""

    version: int | None  # none: disputed
    person: int
    phone: int | None  # somebody else's, if it was lent
    at: str
    why: NotRequired[str]


class Confirmation(TypedDict):
    """Who confirmed an entry before it was written."""

    kingdom: str
    person: int
    phone: int | None
    side: NotRequired[str]  # a game master decided about their own


class Unopposed(TypedDict):
    """Nobody objected for this many days."""

    stood: int


def _copy(approval: Approval) -> Approval:
    """A refusal must not change the caller's."""
    row = copy.copy(approval)
    row.versions, row.votes, row.asks = copy.deepcopy((row.versions, row.votes, row.asks))
    return row


def find_open_approval(locked: LockedCampaign, subject: str, seen: Sequence[Approval] | None = None) -> Approval | None:
    """The open approval with this subject; ``seen`` if nothing has changed since the caller looked."""
    if locked.is_as_read and seen is not None:
        row = _copy(seen[0]) if seen else None
    else:
        row = Approval.objects.open().filter(campaign=locked.campaign, subject=subject).first()
    if row is not None:
        row.campaign = locked.campaign
    return row


def require_open(locked: LockedCampaign, approval: Approval) -> Approval:
    """The current approval, or a refusal if it is closed."""
    row = _copy(approval) if locked.is_as_read else Approval.objects.get(pk=approval.pk)
    row.campaign = locked.campaign
    if row.stage == Approval.Stage.WRITTEN:
        raise Refusal(f"This is already decided: see entry {row.entry}.", status=409)
    if not row.is_open:
        raise Refusal("This was withdrawn.", status=409)
    return row


def judge_version(
    locked: LockedCampaign, act: str, version: Version, confirmed: Sequence[Confirmation | Unopposed] = ()
) -> JudgedAct:
    decided = codec.read_stored(act, version["body"])
    return locked.judge(decided, dt.date.fromisoformat(version["played"]), confirmed=confirmed)


def write_if_agreed(locked: LockedCampaign, row: Approval) -> Answer:
    """Write it if everyone agrees on one version; else save the votes."""
    agreed = [n for n, _ in current_versions(row) if not consent.find_missing_votes(locked.now, row.asks, row.votes, n)]
    if len(agreed) == 1:
        return write_version(locked, row, agreed[0], _confirmations(locked.now, row, agreed[0]))
    return save_approval(row)


def write_version(
    locked: LockedCampaign, row: Approval, number: int, confirmed: Sequence[Confirmation | Unopposed]
) -> Answer:
    """Write one entry, judged again by the current state. If it is refused, the approval stays with the reason."""
    version = row.versions[number]
    body, author = version["body"], version["person"]
    try:
        if row.is_correction:
            preview = preview_again(locked, body)
            if preview.digest != body["digest"]:
                return _ask_again(locked, row, preview)
            done = locked.correct(preview, why=body["why"], actor=author, confirmed=confirmed)
        else:
            decided = codec.read_stored(row.act, body)
            locked.open_season_for(decided, dt.date.fromisoformat(version["played"]), actor=author)
            judged = judge_version(locked, row.act, version, confirmed)
            done = locked.append(judged, actor=author, behalf=version["behalf"], accept_late=version["late"])
    except Refusal as refusal:
        row.trouble = refusal.sentence[:500]
        row.stands_at = None
        version.pop("flagged", None)
        if refusal.fresh and "flagged" in refusal.fresh:
            version["flagged"] = list(refusal.fresh["flagged"])
        return save_approval(row) | {"trouble": refusal.sentence}
    row.stage, row.entry, row.trouble = Approval.Stage.WRITTEN, done["entry"], ""
    return done | save_approval(row)


def _ask_again(locked: LockedCampaign, row: Approval, preview: CorrectionPreview) -> Answer:
    """The chronicle has changed under a correction: ask everyone again with a new preview."""
    body = row.versions[0]["body"]
    body |= {"digest": preview.digest, "before": body["changes"], "changes": changes_of(preview)}
    author = Person.objects.get(pk=row.versions[0]["person"])
    row.sides = list(preview.touches)
    row.asks = consent.find_correction_approvers(locked.now, preview, is_author(locked, body["target"], author))
    row.votes = dict.fromkeys(find_voices(locked.now, preview.touches, author, None), make_vote(0, author))
    row.versions[0]["digest"] = consent.digest_report(body)
    row.trouble = "The chronicle has changed since this was asked. Check the new preview and answer again."
    return save_approval(row) | {"trouble": row.trouble}


def save_approval(row: Approval) -> Answer:
    """Save it with its stage; only an undisputed one keeps its timer."""
    if row.is_open:
        opposed = len(current_versions(row)) > 1 or any(vote["version"] is None for vote in row.votes.values())
        row.stage = Approval.Stage.DISPUTED if opposed else Approval.Stage.WAITING
    if row.stage != Approval.Stage.WAITING:
        row.stands_at = None
    if not row.stands_at:
        timers.cancel_timer(FINALISE_TIMER, row.pk)
    row.save()
    return {"petition": row.pk}


def find_voices(
    state: State, kingdoms: Iterable[str], person: Person, chosen: str | None, who: Who | None = None
) -> list[str]:
    """The votes of a person; of ``who``, if it is they who answer, only what they act as."""
    voices = consent.list_castable_votes(state, kingdoms, set(person.all_ids()))
    if who is not None and who.person is not None and who.person.pk == person.root.pk:
        voices = [key for key in voices if key != MASTER or is_master(state, who)]
    if chosen is None:
        return voices
    if chosen not in voices and MASTER not in voices:
        raise Refusal("Only the ruler of this kingdom, their regent or the game master can answer for it.", status=403)
    return [chosen, *([MASTER] if MASTER in voices else [])]


def find_ruler_spoken_for(state: State, person: Person, voices: list[str]) -> int | None:
    """The ruler for whom a regent or game master speaks."""
    ids = set(person.all_ids())
    rulers = [state.kingdoms[key].ruler for key in voices if key != MASTER]
    return rulers[0] if rulers and rulers[0] is not None and not ids & set(rulers) else None


def make_version(
    person: Person,
    body: Mapping[str, Any],
    day: dt.date,
    *,
    behalf: int | None = None,
    why: str = "",
    late: bool = False,
) -> Version:
    return {
        "person": person.pk,
        "behalf": behalf,
        "body": dict(body),
        "played": day.isoformat(),
        "late": late,
        "why": why,
        "digest": consent.digest_report(body),
        "at": timezone.now().isoformat(),
    }


def make_vote(version: int | None, person: Person, *, phone: Person | None = None) -> Vote:
    lent = phone is not None and phone.root.pk != person.root.pk
    return {
        "version": version,
        "person": person.pk,
        "phone": phone.pk if phone and lent else None,
        "at": timezone.now().isoformat(),
    }


def cast_vote(row: Approval, voices: list[str], vote: Vote) -> None:
    row.votes |= dict.fromkeys(voices, vote)
    row.trouble = ""


def forget_votes(row: Approval, version: int) -> None:
    row.votes = {key: vote for key, vote in row.votes.items() if vote["version"] != version}


def find_same_version(locked: LockedCampaign, row: Approval, judged: JudgedAct) -> int | None:
    """The version with the same outcome as the judged act."""
    sought = consent.summarise_outcome(judged.body, judged.effects)
    for number, version in current_versions(row):
        try:
            known = judge_version(locked, row.act, version)
        except Refusal:  # no longer legal
            continue
        if consent.summarise_outcome(known.body, known.effects) == sought:
            return number
    return None


def current_versions(row: Approval) -> list[tuple[int, Version]]:
    return [(number, version) for number, version in enumerate(row.versions) if not version.get("gone")]


def get_version(row: Approval, number: int) -> Version:
    version = dict(current_versions(row)).get(number)
    if version is None:
        raise Refusal("That version was withdrawn.", status=409)
    return version


def kingdoms_of(row: Approval) -> list[str]:
    return [key for key in dict.fromkeys([*row.sides, *row.asks]) if key != MASTER]


def master_decisions(
    state: State, asks: list[str], sides: Iterable[str], votes: consent.Votes, version: int
) -> list[Confirmation]:
    """For the chronicle: a game master decided about their own battle. Empty if all sides agree."""
    if not consent.is_decided_by_master_alone(state, asks, votes, version):
        return []
    master = Person.objects.get(pk=votes[MASTER]["person"])
    side = consent.find_own_side(state, sides, set(master.all_ids()))
    return [{"kingdom": MASTER, "person": master.pk, "phone": None, "side": side}] if side else []


def _confirmations(state: State, row: Approval, number: int) -> list[Confirmation]:
    """Who confirmed it, besides its author; each person once, for their kingdom rather than as game master."""
    author = row.versions[number]["person"]
    rows: dict[int, Confirmation] = {}
    for key, vote in row.votes.items():
        person = vote["person"]
        if vote["version"] == number and person != author and (key != MASTER or person not in rows):
            rows[person] = {"kingdom": key, "person": person, "phone": vote["phone"]}
    for confirmation in master_decisions(state, row.asks, row.sides, row.votes, number):
        rows[confirmation["person"]] = confirmation
    return list(rows.values())


def preview_again(locked: LockedCampaign, correction: Mapping[str, Any]) -> CorrectionPreview:
    """A correction as it was asked for, in the chronicle of now."""
    choices = {int(number): choice for number, choice in correction["choices"].items()}
    kind, target = correction["kind"], correction["target"]
    return preview_correction(selectors.entries_of(locked.campaign), kind, target, correction["body"], choices)


def changes_of(preview: CorrectionPreview) -> list[list[Any]]:
    return [[change.what, change.subject, change.was, change.now] for change in preview.changes]


def is_author(locked: LockedCampaign, target: int, person: Person) -> bool:
    entry = next((entry for entry in selectors.entries_of(locked.campaign) if entry.number == target), None)
    return entry is not None and entry.actor in person.all_ids()
