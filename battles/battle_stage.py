"""The one place that sets a battle's stage: from the chronicle in a campaign, from its own log otherwise."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from battles.models import Battle
from campaign import selectors as campaign_selectors
from campaign.approvals.services import subject_of
from campaign.chronicle.entries_and_fold import index_corrections
from campaign.chronicle.state import State
from campaign.models import Approval, Campaign
from log.models import Entry
from musters.core.codec import army_to_json
from musters.models import Muster
from prepared_queries import prepared_query

Stage = Battle.Stage


# What the chronicle decides about a battle.
PROJECTED = ("stage", "entry", "result", "played_on", "scenario", "sides")


Approvals = Mapping[tuple[int, str], Approval]


def project_stage(battle: Battle, state: State | None = None, approvals: Approvals | None = None) -> Battle:
    """Bring the battle in line with its campaign, if the chronicle has changed since.

    ``state`` is that of ``battle.campaign`` as it was read with the battle, ``approvals`` all that are open there.
    """
    if battle.campaign_id is None or battle.number is None:
        return battle
    seen = battle.campaign
    if state is not None and seen is not None and battle.chronicle_version == seen.log.version:
        return battle
    campaign = Campaign.objects.select_related("log").get(pk=battle.campaign_id)
    if state is None or seen is None or campaign.log.version != seen.log.version:
        # The log grew between the two reads: the old state stored under the new version would never be corrected.
        battle.campaign = campaign
        if battle.chronicle_version == campaign.log.version:
            return battle
        state, approvals = campaign_selectors.state_of(campaign), None
    before = [getattr(battle, name) for name in PROJECTED]
    if battle.number in state.battles:
        _project_open(battle, campaign, approvals)
    elif (found := find_result_entry(campaign, battle.number)) is not None:
        project_result(battle, *found)
    else:
        battle.stage, battle.entry = Stage.CALLED_OFF, None
    battle.chronicle_version = campaign.log.version
    changed = [name for name, was in zip(PROJECTED, before, strict=True) if getattr(battle, name) != was]
    battle.save(update_fields=[*changed, "chronicle_version"])
    return battle


@prepared_query
def _open_approvals(campaign: int, subject: str) -> QuerySet[Approval]:
    return Approval.objects.open().filter(campaign=campaign, subject=subject)


def find_open_approval(battle: Battle) -> Approval | None:
    """The approval that the battle's report waits for."""
    subject = subject_of("", battle.target, battle.number)
    row: Approval | None = _open_approvals.first(battle.campaign_id, subject)
    if row is not None:
        row.campaign = battle.campaign
    return row


def _project_open(battle: Battle, campaign: Campaign, approvals: Approvals | None) -> None:
    if battle.is_over:  # the entry that closed it was struck
        battle.stage, battle.entry, battle.result = stage_of_open_battle(battle), None, None
    armies = Muster.objects.filter(campaign=campaign, battle=battle.number or 0).armies()
    battle.sides = [
        {**side, "army": army_to_json(armies[side["kingdom"]]) if side["kingdom"] in armies else None}
        for side in battle.sides[:2]  # further armies come from the report
    ]
    if approvals is None:
        battle.open_approval = find_open_approval(battle)
    else:
        battle.open_approval = approvals.get((campaign.pk, subject_of("", battle.target, battle.number)))
    if battle.open_approval is not None:
        battle.stage = Stage.REPORTED
    elif battle.stage in (Stage.REPORTED, Stage.DECLARED):  # the report was withdrawn, or an army was mustered
        battle.stage = stage_of_open_battle(battle)


def project_result(battle: Battle, entry: int, body: Mapping[str, Any], played_on: dt.date) -> None:
    """The battle as its result entry has it, with two or more armies."""
    report = body.get("report") or {}
    battle.stage, battle.entry, battle.result, battle.played_on = Stage.CONFIRMED, entry, body, played_on
    battle.scenario = report.get("scenario") or body.get("scenario") or battle.scenario
    if body.get("many"):
        had = {side["kingdom"]: side for side in battle.sides}
        kingdoms = sorted(body["many"]["kingdoms"].items())
        battle.sides = [{**had.get(key, extra_side(letter, key)), "side": letter} for letter, key in kingdoms]
    elif report.get("side_a") and len(battle.sides) == 2 and battle.sides[0]["kingdom"] != report["side_a"]:
        battle.sides = battle.swapped_sides()


