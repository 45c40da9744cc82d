"""Prints as jobs: asked for, made once, served at once, looked at, downloaded by whoever may, found out of date."""

from __future__ import annotations

import importlib
import io
import json
import re
import subprocess

import pytest
import zxingcpp
from PIL import Image

from campaign import chronicle, door
from jobs import kinds, post, runner
from jobs.models import Job, State
from people.who import Who
from printing import content, order, press
from printing.models import Edition
from printing.setting import Setting
from refusal import Refusal
from tests.campaign.wars import joining
from tests.printing.leaf import Leaf

pytestmark = pytest.mark.django_db(transaction=True)
MAP = {"paper": "a4", "ink": "colour"}


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.PUBLIC_URL = "https://mice.example"
    monkeypatch.setattr(post, "send", lambda job_id: True)
    runner.stopping.clear()


class Here:
    """A child that works in this very process: the tests' database is not the nursery's. test_killed has the real one."""

    def __init__(self, work, args, folder, megabytes) -> None:
        self.said: list[dict] = []
        folder.mkdir(parents=True)
        module, _, name = work.partition(":")
        function = getattr(importlib.import_module(module), name)
        tell = lambda stage, k=0, n=0: self.said.append({"stage": stage, "k": k, "n": n})  # noqa: E731
        try:
            outcome = function(kinds.Errand(json.loads(json.dumps(args)), tell, folder))
            end = {"end": "done", "facts": dict(outcome.facts), "file": outcome.file.name, "saved_as": outcome.saved_as}
        except Refusal as refusal:
            end = {"end": "refused", "sentence": refusal.sentence}
        self.said.append(end)

    def reports(self, seconds):
        return self.said

    def is_too_big(self):
        return False

    def kill(self):
        pass


@pytest.fixture(autouse=True)
def works_here(monkeypatch):
    monkeypatch.setattr(runner, "Child", Here)


@pytest.fixture
def war(master, player):
    who = Who.of(master)
    campaign = chronicle.found(who, key="found-a-war", name="The War of the Hedges")
    chronicle.join(campaign, Who.of(player), key="tam-joins-it")
    for number, name in enumerate(("Oakhold", "Fenwick")):
        door.do(campaign, who, key=f"joins-{number:04d}", act="kingdom_joins", body=joining(name, ruler=master.pk))
    return campaign


def through(job: Job) -> Job:
    runner.look_at(job.pk)
    job.refresh_from_db()
    return job


def test_asked_for_on_a_page_made_by_a_job_looked_at_and_downloaded(war, master, player, stranger):
    """The whole way, and that whoever does not see the campaign sees nothing of its prints."""
    page = f"/print/campaign-map/{war.code}/"
    assert "Make the sheet" in master.client.get(page).content.decode()
    asked = master.client.post(page, MAP)
    assert asked.status_code == 302
    assert "In hand" in master.client.get(page).content.decode()
    job = through(Job.objects.get(kind="print"))
    assert (job.state, job.stage, job.result["pages"]) == (State.DONE, "Storing", 1)
    ready = master.client.get(page).content.decode()
    assert f"/print/made/{job.pk}/1.png" in ready

    for reader in (master, player):  # a member who did not ask finds it made
        file = reader.client.get(f"/print/made/{job.pk}/file/")
        assert file["Content-Disposition"].startswith("attachment")
        pdf = b"".join(file.streaming_content)
        assert pdf.startswith(b"%PDF-")
        picture = reader.client.get(f"/print/made/{job.pk}/1.png")
        assert Image.open(io.BytesIO(picture.content)).size[0] > 600
    for path in (
        page,
        f"/print/made/{job.pk}/file/",
        f"/print/made/{job.pk}/1.png",
        f"/print/is/{job.result['fingerprint']}/",
    ):
        assert stranger.client.get(path).status_code == 404
    assert master.client.get(f"/print/made/{job.pk}/2.png").status_code == 404
    info = subprocess.run(["pdfinfo", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    assert re.search(r"Title:\s+Map of The War of the Hedges", info)


def test_an_unchanged_sheet_is_served_at_once_and_a_changed_one_is_made_anew(war, master, player):
    one, two = Who.of(master), Who.of(player)
    first = through(order.ask(order.place(one, "campaign-map", war.code, Setting()), one))
    again = order.ask(order.place(one, "campaign-map", war.code, Setting()), one)
    assert again.pk == first.pk
    others = order.ask(order.place(two, "campaign-map", war.code, Setting()), two)
    assert (others.state, others.file, others.owner) == (State.DONE, first.file, player)
    assert order.ask(order.place(one, "campaign-map", war.code, Setting(ink="save")), one).state == State.QUEUED

    still = master.client.get(f"/print/is/{first.result['fingerprint']}/").content.decode()
    assert "This print is current" in still
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 3}}
    door.do(war, one, key="a-battle-won", act="result", body=body)
    assert "out of date" in master.client.get(f"/print/is/{first.result['fingerprint']}/").content.decode()
    assert order.made(order.place(one, "campaign-map", war.code, Setting())) is None


