"""Reports that need confirmation under the campaign's settings. Each becomes one chronicle entry."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.approvals.display import build_approval_display
from campaign.chronicle.codec import read_sent
from campaign.models import Approval, Campaign
from jobs import timers
from jobs.models import Due
from log.models import Entry
from people.requester import Who
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import joining

BATTLE = "k1 k2.border_1"
BODY = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 5, "k2": 3}}
OTHER = BODY | {"outcome": "draw"}


class Table:
    """Wren runs the campaign, Tam rules Oakhold and Oda rules Fenwick."""

    def __init__(self, master, player, other_player) -> None:
        from campaign.founding import services as founding_services

        self.people = {"wren": master, "tam": player, "oda": other_player}
        self.wren, self.tam, self.oda = map(Who.of, (master, player, other_player))
        self.keys = 0
        self.campaign = founding_services.found_campaign(self.wren, key="one-campaign", name="The War of the Hedges")
        for name, ruler in (("Oakhold", player), ("Fenwick", other_player)):
            self.do("kingdom_joins", joining(name, ruler=ruler.pk))

    def key(self) -> str:
        self.keys += 1
        return f"key-number-{self.keys}"

    def do(self, act, body, *, who=None, **more):
        return campaign_services.write(
            self.campaign, who or self.wren, key=self.key(), act=read_sent(act, body), **more
        )

    def terms(self, **terms):
        self.do("house_rules", {"terms": terms})

    def submit(self, who, body=BODY, *, key=None, subject=BATTLE, **more):
        return approvals_services.submit_report(
            self.campaign, who, key=key or self.key(), act=read_sent("result", body), subject=subject, **more
        )

    def row(self, answer) -> Approval:
        return Approval.objects.select_related("campaign__log").get(pk=answer["petition"])

    def yes(self, answer, who, **more):
        return approvals_services.approve(self.row(answer), who, key=self.key(), **more)

    def no(self, answer, who, **more):
        row = self.row(answer)
        if "body" in more:
            more["own_act"] = approvals_services.read_own_version(row, more.pop("body"))
        return approvals_services.dispute(row, who, key=self.key(), **more)

    def ask(self, who, kind, target, *, body=None, choices=None, why="we looked again"):
        seen = campaign_services.preview_correction(
            campaign_selectors.entries_of(self.fresh), kind, target, body, choices
        )
        return approvals_services.submit_correction(
            self.fresh,
            who,
            key=self.key(),
            kind=kind,
            target=target,
            why=why,
            digest=seen.digest,
            body=body,
            choices=choices,
        )

    @property
    def fresh(self) -> Campaign:
        return Campaign.objects.select_related("log").get(pk=self.campaign.pk)

    @property
    def state(self):
        return campaign_selectors.state_of(self.fresh)

    @property
    def results(self) -> list[Entry]:
        return list(Entry.objects.filter(log=self.campaign.log_id, act="result").order_by("number"))


@pytest.fixture
def table(master, player, other_player):
    return Table(master, player, other_player)


@pytest.fixture
def both(table):
    table.terms(confirm="both")
    return table


class TestConfirmationRules:
    def test_one_report_is_enough_by_default(self, table):
        assert table.submit(table.tam)["entry"] == table.results[0].number
        assert not Approval.objects.exists()

    def test_report_waits_for_the_other_side_if_both_must_confirm(self, both):
        before = both.state
        done = both.submit(both.tam)
        row = both.row(done)
        assert "entry" not in done
        assert row.stage == "waiting"
        assert both.results == []
        assert both.state == before
        written = both.yes(done, both.oda)
        (entry,) = both.results
        assert written["entry"] == entry.number == both.row(done).entry
        assert (entry.actor, entry.body["confirmed"][0]["person"]) == (both.people["tam"], both.people["oda"].pk)
        assert campaign_selectors.find_problems(both.fresh) == []

    def test_players_cannot_settle_a_report_if_the_master_must_confirm(self, table):
        table.terms(confirm="master")
        done = table.submit(table.tam)
        assert "entry" not in table.yes(done, table.oda)
        assert table.results == []
        assert "entry" in approvals_services.approve(table.row(done), table.wren, key=table.key(), version=0)

    @pytest.mark.parametrize("confirm", ["one", "both", "master"])
    def test_master_report_is_written_at_once(self, table, confirm):
        if confirm != "one":
            table.terms(confirm=confirm)
        assert "entry" in table.submit(table.wren)

    @pytest.mark.parametrize(
        ("act", "body"),
        [
            ("kingdom_status", {"kingdom": "k2", "to": "solo"}),
            ("ruler_changed", {"kingdom": "k2", "person": None}),
        ],
    )
    def test_report_is_written_at_once_if_nobody_else_must_confirm(self, both, act, body):
        both.do(act, body)
        assert "entry" in both.submit(both.tam)

    def test_kingdom_whose_ruler_left_blocks_nothing(self, both):
        done = both.submit(both.tam)
        both.do("ruler_changed", {"kingdom": "k2", "person": None})
        assert "entry" in both.yes(done, both.tam)

    def test_regent_confirms_for_the_ruler(self, both, guest):
        both.do("regent_named", {"kingdom": "k2", "person": guest.pk})
        assert "entry" in both.yes(both.submit(both.tam), Who.of(guest))

    def test_regent_reports_for_the_ruler_and_the_entry_says_so(self, both, guest):
        both.do("regent_named", {"kingdom": "k1", "person": guest.pk})
        both.yes(both.submit(Who.of(guest)), both.oda)
        assert both.results[0].on_behalf_of == both.people["tam"]

    def test_other_side_confirms_on_the_same_phone_and_the_entry_says_so(self, both):
        done = both.yes(both.submit(both.tam), both.tam, as_person=both.people["oda"])
        confirmed = both.results[0].body["confirmed"]
        assert done["entry"]
        assert confirmed == [{"kingdom": "k2", "person": both.people["oda"].pk, "phone": both.people["tam"].pk}]

    def test_nobody_confirms_on_another_phone_against_their_own_version(self, both):
        done = both.submit(both.tam)
        both.no(done, both.oda, reason="We ran out of time.", body=OTHER)
        with pytest.raises(Refusal, match="given a version of their own"):
            both.yes(done, both.tam, as_person=both.people["oda"])
        assert both.results == []
        assert both.row(done).is_open

    def test_only_people_asked_can_confirm(self, both, stranger, guest):
        done = both.submit(both.tam)
        with pytest.raises(Refusal, match="Only members of this campaign can do this"):
            both.yes(done, Who.of(stranger))
        with pytest.raises(Refusal, match="cannot answer this"):
            both.yes(done, both.tam, as_person=guest)
        assert both.row(done).is_open

    def test_direct_write_cannot_bypass_confirmation(self, both):
        with pytest.raises(Refusal, match=r"Results need confirmation in this campaign\. Report this one instead"):
            both.do("result", BODY, who=both.tam)
        with pytest.raises(Refusal, match=r"Results need confirmation in this campaign\. Report this one instead"):
            both.do("result", BODY | {"confirmed": [{"kingdom": "k2", "person": 1}]}, who=both.tam)
        assert both.results == []

    def test_sent_confirmations_of_others_are_ignored(self, table):
        table.submit(table.tam, BODY | {"confirmed": [{"kingdom": "k2", "person": table.people["oda"].pk}]})
        assert "confirmed" not in table.results[0].body

    def test_invalid_report_is_refused_and_creates_no_approval(self, both):
        with pytest.raises(Refusal):
            both.submit(both.tam, BODY | {"outcome": "perhaps"})
        assert not Approval.objects.exists()


class TestTwoReports:
    def test_same_report_from_the_other_side_confirms_it(self, both):
        both.submit(both.tam)
        assert "entry" in both.submit(both.oda, BODY | {"spent": {"k1": 0}, "scenario": None})
        assert len(both.results) == 1

    def test_detail_given_by_one_side_only_does_not_contradict(self, both):
        both.submit(both.tam, BODY | {"scenario": "ambush", "removed": {"k1": 3}})
        assert "entry" in both.submit(both.oda)
        assert both.results[0].body["scenario"] == "ambush"

    def test_report_by_units_matches_report_by_points(self, both):
        report = {
            "scenario": "pitched_battle",
            "a": {"fielded": 5, "removed": 1},
            "b": {"fielded": 5, "removed": 5},
            "side_a": "k1",
        }
        body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "report": report}
        done = both.submit(both.tam, body)
        points = {kingdom.id: kingdom.vp for kingdom in both.state.kingdoms.values()}
        assert points == {"k1": 0, "k2": 0}
        assert "entry" in both.submit(both.oda, {**BODY, "points": {"k1": 7, "k2": 1}})
        assert both.row(done).stage == "written"

    def test_different_report_from_the_other_side_is_a_second_version(self, both):
        done = both.submit(both.tam)
        assert both.submit(both.oda, OTHER) == done
        row = both.row(done)
        assert row.stage == "disputed"
        assert [version["body"]["outcome"] for version in row.versions] == ["attacker", "draw"]
        assert both.results == []

    def test_new_report_replaces_your_own_old_one(self, both):
        done = both.submit(both.tam)
        both.submit(both.tam, OTHER)
        row = both.row(done)
        assert (row.stage, len(row.versions), row.versions[0]["body"]["outcome"]) == ("waiting", 1, "draw")

    def test_confirming_an_outdated_version_does_not_count(self, both):
        done = both.submit(both.tam)
        seen = both.row(done).versions[0]["digest"]
        both.submit(both.tam, OTHER)
        with pytest.raises(Refusal, match="changed since then"):
            both.yes(done, both.oda, seen=seen)
        assert both.results == []

    def test_tap_sent_twice_counts_once(self, both):
        first = both.submit(both.tam, key="the-same-key")
        assert both.submit(both.tam, key="the-same-key") == first
        row = both.row(first)
        answer = approvals_services.approve(row, both.oda, key="another-key")
        assert approvals_services.approve(row, both.oda, key="another-key") == answer
        assert len(both.results) == 1

    def test_report_on_a_settled_battle_is_refused(self, both):
        both.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"}, who=both.tam)
        body = OTHER | {"battle": 1}
        done = both.submit(both.tam, body, subject="battle 1")
        both.yes(done, both.oda)
        with pytest.raises(Refusal, match="already decided: see entry"):
            both.yes(done, both.oda)
        with pytest.raises(Refusal, match="Battle 1 is not open"):
            both.submit(both.oda, body, subject="battle 1")
        assert len(both.results) == 1


class TestDisputed:
    @pytest.fixture
    def disputed(self, both):
        both.done = both.submit(both.tam)
        both.no(both.done, both.oda, reason="We ran out of time.", body=OTHER)
        return both

    def test_master_picks_one_version(self, disputed):
        done = approvals_services.approve(disputed.row(disputed.done), disputed.wren, key=disputed.key(), version=1)
        (entry,) = disputed.results
        assert (entry.number, entry.body["outcome"], entry.actor) == (done["entry"], "draw", disputed.people["oda"])

    def test_sides_agree_on_one_version(self, disputed):
        approvals_services.approve(disputed.row(disputed.done), disputed.tam, key=disputed.key(), version=1)
        assert [entry.body["outcome"] for entry in disputed.results] == ["draw"]

    def test_both_sides_switching_settles_nothing_until_they_agree(self, disputed):
        row = disputed.row(disputed.done)
        approvals_services.approve(row, disputed.oda, key=disputed.key(), version=0)
        assert [entry.body["outcome"] for entry in disputed.results] == ["attacker"]

    def test_withdrawing_a_version_leaves_the_other_waiting(self, disputed):
        approvals_services.withdraw(disputed.row(disputed.done), disputed.oda, key=disputed.key())
        row = disputed.row(disputed.done)
        assert row.stage == "waiting"
        assert disputed.results == []
        assert "entry" in disputed.yes(disputed.done, disputed.oda)

    def test_objection_without_a_version_stops_the_timer(self, both):
        done = both.submit(both.tam)
        both.no(done, both.oda, reason="That is not how I remember it.")
        row = both.row(done)
        assert (row.stage, row.stands_at, Due.objects.filter(kind=approvals_services.FINALISE_TIMER).count()) == (
            "disputed",
            None,
            0,
        )
        assert "entry" in both.yes(done, both.oda), "whoever objected can still agree"

    def test_objection_needs_a_reason_and_a_different_version(self, both):
        done = both.submit(both.tam)
        with pytest.raises(Refusal, match="Write a few words"):
            both.no(done, both.oda, reason=" ", body=OTHER)
        with pytest.raises(Refusal, match="Confirm it instead"):
            both.no(done, both.oda, reason="Look.", body=BODY)

    def test_dispute_does_not_block_other_battles(self, disputed):
        disputed.do("kingdom_joins", joining("Rennet", ruler=disputed.people["wren"].pk))
        assert "entry" in disputed.submit(
            disputed.wren, {"attacker": "k3", "target": "k1.border_1", "outcome": "attacker"}, subject="k3 k1.border_1"
        )

    def test_reporter_can_withdraw_the_report(self, both):
        done = both.submit(both.tam)
        with pytest.raises(Refusal, match="Only the person who reported it"):
            approvals_services.withdraw(both.row(done), both.oda, key=both.key())
        approvals_services.withdraw(both.row(done), both.tam, key=both.key())
        assert both.row(done).stage == "withdrawn"
        with pytest.raises(Refusal, match="withdrawn"):
            both.yes(done, both.oda)
        assert both.submit(both.tam)["petition"] != done["petition"]


class TestCampaignChangesMeanwhile:
    def test_approval_stays_open_with_a_reason_if_the_target_changed_hands(self, both):
        done = both.submit(both.tam)
        both.do("agreed_change", {"hold": {"k2.border_1": "k1"}, "why": "a gift"})
        answer = both.yes(done, both.oda)
        row = both.row(done)
        assert both.results == []
        assert row.is_open
        assert row.trouble == answer["trouble"] != ""
        both.do("agreed_change", {"hold": {"k2.border_1": "k2"}, "why": "given back"})
        assert "entry" in both.yes(done, both.oda)
        assert both.row(done).trouble == ""

    def test_report_of_a_cancelled_battle_is_not_written(self, both):
        both.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"}, who=both.tam)
        done = both.submit(both.tam, BODY | {"battle": 1}, subject="battle 1")
        both.do("battle_called_off", {"battle": 1})
        assert "called off" in both.yes(done, both.oda)["trouble"]
        assert not build_approval_display(both.row(done), both.oda).late
        assert both.results == []

    def test_late_report_needs_explicit_acceptance(self, both):
        yesterday = timezone.localdate() - dt.timedelta(days=1)
        both.campaign.log.entries.update(played_on=yesterday)
        campaign_selectors.refold(both.fresh)
        done = both.submit(both.tam, played=yesterday)
        # Today's gift would be none if the land had changed hands yesterday.
        both.do("agreed_change", {"hold": {"k2.border_1": "k1"}, "why": "a gift"})
        answer = both.yes(done, both.oda)
        assert "They stay unchanged if you record it anyway." in answer["trouble"]
        assert build_approval_display(both.row(done), both.oda).late
        assert both.results == []
        answer = both.yes(done, both.oda, accept_late=True)
        assert answer["entry"] == both.results[-1].number
        assert campaign_selectors.find_problems(both.fresh) == []


class TestFinalAfterSevenDays:
    def fire_timers(self, days: float) -> int:
        import campaign.job_kinds  # noqa: F401  (registers the timers)

        return timers.fire_due_timers(timezone.now() + dt.timedelta(days=days))

    def test_report_becomes_final_after_seven_days_without_objection(self, both):
        done = both.submit(both.tam)
        self.fire_timers(6.9)
        assert both.results == []
        self.fire_timers(7.1)
        (entry,) = both.results
        assert entry.body["confirmed"] == [{"stood": 7}]
        assert entry.actor == both.people["tam"]
        assert both.row(done).stage == "written"
        assert not Due.objects.filter(kind=approvals_services.FINALISE_TIMER).exists()

    def test_timer_fired_twice_writes_once(self, both):
        both.submit(both.tam)
        due = Due.objects.get(kind=approvals_services.FINALISE_TIMER)
        approvals_services.finalise_due(due)
        approvals_services.finalise_due(due)
        assert len(both.results) == 1

    def test_report_waits_for_ever_if_the_timer_is_off(self, table):
        table.terms(confirm="both", stands="off")
        done = table.submit(table.tam)
        assert table.row(done).stands_at is None
        assert not Due.objects.filter(kind=approvals_services.FINALISE_TIMER).exists()

    def test_turning_the_timer_off_applies_to_waiting_reports(self, both):
        done = both.submit(both.tam)
        both.terms(stands="off")
        self.fire_timers(8)
        assert both.results == []
        assert both.row(done).stands_at is None

    def test_disputed_report_has_no_timer(self, both):
        both.submit(both.tam)
        both.submit(both.oda, OTHER)
        assert not Due.objects.filter(kind=approvals_services.FINALISE_TIMER).exists()

    def test_timer_pauses_while_archived(self, both):
        from campaign.transfer import services as transfer_services

        both.submit(both.tam)
        transfer_services.set_archived(both.campaign, True)
        self.fire_timers(7.1)
        assert both.results == []
        assert Due.objects.filter(kind=approvals_services.FINALISE_TIMER).exists()


class TestCorrections:
    @pytest.fixture
    def recorded(self, table):
        table.terms(correct="touched")
        table.entry = table.submit(table.tam)["entry"]
        return table

    def amended(self, table, **more):
        entry = next(entry for entry in campaign_selectors.entries_of(table.fresh) if entry.number == table.entry)
        return {**entry.body, **more}

    def test_only_master_corrects_by_default(self, table):
        entry = table.submit(table.tam)["entry"]
        with pytest.raises(Refusal, match="game master can correct"):
            table.ask(table.tam, "strike", entry)
        assert "entry" in table.ask(table.wren, "strike", entry)

    def test_correction_waits_for_every_ruler_affected(self, recorded):
        done = recorded.ask(recorded.tam, "amend", recorded.entry, body=self.amended(recorded, outcome="defender"))
        assert recorded.row(done).asks == ["k1", "k2"]
        assert recorded.state.holders["k2.border_1"] == "k1"
        recorded.yes(done, recorded.oda)
        assert recorded.state.holders["k2.border_1"] == "k2"
        entry = Entry.objects.get(log=recorded.campaign.log_id, act="amend")
        assert entry.actor == recorded.people["tam"]
        assert entry.body["confirmed"][0]["person"] == recorded.people["oda"].pk
        assert campaign_selectors.find_problems(recorded.fresh) == []

    def test_master_can_decide_alone(self, recorded):
        done = recorded.ask(recorded.tam, "strike", recorded.entry)
        assert "entry" in recorded.yes(done, recorded.wren)

    def test_correction_that_affects_everyone_waits_for_the_master(self, recorded):
        rules = Entry.objects.get(log=recorded.campaign.log_id, act="house_rules").number
        done = recorded.ask(recorded.tam, "strike", rules)
        assert recorded.row(done).asks == ["master"]

    def test_author_can_strike_their_own_note_only(self, recorded):
        note = recorded.do("note", {"text": "It rained."}, who=recorded.tam)["entry"]
        assert recorded.row(recorded.ask(recorded.oda, "strike", note)).asks == ["master"]
        other = recorded.do("note", {"text": "It snowed."}, who=recorded.tam)["entry"]
        assert "entry" in recorded.ask(recorded.tam, "strike", other)

    def test_outdated_correction_says_so_and_asks_again(self, recorded):
        done = recorded.ask(recorded.tam, "strike", recorded.entry)
        recorded.do("agreed_change", {"vp": {"k1": 4}, "why": "a prize"})
        recorded.do("vp_spent", {"kingdom": "k1", "what": "loyalty"}, who=recorded.tam)
        answer = recorded.yes(done, recorded.oda)
        row = recorded.row(done)
        assert "has changed" in answer["trouble"]
        assert row.is_open
        assert "k2" not in row.votes
        assert "entry" in recorded.yes(done, recorded.oda)

    def test_second_correction_of_the_same_entry_must_wait(self, recorded):
        recorded.ask(recorded.tam, "strike", recorded.entry)
        with pytest.raises(Refusal, match=r"is pending\. Answer that one first"):
            recorded.ask(recorded.oda, "amend", recorded.entry, body=self.amended(recorded, outcome="draw"))
        assert "entry" in recorded.ask(recorded.oda, "strike", recorded.entry), (
            "the same correction asked for twice is agreed on"
        )

    def test_entry_struck_meanwhile_is_not_struck_twice(self, recorded):
        done = recorded.ask(recorded.tam, "strike", recorded.entry)
        recorded.ask(recorded.wren, "strike", recorded.entry)
        assert "already struck" in recorded.yes(done, recorded.oda)["trouble"]

    def test_correction_has_no_timer(self, recorded):
        assert recorded.row(recorded.ask(recorded.tam, "strike", recorded.entry)).stands_at is None

    def test_restore_needs_agreement_too(self, recorded):
        struck = recorded.ask(recorded.wren, "strike", recorded.entry)["entry"]
        before = recorded.state
        done = recorded.ask(recorded.oda, "restore", struck, why="")
        assert recorded.state == before
        recorded.yes(done, recorded.tam)
        assert recorded.state.holders["k2.border_1"] == "k1"
