"""A group and its evening by the API alone, and lists that go on by cursor."""

from __future__ import annotations

import pytest

from gamenights.models import Play, PlaysUpload
from jobs.models import Job
from tests.api_client import Api
from tests.gamenights.transfer.import_jobs import run_check, run_import
from tests.gamenights.transfer.sample_files import make_export, make_play_row, to_bytes
from tests.site.answers_and_schema import check_answer

pytestmark = pytest.mark.django_db


class ApiClient:
    """Sends JSON with a new key each time, and expects it to succeed with an answer as in the schema."""

    def __init__(self, person) -> None:
        self.client, self.count, self.name = person.client, 0, person.name

    def send(self, method: str, path: str, **body):
        self.count += 1
        body.setdefault("key", f"key-{self.count}-of-{self.name}")
        answer = getattr(self.client, method)(f"/api/v1/{path}", body, content_type="application/json")
        assert answer.status_code < 300, answer.content.decode()
        check_answer(method, f"/api/v1/{path}", answer)
        return answer.json() if answer.content else None

    def get(self, path: str):
        answer = self.client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.content.decode()
        check_answer("get", f"/api/v1/{path}", answer)
        return answer.json()


def test_group_plans_meets_plays_and_remembers(master, player, guest):
    wren, tam = ApiClient(master), ApiClient(player)
    group = wren.send("post", "groups/", name="The Burdock Table", zone="Europe/Berlin")["code"]
    here = f"groups/{group}"
    wren.send("patch", f"{here}/", consent="host", visibility="public")
    assert wren.get(f"{here}/")["consent"] == "host"
    pim = wren.send("post", f"{here}/members/", name="Pim")["code"]
    assert wren.send("patch", f"{here}/members/{pim}/", role="guest")["role"] == "guest"
    assert "/" in wren.send("post", f"{here}/invitation/")["url"]
    night = wren.send(
        "post",
        f"{here}/nights/",
        title="Long Candle",
        place="Kitchen",
        dates=["2027-05-13T19:30:00+02:00", "2027-05-14T19:30:00+02:00"],
    )
    at = f"nights/{night['code']}"
    first, second = (row["id"] for row in night["dates"])
    voted = tam.send("put", f"{at}/dates/", answers=[{"id": first, "answer": "no"}, {"id": second, "answer": "yes"}])
    assert [row["yes"] for row in voted["dates"]] == [[], ["Tam"]]
    assert wren.send("post", f"{at}/dates/", id=second)["day"] == "2027-05-14"
    assert {row["name"]: row["answer"] for row in wren.get(f"{at}/")["people"]} == {"Wren": "yes", "Tam": "yes"}
    tam.send("post", f"{at}/answer/", answer="maybe")
    wren.send("patch", f"{at}/", plan="Soup first.")
    item = wren.send("post", f"{at}/bring/", what="Cheese")["bring"][0]["id"]
    assert tam.send("post", f"{at}/bring/{item}/", act="take")["bring"][0]["by"] == "Tam"
    wren.send("post", f"{at}/here/")
    tam.send("post", f"{at}/here/")
    wren.send("post", f"{at}/acts/", act="check_in", person=pim)
    wren.send("post", f"{at}/acts/", act="co_host", person=player.code)
    table = tam.send("post", f"{at}/tables/", game="menagerie")
    assert [row["code"] for row in wren.get(f"{at}/")["tables"]] == [table["code"]]
    players = [{"person": master.code, "score": "40"}, {"person": pim, "score": "50"}]
    wren.send("post", f"{here}/plays/", game="Azul", players=players, night=night["code"], uuid="azul-of-the-night")
    recap = wren.get(f"{at}/recap/")
    assert recap["headline"] == "Pim won the night with 1 win"
    assert [(row["person"], row["wins"]) for row in recap["table"]] == [(pim, 1), (master.code, 0)]
    wren.send("post", f"{here}/plays/azul-of-the-night/acts/", act="move", night="")
    assert wren.get(f"{at}/")["plays"] == []
    assert wren.get(f"{here}/standings/{pim}/")["wins"] == 1
    wren.send("post", f"{here}/seasons/", name="Spring", first_day="2026-01-01")
    assert [row["name"] for row in wren.get(f"{here}/seasons/")] == ["Spring"]
    tam.send("post", f"{at}/leave/")
    assert wren.send("post", f"{at}/acts/", act="close")["closed_at"]
    wren.send("post", f"{at}/acts/", act="reopen")
    assert set(wren.get(f"{here}/calendar/")) == {"calendar", "feed"}


