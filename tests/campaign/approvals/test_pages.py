"""Approvals on their pages, the home page and the API: who is asked, what they see and what their answer does."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from campaign import selectors as campaign_selectors
from campaign.models import Approval
from campaign.permissions import is_master
from people.requester import Who
from tests.campaign.approvals.test_approvals import BATTLE, BODY, OTHER, Table

TODAY = timezone.localdate().isoformat()


@pytest.fixture
def table(master, player, other_player):
    result = Table(master, player, other_player)
    result.terms(confirm="both", correct="touched")
    result.base = result.campaign.get_absolute_url()
    return result


@pytest.fixture
def waiting(table):
    table.done = table.submit(table.tam)
    table.url = table.row(table.done).get_absolute_url()
    return table


def text(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))


def send(table, person, **fields):
    return table.people[person].client.post(table.url, {"key": table.key(), "do": "yes", **fields})


def test_result_form_leads_to_the_waiting_report(table):
    client = table.people["tam"].client
    shown = text(client.get(f"{table.base}result/?attacker=k1&target=k2.border_1"))
    assert "The result counts after confirmation by Oda." in shown
    data = {
        "key": "the-forms-key",
        "outcome": "attacker",
        "attacker_points": 5,
        "defender_points": 3,
        "attacker_spent": 0,
        "defender_spent": 0,
        "played_on": TODAY,
    }
    answer = client.post(f"{table.base}result/?attacker=k1&target=k2.border_1", data)
    row = Approval.objects.get()
    assert answer.url == row.get_absolute_url()
    assert table.results == []


def test_other_side_sees_it_on_the_home_page_and_the_campaign_page(waiting, django_assert_max_num_queries):
    oda, tam = waiting.people["oda"].client, waiting.people["tam"].client
    assert "Tam says: Oakhold beat" in text(oda.get("/"))
    assert "Waiting for Oda." in text(tam.get("/"))
    assert "Waiting for Oda." in text(tam.get(waiting.base))
    assert "Answer" in text(oda.get(waiting.base))
    with django_assert_max_num_queries(12):
        oda.get(waiting.base)


def test_visitors_of_a_public_campaign_do_not_see_waiting_reports(waiting, stranger):
    type(waiting.campaign).objects.update(visibility="public")
    seen, known = (row.client.get(waiting.base) for row in (stranger, waiting.people["tam"]))
    assert "Waiting for Oda" in text(known)
    assert "Waiting for Oda" not in text(seen)
    assert waiting.url in known.content.decode()
    assert waiting.url not in seen.content.decode()
    assert stranger.client.get(waiting.url).status_code == 404


def test_confirming_writes_the_entry_and_names_who_confirmed(waiting):
    answer = send(waiting, "oda", version=0)
    assert answer.url.endswith(f"#entry-{waiting.results[0].number}")
    assert "entered by Tam, confirmed by Oda" in text(waiting.people["tam"].client.get(waiting.base))


def test_chronicle_says_if_confirmed_on_the_same_phone(waiting):
    page = text(waiting.people["tam"].client.get(waiting.url))
    assert "Confirm for Oda on this phone" in page
    send(waiting, "tam", **{"as": waiting.people["oda"].pk})
    assert "confirmed by Oda on Tam’s phone" in text(waiting.people["oda"].client.get(waiting.base))


def test_outdated_confirmation_shows_a_message_and_the_new_report(waiting):
    seen = waiting.row(waiting.done).versions[0]["digest"]
    waiting.submit(waiting.tam, OTHER)
    answer = send(waiting, "oda", version=0, seen=seen)
    assert answer.status_code == 409
    assert "changed since then" in text(answer)
    assert "fought to a draw" in text(answer)


def test_two_versions_are_shown_side_by_side_with_who_decides(waiting):
    form = waiting.people["oda"].client.get(f"{waiting.url}other/")
    assert form.status_code == 200
    data = {
        "key": "the-other-version",
        "outcome": "draw",
        "attacker_points": 3,
        "defender_points": 3,
        "attacker_spent": 0,
        "defender_spent": 0,
        "played_on": TODAY,
        "reason": "We ran out of time.",
    }
    answer = waiting.people["oda"].client.post(f"{waiting.url}other/", data)
    assert answer.url == waiting.url
    page = text(waiting.people["wren"].client.get(waiting.url))
    for sentence in (
        "Tam says",
        "Oda says",
        "We ran out of time.",
        "The game master decides, or the sides agree.",
        "Other battles go on.",
    ):
        assert sentence in page
    send(waiting, "wren", version=1)
    assert waiting.results[0].body["outcome"] == "draw"


def test_objecting_and_withdrawing_work_without_scripts(waiting):
    assert send(waiting, "oda", do="no", reason="").status_code == 422
    send(waiting, "oda", do="no", reason="It was not so.")
    assert "It was not so." in text(waiting.people["tam"].client.get(waiting.url))
    send(waiting, "tam", do="back")
    assert waiting.row(waiting.done).stage == "withdrawn"
    assert "This was withdrawn." in text(waiting.people["tam"].client.get(waiting.url))


def test_report_says_if_its_battle_is_no_longer_open(table):
    table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"}, who=table.tam)
    done = table.submit(table.tam, BODY | {"battle": 1}, subject="battle 1")
    table.do("battle_called_off", {"battle": 1})
    assert "Battle 1 is not open." in text(table.people["tam"].client.get(table.row(done).get_absolute_url()))
    assert "Battle 1 is not open." in text(table.people["tam"].client.get("/"))


def test_players_who_cannot_correct_see_why_instead_of_the_form(table):
    table.do("house_rules", {"terms": {"correct": "master"}})
    entry = table.submit(table.wren)["entry"]
    page = text(table.people["tam"].client.get(f"{table.base}entries/{entry}/strike/"))
    assert "the game master can correct the chronicle" in page
    assert "Strike it" not in page


def test_correction_by_consent_shows_what_it_changes(table):
    entry = table.submit(table.wren)["entry"]
    client = table.people["tam"].client
    page = client.get(f"{table.base}entries/{entry}/strike/")
    assert "This affects others and needs approval from Oda." in text(page)
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


def test_api_creates_shows_and_answers_approvals(table):
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


def test_campaign_file_records_who_confirmed(waiting):
    """Import replaces the ids of the people who agreed like all other ids."""
    from campaign.transfer import services as transfer_services

    send(waiting, "oda", version=0)
    entry = waiting.results[0]
    waiting.ask(waiting.wren, "amend", entry.number, body={**entry.body, "outcome": "draw"})
    carried = transfer_services.export_contents(waiting.fresh)
    bodies = [entry["body"] for entry in carried["entries"]]
    bodies += [each["body"] for body in bodies for each in body.get("bundle", {}).get("amend", {}).values()]
    people = [row["person"] for body in bodies for row in body.get("confirmed", [])]
    assert len(people) == 2
    assert set(people) <= set(range(1, len(carried["people"]) + 1))


def test_home_page_asks_nothing_about_an_archived_campaign(waiting):
    from campaign.transfer import services as transfer_services

    transfer_services.set_archived(waiting.campaign, True)
    assert "Tam says" not in text(waiting.people["oda"].client.get("/"))


def test_report_waits_for_the_regent_if_there_is_one(waiting, guest):
    waiting.do("regent_named", {"kingdom": "k2", "person": guest.pk})
    assert "Waiting for Pim." in text(waiting.people["tam"].client.get(waiting.url))
    assert is_master(waiting.state, Who.of(guest)) is False


def test_personal_data_holds_only_your_own_reports_and_answers(waiting, stranger):
    send(waiting, "oda", do="no", reason="It was not so.")
    rows = waiting.people["oda"].client.get("/me/data/file/").json()["petitions"]
    assert [(row["about"], row["said"], list(row["answered"])) for row in rows] == [(BATTLE, [], ["k2"])]
    assert waiting.people["tam"].client.get("/me/data/file/").json()["petitions"][0]["said"][0]["body"] == BODY
    assert stranger.client.get("/me/data/file/").json()["petitions"] == []


def test_other_version_form_starts_from_points_of_a_report_by_units(table):
    report = {
        "scenario": "pitched_battle",
        "a": {"fielded": 5, "removed": 1},
        "b": {"fielded": 5, "removed": 5},
        "side_a": "k1",
    }
    done = table.submit(table.tam, {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "report": report})
    form = table.people["oda"].client.get(f"{table.row(done).get_absolute_url()}other/").context["form"]
    assert [form.initial[name] for name in ("attacker_points", "defender_points", "attacker_removed", "scenario")] == [
        7,
        1,
        5,
        "pitched_battle",
    ]


class TestCorrectingABattleReportedByUnits:
    @pytest.fixture
    def reported(self, table):
        report = {
            "scenario": "pitched_battle",
            "a": {"fielded": 5, "removed": 1},
            "b": {"fielded": 5, "removed": 5},
            "side_a": "k1",
        }
        table.submit(table.wren, {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "report": report})
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
        (entry,) = [row for row in campaign_selectors.entries_of(table.fresh) if row.act == "amend"]
        return entry.body["bundle"]["amend"][str(table.results[0].number)]["body"]

    def test_form_starts_from_its_points(self, reported):
        assert self.typed(reported)["attacker_points"] == 7

    def test_changing_the_winner_drops_the_report_by_units(self, reported):
        body = self.amended(reported, outcome="defender")
        assert "report" not in body
        assert reported.state.kingdoms["k2"].loyalty == 1

    def test_changing_other_fields_leaves_the_report_by_units_alone(self, reported):
        body = self.amended(reported, attacker_spent="2")
        assert body["report"]["scenario"] == "pitched_battle"
        assert reported.state.kingdoms["k1"].vp == 5


class TestGameMasterWhoFoughtInTheBattle:
    """A game master who rules a kingdom can ask the other side; if they do not, the chronicle says so."""

    @pytest.fixture
    def own(self, table):
        """Wren, the game master, rules Oakhold; Oda rules the other side."""
        table.do("ruler_changed", {"kingdom": "k1", "person": table.people["wren"].pk})
        return table

    FORM = {
        "outcome": "attacker",
        "attacker_points": 5,
        "defender_points": 3,
        "attacker_spent": 0,
        "defender_spent": 0,
        "played_on": TODAY,
    }

    def test_master_asks_the_other_side(self, own):
        wren, path = own.people["wren"].client, f"{own.base}result/?attacker=k1&target=k2.border_1"
        assert "Report it and ask Oda" in text(wren.get(path))
        answer = wren.post(path, {"key": "ask-the-other", "ask": "1", **self.FORM})
        row = Approval.objects.get()
        assert (answer.url, own.results) == (row.get_absolute_url(), [])
        own.url = row.get_absolute_url()
        page = text(wren.get(own.url))
        assert "Oakhold is your kingdom. If you decide alone" in page
        assert "Confirm without them" in page
        send(own, "oda", version=0)
        assert "entered by Wren, confirmed by Oda" in text(wren.get(own.base))
        assert "decided by" not in text(wren.get(own.base))

    def test_chronicle_says_if_the_master_decided_alone(self, own):
        wren, path = own.people["wren"].client, f"{own.base}result/?attacker=k1&target=k2.border_1"
        assert wren.post(path, {"key": "as-game-master", **self.FORM}).status_code == 302
        assert len(own.results) == 1
        assert "decided by Wren, game master and on the side of Oakhold" in text(own.people["oda"].client.get(own.base))

    def test_master_is_named_as_a_party_before_and_after_a_dispute(self, own):
        own.url = own.row(own.submit(own.oda)).get_absolute_url()
        wren = own.people["wren"].client
        assert "You fought in this battle" in text(wren.get(f"{own.url}other/"))
        assert "your kingdom" not in text(own.people["oda"].client.get(own.url))
        wren.post(f"{own.url}other/", {"key": "it-was-not-so", "reason": "we won", **self.FORM, "attacker_points": 6})
        assert "decided by Wren, game master and on the side of Oakhold" in text(wren.get(own.base))
