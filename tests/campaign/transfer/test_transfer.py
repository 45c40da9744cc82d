"""Exporting and importing a campaign file, and the errors for files that are cut, edited, too new or too large."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from campaign import selectors as campaign_selectors
from campaign.chronicle import export_and_import
from campaign.chronicle.corrections import RECOMPUTE
from campaign.display import build_campaign_display
from campaign.models import Campaign, Member, Parcel, SeasonPage
from campaign.transfer import import_uploads, services as transfer_services
from jobs.models import Due, Job, State
from jobs.registry import JobContext
from log import services as log_services
from log.models import Entry, Log
from people.models import Person
from people.requester import Who
from refusal import Refusal
from tests.campaign.test_services import Table


@pytest.fixture
def table(master, player, other_player):
    """A war with everything that is hard to export: a regent, a closed season, a strike, an amended ruler."""
    table = Table(master, player)
    first = table.result("k1", "k2.border_1", points={"k1": 4, "k2": 1})["entry"]
    spent = table.do("vp_spent", {"kingdom": "k1", "what": "loyalty"})["entry"]
    regent = table.do("regent_named", {"kingdom": "k2", "person": other_player.pk}, who=table.player)["entry"]
    table.do("season_closed", {})
    table.correct("amend", regent, body={"kingdom": "k2", "person": master.pk})
    table.correct("strike", first, choices={spent: RECOMPUTE})
    table.do("house_rules", {"terms": {"house_rules": "No cats indoors."}})
    return table


def fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("log").get(pk=campaign.pk)


def text_of(table: Table) -> str:
    return export_and_import.write_export(transfer_services.export_contents(fresh(table.campaign)))


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return {}


@pytest.fixture
def text(written, request) -> str:
    """The exported file, shared by all tests that only read it."""
    if not written:
        written["text"] = text_of(request.getfixturevalue("table"))
    return written["text"]


def changed(text: str, change) -> bytes:
    """The file with its contents edited and a matching digest, as a skilled forger would do."""
    frame = json.loads(text)
    change(frame["campaign"])
    frame["digest"] = export_and_import.compute_digest(frame["campaign"])
    return json.dumps(frame).encode()


def import_raw(who, raw: bytes, me=1, key="take-it-in-1") -> Campaign:
    return transfer_services.import_campaign(Who.of(who), transfer_services.check_file(raw), key=key, me=me)


def test_export_and_import_give_the_same_file_state_chronicle_and_sheets(table, master):
    text = text_of(table)
    made = fresh(import_raw(master, text.encode()))
    assert transfer_services.export_contents(made) == transfer_services.export_contents(fresh(table.campaign))
    old, new = build_campaign_display(fresh(table.campaign), table.master), build_campaign_display(made, table.master)
    assert [(row.sentence, row.effects, row.corrected and row.corrected.kind) for row in old.entries] == [
        (row.sentence, row.effects, row.corrected and row.corrected.kind) for row in new.entries
    ]
    for one, other in zip(old.kingdoms, new.kingdoms, strict=True):
        assert (one.name, one.ruler, one.regent, one.vp, one.loyalty, one.holds) == (
            other.name,
            other.ruler,
            other.regent,
            other.vp,
            other.loyalty,
            other.holds,
        )
    one_page, other_page = SeasonPage.objects.order_by("pk")
    assert one_page.content == other_page.content
    call_command("verify_chronicle")


def test_imported_people_are_unclaimed_and_managed_by_the_importer(table, other_player, stranger):
    before = Person.objects.count()
    made = import_raw(stranger, text_of(table).encode(), me=None)
    arrived = Person.objects.filter(keeper=stranger)
    everyone = [table.master.person, table.player.person, other_player]
    assert {person.name for person in arrived} == {person.name for person in everyone}
    assert Person.objects.count() == before + len(arrived) == before + 3
    assert not arrived.exclude(account=None).exists()
    assert Member.objects.get(campaign=made, person=stranger).role == Member.Role.MASTER
    last = Entry.objects.filter(log=made.log_id).latest("number")
    assert (last.act, last.actor_id) == ("master_shared", stranger.pk)
    call_command("verify_chronicle")


def test_whatever_the_chronicle_takes_can_be_exported_and_imported(table, master):
    for number, text in enumerate(
        ("🧀" * 1000, "\x01\x1f\x7f\x85\u2028", "\ufffe\uffff\u202e", "e\u0301\u200d" * 500, '\\"')
    ):
        table.do("note", {"text": text}, key=f"nasty-note-{number}")
        table.do("renamed", {"from": table.state.name, "to": f"{text[:150]} {number}"}, key=f"nasty-name-{number}")
    text = text_of(table)
    again = import_raw(master, text.encode())
    notes = [entry.body for entry in Entry.objects.filter(log=again.log_id, act="note").order_by("number")]
    assert [note["text"] for note in notes] == [
        entry.body["text"] for entry in Entry.objects.filter(log=table.campaign.log_id, act="note").order_by("number")
    ]


def test_full_log_can_be_exported_and_imported(table, master):
    """The size of a log is counted as an export writes it, so a full one is below the limit of a file."""
    log = Log.objects.get(pk=table.campaign.log_id)
    entries = list(Entry.objects.filter(log=log))
    assert log.size == sum(log_services.entry_size(entry.body, entry.effects) for entry in entries)
    assert len(text_of(table).encode()) - 5000 < log.size
    assert log_services.MAX_LOG + 2 * 1024 * 1024 < export_and_import.MAX_FILE
    Log.objects.filter(pk=log.pk).update(size=log_services.MAX_LOG - 100)
    with pytest.raises(Refusal, match="This log is full"):
        table.do("note", {"text": "One more"})
    again = import_raw(master, text_of(table).encode())
    assert again.log.size <= log.size


def test_importing_twice_with_the_same_key_makes_one_campaign(table, master):
    raw = text_of(table).encode()
    assert import_raw(master, raw).pk == import_raw(master, raw).pk


def test_merged_people_appear_once_in_the_file(table, player, other_player):
    Person.objects.filter(pk=other_player.pk).update(merged_into=player, joined_to=player)
    assert [row["name"] for row in transfer_services.export_contents(fresh(table.campaign))["people"]].count(
        player.name
    ) == 1


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda raw: raw[: len(raw) // 2], "not valid JSON|was cut off"),
        (lambda raw: raw[:-1], "was cut off"),
        (lambda raw: b"", "was cut off"),
        (lambda raw: b"\xff\xfe" + raw, "not text in UTF-8"),
        (lambda raw: b"[" * 100_000, "nested too deeply"),
        (lambda raw: b"[1, 2]", "not a campaign file"),
        (lambda raw: raw.replace(b'"version":1', b'"version":2'), "version 2; this site reads up to 1"),
        (lambda raw: raw.replace(b"Oakhold", b"\\u0000", 1), "is not text"),
        (lambda raw: raw.replace(b"Oakhold", b"\\ud800", 1), "is not text"),
        (lambda raw: raw.replace(b'"number":1,', b'"number":NaN,'), "not valid JSON"),
        (lambda raw: raw + b" " * export_and_import.MAX_FILE, "The limit is 20 MB"),
    ],
)
def test_damaged_file_is_refused_with_its_first_problem(text, spoil, sentence):
    with pytest.raises(Refusal, match=sentence):
        transfer_services.check_file(spoil(text.encode()))


def entry(contents, number):
    return contents["entries"][number - 1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c["entries"].pop(2), "Entry 3 is missing"),
        (lambda c: c["entries"].pop(0), "Entry 1 is missing"),
        (lambda c: c.pop("entries"), "The file is incomplete: “entries” is missing. Export the campaign again."),
        (lambda c: c.update(entries=7), "The file is damaged. Export the campaign again."),
        (lambda c: c["people"].clear(), "Entry 1 names person 1, who is not in the file."),
        (lambda c: c["members"][0].update(since="noon"), "'noon' is not a valid time."),
        (
            lambda c: entry(c, 5)["effects"][0].update(by="lots"),
            "5 is invalid: “effects.0.by” must be a whole",
        ),
        (lambda c: entry(c, 5)["effects"][0].update(do="cheat"), "no effect called 'cheat'"),
        (lambda c: entry(c, 5)["effects"][0].update(kingdom=7), "“effects.0.kingdom” must be text"),
        (lambda c: entry(c, 5).update(act="dance"), "no act called 'dance'"),
        (lambda c: entry(c, 5).update(played_on="2999-01-01"), "its date cannot be 2999-01-01"),
        (lambda c: entry(c, 5).update(body=[]), "body is missing"),
        (lambda c: entry(c, 4)["body"].update(outcome="glory"), "must be one of attacker"),
        (lambda c: entry(c, 2)["effects"][0].update(arms={"field": "plaid"}), "tincture of the field called 'plaid'"),
        (lambda c: entry(c, 2)["effects"][0].update(name="x" * 500), "The limit is 200"),
        (lambda c: entry(c, 9)["body"]["bundle"]["strike"].append(1), "entry 1, which cannot be corrected"),
        (lambda c: entry(c, 9)["body"].pop("bundle"), "Entry 9 is invalid: “bundle” is missing"),
        (lambda c: c["members"].append(c["members"][0]), "A member of the campaign is in the file twice."),
        (lambda c: c["entries"].clear(), "first entry must be the founding"),
    ],
)
def test_inconsistent_chronicle_is_refused_with_its_first_problem(text, change, sentence):
    with pytest.raises(Refusal, match=re.escape(sentence)):
        transfer_services.check_file(changed(text, change))


def test_unknown_keys_are_listed_and_not_imported(text, master):
    def add(contents):
        contents["entries"][0]["body"]["mood"] = "cheerful"
        contents["entries"][1]["body"]["houses"][2]["motto"] = {"deep": [1]}

    raw = changed(text, add)
    seen = transfer_services.check_file(raw)
    assert seen.ignored == ("entry 1: mood", "entry 2: houses.2.motto")
    taken = import_raw(master, raw)
    one, two = Entry.objects.filter(log=taken.log_id).order_by("number")[:2]
    assert "mood" not in one.body
    assert all(set(house) == {"name", "arms"} for house in two.body["houses"])


def test_edited_file_is_flagged_and_rulebook_differences_are_listed(table):
    frame = json.loads(text_of(table))
    assert not transfer_services.check_file(json.dumps(frame).encode()).is_edited
    edited = copy.deepcopy(frame)
    rule = next(row for row in edited["campaign"]["entries"] if row["act"] == "house_rules")
    rule["effects"][0]["value"] = "Cats indoors."
    held = transfer_services.check_file(json.dumps(edited).encode())
    assert held.is_edited
    assert rule["number"] in [row.number for row in held.differences]
    honest = transfer_services.check_file(json.dumps(frame).encode())
    assert rule["number"] not in [row.number for row in honest.differences]


def test_spreadsheet_tables(table):
    table.do("note", {"text": "=HYPERLINK(1)"})
    rows = list(csv.DictReader(io.StringIO(transfer_services.entries_csv(fresh(table.campaign)))))
    assert rows[3]["became"] == "struck"
    assert rows[-1]["entry"] == "'=HYPERLINK(1)"
    standings = list(csv.DictReader(io.StringIO(transfer_services.standings_csv(fresh(table.campaign)))))
    assert {row["kingdom"] for row in standings} == {"Oakhold", "Fenwick"}
    assert len(rows) == campaign_selectors.snapshot_of(fresh(table.campaign)).length


# --- pages ------------------------------------------------------------------------------------------------------------


def run_check_job() -> None:
    """Does the job's work in this process."""
    job = Job.objects.get(kind=import_uploads.CHECK_JOB)
    end = {"state": State.DONE}
    try:
        end["result"] = import_uploads.check_upload(JobContext(job.args, lambda stage, k=0, n=0: None, Path())).facts
    except Refusal as refusal:
        end = {"state": State.FAILED, "error": refusal.sentence}
    Job.objects.filter(pk=job.pk).update(**end)