def confirm(battle: Battle, entry: int, body: Mapping[str, Any], played_on: dt.date) -> None:
    """The result has just been written into the chronicle."""
    project_result(battle, entry, body, played_on)
    battle.save(update_fields=PROJECTED)


def is_off_the_table(battle: Battle) -> bool:
    """Whether no unit has been set up and nothing was reported yet."""
    return battle.stage in (Stage.DECLARED, Stage.MUSTERED)


def call_off(battle: Battle) -> None:
    battle.stage = Stage.CALLED_OFF
    battle.save(update_fields=["stage"])


def mark_reported(battle: Battle) -> None:
    """A report awaits the other side; a result that was confirmed meanwhile stays."""
    if not battle.is_over:
        Battle.objects.filter(pk=battle.pk).exclude(stage=Stage.CONFIRMED).update(stage=Stage.REPORTED)


def finish_standalone(battle: Battle, result: Mapping[str, Any], played_on: dt.date) -> None:
    """Outside a campaign nobody else has to confirm a result. The caller saves the battle."""
    battle.stage, battle.result, battle.played_on = Stage.CONFIRMED, dict(result), played_on
    battle.scenario = battle.scenario or str(result.get("scenario") or "")


def stage_of_open_battle(battle: Battle) -> Battle.Stage:
    """The stage of a battle that is neither reported nor over."""
    if battle.snapshot:
        return Stage.ON_THE_TABLE
    return Stage.MUSTERED if all(side["army"] for side in battle.sides) else Stage.DECLARED


def stage_when_set_up(battle: Battle) -> Battle.Stage:
    """The stage once the armies are set up in the tracker."""
    return Stage.ON_THE_TABLE if battle.stage in (Stage.DECLARED, Stage.MUSTERED) else Stage(battle.stage)


def extra_side(letter: str, kingdom: str) -> Mapping[str, object]:
    """A further side of a campaign battle, known only by its kingdom."""
    return {"side": letter, "kingdom": kingdom, "name": None, "person": None, "army": None}


def find_result_entry(campaign: Campaign, battle: int) -> tuple[int, Mapping[str, Any], dt.date] | None:
    """Number, body (as corrected) and date played of the entry with this battle's result."""
    rows = Entry.objects.filter(log=campaign.log_id, act="result", body__battle=battle).order_by("-number")
    found = list(rows.values_list("number", "body", "played_on"))
    if not found:
        return None
    stand = index_corrections(campaign_selectors.corrections_of(campaign))
    for number, body, played_on in found:
        if number not in stand.struck:
            return number, stand.bodies.get(number, body), played_on
    return None


def find_called_off_entry(campaign: Campaign, battle: int) -> int | None:
    """The entry that called this battle off. Striking it reopens the battle."""
    rows = Entry.objects.filter(log=campaign.log_id, act="battle_called_off", body__battle=battle)
    return rows.order_by("-number").values_list("number", flat=True).first()


@prepared_query
def _open_battles_of(campaigns: tuple[int, ...]) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign__in=campaigns).open()


def project_open_battles(own: campaign_selectors.OwnCampaigns) -> None:
    """Update the stage of every open battle of these campaigns, for lists."""
    campaigns = {one.pk: one for one in own.campaigns}
    changed = []
    for battle in _open_battles_of(tuple(campaigns)):
        # With the log that the state was read with: the chronicle may have grown since.
        battle.campaign = campaigns[battle.campaign_id]
        if battle.chronicle_version != battle.campaign.log.version:
            changed.append(battle)
    waiting = Approval.objects.open().filter(campaign__in={row.campaign_id for row in changed}) if changed else ()
    approvals = {(row.campaign_id, row.subject): row for row in waiting}
    for battle in changed:
        project_stage(battle, own.states[battle.campaign_id], approvals)
