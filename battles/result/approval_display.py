"""A report awaiting confirmation, ready to draw: its versions, who is asked, who can confirm here."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from battles.models import Battle
from battles.permissions import Captain, captains_of
from battles.result.core.report import read_armies
from battles.result.services import effects_of, pending_approval_of
from campaign.approvals import versions_and_votes
from campaign.chronicle import codec, consent
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import State
from campaign.display import EffectRow, effect_rows
from campaign.models import Approval, Campaign
from dataclass_json import Ask, PageOnly, stored_as
from people.models import Person
from people.requester import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class VersionRow:
    api_name = "ReportVersion"

    number: int
    by: str
    why: str
    outcome: str
    removed: PageOnly[tuple[tuple[str, int], ...]]  # name of a side, units of it removed
    effects: tuple[EffectRow, ...]
    digest: Annotated[str, Ask("Digest", "send it as seen, so that you confirm what you have read")]
    approved_by: tuple[str, ...]  # besides its author


@dataclass(frozen=True, slots=True)
class Approver:
    """Someone who can confirm a version on this phone."""

    code: str = field(metadata=stored_as("person"))
    name: str
    person: PageOnly[Person]
    is_here: PageOnly[bool]
    versions: tuple[int, ...]  # those they can still confirm


@dataclass(frozen=True, slots=True)
class PendingReport:
    approval: PageOnly[Approval]
    petition: int
    disputed: bool
    versions: tuple[VersionRow, ...]
    missing: Annotated[tuple[str, ...], Ask("Missing", "who still has to confirm")]
    approvers: Annotated[tuple[Approver, ...], Ask("Approvers", "who can confirm with this token")]
    final_on: dt.datetime | None
    problem: str
    who_decides: PageOnly[str]
    can_see: PageOnly[bool]  # the approval's own page
    own_side: PageOnly[str] = ""  # the viewer's own kingdom, if they are also game master


def pending_report_of(battle: Battle, state: State, who: Who, *, can_answer: bool) -> PendingReport | None:
    approval = pending_approval_of(battle)
    if approval is None:
        return None
    leaders = captains_of(battle, state)
    ids = {row["person"] for row in (*approval.versions, *approval.votes.values())}
    people = {p.pk: p.root.name for p in Person.objects.filter(pk__in=ids).select_related("merged_into")}
    names = Names(state, people)
    versions = tuple(
        _version(battle, state, names, approval, n, version)
        for n, version in versions_and_votes.current_versions(approval)
    )
    return PendingReport(
        approval=approval,
        petition=approval.pk,
        disputed=approval.stage == Approval.Stage.DISPUTED,
        versions=versions,
        missing=_missing_names(state, approval, leaders, who),
        approvers=approvers_of(state, approval, leaders, who) if can_answer else (),
        final_on=approval.stands_at,
        problem=approval.trouble,
        who_decides=_who_decides(approval),
        own_side=_own_side(state, approval, names, who),
        can_see=Campaign.objects.of(who).filter(pk=approval.campaign_id).exists(),
    )


def _version(
    battle: Battle, state: State, names: Names, approval: Approval, number: int, version: Mapping[str, Any]
) -> VersionRow:
    body = version["body"]
    try:
        effects = effect_rows(effects_of(state, codec.read_sent("result", body)), names, of_one_battle=True)
    except Refusal:  # the map has changed: it is checked again once all have confirmed
        effects = ()
    armies, kingdoms = read_armies(body), {side["side"]: side["kingdom"] for side in battle.sides}
    winner = {"attacker": body["attacker"], "defender": body.get("defender")}.get(body["outcome"])
    if many := body.get("many"):
        kingdoms = many["kingdoms"]
        winner = kingdoms.get(many["winner"] or "")
    author = names.people.get(version["person"], "")
    names_of_approvers = {names.people.get(v["person"], "") for v in approval.votes.values() if v["version"] == number}
    return VersionRow(
        number=number,
        by=author,
        why=version.get("why", ""),
        outcome=f"{names.kingdom(winner)} won." if winner else "A draw.",
        removed=tuple((names.kingdom(key), armies.count_removed(side)) for side, key in sorted(kingdoms.items()))
        if armies
        else (),
        effects=effects,
        digest=version["digest"],
        approved_by=tuple(sorted(names_of_approvers - {author, ""})),
    )


def _missing(state: State, approval: Approval) -> list[str]:
    """Who still has to confirm: kingdoms, or the game master."""
    missing: dict[str, None] = {}
    for n, _ in versions_and_votes.current_versions(approval):
        missing |= dict.fromkeys(consent.find_missing_votes(state, approval.asks, approval.votes, n))
    return list(missing)


def _missing_names(state: State, approval: Approval, leaders: tuple[Captain, ...], who: Who) -> tuple[str, ...]:
    me = set(who.person.all_ids()) if who.person else set()
    names = []
    for key in _missing(state, approval):
        for leader in leaders:
            ids = set(leader.person.all_ids())
            if ids & set(state.masters) if key == consent.MASTER else consent.can_speak_for(state, key, ids):
                names.append("you" if ids & me else leader.person.name)
    return tuple(dict.fromkeys(names))


def approvers_of(state: State, approval: Approval, leaders: tuple[Captain, ...], who: Who) -> tuple[Approver, ...]:
    me = set(who.person.all_ids()) if who.person else set()
    approvers = []
    for leader in leaders:
        ids = set(leader.person.all_ids())
        mine = consent.list_castable_votes(state, versions_and_votes.kingdoms_of(approval), ids)
        asked = [key for key in mine if key in approval.asks]
        # A game master can settle it only if asked or if the sides disagree.
        if not asked and not (mine and approval.stage == Approval.Stage.DISPUTED):
            continue
        # The sides share a phone; a game master decides only on their own.
        if leader.side is None and not ids & me:
            continue
        open_to = tuple(
            n
            for n, _ in versions_and_votes.current_versions(approval)
            if any(approval.votes.get(key, {}).get("version") != n for key in asked or mine)
        )
        if open_to:
            approvers.append(Approver(leader.person.code, leader.person.name, leader.person, bool(ids & me), open_to))
    return tuple(sorted(approvers, key=lambda approver: not approver.is_here))


def _own_side(state: State, approval: Approval, names: Names, who: Who) -> str:
    ids = set(who.person.all_ids()) if who.person else set()
    side = consent.find_own_side(state, approval.sides, ids) if ids & set(state.masters) else None
    return names.kingdom(side) if side else ""


def _who_decides(approval: Approval) -> str:
    if approval.asks == [consent.MASTER]:
        return "The game master decides."
    return "It is settled once both sides agree on one version or the game master decides. Other battles can go on."