def upload_of(text: str) -> dict:
    return {"file": SimpleUploadedFile("war.json", text.encode(), content_type="application/json")}


def test_file_is_checked_first_and_imported_with_one_button(table, stranger):
    client = stranger.client
    answer = client.post(reverse("campaign:upload_file"), upload_of(text_of(table)))
    assert answer.headers["location"] == reverse("campaign:import_preview")
    assert "Checking" in client.get(reverse("campaign:import_preview")).content.decode()
    assert client.post(reverse("campaign:import_preview"), {"key": "too-early-1", "me": ""}).status_code == 409
    run_check_job()
    page = client.get(reverse("campaign:import_preview")).content.decode()
    assert "unchanged since it was exported" in page
    assert Campaign.objects.count() == 1
    answer = client.post(reverse("campaign:import_preview"), {"key": "take-it-in-1", "me": ""})
    made = Campaign.objects.latest("pk")
    assert answer.headers["location"] == made.get_absolute_url()
    assert client.get(made.get_absolute_url()).status_code == 200
    assert not Parcel.objects.exists()


def test_page_says_why_a_file_is_refused(table, master):
    answer = master.client.post(reverse("campaign:upload_file"), upload_of(text_of(table)[:-40]))
    assert answer.status_code == 422
    assert "cut off" in answer.content.decode()
    assert not Parcel.objects.exists()


