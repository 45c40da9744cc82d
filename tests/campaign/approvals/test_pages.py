"""Petitions on pages, on the home page and as JSON: who is asked, what they are shown, and what their tap does."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from campaign import door, reading
from campaign.models import Petition
from people.who import Who
from tests.campaign.test_petitions import BATTLE, BODY, OTHER, Table

TODAY = timezone.localdate().isoformat()


@pytest.fixture
def table(master, player, other_player):
    found = Table(master, player, other_player)
    found.terms(confirm="both", correct="touched")
    found.base = found.campaign.get_absolute_url()
    return found


@pytest.fixture
def waiting(table):
    table.done = table.lay(table.tam)
    table.url = table.row(table.done).get_absolute_url()
    return table


def text(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


def send(table, person, **fields):
    return table.people[person].client.post(table.url, {"key": table.key(), "do": "yes", **fields})


def test_the_result_form_goes_to_the_report_that_waits(table):
    client = table.people["tam"].client
    shown = text(client.get(f"{table.base}result/?attacker=k1&target=k2.border_1"))
    assert "It counts once it is confirmed by Oda." in shown
    data = {"key": "the-forms-key", "outcome": "attacker", "attacker_points": 5, "defender_points": 3, "attacker_spent": 0, "defender_spent": 0, "played_on": TODAY}  # fmt: skip
    answer = client.post(f"{table.base}result/?attacker=k1&target=k2.border_1", data)
    row = Petition.objects.get()
    assert answer.url == row.get_absolute_url()
    assert table.results == []


def test_the_other_side_finds_it_on_the_home_page_and_the_campaign_page(waiting, django_assert_max_num_queries):
    oda, tam = waiting.people["oda"].client, waiting.people["tam"].client
    assert "Tam says: Oakhold beat" in text(oda.get("/"))
    assert "It waits for Oda." in text(tam.get("/"))
    assert "It waits for Oda." in text(tam.get(waiting.base))
    assert "Answer it" in text(oda.get(waiting.base))
    with django_assert_max_num_queries(12):
        oda.get(waiting.base)


def test_strangers_to_a_public_campaign_do_not_see_what_waits(waiting, stranger):
    type(waiting.campaign).objects.update(visibility="public")
    assert "waits for" not in text(stranger.client.get(waiting.base))
    assert stranger.client.get(waiting.url).status_code == 404


def test_a_yes_writes_the_line_and_the_chronicle_tells_by_whom(waiting):
    answer = send(waiting, "oda", version=0)
    assert answer.url.endswith(f"#entry-{waiting.results[0].number}")
    assert "entered by Tam, confirmed by Oda" in text(waiting.people["tam"].client.get(waiting.base))


def test_said_on_the_same_phone_the_chronicle_tells_so(waiting):
    page = text(waiting.people["tam"].client.get(waiting.url))
    assert "Oda says yes, on this phone" in page
    send(waiting, "tam", **{"as": waiting.people["oda"].pk})
    assert "confirmed by Oda on Tam’s phone" in text(waiting.people["oda"].client.get(waiting.base))


def test_a_stale_yes_gets_a_sentence_and_the_fresh_report(waiting):
    seen = waiting.row(waiting.done).versions[0]["digest"]
    waiting.lay(waiting.tam, OTHER)
    answer = send(waiting, "oda", version=0, seen=seen)
    assert answer.status_code == 409
    assert "changed since you looked" in text(answer)
    assert "fought to a draw" in text(answer)


def test_two_versions_are_shown_side_by_side_with_who_decides(waiting):
    form = waiting.people["oda"].client.get(f"{waiting.url}other/")
    assert form.status_code == 200
    data = {"key": "the-other-version", "outcome": "draw", "attacker_points": 3, "defender_points": 3, "attacker_spent": 0, "defender_spent": 0, "played_on": TODAY, "reason": "We ran out of time."}  # fmt: skip
    answer = waiting.people["oda"].client.post(f"{waiting.url}other/", data)
    assert answer.url == waiting.url
    page = text(waiting.people["wren"].client.get(waiting.url))
    for said in ("Tam says", "Oda says", "We ran out of time.", "The game master decides, or the sides agree.", "Other battles go on meanwhile."):  # fmt: skip
        assert said in page
    send(waiting, "wren", version=1)
    assert waiting.results[0].body["outcome"] == "draw"


def test_an_objection_and_taking_back_work_without_a_script(waiting):
    assert send(waiting, "oda", do="no", reason="").status_code == 422
    send(waiting, "oda", do="no", reason="It was not so.")
    assert "It was not so." in text(waiting.people["tam"].client.get(waiting.url))
    send(waiting, "tam", do="back")
    assert waiting.row(waiting.done).stage == "withdrawn"
    assert "It was taken back." in text(waiting.people["tam"].client.get(waiting.url))


def test_a_battle_settled_otherwise_says_so_on_the_report(table):
    table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"}, who=table.tam)
    done = table.lay(table.tam, BODY | {"battle": 1}, subject="battle 1")
    table.do("battle_called_off", {"battle": 1})
    assert "Battle 1 is not open." in text(table.people["tam"].client.get(table.row(done).get_absolute_url()))
    assert "Battle 1 is not open." in text(table.people["tam"].client.get("/"))


def test_who_may_not_correct_is_told_before_the_form(table):
    table.do("house_rules", {"terms": {"correct": "master"}})
    entry = table.lay(table.wren)["entry"]
    page = text(table.people["tam"].client.get(f"{table.base}entries/{entry}/strike/"))
    assert "the game master corrects the chronicle" in page
    assert "Strike it" not in page


def test_a_correction_by_consent_shows_what_it_changes(table):
    entry = table.lay(table.wren)["entry"]
    client = table.people["tam"].client
    page = client.get(f"{table.base}entries/{entry}/strike/")
    assert "It is written once they agree: Oda." in text(page)
    data = {
        "confirm": "1",
        "why": "It was a friendly.",
        "digest": page.context["preview"].digest,
        "key": "asks-to-strike",
    }
    answer = client.post(f"{table.base}entries/{entry}/strike/", data)
    table.url = answer.url
    shown = text(table.people["oda"].client.get(table.url))
    assert "It was a friendly." in shown
    assert "Loyalty of Oakhold" in shown
    send(table, "oda", version=0)
    assert table.state.kingdoms["k1"].loyalty == 0


def test_the_api_lays_shows_and_answers(table):
    api = f"/api/v1/campaigns/{table.campaign.code}/"
    tam, oda = table.people["tam"].client, table.people["oda"].client
    sent = {"key": "report-by-api", "act": "result", "body": BODY}
    done = tam.post(f"{api}acts/", sent, content_type="application/json").json()
    assert done["entry"] is None
    (row,) = oda.get(f"{api}petitions/").json()
    assert (row["pk"], row["asks_me"], row["waits_for"]) == (done["petition"], True, ["Oda"])
    assert oda.get(api).json()["petitions"] == [row]
    shown = oda.get(f"{api}petitions/{row['pk']}/").json()
    assert shown["versions"][0]["by"] == "Tam"
    yes = {"key": "yes-by-api", "do": "yes", "seen": shown["versions"][0]["digest"]}
    answer = oda.post(f"{api}petitions/{row['pk']}/", yes, content_type="application/json").json()
    assert answer["entry"] == table.results[0].number
    seen = {"kind": "strike", "target": answer["entry"]}
    digest = tam.post(f"{api}corrections/", seen, content_type="application/json").json()["digest"]
    asked = seen | {"digest": digest, "key": "strike-by-api", "why": "a friendly"}
    assert "petition" in tam.post(f"{api}corrections/", asked, content_type="application/json").json()


def test_a_file_of_the_campaign_keeps_who_confirmed(waiting):
    """The ids of those who agreed are exchanged on import like all others."""
    from campaign import carrying

    send(waiting, "oda", version=0)
    line = waiting.results[0]
    waiting.ask(waiting.wren, "amend", line.number, body={**line.body, "outcome": "draw"})
    carried = carrying.contents(waiting.fresh)
    bodies = [line["body"] for line in carried["entries"]]
    bodies += [one["body"] for body in bodies for one in body.get("bundle", {}).get("amend", {}).values()]
    people = [row["person"] for body in bodies for row in body.get("confirmed", [])]
    assert len(people) == 2
    assert set(people) <= set(range(1, len(carried["people"]) + 1))


def test_nobody_is_asked_on_the_home_page_of_an_archived_campaign(waiting):
    from campaign import archive

    archive.put_in(waiting.campaign)
    assert "Tam says" not in text(waiting.people["oda"].client.get("/"))


def test_the_regent_is_waited_for_while_there_is_one(waiting, guest):
    waiting.do("regent_named", {"kingdom": "k2", "person": guest.pk})
    assert "It waits for Pim." in text(waiting.people["tam"].client.get(waiting.url))
    assert door.is_master(waiting.state, Who.of(guest)) is False


def test_my_data_holds_what_i_reported_and_answered_and_nothing_of_others(waiting, stranger):
    send(waiting, "oda", do="no", reason="It was not so.")
    told = waiting.people["oda"].client.get("/me/data/file/").json()["petitions"]
    assert [(row["about"], row["said"], list(row["answered"])) for row in told] == [(BATTLE, [], ["k2"])]
    assert waiting.people["tam"].client.get("/me/data/file/").json()["petitions"][0]["said"][0]["body"] == BODY
    assert stranger.client.get("/me/data/file/").json()["petitions"] == []


def test_ones_own_version_of_a_battle_told_unit_by_unit_begins_with_its_points(table):
    report = {
        "scenario": "pitched_battle",
        "a": {"fielded": 5, "removed": 1},
        "b": {"fielded": 5, "removed": 5},
        "side_a": "k1",
    }
    done = table.lay(table.tam, {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "report": report})
    form = table.people["oda"].client.get(f"{table.row(done).get_absolute_url()}other/").context["form"]
    assert [form.initial[name] for name in ("attacker_points", "defender_points", "attacker_removed", "scenario")] == [
        7,
        1,
        5,
        "pitched_battle",
    ]


class TestCorrectingABattleToldUnitByUnit:
    @pytest.fixture
    def told(self, table):
        report = {"scenario": "pitched_battle", "a": {"fielded": 5, "removed": 1}, "b": {"fielded": 5, "removed": 5}, "side_a": "k1"}  # fmt: skip
        table.lay(table.wren, {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "report": report})
        table.amend = f"{table.base}entries/{table.results[0].number}/amend/"
        return table

    def typed(self, table, **more):
        form = table.people["wren"].client.get(table.amend).context["form"]
        shown = {name: form.initial.get(name) for name in form.fields if name not in ("key", "accept_late")}
        sent = {name: value for name, value in shown.items() if value not in (None, "", [])}
        return {**sent, "key": table.key(), **more}

    def amended(self, table, **more):
        client = table.people["wren"].client
        look = client.post(table.amend, self.typed(table, **more))
        sure = {"confirm": "1", "why": "we looked again", "digest": look.context["preview"].digest}
        assert client.post(table.amend, self.typed(table, **more) | sure).status_code == 302
        (line,) = [one for one in reading.lines_of(table.fresh) if one.act == "amend"]
        return line.body["bundle"]["amend"][str(table.results[0].number)]["body"]

    def test_the_form_begins_with_its_points(self, told):
        assert self.typed(told)["attacker_points"] == 7

    def test_another_winner_makes_it_a_counted_battle(self, told):
        body = self.amended(told, outcome="defender")
        assert "report" not in body
        assert told.state.kingdoms["k2"].loyalty == 1

    def test_what_the_telling_does_not_say_leaves_it_alone(self, told):
        body = self.amended(told, attacker_spent="2")
        assert body["report"]["scenario"] == "pitched_battle"
        assert told.state.kingdoms["k1"].vp == 5


class TestAGameMasterWhoFoughtInIt:
    """The master rules a kingdom too: they may ask the other side like anybody, and where they do not, the chronicle tells."""

    @pytest.fixture
    def own(self, table):
        """Wren, the game master, takes Oakhold over; Oda rules the other side."""
        table.do("ruler_changed", {"kingdom": "k1", "person": table.people["wren"].pk})
        return table

    FORM = {"outcome": "attacker", "attacker_points": 5, "defender_points": 3, "attacker_spent": 0, "defender_spent": 0, "played_on": TODAY}  # fmt: skip

    def test_they_ask_the_other_side(self, own):
        wren, path = own.people["wren"].client, f"{own.base}result/?attacker=k1&target=k2.border_1"
        assert "Report it, and ask Oda" in text(wren.get(path))
        answer = wren.post(path, {"key": "ask-the-other", "ask": "1", **self.FORM})
        row = Petition.objects.get()
        assert (answer.url, own.results) == (row.get_absolute_url(), [])
        own.url = row.get_absolute_url()
        page = text(wren.get(own.url))
        assert "Oakhold is yours: this is a matter of your own" in page
        assert "Let it stand without them" in page
        send(own, "oda", version=0)
        assert "entered by Wren, confirmed by Oda" in text(wren.get(own.base))
        assert "decided by" not in text(wren.get(own.base))

    def test_what_they_write_alone_the_chronicle_tells(self, own):
        wren, path = own.people["wren"].client, f"{own.base}result/?attacker=k1&target=k2.border_1"
        assert wren.post(path, {"key": "as-game-master", **self.FORM}).status_code == 302
        assert len(own.results) == 1
        assert "decided by Wren, game master and on the side of Oakhold" in text(own.people["oda"].client.get(own.base))

    def test_a_dispute_of_their_own_is_called_so_before_and_after(self, own):
        own.url = own.row(own.lay(own.oda)).get_absolute_url()
        wren = own.people["wren"].client
        assert "your own" in text(wren.get(f"{own.url}other/"))
        assert "your own" not in text(own.people["oda"].client.get(own.url))
        wren.post(f"{own.url}other/", {"key": "it-was-not-so", "reason": "we won", **self.FORM, "attacker_points": 6})
        assert "decided by Wren, game master and on the side of Oakhold" in text(wren.get(own.base))
