"""The one place that sets a battle's stage.

In a campaign it follows from the chronicle: every write that can change it stores it in the same transaction, and pages
only read it. An example: Fenwick reports battle 3.

1. The report waits for Oakhold: its ``Approval`` is saved, and ``_follow_approval`` stores REPORTED.
2. Oakhold agrees: the result's entry is written, and ``new_battle.services.confirm_battle`` stores CONFIRMED with it.
3. The game master strikes that entry: ``_follow_correction`` compares every battle with the chronicle, and this one is
   ON_THE_TABLE again.

Outside a campaign the battle's own log decides.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet, Subquery
from django.db.models.signals import post_save

from battles.models import Battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.approvals.services import subject_of
from campaign.chronicle.acts.war import ReportResult
from campaign.chronicle.entries_and_fold import CORRECTIONS, RESTORE, index_corrections
from campaign.chronicle.state import State
from campaign.models import Approval, Campaign
from log.models import Entry, Log
from musters.chronicle_acts import TAKEN
from musters.core.codec import army_from_json, army_to_json
from musters.models import Muster
from prepared_queries import prepared_query

Stage = Battle.Stage

# What the chronicle decides about a battle.
PROJECTED = ("stage", "entry", "result", "played_on", "scenario", "sides")
FIRST_PUSHED = ("battles", "0003_pushed_stages")


def register() -> None:
    for act in (*CORRECTIONS, RESTORE):
        campaign_services.register_follow_up(act, _follow_correction)
    campaign_services.register_follow_up(TAKEN, _follow_muster)
    post_save.connect(_follow_approval, sender=Approval, dispatch_uid="battles.stage_of_approval")


# ── In a campaign ────────────────────────────────────────────────────────────────────────────────────────


def _follow_correction(written: campaign_services.WrittenEntry) -> None:
    store_stages(written.campaign, written.state)


def _follow_muster(written: campaign_services.WrittenEntry) -> None:
    """One more army. Only this is looked up: it is written often."""
    kingdom, number = written.entry.body["kingdom"], written.entry.body["battle"]
    army = Muster.objects.filter(campaign=written.campaign, battle=number, kingdom=kingdom).values("army")
    rows = Battle.objects.select_for_update().filter(campaign=written.campaign, number=number).open()
    for battle in rows.annotate(mustered=Subquery(army)):
        stored = army_to_json(army_from_json(battle.mustered))
        battle.sides = [{**side, "army": stored} if side["kingdom"] == kingdom else side for side in battle.sides]
        if battle.stage == Stage.DECLARED:
            battle.stage = stage_of_open_battle(battle)
        battle.save(update_fields=["sides", "stage"])


def _follow_approval(instance: Approval, created: bool, raw: bool = False, **_: Any) -> None:
    """A report waits, or was withdrawn. One that was agreed to has its entry."""
    about, _, number = instance.subject.partition(" ")
    if raw or instance.act != ReportResult.key or about != "battle" or not number.isdecimal():
        return
    rows = Battle.objects.filter(campaign=instance.campaign_id, number=int(number))
    if created and instance.is_open:
        rows.open().update(stage=Stage.REPORTED)
    elif instance.stage == Approval.Stage.WITHDRAWN:
        for battle in rows.select_for_update().filter(stage=Stage.REPORTED):
            battle.stage = stage_of_open_battle(battle)
            battle.save(update_fields=["stage"])


def store_stages(campaign: Campaign, state: State, numbers: Collection[int] | None = None) -> None:
    """Bring the campaign's battles, or those with these numbers, in line with its chronicle, which is locked."""
    # Also against writers of the battles' own logs: they lock the row too.
    rows = Battle.objects.select_for_update().filter(campaign=campaign).order_by("pk").defer("snapshot")
    chronicle = BattlesInChronicle(campaign, state)
    for battle in rows if numbers is None else rows.filter(number__in=numbers):
        before = [getattr(battle, name) for name in PROJECTED]
        chronicle.project(battle)
        if changed := [name for name, was in zip(PROJECTED, before, strict=True) if getattr(battle, name) != was]:
            battle.save(update_fields=changed)


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """The entry that closed a battle: its body as corrected."""

    number: int
    body: Mapping[str, Any]
    played_on: dt.date


