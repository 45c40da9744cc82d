"""Many phones answer one approval at the same moment. Returns the outcome."""

from __future__ import annotations

from collections.abc import Callable

from django.utils import timezone

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.models import Approval, Campaign
from jobs.models import Due
from log.models import Entry
from people.models import Person
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining
from tests.races import run_at_once

THREADS = 6
BODY = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 5}}


class Table:
    def __init__(self, name: str) -> None:
        self.name = name
        people = [Person.objects.create(name=row) for row in ("Wren", "Tam", "Oda")]
        self.wren, self.tam, self.oda = map(Who.of, people)
        self.campaign = founding_services.found_campaign(self.wren, key=f"{name}-campaign", name=name)
        for number, ruler in enumerate(people[1:]):
            self.do("kingdom_joins", joining(f"CampaignMap {number}", ruler=ruler.pk), f"join-{number}")
        self.do("house_rules", {"terms": {"confirm": "both"}}, "terms")

    def do(self, act: str, body: dict, key: str) -> dict:
        return campaign_services.write(self.campaign, self.wren, key=f"{self.name}-{key}", act=read_sent(act, body))

    def submit(self, who: Who, key: str, body: dict = BODY) -> dict:
        return approvals_services.submit_report(
            self.campaign, who, key=key, act=read_sent("result", body), subject="one battle"
        )

    def outcome(self, answers: list[str]) -> dict:
        fresh = Campaign.objects.select_related("log").get(pk=self.campaign.pk)
        rows = Approval.objects.filter(campaign=fresh)
        return {
            "said": answers,
            "results": Entry.objects.filter(log=fresh.log_id, act="result").count(),
            "stages": sorted(rows.values_list("stage", flat=True)),
            "versions": [len(row.versions) for row in rows],
            "problems": campaign_selectors.find_problems(fresh),
        }


def at_once(acts: list[Callable[[], dict | None]]) -> list[str]:
    outcomes = run_at_once(acts)
    written = ["written" if isinstance(one.value, dict) and one.value.get("entry") else "kept" for one in outcomes]
    return sorted(str(one) if one.error else words for one, words in zip(outcomes, written, strict=True))


def both_report() -> dict:
    """Both players report the same result at once, each several times."""
    table = Table("both")
    acts = [lambda n=n: table.submit((table.tam, table.oda)[n % 2], f"report-of-phone-{n}") for n in range(THREADS)]
    return table.outcome(at_once(acts))


def same_tap() -> dict:
    table = Table("tap")
    return table.outcome(at_once([lambda: table.submit(table.tam, "one-and-the-same") for _ in range(THREADS)]))


def confirm_and_timer() -> dict:
    """The other side confirms, the master decides and the seven days end, all at the same moment."""
    table = Table("clock")
    row = Approval.objects.select_related("campaign").get(pk=table.submit(table.tam, "the-report")["petition"])
    due = Due.objects.get(kind=approvals_services.FINALISE_TIMER, ref=str(row.pk))
    due.due_at = timezone.now()
    acts = [lambda n=n: approvals_services.approve(row, table.oda, key=f"yes-of-phone-{n}") for n in range(2)]
    acts += [
        lambda: approvals_services.approve(row, table.wren, key="the-decision", version=0),
        lambda: approvals_services.finalise_due(due),
    ]
    acts += [lambda: approvals_services.dispute(row, table.oda, key="an-objection", reason="No.")]
    acts += [lambda: approvals_services.withdraw(row, table.tam, key="taken-back")]
    return table.outcome(at_once(acts))


def conflicting_reports() -> dict:
    table = Table("other")
    bodies = [BODY, BODY | {"outcome": "draw"}]
    acts = [
        lambda n=n: table.submit((table.tam, table.oda)[n % 2], f"report-{n}-here", bodies[n % 2]) for n in range(4)
    ]
    return table.outcome(at_once(acts))


def race() -> dict[str, dict]:
    return {row.__name__: row() for row in (both_report, same_tap, confirm_and_timer, conflicting_reports)}