@pytest.mark.parametrize(("part", "body"), [("here", {}), ("answer", {"answer": "yes"})])
def test_newcomer_comes_by_name_and_says_who_they_are(group, night, master, part, body):
    """As on the page: a name is enough; a name that the group knows is asked about, and the host confirms."""
    wren, at = ApiClient(master), f"nights/{night.code}/"
    bryony = wren.send("post", f"groups/{group.code}/members/", name="Bryony")["code"]
    phone = Api(Api().done("log-in/", {"scopes": ["read", "play"]})["token"])
    sent = {"key": "bryony-comes", **body}
    assert phone.post(f"{at}{part}/", sent).status_code == 403, "without a name it is nobody"
    asked = phone.post(f"{at}{part}/", {**sent, "name": "Bryony"})
    check_answer("post", f"/api/v1/{at}{part}/", asked)
    assert (asked.status_code, asked.json()["field"]) == (409, "known")
    assert asked.json()["fresh"]["namesakes"] == [{"person": bryony, "last_here": None}]
    assert phone.get("me/").status_code == 403
    for _ in range(2):  # sent twice, done once
        assert phone.post(f"{at}{part}/", {**sent, "name": "Bryony", "known": bryony}).status_code < 300
    assert phone.get("me/").json()["name"] == "Bryony"
    [claim] = wren.get(at)["claims"]
    wren.send("post", f"{at}acts/", act="confirm", attendance=claim["attendance"])
    assert [row["name"] for row in wren.get(at)["people"]].count("Bryony") == 1
    [merged] = wren.get(at)["merged"]
    assert phone.get(at).json()["merged"] == []
    assert wren.send("post", f"{at}acts/", act="split", attendance=merged["attendance"])["merged"] == []
    other = Api(Api().done("log-in/", {"scopes": ["read", "play"]})["token"])
    assert other.post(f"{at}{part}/", {**sent, "name": "Bryony", "known": "nobody"}).status_code < 300
    assert [row["name"] for row in wren.get(at)["people"]].count("Bryony") == 2, "two newcomers"
    assert wren.get(at)["claims"] == []


def test_change_waits_for_consent_and_is_agreed_to(group, master, player):
    wren, tam = ApiClient(master), ApiClient(player)
    here = f"groups/{group.code}"
    players = [{"person": master.code, "score": "40"}, {"person": player.code, "score": "50"}]
    wren.send("post", f"{here}/plays/", game="Azul", players=players, uuid="azul")
    wren.send("patch", f"{here}/", consent="host")
    tam.send("put", f"{here}/plays/azul/", game="Azul", players=players[:1])
    seen = {one: client.get(f"{here}/plays/azul/") for one, client in (("wren", wren), ("tam", tam))}
    assert len(seen["wren"]["players"]) == 2
    waiting = {one: (play["proposal"]["may_settle"], play["proposal"]["is_mine"]) for one, play in seen.items()}
    assert waiting == {"wren": (True, False), "tam": (False, True)}
    agreed = wren.send("post", f"{here}/plays/azul/acts/", act="agree", proposal=seen["wren"]["proposal"]["id"])
    assert (len(agreed["players"]), agreed["proposal"]) == (1, None)
    told = [row["text"] for row in agreed["history"]]
    assert told == ["Wren agreed: Tam changed it.", "Tam wants to change it.", "Wren logged it."]


def test_removed_play_is_found_and_restored(group, night, master):
    wren, here = ApiClient(master), f"groups/{group.code}/plays"
    players = [{"person": master.code, "score": "40"}]
    wren.send("post", f"{here}/", game="Azul", players=players, uuid="azul", night=night.code)
    assert wren.get(f"{here}/azul/")["night"] == night.code
    assert master.client.delete(f"/api/v1/{here}/azul/").status_code == 204
    assert wren.get(f"{here}/azul/")["removed"] is True
    assert wren.send("post", f"{here}/azul/acts/", act="restore")["removed"] is False