def test_inconsistent_file_is_reported_after_the_check(table, master):
    frame = json.loads(text_of(table))
    frame["campaign"]["entries"][3]["act"] = "no_such_act"
    master.client.post(reverse("campaign:upload_file"), upload_of(json.dumps(frame)))
    run_check_job()
    page = master.client.get(reverse("campaign:import_preview")).content.decode()
    assert "Entry 4 is invalid" in page
    assert "Upload another file" in page
    assert master.client.post(reverse("campaign:import_preview"), {"key": "take-it-in-1", "me": ""}).status_code == 409


def test_file_not_imported_is_deleted_after_a_day(table, master):
    import_uploads.store_upload(master, "war.json", text_of(table).encode())
    due = Due.objects.get(kind=import_uploads.EXPIRY_TIMER)
    import_uploads.delete_old_uploads(due)
    assert Parcel.objects.exists(), "the day is not over"
    Parcel.objects.update(at=timezone.now() - import_uploads.KEEP_FOR * 2)
    assert import_uploads.find_pending_import(master) is None
    import_uploads.delete_old_uploads(due)
    assert not Parcel.objects.exists()


def test_api_imports_a_file_in_three_calls(table, master, stranger):
    code = table.campaign.code
    text = json.loads(master.client.get(f"/api/v1/campaigns/{code}/export/").content)
    api, ask = "/api/v1/campaigns/arrival/", {"content_type": "application/json"}
    assert stranger.client.get(api).status_code == 404
    assert stranger.client.post(api, text, **ask).status_code == 202
    assert stranger.client.post(f"{api}take-in/", {"key": "too-early-1"}, **ask).status_code == 409
    run_check_job()
    data = stranger.client.get(api).json()
    assert (data["state"], data["is_edited"]) == ("done", False)
    answer = stranger.client.post(f"{api}take-in/", {"key": "take-it-in-1"}, **ask)
    assert answer.status_code == 201
    made = Campaign.objects.get(code=answer.json()["code"])
    assert campaign_selectors.state_of(made).holders == campaign_selectors.state_of(fresh(table.campaign)).holders
    assert "This is not a campaign file." in stranger.client.post(api, {"format": "x"}, **ask).content.decode()


def test_deleting_requires_archive_export_and_name(table, master):
    client, code = master.client, table.campaign.code
    delete = reverse("campaign:delete", args=[code])

    def try_to_delete() -> str:
        return client.post(delete, {"name": "the war of the hedges"}).content.decode()

    assert "Archive the campaign first" in try_to_delete()
    client.post(reverse("campaign:archive", args=[code]), {"to": "in"})
    assert "file first" in try_to_delete()
    assert client.get(reverse("campaign:export_json", args=[code])).status_code == 200
    assert "not the name" in client.post(delete, {"name": "another"}).content.decode()
    assert client.post(delete, {"name": "the war of the hedges"}).status_code == 302
    assert not Campaign.objects.exists()
    assert not Log.objects.filter(pk=table.campaign.log_id).exists()


def test_campaign_can_be_restored_from_the_archive(table, master):
    client, code = master.client, table.campaign.code
    client.post(reverse("campaign:archive", args=[code]), {"to": "in"})
    with pytest.raises(Refusal, match="archive"):
        table.do("note", {"text": "hello"})
    client.post(reverse("campaign:archive", args=[code]), {"to": "out"})
    table.do("note", {"text": "hello"})