class BattlesInChronicle:
    """What a campaign says about its battles; each part is read once, when it is asked for."""

    def __init__(self, campaign: Campaign, state: State) -> None:
        self.campaign, self.state = campaign, state

    def project(self, battle: Battle) -> None:
        """Set what the chronicle decides. The caller saves the battle."""
        if battle.number in self.state.battles:
            self._project_open(battle)
        elif result := self._results.get(battle.number or 0):
            project_result(battle, result)
        else:
            battle.stage, battle.entry = Stage.CALLED_OFF, None

    def _project_open(self, battle: Battle) -> None:
        if battle.is_over:  # the entry that closed it was struck
            battle.stage, battle.entry, battle.result = stage_of_open_battle(battle), None, None
        # Further armies come from the report.
        battle.sides = [
            {**side, "army": self._armies.get((battle.number or 0, side["kingdom"] or ""))} for side in battle.sides[:2]
        ]
        if subject_of("", battle.target, battle.number) in self._waiting:
            battle.stage = Stage.REPORTED
        elif battle.stage in (Stage.REPORTED, Stage.DECLARED):  # the report was withdrawn, or an army was mustered
            battle.stage = stage_of_open_battle(battle)

    @cached_property
    def _results(self) -> dict[int, ResultEntry]:
        return results_of(self.campaign)

    @cached_property
    def _armies(self) -> dict[tuple[int, str], Any]:
        rows = Muster.objects.filter(campaign=self.campaign, battle__in=self.state.battles).taken()
        armies = rows.values_list("battle", "kingdom", "army")
        return {(battle, kingdom): army_to_json(army_from_json(army)) for battle, kingdom, army in armies}

    @cached_property
    def _waiting(self) -> set[str]:
        """The subjects of reports that wait for somebody."""
        return set(Approval.objects.open().filter(campaign=self.campaign).values_list("subject", flat=True))


def results_of(campaign: Campaign, **battle: int) -> dict[int, ResultEntry]:
    """The last result of each battle that was not struck, by the battle's number."""
    rows = Entry.objects.filter(log=campaign.log_id, act=ReportResult.key, **battle).order_by("number")
    entries = list(rows.values_list("number", "body", "played_on"))
    if not entries:
        return {}
    stand = index_corrections(campaign_selectors.corrections_of(campaign))
    return {
        body["battle"]: ResultEntry(number, stand.bodies.get(number, body), played_on)
        for number, body, played_on in entries
        if number not in stand.struck and body.get("battle")
    }


def project_result(battle: Battle, result: ResultEntry) -> None:
    """The battle as its result entry has it, with two or more armies."""
    body = result.body
    report = body.get("report") or {}
    battle.stage, battle.entry, battle.result = Stage.CONFIRMED, result.number, body
    battle.played_on = result.played_on
    battle.scenario = report.get("scenario") or body.get("scenario") or battle.scenario
    if body.get("many"):
        had = {side["kingdom"]: side for side in battle.sides}
        kingdoms = sorted(body["many"]["kingdoms"].items())
        battle.sides = [{**had.get(key, extra_side(letter, key)), "side": letter} for letter, key in kingdoms]
    elif report.get("side_a") and len(battle.sides) == 2 and battle.sides[0]["kingdom"] != report["side_a"]:
        battle.sides = battle.swapped_sides()


def confirm(battle: Battle, result: ResultEntry) -> None:
    """The result has just been written into the chronicle."""
    project_result(battle, result)
    battle.save(update_fields=PROJECTED)


def extra_side(letter: str, kingdom: str) -> Mapping[str, object]:
    """A further side of a campaign battle, known only by its kingdom."""
    return {"side": letter, "kingdom": kingdom, "name": None, "person": None, "army": None}


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


def find_called_off_entry(campaign: Campaign, battle: int) -> int | None:
    """The entry that called this battle off. Striking it reopens the battle."""
    rows = Entry.objects.filter(log=campaign.log_id, act="battle_called_off", body__battle=battle)
    return rows.order_by("-number").values_list("number", flat=True).first()


# ── Everywhere ───────────────────────────────────────────────────────────────────────────────────────────


def is_off_the_table(battle: Battle) -> bool:
    """Whether no unit has been set up and nothing was reported yet."""
    return battle.stage in (Stage.DECLARED, Stage.MUSTERED)


def call_off(battle: Battle) -> None:
    battle.stage = Stage.CALLED_OFF
    battle.save(update_fields=["stage"])


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


# ── Of an older release ──────────────────────────────────────────────────────────────────────────────────


def mend_after_migration(plan: Iterable[Any] = (), **_: Any) -> None:
    """Signal handler: older releases stored a stage only when somebody looked at the battle."""
    if FIRST_PUSHED in {(migration.app_label, migration.name) for migration, is_backwards in plan if not is_backwards}:
        mend_stages()


def mend_stages() -> None:
    """Compare the battles whose chronicle has grown since with it."""
    rows = Battle.objects.filter(campaign__isnull=False).exclude(chronicle_version=F("campaign__log__version"))
    for pk in rows.values_list("campaign", flat=True).distinct().order_by():
        with transaction.atomic():
            campaign = get_locked_campaign(pk)
            store_stages(campaign, campaign_selectors.state_of(campaign))


def get_locked_campaign(pk: int) -> Campaign:
    """The campaign, with nobody writing into its chronicle until the transaction ends."""
    Log.objects.select_for_update(of=("self",)).get(campaign=pk)
    return Campaign.objects.select_related("log").get(pk=pk)
