"""Reports and corrections in any order: each becomes one entry or none, and the chronicle adds up."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from campaign import selectors as campaign_selectors
from campaign.approvals import services as approvals_services
from campaign.approvals.versions_and_votes import current_versions
from campaign.chronicle import consent
from campaign.models import Approval
from chance import Dice
from jobs import timers
from jobs.models import Due
from log.models import Entry
from people.requester import Who
from refusal import Refusal
from rulebook.campaign.attack_targets import list_legal_targets
from tests.campaign.approvals.test_approvals import Table
from tests.campaign.chronicle.sample_wars import joining

STEPS = 120
OUTCOMES = ("attacker", "defender", "draw")


class Players:
    """Four kingdoms, five people, and dice that decide who does what."""

    def __init__(self, table: Table, guest, seed: int) -> None:
        import campaign.job_kinds  # noqa: F401  (says what the clock rings)

        self.table, self.dice = table, Dice(f"petitions {seed}")
        table.do("kingdom_joins", joining("Rennet", ruler=guest.pk))
        table.do("kingdom_joins", joining("Mole End", ruler=table.people["wren"].pk))
        self.everyone = [table.tam, table.oda, table.wren, Who.of(guest)]
        self.done: dict[str, int] = {}
        self.at_once = self.now = 0

    def one(self, of):
        return of[self.dice.below(len(of))]

    def play(self) -> None:
        moves = (
            self.report,
            self.report,
            self.answer,
            self.answer,
            self.answer,
            self.correct,
            self.fire_timers,
            self.agree,
        )
        move = self.one(moves)
        try:
            move()
            self.done[move.__name__] = self.done.get(move.__name__, 0) + 1
        except Refusal:
            pass

    def report(self) -> None:
        state = self.table.state
        attacker = self.one(list(state.kingdoms))
        target = self.one(
            [row.territory for row in list_legal_targets(state.campaign_map(), attacker)] or list(state.holders)
        )
        body = {"attacker": attacker, "target": target, "outcome": self.one(OUTCOMES)}
        subject = approvals_services.subject_of(attacker, target, None)
        self.at_once += "petition" not in self.table.submit(self.one(self.everyone), body, subject=subject)

    def answer(self) -> None:
        rows = list(Approval.objects.select_related("campaign__log"))
        if not rows:
            return
        row, who, key = self.one(rows), self.one(self.everyone), self.table.key()
        number = self.dice.below(len(row.versions))
        what = self.dice.below(8)
        if what < 4:
            approvals_services.approve(row, who, key=key, version=number)
        elif what == 4:
            approvals_services.approve(row, who, key=key, version=number, as_person=self.one(self.everyone).person)
        elif what == 5:
            approvals_services.dispute(row, who, key=key, reason="no")
        elif what == 6:
            body = row.versions[0]["body"] | {"outcome": self.one(OUTCOMES)}
            own = approvals_services.read_own_version(row, body)
            approvals_services.dispute(row, who, key=key, reason="no", own_act=own)
        else:
            approvals_services.withdraw(row, who, key=key)

    def correct(self) -> None:
        entries = [
            entry for entry in campaign_selectors.entries_of(self.table.fresh) if entry.act in ("result", "strike")
        ]
        if entries:
            entry = self.one(entries)
            kind = "strike" if entry.act == "result" else "restore"
            self.table.ask(self.one(self.everyone), kind, entry.number)

    def fire_timers(self) -> None:
        self.now += self.dice.below(5)
        timers.fire_due_timers(timezone.now() + dt.timedelta(days=self.now))

    def agree(self) -> None:
        if not self.dice.below(4):
            terms = {"confirm": self.one(("one", "both", "both", "master")), "correct": self.one(("touched", "master"))}
            terms["stands"] = self.one(("on", "off"))
            self.table.terms(**terms)

    def check(self) -> None:
        rows = list(Approval.objects.all())
        entries = [row.entry for row in rows if row.stage == "written"]
        assert len(entries) == len(set(entries))
        assert all((row.entry is not None) == (row.stage == "written") for row in rows)
        reports = [row for row in rows if row.stage == "written" and not row.is_correction]
        written = Entry.objects.filter(log=self.table.campaign.log_id, act="result").count()
        assert written == len(reports) + self.at_once, "every report is one line"
        state = self.table.state
        for row in rows:
            if row.is_open and not row.trouble:
                agreed = [
                    n for n, _ in current_versions(row) if not consent.find_missing_votes(state, row.asks, row.votes, n)
                ]
                assert len(agreed) != 1 or consent.filter_reachable(state, row.asks) != row.asks, (
                    "all agree, and it waits"
                )
        rung = set(Due.objects.filter(kind=approvals_services.FINALISE_TIMER).values_list("ref", flat=True))
        assert rung == {str(row.pk) for row in rows if row.is_open and row.stands_at}
        assert all(row.stage == "waiting" for row in rows if row.stands_at and row.is_open)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 30))])
def test_chronicle_adds_up_after_any_sequence_of_reports_and_answers(master, player, other_player, guest, seed):
    table = Table(master, player, other_player)
    table.terms(confirm="both", correct="touched")
    players = Players(table, guest, seed)
    for _ in range(STEPS):
        players.play()
        players.check()
    assert campaign_selectors.find_problems(table.fresh) == []
    assert Approval.objects.filter(stage="written").exists()
    assert set(players.done) == {"report", "answer", "correct", "fire_timers", "agree"}
    assert campaign_selectors.state_of(table.fresh) == table.state
