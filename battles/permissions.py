"""Who may do what: captains and the game master, or the creator, players and link holders of a standalone battle."""

from dataclasses import dataclass
from typing import Any

from django.db.models.signals import post_delete

from battles.models import EDIT_PASS, REPORT_PASS, Battle
from campaign.chronicle.state import State
from campaign.permissions import is_master
from log import registry as log_registry
from log.models import Log
from people.models import Pass, Person
from people.requester import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class Captain:
    """Someone who may report a battle, for one side or as game master."""

    person: Person
    side: str | None  # None: the game master


@dataclass(frozen=True, slots=True)
class BattlePermissions:
    """``run``: set up and start the battle. ``report``: report its result. ``by_slip``: only through the slip.

    ``call_off``: the game master at any time, either captain while nothing is on the table.
    """

    run: bool
    report: bool
    master: bool
    by_slip: bool
    call_off: bool = False


def permissions_of(battle: Battle, who: Who, state: State | None) -> BattlePermissions:
    slip = who.pass_to(REPORT_PASS, battle.pk) is not None
    if battle.campaign_id is None:
        held = who.pass_to(EDIT_PASS, battle.pk) is not None
        ids = set(who.person.all_ids()) if who.person else set()
        mine = bool(ids) and (battle.made_by_id in ids or bool(ids & set(battle.people.values_list("pk", flat=True))))
        any_of_them = held or mine
        return BattlePermissions(
            any_of_them or slip, any_of_them or slip, any_of_them, slip and not any_of_them, any_of_them
        )
    assert state is not None
    if who.person is None:
        return BattlePermissions(slip, slip, False, slip)
    master = is_master(state, who)
    captain = bool(sides_led_by(battle, state, who))
    can_run = master or captain or slip
    can_call_off = master or (captain and battle.stage in (Battle.Stage.DECLARED, Battle.Stage.MUSTERED))
    return BattlePermissions(can_run, can_run, master, slip and not (master or captain), can_call_off)


def sides_led_by(battle: Battle, state: State, who: Who) -> list[str]:
    """The sides they lead as ruler or regent."""
    if who.person is None:
        return []
    ruled = {kingdom.id for kingdom in state.ruled_by(set(who.person.all_ids()))}
    return [side["side"] for side in battle.sides if side["kingdom"] in ruled]


def captains_of(battle: Battle, state: State) -> tuple[Captain, ...]:
    """Rulers and regents of both sides, then the game masters: they may report it from a phone without a log-in."""
    wanted: dict[int, str | None] = {}
    for side in battle.sides:
        kingdom = state.kingdoms.get(side["kingdom"])
        for pk in (kingdom.regent, kingdom.ruler) if kingdom else ():
            if pk:
                wanted.setdefault(pk, side["side"])
    for pk in state.masters:
        wanted.setdefault(pk, None)
    rows = {row.pk: row for row in Person.objects.filter(pk__in=wanted).select_related("merged_into", "merged_into")}
    captains: dict[int, Captain] = {}
    for pk, side in wanted.items():
        if pk in rows and not rows[pk].root.is_forgotten:
            captains.setdefault(rows[pk].root.pk, Captain(rows[pk].root, side))
    return tuple(captains.values())


def require_permission(allowed: bool, battle: Battle) -> None:
    if allowed:
        return
    if battle.campaign_id is None:
        raise Refusal("Only the players of this battle, its creator and people with its link can edit it.", status=403)
    raise Refusal("Only the two sides' rulers, their regents and the game master can do this.", status=403)


# ── The battle's log: who may watch it, and what is deleted with it ─────────────────────────────────────────


KIND = "battle"


def register() -> None:
    log_registry.register_kind(KIND, can_watch)
    post_delete.connect(_delete_log_and_passes, sender=Battle, dispatch_uid="battles.log_goes_too")


def can_watch(who: Who, log_id: int) -> bool:
    return Battle.objects.visible_to(who).filter(log_id=log_id).exists()


def _delete_log_and_passes(sender: type[Battle], instance: Battle, **rest: Any) -> None:
    Pass.objects.filter(kind__in=(EDIT_PASS, REPORT_PASS), target=instance.pk).delete()
    Log.objects.filter(pk=instance.log_id).delete()