def test_a_note_in_the_chronicle_does_not_make_the_map_old(war, master):
    who = Who.of(master)
    before = order.place(who, "campaign-map", war.code, Setting()).fingerprint
    chronicle.note(war, who, key="a-quiet-note", text="We play on Thursdays.")
    assert order.place(who, "campaign-map", war.code, Setting()).fingerprint == before


def test_whoever_left_before_the_job_ran_gets_a_sentence_and_no_sheet(war, player):
    who = Who.of(player)
    job = order.ask(order.place(who, "campaign-map", war.code, Setting()), who)
    war.members.filter(person=player).delete()
    assert (through(job).state, job.error) == (
        State.FAILED,
        "What this sheet is about is gone, or you may no longer see it.",
    )
    assert not Edition.objects.exists()


def test_the_stages_are_told_in_order(war, master, tmp_path):
    """Gather, maps k of n, compile, store: what the work itself says."""
    who = Who.of(master)
    said = Here(
        "printing.job_kinds:work", order.place(who, "campaign-map", war.code, Setting()).args(who), tmp_path / "x", 1
    ).said
    assert [(row["stage"], row["k"], row["n"]) for row in said[:-1]] == [
        ("Gathering", 0, 0), ("Drawing maps", 1, 1), ("Waiting for the press", 0, 0), ("Setting in type", 0, 0),
        ("Drawing previews", 0, 0), ("Storing", 0, 0),
    ]  # fmt: skip


def test_over_the_api(war, master, stranger):
    api = {"content_type": "application/json"}
    asked = master.client.post(
        "/api/v1/print/", {"sheet": "campaign-map", "subject": war.code, "ink": "save"}, **api
    ).json()
    assert (asked["job"]["state"], asked["file_url"], asked["previews"]) == ("queued", "", [])
    through(Job.objects.get(pk=asked["job"]["id"]))
    made = master.client.get(f"/api/v1/print/{asked['job']['id']}/").json()
    assert made["previews"] == [f"/print/made/{asked['job']['id']}/1.png"]
    assert made["fingerprint"] == asked["fingerprint"]
    current = master.client.get(f"/api/v1/print/is/{made['job']['result']['fingerprint']}/").json()
    assert current["is_current"] is True
    assert stranger.client.get(f"/api/v1/print/{asked['job']['id']}/").status_code == 404
    wrong = master.client.post("/api/v1/print/", {"sheet": "quick-reference", "paper": "a2"}, **api)
    assert wrong.status_code == 422
    assert "A4 or US Letter" in json.dumps(wrong.json())


def test_nobody_may_print_the_rules_and_one_may_call_a_print_off(client, master):
    assert client.post("/print/quick-reference/", MAP).status_code == 302
    assert "The page goes on by itself" in client.get("/print/quick-reference/?paper=a4&ink=colour").content.decode()
    assert client.get("/print/nonsense/").status_code == 404
    assert client.get("/print/scenario/nonsense/").status_code == 404
    assert client.get("/print/quick-reference/?paper=stone").status_code == 422
    master.client.post("/print/tokens/", MAP)
    job = Job.objects.get(owner=master)
    master.client.post(f"/jobs/{job.pk}/cancel/")
    assert through(job).state == State.CANCELLED
    page = master.client.get("/print/tokens/").content.decode()
    assert "called off" in page
    assert "Not made" in page
    assert "In hand" not in page


def test_what_failed_for_a_guest_can_be_asked_for_again(client, monkeypatch):
    client.post("/print/tokens/", MAP)
    monkeypatch.setattr(press.Press, "pdf", lambda self: (_ for _ in ()).throw(press.Spoiled("on purpose")))
    assert through(Job.objects.get()).state == State.FAILED
    page = client.get("/print/tokens/?paper=a4&ink=colour").content.decode()
    assert "could not be set in type" in page
    assert "Do it again" in page
    client.post("/print/tokens/", MAP)
    assert Job.objects.filter(state=State.QUEUED).count() == 1


def test_the_history_leads_from_a_print_to_its_pages(master):
    master.client.post("/print/tokens/", MAP)
    job = through(Job.objects.get())
    assert f'href="/print/made/{job.pk}/"' in master.client.get("/jobs/").content.decode()
    assert master.client.get(f"/print/made/{job.pk}/").url == "/print/tokens/?paper=a4&ink=colour"


def test_what_the_compiler_cannot_set_is_a_sentence_and_not_a_crash():
    with pytest.raises(Refusal, match="could not be set in type") as refused:
        press.Press("map.typ", '{"pictures": {}, "sheet": {}}', Setting()).pdf()
    assert "error" in refused.value.cause


def test_the_code_in_the_foot_opens_the_page_that_says_whether_the_print_is_current(rules_leaf_anew):
    leaf = rules_leaf_anew
    page = Image.open(io.BytesIO(leaf.press.pages(200)[0]))
    found = [code.text for code in zxingcpp.read_barcodes(page)]
    assert found == [f"https://mice.example/print/is/{leaf.digest[:12]}/"]
    assert content.shown(leaf.digest) in leaf.text


@pytest.fixture
def rules_leaf_anew():
    """With an address that phones can reach, and so with a code."""
    from printing.sheet import sheet_of

    return Leaf("tokens", sheet_of("tokens").gather(None), Setting())
