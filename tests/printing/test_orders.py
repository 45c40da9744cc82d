"""Print jobs: requested, made once, reused, previewed, downloaded, checked for being current."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import subprocess

import pytest
import zxingcpp
from django.test import Client
from PIL import Image

from campaign import services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from jobs.models import Job, State
from jobs.registry import JobContext
from people.rate_limits import Rate
from people.requester import Who
from printing import orders, sheet_json_and_fingerprint, typst_compiler
from printing.job_kinds import print_sheet
from printing.models import Edition
from printing.sheet_registry import PaperSetting
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import joining
from tests.jobs.run_here import run_here
from tests.printing.read_pdf import PrintedSheet

pytestmark = pytest.mark.django_db(transaction=True)
MAP = {"paper": "a4", "ink": "colour"}


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.PUBLIC_URL = "https://mice.example"


@pytest.fixture
def war(master, player):
    who = Who.of(master)
    campaign = founding_services.found_campaign(who, key="found-a-war", name="The War of the Hedges")
    invitations_services.join_campaign(campaign, Who.of(player), key="tam-joins-it")
    for number, name in enumerate(("Oakhold", "Fenwick")):
        campaign_services.write(
            campaign, who, key=f"joins-{number:04d}", act=read_sent("kingdom_joins", joining(name, ruler=master.pk))
        )
    return campaign


def test_sheet_is_requested_made_previewed_and_downloaded(war, master, player, stranger):
    """The whole path; people who cannot see the campaign cannot see its prints."""
    page = f"/print/campaign-map/{war.code}/"
    assert "Make the sheet" in master.client.get(page).content.decode()
    asked = master.client.post(page, MAP)
    assert asked.status_code == 302
    assert "In progress" in master.client.get(page).content.decode()
    job = run_here(Job.objects.get(kind="print"))
    assert (job.state, job.stage, job.result["pages"]) == (State.DONE, "Saving", 1)
    ready = master.client.get(page).content.decode()
    assert f"/print/made/{job.token}/1.png" in ready

    for reader in (master, player):  # a member who did not ask finds it made
        file = reader.client.get(f"/print/made/{job.token}/file/")
        assert file["Content-Disposition"].startswith("attachment")
        pdf = b"".join(file.streaming_content)
        assert pdf.startswith(b"%PDF-")
        picture = reader.client.get(f"/print/made/{job.token}/1.png")
        assert Image.open(io.BytesIO(picture.content)).size[0] > 600
    for path in (
        page,
        f"/print/made/{job.token}/file/",
        f"/print/made/{job.token}/1.png",
        f"/print/is/{job.result['fingerprint']}/",
    ):
        assert stranger.client.get(path).status_code == 404
    assert master.client.get(f"/print/made/{job.token}/2.png").status_code == 404
    info = subprocess.run(["pdfinfo", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    assert re.search(r"Title:\s+Map of The War of the Hedges", info)


def test_unchanged_sheet_is_reused_and_changed_one_remade(war, master, player):
    one, two = Who.of(master), Who.of(player)
    first = run_here(orders.request_print(orders.build_order(one, "campaign-map", war.code, PaperSetting()), one))
    again = orders.request_print(orders.build_order(one, "campaign-map", war.code, PaperSetting()), one)
    assert again.pk == first.pk
    others = orders.request_print(orders.build_order(two, "campaign-map", war.code, PaperSetting()), two)
    assert (others.state, others.file, others.owner) == (State.DONE, first.file, player)
    assert (
        orders.request_print(orders.build_order(one, "campaign-map", war.code, PaperSetting(ink="save")), one).state
        == State.QUEUED
    )

    still = master.client.get(f"/print/is/{first.result['fingerprint']}/").content.decode()
    assert "This print is current" in still
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 3}}
    campaign_services.write(war, one, key="a-battle-won", act=read_sent("result", body))
    assert "out of date" in master.client.get(f"/print/is/{first.result['fingerprint']}/").content.decode()
    assert orders.find_finished_job(orders.build_order(one, "campaign-map", war.code, PaperSetting())) is None


def test_note_does_not_outdate_the_map(war, master):
    who = Who.of(master)
    before = orders.build_order(who, "campaign-map", war.code, PaperSetting()).fingerprint
    campaign_services.add_note(war, who, key="a-quiet-note", text="We play on Thursdays.")
    assert orders.build_order(who, "campaign-map", war.code, PaperSetting()).fingerprint == before


def test_job_refuses_a_person_who_left_the_campaign(war, player):
    who = Who.of(player)
    job = orders.request_print(orders.build_order(who, "campaign-map", war.code, PaperSetting()), who)
    war.members.filter(person=player).delete()
    assert (run_here(job).state, job.error) == (
        State.FAILED,
        "The subject of this sheet no longer exists, or you can no longer see it.",
    )
    assert not Edition.objects.exists()


def test_print_job_reports_its_stages_in_order(war, master, tmp_path):
    """Gather, maps k of n, compile, store: as the job itself reports them."""
    who = Who.of(master)
    args = orders.build_order(who, "campaign-map", war.code, PaperSetting()).args(who)
    said = []
    print_sheet(JobContext(args, lambda stage, k=0, n=0: said.append((stage, k, n)), tmp_path))
    assert said == [
        ("Collecting the content", 0, 0),
        ("Drawing maps", 1, 1),
        ("Waiting in the queue", 0, 0),
        ("Making the PDF", 0, 0),
        ("Drawing previews", 0, 0),
        ("Saving", 0, 0),
    ]


def test_printing_over_the_api(war, master, stranger):
    api = {"content_type": "application/json"}
    asked = master.client.post(
        "/api/v1/print/", {"sheet": "campaign-map", "subject": war.code, "ink": "save"}, **api
    ).json()
    assert (asked["job"]["state"], asked["file_url"], asked["previews"]) == ("queued", "", [])
    run_here(Job.objects.get(pk=asked["job"]["id"]))
    made = master.client.get(f"/api/v1/print/{asked['job']['token']}/").json()
    assert made["previews"] == [f"/print/made/{asked['job']['token']}/1.png"]
    assert made["fingerprint"] == asked["fingerprint"]
    current = master.client.get(f"/api/v1/print/is/{made['job']['result']['fingerprint']}/").json()
    assert current["is_current"] is True
    assert stranger.client.get(f"/api/v1/print/{asked['job']['token']}/").status_code == 404
    wrong = master.client.post("/api/v1/print/", {"sheet": "quick-reference", "paper": "a2"}, **api)
    assert wrong.status_code == 422
    assert "A4 or US Letter" in json.dumps(wrong.json())


def test_guests_can_print_rules_and_cancel_prints(client, master):
    assert client.post("/print/quick-reference/", MAP).status_code == 302
    assert "This page updates by itself" in client.get("/print/quick-reference/?paper=a4&ink=colour").content.decode()
    assert client.get("/print/nonsense/").status_code == 404
    assert client.get("/print/scenario/nonsense/").status_code == 404
    assert client.get("/print/quick-reference/?paper=stone").status_code == 422
    master.client.post("/print/tokens/", MAP)
    job = Job.objects.get(owner=master)
    master.client.post(f"/jobs/{job.token}/cancel/")
    assert run_here(job).state == State.CANCELLED
    page = master.client.get("/print/tokens/").content.decode()
    assert "called off" in page
    assert "Not made" in page
    assert "In progress" not in page


def test_failed_guest_print_can_be_retried(client, monkeypatch):
    client.post("/print/tokens/", MAP)
    monkeypatch.setattr(
        typst_compiler.SheetCompiler,
        "pdf",
        lambda self: (_ for _ in ()).throw(typst_compiler.CompileError("on purpose")),
    )
    assert run_here(Job.objects.get()).state == State.FAILED
    page = client.get("/print/tokens/?paper=a4&ink=colour").content.decode()
    assert "could not be made" in page
    assert "Try again" in page
    client.post("/print/tokens/", MAP)
    assert Job.objects.filter(state=State.QUEUED).count() == 1


def test_job_history_links_to_the_print(master):
    master.client.post("/print/tokens/", MAP)
    job = run_here(Job.objects.get())
    assert f'href="/print/made/{job.token}/"' in master.client.get("/jobs/").content.decode()
    assert master.client.get(f"/print/made/{job.token}/").url == "/print/tokens/?paper=a4&ink=colour"


def test_compile_error_is_a_refusal():
    with pytest.raises(Refusal, match="The sheet could not be made") as refused:
        typst_compiler.SheetCompiler("map.typ", '{"pictures": {}, "sheet": {}}', PaperSetting()).pdf()
    assert "error" in refused.value.cause


def test_footer_code_opens_the_current_check(reachable_sheet):
    leaf = reachable_sheet
    page = Image.open(io.BytesIO(leaf.press.pages(200)[0]))
    rows = [code.text for code in zxingcpp.read_barcodes(page)]
    assert rows == [f"https://mice.example/print/is/{leaf.digest[:12]}/"]
    assert sheet_json_and_fingerprint.format_fingerprint(leaf.digest) in leaf.text


@pytest.fixture
def reachable_sheet():
    """A sheet with an address that phones can reach, and therefore a code."""
    from printing.sheet_registry import sheet_of

    return PrintedSheet("tokens", sheet_of("tokens").gather(None), PaperSetting())


def test_strangers_who_print_leave_room_for_members(master, monkeypatch):
    sheet = "/print/quick-reference/"
    Job.objects.bulk_create(
        Job(kind=orders.KIND, key=f"waiting {n}", args={}) for n in range(orders.MAX_OPEN_OF_STRANGERS)
    )
    refused = Client().post(sheet, {})
    assert refused.status_code == 429
    assert "Too many prints are waiting" in refused.text
    assert refused["Retry-After"]
    assert master.client.post(sheet, {}).status_code == 302
    Job.objects.all().delete()
    monkeypatch.setattr(orders, "PRINT_LIMIT", dataclasses.replace(orders.PRINT_LIMIT, address=Rate(1, 10)))
    assert Client().post(sheet, {"paper": "letter"}, REMOTE_ADDR="203.0.113.44").status_code == 302
    assert Client().post(sheet, {"ink": "save"}, REMOTE_ADDR="203.0.113.44").status_code == 429
