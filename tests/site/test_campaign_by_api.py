"""A whole campaign by the API alone: every id a client sends is one that the API gave it before."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.codec import person_keys
from people.models import Person
from tests.api_client import Api
from tests.photos.sample_photos import draw_waiting_photos, jpeg
from tests.read_once import counted_reads
from tests.site.answers_and_schema import api_schema

PASSWORD = "cheese-and-thyme"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answers_fit_the_schema")]


class Player(Api):
    """Sends acts of one campaign with a new key each."""

    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.count = 0

    def send(self, method: str, path: str, body: object = None, **headers: str):
        """Every request reads the state of the campaign and its approvals once."""
        with counted_reads() as reads:
            answer = super().send(method, path, body, **headers)
        assert not reads.again, f"{method} {path} reads {reads.again} more than once"
        return answer

    def get(self, path: str, query: dict[str, object] | None = None, **headers: str):
        with counted_reads() as reads:
            answer = super().get(path, query, **headers)
        assert not reads.again, f"get {path} reads {reads.again} more than once"
        return answer

    def key(self) -> str:
        self.count += 1
        return f"{self.token[:8]}-{self.count}"

    def act(self, path: str, act: str, **body: object):
        return self.done(f"{path}acts/", {"key": self.key(), "act": act, "body": body})

    def muster(self, campaign: str, battle: int, kingdom: str) -> str:
        """Muster an army, letting the site roll and taking the first of every choice."""
        seen = self.done("musters/", {"campaign": campaign, "battle": battle, "kingdom": kingdom})
        for _ in range(60):
            if seen["taken"] or not seen["question"]:
                break
            question = seen["question"]
            answer = question["choices"][0]["key"] if question["choices"] else 5
            seen = self.done(
                f"musters/{seen['code']}/steps/",
                {"key": self.key(), "question": question["token"], "answer": answer},
            )
        if not seen["taken"]:
            seen = self.done(f"musters/{seen['code']}/take/", {"key": self.key()})
        assert seen["taken"] is not False
        return seen["roster"]["code"]


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


def test_campaign_from_founding_to_the_archive():
    wren = Player(Api().done("first-owner/", {"name": "Wren", "password": PASSWORD})["token"])
    war = wren.done("campaigns/", {"key": wren.key(), "name": "The War of the Hedges", "season": "Spring"})["code"]
    here = f"campaigns/{war}/"
    wren.act(here, "house_rules", terms={"confirm": "both"})
    assert wren.get(f"{here}house-rules/").json()["terms"]["confirm"] == "both"

    # Tam joins with the link for the group, and rules the second kingdom.
    link = wren.done(f"{here}invitations/", {"label": "everybody"})
    renewed = wren.done(f"{here}invitations/", {"replaces": link["id"]})
    assert Api().post("links/look/", {"link": link["address"]}).status_code == 410
    joined = Api().done("links/accept/", {"link": renewed["address"], "name": "Tam"})
    tam = Player(joined["new_token"]["token"])
    codes = {row["name"]: row["person"] for row in wren.get(here).json()["members"]}
    assert set(codes) == {"Wren", "Tam"}
    for suggested, ruler in zip(wren.get(f"{here}suggestions/", {"count": 2}).json(), codes.values(), strict=True):
        wren.act(here, "kingdom_joins", **{**suggested, "ruler": ruler})
    kingdoms = tam.get(here).json()["kingdoms"]
    assert [row["ruler"] for row in kingdoms] == ["Wren", "Tam"]
    oak, fen = (row["id"] for row in kingdoms)
    assert tam.post(f"{here}invitations/", {}).status_code == 403

    # The roll-off, the target, the battle.
    rolled = wren.done(f"{here}roll-off/", {"key": wren.key(), "dice": {oak: 9, fen: 2}})
    assert (rolled["winner"], rolled["written"]) == (oak, True)
    targets = wren.get(f"{here}targets/", {"attacker": oak}).json()
    target = next(row["target"] for row in targets if row["legal"])
    number = wren.act(here, "battle_declared", attacker=oak, target=target)["body"]["battle"]
    [battle] = wren.get("battles/", {"campaign": war, "number": number}).json()
    at = f"battles/{battle['code']}/"
    wren.muster(war, number, oak)
    tam.muster(war, number, fen)
    wren.done(f"{at}set-up/", {"key": wren.key(), "scenario": "pitched_battle"})
    wren.done(f"{at}start/", {"key": wren.key()})
    assert wren.get(at).json()["stage"] == "on_the_table"

    # On the tracker: the mustered armies, one step, and back.
    assert wren.done(f"{at}table/set-up/", {"key": wren.key()})["entry"]
    table = tam.get(f"{at}table/").json()
    assert table["laid"] is True
    assert all(side["units"] for side in table["sides"])
    begun = tam.done(f"{at}table/steps/", {"key": tam.key(), "kind": "begin", "body": {"rolls": {"A": 4, "B": 7}}})
    assert wren.get(f"{at}table/history/").json()[0]["number"] == begun["entry"]
    assert tam.done(f"{at}table/take-back/", {"key": tam.key(), "step": begun["entry"]})["steps"] == [begun["entry"]]
    rolled = {"key": tam.key(), "kind": "begin", "body": {}, "roll": True}
    assert tam.done(f"{at}table/steps/", rolled) == tam.done(f"{at}table/steps/", rolled), "the site rolls once"
    assert wren.post(f"{at}table/set-up/", {"key": wren.key()}).status_code == 409
    assert wren.get(f"musters/of/{war}/{oak}/").json()["musters"] == 1

    # Tam reports with the slip alone, from a token that has not logged in; Wren confirms.
    words = " ".join(wren.get(f"{at}slip/").json()["words"])
    phone = Player(Api().done("log-in/", {"scopes": ["read", "play"]})["token"])
    assert phone.done("battles/code/", {"words": words})["code"] == battle["code"]
    report = {"key": phone.key(), "ending": "destroyed-B", "removed": {"B": ["king"]}, "report_as": codes["Tam"]}
    worked = phone.done(f"{at}report/", {**report, "preview": True})
    assert worked["worked"]["winner"]
    assert "petition" in phone.done(f"{at}report/", report)
    assert wren.get("your-move/").json()["me"], "somebody waits for Wren"
    pending = wren.get(f"{at}pending-report/").json()
    [version] = pending["versions"]
    confirmed = wren.done(
        f"{at}pending-report/",
        {"key": wren.key(), "report_as": codes["Wren"], "version": version["number"], "seen": version["digest"]},
    )
    assert confirmed["stage"] == "confirmed"
    assert wren.get(f"{at}pending-report/").status_code == 404

    # What is left of it: words, a photo, the hero, the points and what they buy.
    assert tam.done(f"{at}written/", {"key": tam.key(), "text": "We fled."})[0]["by"] == "Tam"
    added = tam.send_bytes(f"{at}photos/?key={tam.key()}", jpeg())
    [photo] = added.json()
    assert (photo["state"], photo["width"]) == ("preparing", 0)
    assert tam.get(f"photos/{photo['code']}/").status_code == 409
    draw_waiting_photos()
    assert wren.get(f"{at}photos/").json()[0]["state"] == "ready"
    assert wren.get(f"photos/{photo['code']}/", {"small": "true"}).headers["Content-Type"] == "image/jpeg"
    assert wren.delete(f"photos/{photo['code']}/").status_code == 204
    assert wren.get(f"battles/heroes/{war}/{oak}/1/").json()["kingdom"] == oak
    mine = wren.get(f"{here}kingdoms/{oak}/").json()
    assert mine["vp"] == mine["vp_steps"][-1]["total"]
    assert {row["body"]["what"] for row in mine["purchases"]} >= {"reroll"}

    # A game from before, the next season, the victory.
    past = {"played_on": "2026-01-04", "attacker": oak, "target": target, "outcome": "draw"}
    assert wren.done(f"battles/past/{war}/", {"key": wren.key(), "games": [past], "preview": True})["written"] == 0
    wren.act(here, "season_closed")
    assert len(tam.get(f"{here}seasons/").json()) == 1
    wren.act(here, "campaign_won", kingdom=oak, why="By agreement.")
    assert tam.get(f"{here}wars/1/").json()["winner"] == kingdoms[0]["name"]
    entries = tam.get(f"{here}entries/")
    assert entries.json()[0]["act"] == "campaign_won"

    # Out of it: files, the archive, the end.
    for table in ("standings", "entries"):
        assert tam.get(f"{here}export/{table}.csv").headers["Content-Type"] == "text/csv; charset=utf-8"
    assert tam.get(f"{here}export/others.csv").json()["status"] == 404
    assert wren.send("delete", here, {"name": "The War of the Hedges"}).status_code == 409
    assert wren.put(f"{here}archive/", {"archived": True}).json()["archived_at"]
    assert tam.post(f"{here}notes/", {"key": tam.key(), "text": "Again?"}).status_code == 409
    assert wren.get("campaigns/", {"archived": "true"}).json()[0]["code"] == war
    assert wren.get(f"{here}export/").status_code == 200
    assert wren.send("delete", here, {"name": "The War of the Hedges"}).status_code == 204
    assert wren.get(here).status_code == 404


def test_army_with_own_dice():
    answers: list[str] = []
    for _ in range(60):
        seen = Api().get("musters/own/", {"loyalty": 1, "a": " ".join(answers)}).json()
        if seen["code"]:
            break
        answers.append(seen["question"]["choices"][0] if seen["question"]["choices"] else "7")
    assert Api().get(f"musters/a/{seen['code']}/").json()["army"]


def test_act_takes_only_people_its_sender_knows(make_person):
    make_person("Stoat")
    wren = Player(Api().done("sign-up/", {"name": "Wren", "password": PASSWORD})["token"])
    here = f"campaigns/{wren.done('campaigns/', {'key': wren.key(), 'name': 'A war'})['code']}/"
    body = wren.get(f"{here}suggestions/").json()[0] | {"ruler": Person.objects.get(name="Stoat").code}
    refused = wren.post(f"{here}acts/", {"key": wren.key(), "act": "kingdom_joins", "body": body})
    assert (refused.status_code, refused.json()["field"]) == (422, "ruler")


def test_site_rolls_its_dice_itself():
    wren = Player(Api().done("first-owner/", {"name": "Wren", "password": PASSWORD})["token"])
    here = f"campaigns/{wren.done('campaigns/', {'key': wren.key(), 'name': 'A war'})['code']}/"
    for suggested in wren.get(f"{here}suggestions/").json():
        wren.act(here, "kingdom_joins", **suggested)
    wren.act(here, "house_rules", terms={"dice": "service"})
    loaded = {"throws": [{"kingdom": "k1", "roll": 10}, {"kingdom": "k2", "roll": 1}], "winner": "k1"}
    sent = {"key": wren.key(), "act": "roll_off", "body": loaded}
    assert wren.post(f"{here}acts/", sent).status_code == 409
    assert wren.post(f"{here}roll-off/", {"key": wren.key(), "throws": loaded["throws"]}).status_code == 422
    key = wren.key()
    first = wren.done(f"{here}roll-off/", {"key": key})
    assert first["written"] is True
    assert wren.done(f"{here}roll-off/", {"key": key})["written"] is True


def test_act_is_previewed_before_it_is_written():
    """As on the page before a far-reaching act: what would change, refused as the act would be, and nothing written."""
    wren = Player(Api().done("first-owner/", {"name": "Wren", "password": PASSWORD})["token"])
    war = wren.done("campaigns/", {"key": wren.key(), "name": "The War of the Hedges"})["code"]
    here = f"campaigns/{war}/"
    for kingdom in wren.get(f"{here}suggestions/", {"count": "2"}).json():
        wren.act(here, "kingdom_joins", **kingdom)
    before = wren.get(here).json()
    body = {"kingdom": "k1", "to": "frozen"}
    sent = {"key": wren.key(), "act": "kingdom_status", "body": body}
    shown = wren.post(f"{here}acts/", {**sent, "preview": True})
    assert shown.status_code == 200
    assert shown.json()["changes"] == [{"what": "status", "subject": "k1", "was": "playing", "now": "frozen"}]
    assert wren.get(here).json() == before
    wrong = {**sent, "body": {**body, "kingdom": "k9"}, "preview": True}
    assert wren.post(f"{here}acts/", wrong).status_code == 422
    assert Api().post(f"{here}acts/", {**sent, "preview": True}).status_code == 404
    assert wren.post(f"{here}acts/", sent).status_code == 201, "the key was not used up"
    assert wren.get(here).json()["version"] > before["version"]


def test_people_are_named_by_their_codes_in_acts_and_corrections():
    wren = Player(Api().done("first-owner/", {"name": "Wren", "password": PASSWORD})["token"])
    war = wren.done("campaigns/", {"key": wren.key(), "name": "The War of the Hedges"})["code"]
    here, me = f"campaigns/{war}/", wren.get("me/").json()["code"]
    pip, tam = (wren.done("people/", {"name": name, "key": wren.key()})["code"] for name in ("Pip", "Tam"))
    for kingdom in wren.get(f"{here}suggestions/", {"count": "2"}).json():
        wren.act(here, "kingdom_joins", **{**kingdom, "ruler": me})
    done = wren.act(here, "ruler_changed", kingdom="k1", person=pip)
    assert (done["body"], done["effects"]) == (
        {"kingdom": "k1", "person": pip},
        [{"do": "ruler", "kingdom": "k1", "person": pip}],
    )
    changed = done["entry"]
    state = wren.get(f"{here}at/{changed}/").json()["state"]
    assert ([row["ruler"] for row in state["kingdoms"]], state["masters"]) == ([pip, me], [me])
    amended = {"kind": "amend", "target": changed, "body": {"kingdom": "k1", "person": tam}}
    seen = wren.done(f"{here}corrections/", amended)
    assert seen["changes"] == [{"what": "ruler", "subject": "k1", "was": pip, "now": tam}]
    wren.done(f"{here}corrections/", {**amended, "digest": seen["digest"], "key": wren.key(), "why": "it was Tam"})
    assert "Tam" in wren.get(f"{here}kingdoms/k1/").json()["ruler"]
    master = {"act": "master_shared", "body": {"person": pip}, "key": wren.key(), "preview": True}
    [row] = wren.post(f"{here}acts/", master).json()["changes"]
    assert (row["what"], row["was"], sorted(row["now"])) == ("masters", [me], sorted([me, pip]))
    unknown = wren.post(f"{here}corrections/", {**amended, "body": {"kingdom": "k1", "person": "nobody-known"}})
    assert (unknown.status_code, unknown.json()["field"]) == (422, "person")


def test_schema_of_acts_names_people_by_code():
    schemas = api_schema()["components"]["schemas"]
    kinds = [schemas[f"Act.{key}"]["properties"][field]["type"] for key in list_acts() for field in person_keys(key)]
    assert len(kinds) > 4
    assert all(kind in ("string", ["string", "null"]) for kind in kinds)
