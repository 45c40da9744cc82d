"""Reports that wait for the word of others, by the terms of the table; one line of the chronicle comes of each."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from campaign import door, petitions, reading
from campaign.models import Campaign, Petition
from jobs import clock
from jobs.models import Due
from log.models import Entry
from people.who import Who
from refusal import Refusal
from tests.campaign.wars import joining

BATTLE = "k1 k2.border_1"
BODY = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 5, "k2": 3}}
OTHER = BODY | {"outcome": "draw"}


class Table:
    """Wren runs the campaign, Tam rules Oakhold and Oda rules Fenwick."""

    def __init__(self, master, player, other_player) -> None:
        from campaign import chronicle

        self.people = {"wren": master, "tam": player, "oda": other_player}
        self.wren, self.tam, self.oda = map(Who.of, (master, player, other_player))
        self.keys = 0
        self.campaign = chronicle.found(self.wren, key="one-campaign", name="The War of the Hedges")
        for name, ruler in (("Oakhold", player), ("Fenwick", other_player)):
            self.do("kingdom_joins", joining(name, ruler=ruler.pk))

    def key(self) -> str:
        self.keys += 1
        return f"key-number-{self.keys}"

    def do(self, act, body, *, who=None, **more):
        return door.do(self.campaign, who or self.wren, key=self.key(), act=act, body=body, **more)

    def terms(self, **terms):
        self.do("house_rules", {"terms": terms})

    def lay(self, who, body=BODY, *, key=None, subject=BATTLE, **more):
        return petitions.lay(
            self.campaign, who, key=key or self.key(), act="result", body=body, subject=subject, **more
        )

    def row(self, answer) -> Petition:
        return Petition.objects.select_related("campaign__log").get(pk=answer["petition"])

    def yes(self, answer, who, **more):
        return petitions.consent(self.row(answer), who, key=self.key(), **more)

    def no(self, answer, who, **more):
        return petitions.object_to(self.row(answer), who, key=self.key(), **more)

    def ask(self, who, kind, target, *, body=None, choices=None, why="we looked again"):
        seen = door.preview(reading.lines_of(self.fresh), kind, target, body, choices)
        return petitions.lay_correction(
            self.fresh, who, key=self.key(), kind=kind, target=target, why=why, digest=seen.digest, body=body, choices=choices
        )  # fmt: skip

    @property
    def fresh(self) -> Campaign:
        return Campaign.objects.select_related("log").get(pk=self.campaign.pk)

    @property
    def state(self):
        return reading.state_of(self.fresh)

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


class TestByTheTermsOfTheTable:
    def test_one_report_is_enough_unless_the_table_agreed_otherwise(self, table):
        assert table.lay(table.tam)["entry"] == table.results[0].number
        assert not Petition.objects.exists()

    def test_where_both_sides_confirm_it_waits_for_the_other(self, both):
        before = both.state
        done = both.lay(both.tam)
        row = both.row(done)
        assert "entry" not in done
        assert row.stage == "waiting"
        assert both.results == []
        assert both.state == before
        written = both.yes(done, both.oda)
        (line,) = both.results
        assert written["entry"] == line.number == both.row(done).entry
        assert (line.actor, line.body["confirmed"][0]["person"]) == (both.people["tam"], both.people["oda"].pk)
        assert reading.problems(both.fresh) == []

    def test_where_the_master_confirms_neither_side_settles_it(self, table):
        table.terms(confirm="master")
        done = table.lay(table.tam)
        assert "entry" not in table.yes(done, table.oda)
        assert table.results == []
        assert "entry" in petitions.decide(table.row(done), table.wren, key=table.key(), version=0)

    @pytest.mark.parametrize("confirm", ["one", "both", "master"])
    def test_what_the_master_reports_is_written_at_once(self, table, confirm):
        if confirm != "one":
            table.terms(confirm=confirm)
        assert "entry" in table.lay(table.wren)

    @pytest.mark.parametrize(
        ("act", "body"),
        [
            ("kingdom_status", {"kingdom": "k2", "to": "solo"}),
            ("ruler_changed", {"kingdom": "k2", "person": None}),
        ],
    )
    def test_where_nobody_else_is_to_be_asked_it_is_written_at_once(self, both, act, body):
        both.do(act, body)
        assert "entry" in both.lay(both.tam)

    def test_a_kingdom_left_by_its_ruler_meanwhile_holds_nothing_up(self, both):
        done = both.lay(both.tam)
        both.do("ruler_changed", {"kingdom": "k2", "person": None})
        assert "entry" in both.yes(done, both.tam)

    def test_a_regent_confirms_for_the_ruler(self, both, guest):
        both.do("regent_named", {"kingdom": "k2", "person": guest.pk})
        assert "entry" in both.yes(both.lay(both.tam), Who.of(guest))

    def test_a_regent_reports_for_the_ruler_and_the_line_says_so(self, both, guest):
        both.do("regent_named", {"kingdom": "k1", "person": guest.pk})
        both.yes(both.lay(Who.of(guest)), both.oda)
        assert both.results[0].on_behalf_of == both.people["tam"]

    def test_the_other_side_says_yes_on_the_same_phone_and_the_line_says_so(self, both):
        done = both.yes(both.lay(both.tam), both.tam, as_person=both.people["oda"])
        said = both.results[0].body["confirmed"]
        assert done["entry"]
        assert said == [{"kingdom": "k2", "person": both.people["oda"].pk, "phone": both.people["tam"].pk}]

    def test_nobody_says_yes_who_is_not_asked(self, both, stranger, guest):
        done = both.lay(both.tam)
        with pytest.raises(Refusal, match="Only members"):
            both.yes(done, Who.of(stranger))
        with pytest.raises(Refusal, match="not asked here"):
            both.yes(done, both.tam, as_person=guest)
        assert both.row(done).is_open

    def test_the_plain_door_does_not_go_round_the_table(self, both):
        with pytest.raises(Refusal, match="others confirm"):
            both.do("result", BODY, who=both.tam)
        with pytest.raises(Refusal, match="others confirm"):
            both.do("result", BODY | {"confirmed": [{"kingdom": "k2", "person": 1}]}, who=both.tam)
        assert both.results == []

    def test_nobody_signs_for_others_by_what_they_send(self, table):
        table.lay(table.tam, BODY | {"confirmed": [{"kingdom": "k2", "person": table.people["oda"].pk}]})
        assert "confirmed" not in table.results[0].body

    def test_a_wrong_report_is_refused_at_once_and_nothing_waits(self, both):
        with pytest.raises(Refusal):
            both.lay(both.tam, BODY | {"outcome": "perhaps"})
        assert not Petition.objects.exists()


class TestTwoReports:
    def test_the_same_from_the_other_side_is_a_yes(self, both):
        both.lay(both.tam)
        assert "entry" in both.lay(both.oda, BODY | {"spent": {"k1": 0}, "scenario": None})
        assert len(both.results) == 1

    def test_a_detail_that_only_one_tells_is_no_contradiction(self, both):
        both.lay(both.tam, BODY | {"scenario": "ambush", "removed": {"k1": 3}})
        assert "entry" in both.lay(both.oda)
        assert both.results[0].body["scenario"] == "ambush"

    def test_told_unit_by_unit_and_by_its_points_it_is_the_same_battle(self, both):
        report = {
            "scenario": "pitched_battle",
            "a": {"fielded": 5, "removed": 1},
            "b": {"fielded": 5, "removed": 5},
            "side_a": "k1",
        }
        told = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "report": report}
        done = both.lay(both.tam, told)
        points = {realm.id: realm.vp for realm in both.state.kingdoms.values()}
        assert points == {"k1": 0, "k2": 0}
        assert "entry" in both.lay(both.oda, {**BODY, "points": {"k1": 7, "k2": 1}})
        assert both.row(done).stage == "written"

    def test_another_from_the_other_side_stands_beside_it(self, both):
        done = both.lay(both.tam)
        assert both.lay(both.oda, OTHER) == done
        row = both.row(done)
        assert row.stage == "disputed"
        assert [one["body"]["outcome"] for one in row.versions] == ["attacker", "draw"]
        assert both.results == []

    def test_ones_own_again_takes_the_place_of_the_old(self, both):
        done = both.lay(both.tam)
        both.lay(both.tam, OTHER)
        row = both.row(done)
        assert (row.stage, len(row.versions), row.versions[0]["body"]["outcome"]) == ("waiting", 1, "draw")

    def test_a_yes_to_a_report_that_was_changed_meanwhile_is_not_counted(self, both):
        done = both.lay(both.tam)
        seen = both.row(done).versions[0]["digest"]
        both.lay(both.tam, OTHER)
        with pytest.raises(Refusal, match="changed since you looked"):
            both.yes(done, both.oda, seen=seen)
        assert both.results == []

    def test_a_tap_sent_twice_counts_once(self, both):
        first = both.lay(both.tam, key="the-same-key")
        assert both.lay(both.tam, key="the-same-key") == first
        row = both.row(first)
        told = petitions.consent(row, both.oda, key="another-key")
        assert petitions.consent(row, both.oda, key="another-key") == told
        assert len(both.results) == 1

    def test_a_report_after_it_is_settled_is_refused(self, both):
        both.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"}, who=both.tam)
        body = OTHER | {"battle": 1}
        done = both.lay(both.tam, body, subject="battle 1")
        both.yes(done, both.oda)
        with pytest.raises(Refusal, match="settled: it stands in the chronicle as entry"):
            both.yes(done, both.oda)
        with pytest.raises(Refusal, match="Battle 1 is not open"):
            both.lay(both.oda, body, subject="battle 1")
        assert len(both.results) == 1


class TestDisputed:
    @pytest.fixture
    def disputed(self, both):
        both.done = both.lay(both.tam)
        both.no(both.done, both.oda, reason="We ran out of time.", body=OTHER)
        return both

    def test_the_master_decides_for_one_version(self, disputed):
        done = petitions.decide(disputed.row(disputed.done), disputed.wren, key=disputed.key(), version=1)
        (line,) = disputed.results
        assert (line.number, line.body["outcome"], line.actor) == (done["entry"], "draw", disputed.people["oda"])

    def test_the_sides_agree_on_one_version(self, disputed):
        petitions.decide(disputed.row(disputed.done), disputed.tam, key=disputed.key(), version=1)
        assert [line.body["outcome"] for line in disputed.results] == ["draw"]

    def test_a_change_of_mind_on_both_sides_settles_nothing_until_they_meet(self, disputed):
        row = disputed.row(disputed.done)
        petitions.decide(row, disputed.oda, key=disputed.key(), version=0)
        assert [line.body["outcome"] for line in disputed.results] == ["attacker"]

    def test_who_takes_their_version_back_leaves_the_other_waiting(self, disputed):
        petitions.withdraw(disputed.row(disputed.done), disputed.oda, key=disputed.key())
        row = disputed.row(disputed.done)
        assert row.stage == "waiting"
        assert disputed.results == []
        assert "entry" in disputed.yes(disputed.done, disputed.oda)

    def test_an_objection_in_words_alone_keeps_it_from_standing(self, both):
        done = both.lay(both.tam)
        both.no(done, both.oda, reason="That is not how I remember it.")
        row = both.row(done)
        assert (row.stage, row.stands_at, Due.objects.filter(kind=petitions.STANDS).count()) == ("disputed", None, 0)
        assert "entry" in both.yes(done, both.oda), "whoever objected can still agree"

    def test_an_objection_needs_its_reason_and_says_something_else(self, both):
        done = both.lay(both.tam)
        with pytest.raises(Refusal, match="Write a few words"):
            both.no(done, both.oda, reason=" ", body=OTHER)
        with pytest.raises(Refusal, match="Confirm it instead"):
            both.no(done, both.oda, reason="Look.", body=BODY)

    def test_other_battles_go_on_meanwhile(self, disputed):
        disputed.do("kingdom_joins", joining("Rennet", ruler=disputed.people["wren"].pk))
        assert "entry" in disputed.lay(
            disputed.wren, {"attacker": "k3", "target": "k1.border_1", "outcome": "attacker"}, subject="k3 k1.border_1"
        )

    def test_the_one_who_laid_it_takes_it_back(self, both):
        done = both.lay(both.tam)
        with pytest.raises(Refusal, match="Only who reported it"):
            petitions.withdraw(both.row(done), both.oda, key=both.key())
        petitions.withdraw(both.row(done), both.tam, key=both.key())
        assert both.row(done).stage == "withdrawn"
        with pytest.raises(Refusal, match="taken back"):
            both.yes(done, both.oda)
        assert both.lay(both.tam)["petition"] != done["petition"]


class TestThingsMoveOn:
    def test_where_the_target_changed_hands_the_petition_stays_with_the_reason(self, both):
        done = both.lay(both.tam)
        both.do("agreed_change", {"hold": {"k2.border_1": "k1"}, "why": "a gift"})
        answer = both.yes(done, both.oda)
        row = both.row(done)
        assert both.results == []
        assert row.is_open
        assert row.trouble == answer["trouble"] != ""
        both.do("agreed_change", {"hold": {"k2.border_1": "k2"}, "why": "given back"})
        assert "entry" in both.yes(done, both.oda)
        assert both.row(done).trouble == ""

    def test_a_battle_called_off_is_not_written(self, both):
        both.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"}, who=both.tam)
        done = both.lay(both.tam, BODY | {"battle": 1}, subject="battle 1")
        both.do("battle_called_off", {"battle": 1})
        assert "called off" in both.yes(done, both.oda)["trouble"]
        assert both.results == []

    def test_played_before_what_was_entered_meanwhile_it_is_written_only_by_who_knows(self, both):
        yesterday = timezone.localdate() - dt.timedelta(days=1)
        both.campaign.log.entries.update(played_on=yesterday)
        reading.refold(both.fresh)
        done = both.lay(both.tam, played=yesterday)
        # Today's gift would be none if the land had changed hands yesterday.
        both.do("agreed_change", {"hold": {"k2.border_1": "k1"}, "why": "a gift"})
        answer = both.yes(done, both.oda)
        assert "They stay as they are if you write it all the same." in answer["trouble"]
        assert both.results == []
        answer = both.yes(done, both.oda, accept_late=True)
        assert answer["entry"] == both.results[-1].number
        assert reading.problems(both.fresh) == []


class TestStandsAfterSevenDays:
    def ring(self, days: float) -> int:
        import campaign.job_kinds  # noqa: F401  (says what is rung)

        return clock.tick(timezone.now() + dt.timedelta(days=days))

    def test_without_objection_it_stands_after_seven_days_and_not_before(self, both):
        done = both.lay(both.tam)
        self.ring(6.9)
        assert both.results == []
        self.ring(7.1)
        (line,) = both.results
        assert line.body["confirmed"] == [{"stood": 7}]
        assert line.actor == both.people["tam"]
        assert both.row(done).stage == "written"
        assert not Due.objects.filter(kind=petitions.STANDS).exists()

    def test_rung_twice_it_is_written_once(self, both):
        both.lay(both.tam)
        due = Due.objects.get(kind=petitions.STANDS)
        petitions.stand(due)
        petitions.stand(due)
        assert len(both.results) == 1

    def test_where_the_table_wants_it_so_it_waits_for_ever(self, table):
        table.terms(confirm="both", stands="off")
        done = table.lay(table.tam)
        assert table.row(done).stands_at is None
        assert not Due.objects.filter(kind=petitions.STANDS).exists()

    def test_a_table_that_changed_its_mind_meanwhile_is_heard(self, both):
        done = both.lay(both.tam)
        both.terms(stands="off")
        self.ring(8)
        assert both.results == []
        assert both.row(done).stands_at is None

    def test_a_disputed_report_never_stands_by_itself(self, both):
        both.lay(both.tam)
        both.lay(both.oda, OTHER)
        assert not Due.objects.filter(kind=petitions.STANDS).exists()

    def test_in_the_archive_the_clock_waits(self, both):
        from campaign import archive

        both.lay(both.tam)
        archive.put_in(both.campaign)
        self.ring(7.1)
        assert both.results == []
        assert Due.objects.filter(kind=petitions.STANDS).exists()


class TestCorrections:
    @pytest.fixture
    def told(self, table):
        table.terms(correct="touched")
        table.entry = table.lay(table.tam)["entry"]
        return table

    def amended(self, table, **more):
        line = next(line for line in reading.lines_of(table.fresh) if line.number == table.entry)
        return {**line.body, **more}

    def test_by_default_only_the_master_corrects(self, table):
        entry = table.lay(table.tam)["entry"]
        with pytest.raises(Refusal, match="the game master corrects"):
            table.ask(table.tam, "strike", entry)
        assert "entry" in table.ask(table.wren, "strike", entry)

    def test_it_waits_for_the_rulers_of_all_it_touches(self, told):
        done = told.ask(told.tam, "amend", told.entry, body=self.amended(told, outcome="defender"))
        assert told.row(done).asks == ["k1", "k2"]
        assert told.state.holders["k2.border_1"] == "k1"
        told.yes(done, told.oda)
        assert told.state.holders["k2.border_1"] == "k2"
        line = Entry.objects.get(log=told.campaign.log_id, act="amend")
        assert line.actor == told.people["tam"]
        assert line.body["confirmed"][0]["person"] == told.people["oda"].pk
        assert reading.problems(told.fresh) == []

    def test_the_master_may_decide_it_alone(self, told):
        done = told.ask(told.tam, "strike", told.entry)
        assert "entry" in told.yes(done, told.wren)

    def test_what_concerns_the_whole_table_waits_for_the_master(self, told):
        rules = Entry.objects.get(log=told.campaign.log_id, act="house_rules").number
        done = told.ask(told.tam, "strike", rules)
        assert told.row(done).asks == ["master"]

    def test_ones_own_note_is_ones_own_to_strike_and_anothers_is_not(self, told):
        note = told.do("note", {"text": "It rained."}, who=told.tam)["entry"]
        assert told.row(told.ask(told.oda, "strike", note)).asks == ["master"]
        other = told.do("note", {"text": "It snowed."}, who=told.tam)["entry"]
        assert "entry" in told.ask(told.tam, "strike", other)

    def test_if_the_chronicle_moved_on_it_says_so_and_asks_anew(self, told):
        done = told.ask(told.tam, "strike", told.entry)
        told.do("agreed_change", {"vp": {"k1": 4}, "why": "a prize"})
        told.do("vp_spent", {"kingdom": "k1", "what": "loyalty"}, who=told.tam)
        answer = told.yes(done, told.oda)
        row = told.row(done)
        assert "moved on" in answer["trouble"]
        assert row.is_open
        assert "k2" not in row.votes
        assert "entry" in told.yes(done, told.oda)

    def test_a_second_correction_of_the_same_entry_waits_its_turn(self, told):
        told.ask(told.tam, "strike", told.entry)
        with pytest.raises(Refusal, match="waits already"):
            told.ask(told.oda, "amend", told.entry, body=self.amended(told, outcome="draw"))
        assert "entry" in told.ask(told.oda, "strike", told.entry), "the same correction asked for twice is agreed on"

    def test_what_was_struck_meanwhile_is_not_struck_twice(self, told):
        done = told.ask(told.tam, "strike", told.entry)
        told.ask(told.wren, "strike", told.entry)
        assert "struck already" in told.yes(done, told.oda)["trouble"]

    def test_a_correction_does_not_stand_by_itself(self, told):
        assert told.row(told.ask(told.tam, "strike", told.entry)).stands_at is None

    def test_a_restore_is_agreed_to_as_well(self, told):
        struck = told.ask(told.wren, "strike", told.entry)["entry"]
        before = told.state
        done = told.ask(told.oda, "restore", struck, why="")
        assert told.state == before
        told.yes(done, told.tam)
        assert told.state.holders["k2.border_1"] == "k1"
