"""Campaign services: each act is checked, written once and applied to the snapshot."""

from __future__ import annotations

import copy
import datetime as dt

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone

from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.chronicle.corrections import STRIKE_TOO
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from campaign.models import Campaign, Checkpoint, Member, Snapshot
from campaign.transfer import services as transfer_services
from log.models import Entry, Log
from people.requester import Who
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import joining

TODAY = timezone.localdate()


class Table:
    """A campaign with two kingdoms and the people who rule them."""

    def __init__(self, master, player, kingdoms: int = 2) -> None:
        self.master, self.player = Who.of(master), Who.of(player)
        self.keys = 0
        self.campaign = founding_services.found_campaign(
            self.master, key="one-campaign", name="The War of the Hedges", season="Spring"
        )
        for number, name in enumerate(("Oakhold", "Fenwick", "Thistledown", "Mole End")[:kingdoms]):
            ruler = (master, player)[number] if number < 2 else master
            self.do("kingdom_joins", joining(name, ruler=ruler.pk))

    def key(self) -> str:
        self.keys += 1
        return f"key-number-{self.keys}"

    def do(self, act, body, *, who=None, key=None, **more):
        return campaign_services.write(
            self.campaign, who or self.master, key=key or self.key(), act=read_sent(act, body), **more
        )

    def result(self, attacker, target, outcome="attacker", **more):
        about = {k: more.pop(k) for k in ("who", "key", "played_on", "seen", "accept_late") if k in more}
        return self.do("result", {"attacker": attacker, "target": target, "outcome": outcome, **more}, **about)

    def correct(self, kind, target, *, body=None, choices=None, who=None, digest=None):
        fresh = Campaign.objects.select_related("log").get(pk=self.campaign.pk)
        seen = campaign_services.preview_correction(campaign_selectors.entries_of(fresh), kind, target, body, choices)
        return campaign_services.write_correction(
            self.campaign,
            who or self.master,
            key=self.key(),
            kind=kind,
            target=target,
            why="we looked again",
            digest=digest or seen.digest,
            body=body,
            choices=choices,
        )

    @property
    def state(self):
        return campaign_selectors.state_of(Campaign.objects.select_related("log").get(pk=self.campaign.pk))


@pytest.fixture
def table(master, player):
    return Table(master, player)


def test_act_is_written_once_and_updates_the_snapshot(table, django_assert_max_num_queries):
    first = table.result("k1", "k2.border_1", points={"k1": 4}, key="the-same-tap")
    assert table.result("k1", "k2.border_1", points={"k1": 4}, key="the-same-tap") == first
    assert table.state.kingdoms["k1"].vp == 4
    assert Snapshot.objects.get().length == first["entry"]
    call_command("verify_chronicle")
    with django_assert_max_num_queries(9):  # and its battle, that was never declared, is looked for
        table.result("k1", "k2.border_2")


def test_appending_costs_the_same_at_any_length(table):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def cost() -> int:
        with CaptureQueriesContext(connection) as seen:
            table.do("note", {"text": "again"})
        return len(seen)

    first = cost()
    for _ in range(20):
        table.do("note", {"text": "and again"})
    assert cost() == first


def test_rulers_act_for_their_kingdom_and_master_for_anyone(table, stranger):
    table.result("k1", "k2.border_1", points={"k2": 5})
    table.do("vp_spent", {"kingdom": "k2", "what": "loyalty"}, who=table.player)
    with pytest.raises(Refusal, match="Only the ruler of this kingdom") as refused:
        table.do("vp_spent", {"kingdom": "k1", "what": "loyalty"}, who=table.player)
    assert refused.value.status == 403
    with pytest.raises(Refusal, match="Only the game master"):
        table.do("season_opened", {"name": "Spring"}, who=table.player)
    with pytest.raises(Refusal, match="Only members of this campaign can do this"):
        table.do("note", {"text": "hello"}, who=Who.of(stranger))


