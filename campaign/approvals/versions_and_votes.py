"""Versions and votes of an approval, and the entry written once everyone agrees."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from django.utils import timezone

from campaign import selectors, services
from campaign.chronicle import codec
from campaign.chronicle import consent as terms
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.consent import MASTER
from campaign.chronicle.corrections import CorrectionPreview
from campaign.chronicle.state import State
from campaign.models import Approval, Campaign
from campaign.permissions import is_master
from jobs import timers
from log import services as log_services
from people.models import Person
from people.requester import Who
from refusal import Refusal

FINALISE_TIMER = "petition-stands"

Answer = log_services.Answer


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


class LockedCampaign:
    """A campaign with its newest state while its log is locked."""

    def __init__(self, campaign: Campaign, writer: log_services.LogWriter) -> None:
        self.writer = writer
        self.is_as_read = services.has_not_changed(campaign, writer)
        self.campaign = services.lock_campaign(campaign, writer)
        self.now, self.last = services.current_state(self.campaign)

    def find_open(self, subject: str, seen: Sequence[Approval] | None) -> Approval | None:
        """The open approval with this subject; ``seen`` if nothing has changed since the caller looked."""
        if self.is_as_read and seen is not None:
            row = _copy(seen[0]) if seen else None
        else:
            row = Approval.objects.open().filter(campaign=self.campaign, subject=subject).first()
        if row is not None:
            row.campaign = self.campaign
        return row

    def open(self, approval: Approval) -> Approval:
        """The current approval, or a refusal if it is closed."""
        row = _copy(approval) if self.is_as_read else Approval.objects.get(pk=approval.pk)
        row.campaign = self.campaign
        if row.stage == Approval.Stage.WRITTEN:
            raise Refusal(f"This is already decided: see entry {row.entry}.", status=409)
        if not row.is_open:
            raise Refusal("This was withdrawn.", status=409)
        return row

    def open_season_for(self, act: Act, day: dt.date, *, actor: int) -> None:
        """Open the next season if this is a battle and none is open."""
        self.now, self.last = services.open_season_for_battle(
            self.writer, self.campaign, act, day, now=self.now, last=self.last, actor=actor
        )

    def judge(
        self, act: str, version: Version, confirmed: Sequence[Confirmation | Unopposed] = ()
    ) -> services.JudgedAct:
        day = dt.date.fromisoformat(version["played"])
        decided = codec.read_stored(act, version["body"])
        return services.judge_act(self.campaign, decided, day, now=self.now, last=self.last, confirmed=confirmed)


def write_if_agreed(table: LockedCampaign, row: Approval) -> Answer:
    """Write it if everyone agrees on one version; else save the votes."""
    agreed = [n for n, _ in current_versions(row) if not terms.find_missing_votes(table.now, row.asks, row.votes, n)]
    if len(agreed) == 1:
        return write_version(table, row, agreed[0], _confirmations(table.now, row, agreed[0]))
    return save_approval(row)


def write_version(
    table: LockedCampaign, row: Approval, version: int, confirmed: Sequence[Confirmation | Unopposed]
) -> Answer:
    """Write one entry, judged again by the current state. If it is refused, the approval stays with the reason."""
    chosen = row.versions[version]
    try:
        if row.is_correction:
            seen = preview_again(table, chosen["body"])
            if seen.digest != chosen["body"]["digest"]:
                return _ask_again(table, row, seen)
            done = services.apply_correction(
                table.writer,
                table.campaign,
                seen,
                why=chosen["body"]["why"],
                actor=chosen["person"],
                last=table.last,
                confirmed=confirmed,
            )
        else:
            decided = codec.read_stored(row.act, chosen["body"])
            table.open_season_for(decided, dt.date.fromisoformat(chosen["played"]), actor=chosen["person"])
            judged = table.judge(row.act, chosen, confirmed)
            done = services.append_entry(
                table.writer,
                table.campaign,
                judged,
                actor=chosen["person"],
                behalf=chosen["behalf"],
                accept_late=chosen["late"],
            )
    except Refusal as refusal:
        row.trouble = refusal.sentence[:500]
        row.stands_at = None
        return save_approval(row) | {"trouble": refusal.sentence}
    row.stage, row.entry, row.trouble = Approval.Stage.WRITTEN, done["entry"], ""
    return done | save_approval(row)


def _ask_again(table: LockedCampaign, row: Approval, seen: CorrectionPreview) -> Answer:
    """The chronicle has changed under a correction: ask everyone again with a new preview."""
    body = row.versions[0]["body"]
    body |= {"digest": seen.digest, "before": body["changes"], "changes": changes_of(seen)}
    author = Person.objects.get(pk=row.versions[0]["person"])
    row.sides = list(seen.touches)
    row.asks = terms.find_correction_approvers(table.now, seen, is_author(table, body["target"], author))
    row.votes = {key: make_vote(0, author) for key in find_voices(table.now, seen.touches, author, None)}
    row.versions[0]["digest"] = terms.digest_report(body)
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
    state: State, kingdoms: list[str] | tuple[str, ...], person: Person, chosen: str | None, who: Who | None = None
) -> list[str]:
    """The votes of a person; of ``who``, if it is they who answer, only what they act as."""
    found = terms.list_castable_votes(state, kingdoms, set(person.all_ids()))
    if who is not None and who.person is not None and who.person.pk == person.root.pk:
        found = [key for key in found if key != MASTER or is_master(state, who)]
    if chosen is None:
        return found
    if chosen not in found and MASTER not in found:
        raise Refusal("Only the ruler of this kingdom, their regent or the game master can answer for it.", status=403)
    return [chosen, *([MASTER] if MASTER in found else [])]


def find_ruler_spoken_for(state: State, person: Person, mine: list[str]) -> int | None:
    """The ruler for whom a regent or game master speaks."""
    ids = set(person.all_ids())
    rulers = [state.kingdoms[key].ruler for key in mine if key != MASTER]
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
        "digest": terms.digest_report(body),
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


def cast_vote(row: Approval, mine: list[str], vote: Vote) -> None:
    row.votes |= dict.fromkeys(mine, vote)
    row.trouble = ""


def forget_votes(row: Approval, version: int) -> None:
    row.votes = {key: vote for key, vote in row.votes.items() if vote["version"] != version}


def find_same_version(table: LockedCampaign, row: Approval, judged: services.JudgedAct) -> int | None:
    """The version with the same outcome as the judged act."""
    sought = terms.summarise_outcome(judged.body, judged.effects)
    for number, one in current_versions(row):
        try:
            known = table.judge(row.act, one)
        except Refusal:  # no longer legal
            continue
        if terms.summarise_outcome(known.body, known.effects) == sought:
            return number
    return None


def current_versions(row: Approval) -> list[tuple[int, Version]]:
    return [(n, one) for n, one in enumerate(row.versions) if not one.get("gone")]


def get_version(row: Approval, version: int) -> Version:
    found = dict(current_versions(row)).get(version)
    if found is None:
        raise Refusal("That version was withdrawn.", status=409)
    return found


def kingdoms_of(row: Approval) -> list[str]:
    return [key for key in dict.fromkeys([*row.sides, *row.asks]) if key != MASTER]


def master_decisions(
    state: State, asks: list[str], sides: Iterable[str], votes: terms.Votes, version: int
) -> list[Confirmation]:
    """For the chronicle: a game master decided about their own battle. Empty if all sides agree."""
    if not terms.is_decided_by_master_alone(state, asks, votes, version):
        return []
    master = Person.objects.get(pk=votes[MASTER]["person"])
    side = terms.find_own_side(state, sides, set(master.all_ids()))
    return [{"kingdom": MASTER, "person": master.pk, "phone": None, "side": side}] if side else []


def _confirmations(state: State, row: Approval, version: int) -> list[Confirmation]:
    """Who confirmed it, besides its author."""
    author = row.versions[version]["person"]
    votes = [(key, vote) for key, vote in row.votes.items() if vote["version"] == version and vote["person"] != author]
    rows: dict[int, Confirmation] = {}
    for key, vote in votes:
        confirmation: Confirmation = {"kingdom": key, "person": vote["person"], "phone": vote["phone"]}
        if key != MASTER or vote["person"] not in rows:
            rows[vote["person"]] = confirmation
    for confirmation in master_decisions(state, row.asks, row.sides, row.votes, version):
        rows[confirmation["person"]] = confirmation
    return list(rows.values())


def preview_again(table: LockedCampaign, correction: Mapping[str, Any]) -> CorrectionPreview:
    choices = {int(number): choice for number, choice in correction["choices"].items()}
    return services.preview_correction(
        selectors.entries_of(table.campaign),
        correction["kind"],
        correction["target"],
        correction["body"],
        choices,
    )


def changes_of(seen: CorrectionPreview) -> list[list[Any]]:
    return [[change.what, change.subject, change.was, change.now] for change in seen.changes]


def is_author(table: LockedCampaign, target: int, person: Person) -> bool:
    entry = next((entry for entry in selectors.entries_of(table.campaign) if entry.number == target), None)
    return entry is not None and entry.actor in person.all_ids()
