"""Create battles: when one is declared in a campaign, or standalone."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from battles import battle_stage
from battles.battle_stage import ResultEntry, get_locked_campaign, results_of, store_stages
from battles.models import EDIT_PASS, Battle
from battles.permissions import KIND
from battles.result.core.report import MAX_SIDES, SIDE_LETTERS
from battles.slip import access_codes
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.state import OpenBattle, State
from campaign.models import Campaign
from campaign.permissions import is_master
from campaign.services import WrittenEntry
from log import services as log_services
from musters import vp_payments
from musters.core.army_code import army_of_code
from musters.core.auto_roll import roll_army
from musters.core.codec import army_to_json
from musters.models import Muster
from people.models import Pass, Person
from people.name_validation import clean_name
from people.passes import services as passes_services
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import allows_many_armies, is_siege, scenario_of
from rulebook.muster.army import Army


def register() -> None:
    campaign_services.register_follow_up("battle_declared", create_declared_battle)
    campaign_services.register_follow_up("result", confirm_battle)
    campaign_services.register_follow_up("battle_called_off", mark_called_off)
    vp_payments.register_reopen_check(require_off_the_table)


# --- in a campaign ---------------------------------------------------------------------------------------------------


def create_declared_battle(written: WrittenEntry) -> None:
    """Create the battle of a new declaration, in the transaction that writes it."""
    entry = written.entry
    declared = entry.effects[0]
    open_battle = OpenBattle(
        declared["battle"],
        declared["attacker"],
        declared["defender"],
        declared["target"],
        entry.number,
        declared["scenario"],
    )
    options = entry.body.get("in_force", {}).get("options", {})
    access_codes.get_or_create_slip(_create_battle(written.campaign, open_battle, options, entry.actor_id), None)


def confirm_battle(written: WrittenEntry) -> None:
    """Confirm the battle whose result was just written. One never declared is created on demand."""
    entry, body = written.entry, written.entry.body
    rows = Battle.objects.filter(campaign=written.campaign, number=body.get("battle")).select_related("log")
    battle = rows.open().first()
    if battle is None:
        return
    writer = written.writer.beside(battle.log_id)
    if writer.log.version != battle.log.version:  # somebody wrote there before we held it
        battle.refresh_from_db()
    battle_stage.confirm(battle, ResultEntry(entry.number, body, entry.played_on))
    writer.append("confirmed", actor=entry.actor_id, body={"entry": entry.number})


@prepared_query
def _campaign_battle(campaign: int, number: int) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign=campaign, number=number)


def require_off_the_table(muster: Muster) -> None:
    """An army that stands on the table can no longer change."""
    battle = _campaign_battle.first(muster.campaign_id, muster.battle)
    if battle is not None and not battle_stage.is_off_the_table(battle):
        raise Refusal("The battle has started. This army can no longer change.", status=409)


def mark_called_off(written: WrittenEntry) -> None:
    entry = written.entry
    battle = Battle.objects.filter(campaign=written.campaign, number=entry.body["battle"]).first()
    if battle is not None:
        if not battle_stage.is_off_the_table(battle) and not _is_master(written):
            raise Refusal("The battle has started. Only the game master can call it off now.", status=403)
        battle_stage.call_off(battle)
        written.writer.beside(battle.log_id).append("called_off", actor=entry.actor_id)


def _is_master(written: WrittenEntry) -> bool:
    if written.who is not None:
        return is_master(written.state, written.who)
    actor = Person.objects.filter(pk=written.entry.actor_id).first()
    return actor is not None and bool(set(actor.all_ids()) & set(written.state.masters))


def get_campaign_battle(campaign: Campaign, number: int, state: State | None = None) -> Battle | None:
    """The battle with this number, created now if it only exists in the chronicle."""
    battle = Battle.objects.filter(campaign=campaign, number=number).first()
    if battle is None:
        state = state or campaign_selectors.state_of(campaign)
        battle = _create_from_chronicle(campaign.pk, number) if number <= state.battle_count else None
    if battle is not None:
        battle.campaign = campaign  # the instance the caller read, perhaps with its state
    return battle


def _create_from_chronicle(campaign_id: int, number: int) -> Battle | None:
    """A battle that came with a file, or whose result was entered without a declaration."""
    with transaction.atomic():
        campaign = get_locked_campaign(campaign_id)
        state = campaign_selectors.state_of(campaign)
        declared, options = state.battles.get(number), state.options
        if declared is None:
            result = results_of(campaign, body__battle=number).get(number)
            if result is None:
                return None
            body, options = result.body, result.body.get("in_force", {}).get("options", {})
            declared = OpenBattle(
                number, body["attacker"], _defender(body), body["target"], result.number, body.get("scenario")
            )
        battle = _create_battle(campaign, declared, options, None)
        store_stages(campaign, state, [number])
        return Battle.objects.get(pk=battle.pk)


def _defender(body: Mapping[str, Any]) -> str:
    return str(body.get("defender") or body["target"].rpartition(".")[0])


def _create_battle(campaign: Campaign, declared: OpenBattle, options: Mapping[str, Any], actor: int | None) -> Battle:
    siege = declared.target.endswith(".castle")
    sides = [
        {"side": side, "kingdom": kingdom, "name": None, "person": None, "army": None}
        for side, kingdom in (("A", declared.attacker), ("B", declared.defender))
    ]
    key = f"campaign:{campaign.pk}/{declared.number}"
    try:
        with transaction.atomic():
            log = log_services.create_log(
                KIND,
                lambda writer: writer.append(
                    "opened", actor=actor, body={"target": declared.target, "entry": declared.line}
                ),
            )
            return Battle.objects.create(
                campaign=campaign,
                number=declared.number,
                target=declared.target,
                log=log,
                siege=siege,
                sides=sides,
                options=options,
                scenario="siege" if siege else declared.scenario or "",
                made_by_id=actor,
                founding_key=key,
            )
    except IntegrityError:  # two phones opened it at the same moment
        return Battle.objects.get(founding_key=key)


# --- standalone ------------------------------------------------------------------------------------------------------


def create_standalone_battle(
    who: Who,
    *,
    key: str,
    scenario: str,
    names: Sequence[str],
    armies: Sequence[Army | None] = (),
    people: Sequence[Person | None] = (),
    options: Mapping[str, Any] | None = None,
) -> Battle:
    """Create a battle outside any campaign. Names are enough; the same key creates it once."""
    log_services.check_key(key)
    founding_key = f"{who.ref}/{key}"
    if before := Battle.objects.filter(founding_key=founding_key).first():
        return before
    if scenario:
        scenario_of(scenario)
    if not 2 <= len(names) <= MAX_SIDES:
        raise Refusal(f"A battle has 2 to {MAX_SIDES} sides.", field="names")
    if len(names) > 2 and not allows_many_armies(scenario):
        raise Refusal("Only a Pitched Battle can have more than two armies.", field="scenario")
    Options.from_differences(options or {})
    cleaned = [clean_name(name, "name of the army") for name in names]
    if len({name.casefold() for name in cleaned}) < len(cleaned):
        raise Refusal("Two armies have the same name. Give each its own name.", field="names")
    sides = []
    for at, name in enumerate(cleaned):
        army = armies[at] if at < len(armies) else None
        person = people[at] if at < len(people) else None
        sides.append(
            {
                "side": SIDE_LETTERS[at],
                "kingdom": None,
                "name": name,
                "person": person.pk if person else None,
                "army": army_to_json(army) if army else None,
            }
        )
    actor = who.person.pk if who.person else None
    try:
        with transaction.atomic():
            log = log_services.create_log(KIND, lambda writer: writer.append("opened", actor=actor))
            battle = Battle(
                log=log,
                scenario=scenario,
                siege=is_siege(scenario),
                sides=sides,
                options=options or {},
                made_by_id=actor,
                founding_key=founding_key,
            )
            battle.stage = battle_stage.stage_of_open_battle(battle)
            battle.save()
            battle.people.set({person for person in people if person is not None})
            get_edit_pass(battle, who)
            access_codes.get_or_create_slip(battle, None)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Battle.objects.get(founding_key=founding_key)
    return battle


def get_edit_pass(battle: Battle, who: Who) -> Pass:
    """The link that lets other phones, and a creator without a log-in, edit the battle; made with it."""
    return find_edit_pass(battle) or passes_services.create_pass(EDIT_PASS, battle.pk, by=who, lasts=None, uses=None)


def find_edit_pass(battle: Battle) -> Pass | None:
    return _edit_passes.first(battle.pk, timezone.now())


@prepared_query
def _edit_passes(battle: int, now: dt.datetime) -> QuerySet[Pass]:
    return Pass.objects.open(now).filter(kind=EDIT_PASS, target=battle)


# ── The armies of a standalone battle: from their codes, or rolled here ─────────────────────────────────────


MAX_CODE_LENGTH = 600
SIEGE_SIDES: dict[int, Literal["attacker", "defender"]] = {1: "attacker", 2: "defender"}


def choose_army(code: str, number: int, *, key: str, scenario: str, muster: bool, field: str) -> Army | None:
    """The army of the code; without one, an army rolled here if ``muster``. ``field`` is named if the code is wrong."""
    if not code.strip():
        return _roll_army(number, key, scenario) if muster else None
    try:
        return army_of_code(code)
    except Refusal as refusal:
        raise Refusal(refusal.sentence, field=field) from refusal


def _roll_army(number: int, key: str, scenario: str) -> Army:
    """Rolled from the key, so that what is sent twice gives the same army."""
    siege = SIEGE_SIDES.get(number) if is_siege(scenario) else None
    return roll_army(MusterCall(siege=siege), (salted_hmac("battle-muster", key).hexdigest(),), f"army {number}")
