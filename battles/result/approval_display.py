"""A report that waits for others, ready to draw on the battle's page: what each version says, who is asked, who can answer here."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from battles.models import Battle
from battles.reporting import effects_of, petition_of
from battles.rights import Captain, captains
from battles.telling.told import Told
from campaign import petitions, settling
from campaign.annals import consent
from campaign.annals.state import State
from campaign.annals.tales import Names
from campaign.models import Campaign, Petition
from campaign.sheet import EffectRow, effect_rows
from people.models import Person
from people.who import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class VersionRow:
    number: int
    by: str
    why: str
    outcome: str
    removed: tuple[tuple[str, int], ...]  # name of a side, units of it removed
    effects: tuple[EffectRow, ...]
    digest: str
    yes: tuple[str, ...]  # who agreed, beside the one who says so


@dataclass(frozen=True, slots=True)
class Answerer:
    """Somebody who can answer, here or on a phone of their own."""

    person: Person
    is_here: bool
    versions: tuple[int, ...]  # those they may still say yes to


@dataclass(frozen=True, slots=True)
class Waiting:
    petition: Petition
    disputed: bool
    versions: tuple[VersionRow, ...]
    asked: tuple[str, ...]  # names of those still to answer
    answerers: tuple[Answerer, ...]
    stands_at: dt.datetime | None
    trouble: str
    who_decides: str
    may_see: bool  # its own page
    own_side: str = ""  # of a viewer who is game master too: what they decide is a matter of their own


def waiting(battle: Battle, state: State, who: Who, *, may_answer: bool) -> Waiting | None:
    row = petition_of(battle)
    if row is None:
        return None
    leaders = captains(battle, state)
    ids = {pk for one in row.versions for pk in (one["person"],)} | {vote["person"] for vote in row.votes.values()}
    people = {p.pk: p.root.name for p in Person.objects.filter(pk__in=ids).select_related("merged_into")}
    names = Names(state, people)
    versions = tuple(_version(battle, state, names, row, n, one) for n, one in settling.live(row))
    return Waiting(
        petition=row,
        disputed=row.stage == Petition.Stage.DISPUTED,
        versions=versions,
        asked=_asked(state, row, leaders),
        answerers=_answerers(state, row, leaders, who) if may_answer else (),
        stands_at=row.stands_at,
        trouble=row.trouble,
        who_decides=_decides(state, row),
        own_side=_own_side(state, row, names, who),
        may_see=Campaign.objects.of(who).filter(pk=row.campaign_id).exists(),
    )


def _version(battle: Battle, state: State, names: Names, row: Petition, number: int, said: dict) -> VersionRow:
    body = said["body"]
    try:
        effects = effect_rows(effects_of(state, body), names, of_one_battle=True)
    except Refusal:  # the map has moved on: it is judged again when all agree
        effects = ()
    letters = {side["side"]: names.kingdom(side["kingdom"]) for side in battle.sides}
    removed: tuple[tuple[str, int], ...] = ()
    if body.get("told"):
        told = Told.from_json(body["told"])
        removed = tuple((letters[side], len(told.gone(side))) for side in ("A", "B"))
    winner = {"attacker": body["attacker"], "defender": body.get("defender")}.get(body["outcome"])
    if many := body.get("many"):
        winner = many["kingdoms"].get(many["winner"] or "")
        removed = tuple(
            (names.kingdom(key), many["lost"].get(side, 0)) for side, key in sorted(many["kingdoms"].items())
        )
    author = names.people.get(said["person"], "")
    yes = {names.people.get(v["person"], "") for v in row.votes.values() if v["version"] == number}
    return VersionRow(
        number=number,
        by=author,
        why=said.get("why", ""),
        outcome=f"{names.kingdom(winner)} won." if winner else "A draw.",
        removed=removed,
        effects=effects,
        digest=said["digest"],
        yes=tuple(sorted(yes - {author, ""})),
    )


def _missing(state: State, row: Petition) -> list[str]:
    """Whose word is still open: kingdoms, or the master."""
    found: dict[str, None] = {}
    for n, _ in settling.live(row):
        found |= dict.fromkeys(consent.missing(state, row.asks, row.votes, n))
    return list(found)


def _asked(state: State, row: Petition, leaders: tuple[Captain, ...]) -> tuple[str, ...]:
    names = []
    for key in _missing(state, row):
        if key == consent.MASTER:
            names += [one.person.name for one in leaders if set(one.person.all_ids()) & set(state.masters)]
        else:
            names += [one.person.name for one in leaders if consent.speaks_for(state, key, set(one.person.all_ids()))]
    return tuple(dict.fromkeys(names))


def _answerers(state: State, row: Petition, leaders: tuple[Captain, ...], who: Who) -> tuple[Answerer, ...]:
    me = set(who.person.all_ids()) if who.person else set()
    found = []
    for one in leaders:
        ids = set(one.person.all_ids())
        mine = consent.voices(state, settling.kingdoms_of(row), ids)
        asked = [key for key in mine if key in row.asks]
        # A game master's word settles it, but only where it is asked for or the sides disagree.
        if not asked and not (mine and row.stage == Petition.Stage.DISPUTED):
            continue
        # The sides lend each other a phone; what a game master decides, they decide on their own.
        if one.side is None and not ids & me:
            continue
        open_to = tuple(
            n for n, _ in settling.live(row) if any(row.votes.get(key, {}).get("version") != n for key in asked or mine)
        )
        if open_to:
            found.append(Answerer(one.person, bool(ids & me), open_to))
    return tuple(sorted(found, key=lambda one: not one.is_here))


def _own_side(state: State, row: Petition, names: Names, who: Who) -> str:
    ids = set(who.person.all_ids()) if who.person else set()
    side = consent.side_of(state, row.sides, ids) if ids & set(state.masters) else None
    return names.kingdom(side) if side else ""


def _decides(state: State, row: Petition) -> str:
    if row.asks == [consent.MASTER]:
        return "The game master decides."
    return (
        "It is settled when both sides agree on one version, or the game master decides. Other battles go on meanwhile."
    )


def agree(
    battle: Battle,
    state: State,
    who: Who,
    *,
    key: str,
    version: int,
    seen: str,
    as_person: Person,
    phone: Person | None,
) -> dict:
    """Say yes to a version on this phone: for oneself, or as a captain who takes it for a moment."""
    row = petition_of(battle)
    if row is None:
        raise Refusal("Nothing waits here any more. Here is the battle as it stands.", status=409)
    leaders = captains(battle, state)
    if not any(one.person.pk == as_person.root.pk for one in _answerers(state, row, leaders, who)):
        raise Refusal("They cannot answer on this phone, or have answered already.", status=403)
    holder = who if who.person is not None else Who.of(phone or as_person)
    asked = as_person if holder.person is not None and as_person.root.pk != holder.person.pk else None
    # With the slip alone nobody decides as game master.
    alone = who.person is None
    return petitions.consent(row, holder, key=key, version=version, seen=seen or None, as_person=asked, as_side=alone)