def test_regent_acts_for_the_ruler(table, other_player):
    table.do("regent_named", {"kingdom": "k2", "person": other_player.pk}, who=table.player)
    assert Member.objects.filter(campaign=table.campaign, person=other_player).exists()
    table.result("k1", "k2.border_1", points={"k2": 3})
    table.do("vp_spent", {"kingdom": "k2", "what": "loyalty"}, who=Who.of(other_player))


def test_target_that_changed_hands_is_refused_with_fresh_state(table):
    seen = {"holder:k2.border_1": "k2"}
    table.result("k1", "k2.border_1", seen=seen)
    with pytest.raises(Refusal) as refused:
        table.result("k1", "k2.border_1", seen=seen)
    assert refused.value.status == 409
    assert refused.value.fresh == {"holder:k2.border_1": "k1"}


def test_late_entry_is_checked_against_its_own_day(table):
    """On the day before the kingdoms joined there is nobody to fight."""
    with pytest.raises(Refusal, match=r"Oakhold had not joined the war on .* a later one"):
        table.result("k1", "k2.border_1", played_on=TODAY - dt.timedelta(days=1))


def test_late_result_folds_by_day_played_and_lists_what_it_affects(master, player, time_machine_days):
    table = time_machine_days(lambda: Table(master, player), days=10)
    table.result("k1", "k2.border_1", played_on=TODAY - dt.timedelta(days=2))
    late_day = TODAY - dt.timedelta(days=5)
    with pytest.raises(Refusal, match="affects") as refused:
        table.result("k1", "k2.border_1", played_on=late_day)
    assert refused.value.status == 409
    answer = table.result("k1", "k2.border_1", played_on=late_day, accept_late=True)
    assert answer["flagged"] == [answer["entry"] - 1]
    assert table.state.kingdoms["k1"].loyalty == 2
    call_command("verify_chronicle")


def test_tap_sent_before_midnight_and_again_after_it_counts_once(master, player, monkeypatch):
    table = Table(master, player)
    path = f"{table.campaign.get_absolute_url()}note/"
    sent = {"key": "a-tap-before-midnight", "text": "The reeds are cut."}
    assert master.client.post(path, sent).status_code == 302
    before = Entry.objects.count()
    monkeypatch.setattr(timezone, "localdate", lambda *_: TODAY + dt.timedelta(days=1))
    assert master.client.post(path, sent).status_code == 302
    assert Entry.objects.count() == before


@pytest.fixture
def time_machine_days(monkeypatch):
    def run(make, *, days: int):
        with monkeypatch.context() as past:
            past.setattr(timezone, "localdate", lambda *a: TODAY - dt.timedelta(days=days))
            return make()

    return run


def test_strike_with_choices_is_one_bundle_and_restore_undoes_it(table):
    first = table.result("k1", "k2.border_1", points={"k1": 4})["entry"]
    spent = table.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})["entry"]
    before = table.state
    strike = table.correct("strike", first, choices={spent: STRIKE_TOO})["entry"]
    assert table.state.kingdoms["k1"].loyalty == 0
    assert table.state.holders["k2.border_1"] == "k2"
    call_command("verify_chronicle")
    table.correct("restore", strike)
    assert table.state == before
    call_command("verify_chronicle")


def test_outdated_preview_is_refused(table):
    first = table.result("k1", "k2.border_1", points={"k1": 4})["entry"]
    fresh = Campaign.objects.select_related("log").get(pk=table.campaign.pk)
    seen = campaign_services.preview_correction(campaign_selectors.entries_of(fresh), "strike", first).digest
    table.result("k1", "k2.border_2")
    with pytest.raises(Refusal, match="has changed") as refused:
        table.correct("strike", first, digest=seen)
    assert refused.value.status == 409


def test_only_master_corrects_by_default(table):
    first = table.result("k1", "k2.border_1")["entry"]
    with pytest.raises(Refusal, match="game master can correct"):
        table.correct("strike", first, who=table.player)


