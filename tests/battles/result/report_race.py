"""One battle reported from eight phones at once, and what is stored afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from battles.entries import SubmitReport, UnitsOfSides
from battles.models import REPORT_PASS, Battle, Slip
from battles.new_battle import services as new_battle_services
from battles.result import forms as result_forms, services as result_services
from battles.slip import access_codes
from campaign import selectors as campaign_selectors
from campaign.models import Approval
from log.models import Entry
from people.models import Pass, Person
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign, declare, fresh
from tests.races import run_at_once

PHONES = 8


def at_once(act: Callable[[int], Any]) -> list[str]:
    """Every phone at the same moment; returns refusals and errors."""
    outcomes = run_at_once(partial(act, number) for number in range(PHONES))
    refused = [(one.refusal.status, one.refusal.sentence) for one in outcomes if one.refusal]
    broke = [str(one) for one in outcomes if one.error and not one.refusal]
    return [f"{status}: {sentence}" for status, sentence in refused] + broke


def race() -> dict[str, Any]:
    master, tam, oda = (Person.objects.create(name=name) for name in ("Wren", "Tam", "Oda"))
    campaign = a_campaign(master, [tam, oda], confirm="both")
    battle = declare(campaign, Who.of(tam), "k1", "k2.border_1", scenario="pitched_battle")
    made = at_once(lambda number: access_codes.get_or_create_slip(battle, Who.of(tam)))

    def report(number: int) -> None:
        who = Who.of((tam, oda)[number % 2])
        seen = Battle.objects.select_related("campaign__log").get(pk=battle.pk)
        answers = SubmitReport("yielded-B", UnitsOfSides(b=("house-1",)))
        report_sent = result_forms.report_from_answers(seen, campaign_selectors.state_of(fresh(campaign)), answers)
        result_services.submit_report(seen, who, report_sent, key=f"report-of-phone-{number}")

    outcomes = at_once(report)
    alone = new_battle_services.create_standalone_battle(
        Who.of(tam), key="one-evening", scenario="pitched_battle", names=("Red", "Blue")
    )

    def finish(number: int) -> None:
        seen = Battle.objects.get(pk=alone.pk)
        answers = SubmitReport(f"yielded-{'AB'[number % 2]}")
        result_services.submit_report(
            seen, Who.of(tam), result_forms.report_from_answers(seen, None, answers), key=f"finish-of-phone-{number}"
        )

    finished = at_once(finish)
    return {
        "made": made,
        "told": outcomes,
        "finished": finished,
        "slips": Slip.objects.filter(battle=battle).count(),
        "passes": Pass.objects.open().filter(kind=REPORT_PASS, target=battle.pk).count(),
        "results": Entry.objects.filter(log=campaign.log_id, act="result").count(),
        "petitions": list(Approval.objects.values_list("stage", flat=True)),
        "stage": Battle.objects.get(pk=battle.pk).stage,
        "alone": Entry.objects.filter(log=alone.log_id, act="result").count(),
    }
