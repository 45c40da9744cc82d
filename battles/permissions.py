"""Who may do what with a battle. In a campaign its captains and the game master; outside of one whoever made it, fought in it or holds its link."""

from __future__ import annotations

from dataclasses import dataclass

from battles.models import KEEP, REPORT, Battle
from campaign.annals.state import State
from campaign.door import is_master
from people.models import Person
from people.who import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class Captain:
    """Somebody who may report a battle: for which side, or for the whole table."""

    person: Person
    side: str | None  # None: the game master


@dataclass(frozen=True, slots=True)
class Rights:
    """``run``: set it up and bring it to the table. ``report``: tell how it ended. ``by_slip``: only because of the slip."""

    run: bool
    report: bool
    master: bool
    by_slip: bool


def rights(battle: Battle, who: Who, state: State | None) -> Rights:
    slip = who.pass_to(REPORT, battle.pk) is not None
    if battle.campaign_id is None:
        held = who.pass_to(KEEP, battle.pk) is not None
        ids = set(who.person.all_ids()) if who.person else set()
        mine = bool(ids) and (battle.made_by_id in ids or bool(ids & set(battle.people.values_list("pk", flat=True))))
        return Rights(held or mine or slip, held or mine or slip, held or mine, slip and not (held or mine))
    assert state is not None
    if who.person is None:
        return Rights(slip, slip, False, slip)
    master = is_master(state, who)
    captain = bool(seats_of(battle, state, who))
    return Rights(master or captain or slip, master or captain or slip, master, slip and not (master or captain))


def seats_of(battle: Battle, state: State, who: Who) -> list[str]:
    """The sides this one leads, as ruler or regent."""
    if who.person is None:
        return []
    ruled = {realm.id for realm in state.ruled_by(set(who.person.all_ids()))}
    return [side["side"] for side in battle.sides if side["kingdom"] in ruled]


def captains(battle: Battle, state: State) -> tuple[Captain, ...]:
    """Who may report it without being logged in here: rulers and regents of both sides, then the game masters."""
    wanted: dict[int, str | None] = {}
    for side in battle.sides:
        realm = state.kingdoms.get(side["kingdom"])
        for pk in (realm.regent, realm.ruler) if realm else ():
            if pk:
                wanted.setdefault(pk, side["side"])
    for pk in state.masters:
        wanted.setdefault(pk, None)
    rows = {row.pk: row for row in Person.objects.filter(pk__in=wanted).select_related("merged_into", "merged_into")}
    found: dict[int, Captain] = {}
    for pk, side in wanted.items():
        if pk in rows and not rows[pk].root.is_forgotten:
            found.setdefault(rows[pk].root.pk, Captain(rows[pk].root, side))
    return tuple(found.values())


def must(allowed: bool, battle: Battle) -> None:
    if allowed:
        return
    if battle.campaign_id is None:
        raise Refusal("Only who made this battle, who fights in it, or who holds its link writes in it.", status=403)
    raise Refusal("Only the rulers of the two sides do this, their regents, or the game master.", status=403)