def test_past_maps_need_only_a_short_fold(table, monkeypatch):
    monkeypatch.setattr(campaign_selectors, "CHECKPOINT_EVERY", 5)
    table.result("k1", "k2.border_1")
    for number in range(12):
        table.do("note", {"text": f"note {number}"})
    table.result("k1", "k2.border_2")
    fresh = Campaign.objects.select_related("log").get(pk=table.campaign.pk)
    length = fresh.log.length
    assert campaign_selectors.state_at(fresh, length) == table.state
    assert Checkpoint.objects.count() == 3
    assert campaign_selectors.state_at(fresh, length - 1).holders["k2.border_2"] == "k2"
    assert campaign_selectors.state_at(fresh, 4).holders["k2.border_1"] == "k1"
    assert campaign_selectors.state_at(fresh, 3).holders["k2.border_1"] == "k2"
    assert campaign_selectors.state_as_known(fresh, 4).holders["k2.border_1"] == "k1"
    call_command("verify_chronicle")
    table.correct("strike", 4)
    fresh.refresh_from_db()
    fresh = Campaign.objects.select_related("log").get(pk=fresh.pk)
    assert campaign_selectors.state_at(fresh, length).holders["k2.border_1"] == "k2"
    assert campaign_selectors.state_as_known(fresh, length).holders["k2.border_1"] == "k1"
    call_command("verify_chronicle")


def test_verify_names_the_problem(table):
    kept = Snapshot.objects.get()
    kept.state["kingdoms"][0]["vp"] = 99
    kept.save()
    with pytest.raises(CommandError, match="differs from the log"):
        call_command("verify_chronicle")
    Snapshot.objects.all().delete()
    call_command("verify_chronicle")
    assert table.state.kingdoms["k1"].vp == 0


def test_archived_campaign_is_closed_even_if_already_loaded(table):
    read = Campaign.objects.select_related("log", "snapshot").get()
    transfer_services.set_archived(table.campaign, True)
    for campaign in (read, Campaign.objects.select_related("log").get()):
        with pytest.raises(Refusal, match="archive"):
            campaign_services.write(campaign, table.master, key=table.key(), act=read_sent("note", {"text": "hello"}))
    transfer_services.set_archived(table.campaign, False)
    campaign_services.write(read, table.master, key=table.key(), act=read_sent("note", {"text": "hello"}))


def test_loaded_campaign_is_neither_read_again_nor_modified(table, django_assert_max_num_queries):
    read = Campaign.objects.select_related("log", "snapshot").get()
    length, kept = read.log.length, copy.deepcopy(read.snapshot.state)
    with pytest.raises(Refusal):
        campaign_services.write(
            read, table.master, key=table.key(), act=read_sent("vp_spent", {"kingdom": "k1", "what": "loyalty"})
        )
    with django_assert_max_num_queries(7):  # lock with receipt, line, snapshot, log, receipt; savepoints of the test
        campaign_services.write(
            read, table.master, key=table.key(), act=read_sent("agreed_change", {"vp": {"k1": 5}, "why": "spoils"})
        )
    assert (read.log.length, read.snapshot.state) == (length, kept)
    # It is old by now: the next act finds that out by itself.
    campaign_services.write(
        read, table.master, key=table.key(), act=read_sent("agreed_change", {"vp": {"k1": 5}, "why": "more spoils"})
    )
    assert table.state.kingdoms["k1"].vp == 10
    call_command("verify_chronicle")


def test_nobody_can_join_an_archived_campaign(table, stranger):
    transfer_services.set_archived(table.campaign, True)
    with pytest.raises(Refusal, match="archive"):
        invitations_services.join_campaign(table.campaign, Who.of(stranger), key="join-the-archive")
    assert not Member.objects.filter(person=stranger).exists()


def test_corrections_of_a_long_log_are_found_without_reading_all_of_it(db):
    log = Log.objects.create(kind="campaign", length=3000)
    rows = (
        Entry(log=log, number=number, act=f"act-{number % 50}", played_on="2026-05-14") for number in range(1, 3001)
    )
    Entry.objects.bulk_create(rows)
    with connection.cursor() as cursor:  # or a database that has not looked at its rows yet may plan otherwise
        cursor.execute("ANALYZE log_entry")
    assert "entries_of_one_act" in campaign_selectors.correction_entries(log.pk).explain()