def test_game_of_the_shelf_is_changed_and_a_repeated_key_answers(group, master):
    wren = ApiClient(master)
    path = f"groups/{group.code}/games/"
    sent = {"key": "the-same-key-twice", "name": "Azul"}
    game = wren.send("post", path, **sent)["id"]
    assert wren.send("post", path, **sent)["id"] == game
    assert wren.send("put", f"{path}{game}/", name="Azul", minutes=45)["minutes"] == 45
    assert wren.get(path)[0]["name"] == "Azul"


def test_file_is_uploaded_previewed_imported_and_exported(group, master):
    wren, here = ApiClient(master), f"groups/{group.code}/plays"
    body = to_bytes(make_export(plays=[make_play_row()]))
    url = f"/api/v1/{here}/upload/"
    assert master.client.get(url).status_code == 404
    assert master.client.post(url, b"", content_type="application/json").status_code == 422
    assert master.client.post(url, body, content_type="application/json").status_code == 202
    run_check(Job.objects.get())
    preview = wren.get(f"{here}/upload/")
    assert (preview["new_plays"], preview["known_plays"]) == (1, 0)
    doubtful = {one["name"]: one for one in preview["doubtful"]}
    assert set(doubtful) == {"Oda", "Wren"}
    refused = master.client.post(f"/api/v1/{here}/import/", {"key": "nobody-is-named"}, content_type="application/json")
    assert (refused.status_code, Play.objects.count()) == (422, 0)
    people = [
        {"person": doubtful["Wren"]["person"], "code": master.code},
        {"person": doubtful["Oda"]["person"], "code": "new"},
    ]
    job = wren.send("post", f"{here}/import/", people=people)
    assert (job["kind"], job["state"]) == ("plays-import", "queued")
    run_import(Job.objects.get(token=job["token"]))
    assert wren.get(f"jobs/{job['token']}/")["result"] == {"plays": 1, "people": 1, "known": 0}
    assert not PlaysUpload.objects.exists()
    assert Play.objects.get().players.filter(person=master).exists()
    for form in ("bgstats", "bgg", "csv"):
        assert "attachment" in master.client.get(f"/api/v1/{here}/export/{form}/")["Content-Disposition"]


def test_webhooks_are_added_tested_and_removed(group, master, player):
    wren, path = ApiClient(master), f"groups/{group.code}/webhooks/"
    added = wren.send("post", path, url="https://hooks.example.org/night")
    assert wren.send("post", path, url="https://hooks.example.org/night")["id"] == added["id"]
    wren.send("post", f"{path}{added['id']}/test/")
    assert [(row["title"], row["state"]) for row in wren.get(f"{path}log/")] == [("A test", "waiting")]
    assert player.client.get(f"/api/v1/{path}").status_code == 403
    assert master.client.delete(f"/api/v1/{path}{added['id']}/").status_code == 204
    assert wren.get(path) == []


def test_lists_go_on_by_cursor(group, master, player):
    wren, path = ApiClient(master), f"groups/{group.code}/plays/"
    for number in range(5):
        players = [{"person": master.code, "score": "1"}]
        wren.send("post", path, game="Azul", players=players, uuid=f"p{number}", day=f"2026-0{1 + number // 2}-01")
    seen, url = [], f"/api/v1/{path}?limit=2"
    while url:
        answer = master.client.get(url)
        seen.append([row["uuid"] for row in answer.json()])
        if len(seen) == 1:
            wren.send("post", path, game="Azul", players=players, uuid="before", day="2025-01-01")
        url = answer["Link"].partition("<")[2].partition(">")[0] if "Link" in answer else ""
    assert seen == [["p0", "p1"], ["p2", "p3"], ["p4"]]
    for wrong in ("x", "e30", "W10", "WyJ4IiwgInkiLCAieiJd", "%00"):
        assert master.client.get(f"/api/v1/{path}?cursor={wrong}").status_code == 422


def test_leaving_a_group_by_the_api(group, master, player, stranger):
    assert player.client.delete(f"/api/v1/groups/{group.code}/members/{master.code}/").status_code == 403
    assert player.client.delete(f"/api/v1/groups/{group.code}/members/{player.code}/").status_code == 204
    assert player.client.get(f"/api/v1/groups/{group.code}/").status_code == 404
    last = master.client.delete(f"/api/v1/groups/{group.code}/members/{master.code}/")
    assert last.status_code == 409
