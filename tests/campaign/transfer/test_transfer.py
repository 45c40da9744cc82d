"""A campaign as one file: out, in again, and what is said of files that are cut, edited, too new or too large."""

from __future__ import annotations

import copy
import csv
import io
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from campaign import arriving, carrying, job_kinds, reading
from campaign.annals import parcel
from campaign.annals.corrections import RECOMPUTE
from campaign.annals.effects import APPLY
from campaign.annals.scrutiny import SHAPES
from campaign.models import Campaign, Member, Parcel, SeasonPage
from campaign.sheet import campaign_sheet
from jobs.kinds import Errand
from jobs.models import Due, Job, State
from log.models import Entry, Log
from people.models import Person
from people.who import Who
from refusal import Refusal
from tests.campaign.test_door import Table


@pytest.fixture
def table(master, player, other_player):
    """A war with everything that is hard to carry: a regent, a closed season, a strike, an amended ruler."""
    table = Table(master, player)
    table.do("season_opened", {"name": "Spring"})
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
    return parcel.written(carrying.contents(fresh(table.campaign)))


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return {}


@pytest.fixture
def text(written, request) -> str:
    """The file once for all tests that only read it."""
    if not written:
        written["text"] = text_of(request.getfixturevalue("table"))
    return written["text"]


def changed(text: str, change) -> bytes:
    """The file with its contents edited and the digest made to fit, as a skilled hand would."""
    frame = json.loads(text)
    change(frame["campaign"])
    frame["digest"] = parcel.digest(frame["campaign"])
    return json.dumps(frame).encode()


def take_in(who, raw: bytes, me=1, key="take-it-in-1") -> Campaign:
    return carrying.take_in(Who.of(who), carrying.looked_through(raw), key=key, me=me)


def test_out_and_in_gives_the_same_file_state_chronicle_and_sheets(table, master):
    text = text_of(table)
    made = fresh(take_in(master, text.encode()))
    assert carrying.contents(made) == carrying.contents(fresh(table.campaign))
    old, new = campaign_sheet(fresh(table.campaign), table.master), campaign_sheet(made, table.master)
    assert [(line.tale, line.effects, line.corrected and line.corrected.kind) for line in old.lines] == [
        (line.tale, line.effects, line.corrected and line.corrected.kind) for line in new.lines
    ]
    for one, other in zip(old.kingdoms, new.kingdoms, strict=True):
        assert (one.name, one.ruler, one.regent, one.vp, one.loyalty, one.holds) == (other.name, other.ruler, other.regent, other.vp, other.loyalty, other.holds)  # fmt: skip
    one_page, other_page = SeasonPage.objects.order_by("pk")
    assert one_page.content == other_page.content
    call_command("verify_chronicle")


def test_people_arrive_unclaimed_and_kept_by_who_takes_it_in(table, other_player, stranger):
    before = Person.objects.count()
    made = take_in(stranger, text_of(table).encode(), me=None)
    arrived = Person.objects.filter(keeper=stranger)
    everyone = [table.master.person, table.player.person, other_player]
    assert {person.name for person in arrived} == {person.name for person in everyone}
    assert Person.objects.count() == before + len(arrived) == before + 3
    assert not arrived.exclude(account=None).exists()
    assert Member.objects.get(campaign=made, person=stranger).role == Member.Role.MASTER
    last = Entry.objects.filter(log=made.log_id).latest("number")
    assert (last.act, last.actor_id) == ("master_shared", stranger.pk)
    call_command("verify_chronicle")


def test_taking_in_twice_by_the_same_tap_makes_one(table, master):
    raw = text_of(table).encode()
    assert take_in(master, raw).pk == take_in(master, raw).pk


def test_two_who_turned_out_to_be_one_are_one_in_the_file(table, player, other_player):
    Person.objects.filter(pk=other_player.pk).update(merged_into=player, joined_to=player)
    assert [row["name"] for row in carrying.contents(fresh(table.campaign))["people"]].count(player.name) == 1


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda raw: raw[: len(raw) // 2], "no whole JSON|was cut off"),
        (lambda raw: raw[:-1], "was cut off"),
        (lambda raw: b"", "was cut off"),
        (lambda raw: b"\xff\xfe" + raw, "not text in UTF-8"),
        (lambda raw: b"[" * 100_000, "no whole JSON"),
        (lambda raw: b"[1, 2]", "no campaign's file"),
        (lambda raw: raw.replace(b'"version": 1', b'"version": 2'), "version 2, and this site reads up to 1"),
        (lambda raw: raw.replace(b"Oakhold", b"\\u0000", 1), "characters that are no text"),
        (lambda raw: raw.replace(b"Oakhold", b"\\ud800", 1), "characters that are no text"),
        (lambda raw: raw.replace(b'"number": 1,', b'"number": NaN,'), "no whole JSON"),
        (lambda raw: raw + b" " * parcel.MOST, "20 MB is the most"),
    ],
)
def test_a_spoilt_file_is_refused_by_its_first_problem(text, spoil, sentence):
    with pytest.raises(Refusal, match=sentence):
        carrying.looked_through(spoil(text.encode()))


def entry(contents, number):
    return contents["entries"][number - 1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c["entries"].pop(2), "Entry 3 is missing"),
        (lambda c: c["entries"].pop(0), "Entry 1 is missing"),
        (lambda c: c.pop("entries"), "not whole"),
        (lambda c: c["people"].clear(), "not in the file"),
        (lambda c: entry(c, 5)["effects"][0].update(by="lots"), "Entry 5 is not whole: 'lots' is no count"),
        (lambda c: entry(c, 5)["effects"][0].update(do="cheat"), "no effect called 'cheat'"),
        (lambda c: entry(c, 5)["effects"][0].update(kingdom=7), "7 is no kingdom"),
        (lambda c: entry(c, 5).update(act="dance"), "no act called 'dance'"),
        (lambda c: entry(c, 5).update(played_on="2999-01-01"), "it was played on 2999-01-01"),
        (lambda c: entry(c, 5).update(body=[]), "body is missing"),
        (lambda c: entry(c, 5)["body"].update(outcome="glory"), "'glory'"),
        (lambda c: entry(c, 2)["effects"][0].update(arms={"field": "plaid"}), "Entry 2 is not whole"),
        (lambda c: entry(c, 2)["effects"][0].update(name="x" * 500), "200 is the most"),
        (lambda c: entry(c, 9)["body"]["bundle"]["strike"].append(1), "entry 1, which cannot be corrected"),
        (lambda c: entry(c, 9)["body"].pop("bundle"), "Entry 9 is not whole"),
        (lambda c: c["members"].append(c["members"][0]), "twice"),
        (lambda c: c["entries"].clear(), "first entry must be the founding"),
    ],
)
def test_a_chronicle_that_is_not_whole_is_refused_by_its_first_problem(text, change, sentence):
    with pytest.raises(Refusal, match=sentence):
        carrying.looked_through(changed(text, change))


def test_an_edited_file_is_told_and_differences_from_the_rulebook_are_listed(table):
    frame = json.loads(text_of(table))
    assert not carrying.looked_through(json.dumps(frame).encode()).is_edited
    edited = copy.deepcopy(frame)
    rule = next(row for row in edited["campaign"]["entries"] if row["act"] == "house_rules")
    rule["effects"][0]["value"] = "Cats indoors."
    held = carrying.looked_through(json.dumps(edited).encode())
    assert held.is_edited
    assert rule["number"] in [row.number for row in held.differences]
    honest = carrying.looked_through(json.dumps(frame).encode())
    assert rule["number"] not in [row.number for row in honest.differences]


def test_tables_for_a_spreadsheet(table):
    table.do("note", {"text": "=HYPERLINK(1)"})
    rows = list(csv.DictReader(io.StringIO(carrying.entries_csv(fresh(table.campaign)))))
    assert rows[4]["became"] == "struck"
    assert rows[-1]["entry"] == "'=HYPERLINK(1)"
    standings = list(csv.DictReader(io.StringIO(carrying.standings_csv(fresh(table.campaign)))))
    assert {row["kingdom"] for row in standings} == {"Oakhold", "Fenwick"}
    assert len(rows) == reading.snapshot_of(fresh(table.campaign)).length


# --- pages ------------------------------------------------------------------------------------------------------------


def look_through() -> None:
    """What the job does, without its process."""
    job = Job.objects.get(kind=arriving.LOOK)
    end = {"state": State.DONE}
    try:
        end["result"] = arriving.look_through(Errand(job.args, lambda stage, k=0, n=0: None, Path())).facts
    except Refusal as refusal:
        end = {"state": State.FAILED, "error": refusal.sentence}
    Job.objects.filter(pk=job.pk).update(**end)


def sent(text: str) -> dict:
    return {"file": SimpleUploadedFile("war.json", text.encode(), content_type="application/json")}


def test_a_file_is_looked_at_first_and_taken_in_by_one_button(table, stranger):
    client = stranger.client
    answer = client.post(reverse("campaign:take_in"), sent(text_of(table)))
    assert answer.headers["location"] == reverse("campaign:arrival")
    assert "Looking through" in client.get(reverse("campaign:arrival")).content.decode()
    assert client.post(reverse("campaign:arrival"), {"key": "too-early-1", "me": ""}).status_code == 409
    look_through()
    page = client.get(reverse("campaign:arrival")).content.decode()
    assert "its digest fits" in page
    assert Campaign.objects.count() == 1
    answer = client.post(reverse("campaign:arrival"), {"key": "take-it-in-1", "me": ""})
    made = Campaign.objects.latest("pk")
    assert answer.headers["location"] == made.get_absolute_url()
    assert client.get(made.get_absolute_url()).status_code == 200
    assert not Parcel.objects.exists()


def test_a_bad_file_says_why_on_the_page(table, master):
    answer = master.client.post(reverse("campaign:take_in"), sent(text_of(table)[:-40]))
    assert answer.status_code == 422
    assert "cut off" in answer.content.decode()
    assert not Parcel.objects.exists()


def test_a_file_that_is_not_whole_says_so_once_it_is_looked_through(table, master):
    frame = json.loads(text_of(table))
    frame["campaign"]["entries"][3]["act"] = "no_such_act"
    master.client.post(reverse("campaign:take_in"), sent(json.dumps(frame)))
    look_through()
    page = master.client.get(reverse("campaign:arrival")).content.decode()
    assert "Entry 4 is not whole" in page
    assert "Send another file" in page
    assert master.client.post(reverse("campaign:arrival"), {"key": "take-it-in-1", "me": ""}).status_code == 409


def test_a_file_that_nobody_takes_in_goes_after_a_day(table, master):
    arriving.lay_down(master, "war.json", text_of(table).encode())
    due = Due.objects.get(kind=arriving.WAITING)
    job_kinds.put_away(due)
    assert Parcel.objects.exists(), "the day is not over"
    Parcel.objects.update(at=timezone.now() - arriving.KEPT_FOR * 2)
    assert arriving.waiting(master) is None
    job_kinds.put_away(due)
    assert not Parcel.objects.exists()


def test_a_file_goes_in_over_the_api_in_three_calls(table, master, stranger):
    code = table.campaign.code
    text = json.loads(master.client.get(f"/api/v1/campaigns/{code}/export/").content)
    api, ask = "/api/v1/campaigns/arrival/", {"content_type": "application/json"}
    assert stranger.client.get(api).status_code == 404
    assert stranger.client.post(api, text, **ask).status_code == 202
    assert stranger.client.post(f"{api}take-in/", {"key": "too-early-1"}, **ask).status_code == 409
    look_through()
    found = stranger.client.get(api).json()
    assert (found["state"], found["is_edited"]) == ("done", False)
    answer = stranger.client.post(f"{api}take-in/", {"key": "take-it-in-1"}, **ask)
    assert answer.status_code == 201
    made = Campaign.objects.get(code=answer.json()["code"])
    assert reading.state_of(made).holders == reading.state_of(fresh(table.campaign)).holders
    assert "This is no campaign's file." in stranger.client.post(api, {"format": "x"}, **ask).content.decode()


def test_deleting_needs_the_archive_the_file_and_the_name(table, master):
    client, code = master.client, table.campaign.code
    delete = reverse("campaign:delete", args=[code])

    def says() -> str:
        return client.post(delete, {"name": "the war of the hedges"}).content.decode()

    assert "into the archive first" in says()
    client.post(reverse("campaign:archive", args=[code]), {"to": "in"})
    assert "file first" in says()
    assert client.get(reverse("campaign:export_json", args=[code])).status_code == 200
    assert "not the name" in client.post(delete, {"name": "another"}).content.decode()
    assert client.post(delete, {"name": "the war of the hedges"}).status_code == 302
    assert not Campaign.objects.exists()
    assert not Log.objects.filter(pk=table.campaign.log_id).exists()


def test_the_archive_is_left_again(table, master):
    client, code = master.client, table.campaign.code
    client.post(reverse("campaign:archive", args=[code]), {"to": "in"})
    with pytest.raises(Refusal, match="archive"):
        table.do("note", {"text": "hello"})
    client.post(reverse("campaign:archive", args=[code]), {"to": "out"})
    table.do("note", {"text": "hello"})


def test_every_effect_there_is_has_a_shape_that_is_checked():
    # What is left of a struck line is worked out by the fold and never written.
    assert set(SHAPES) == set(APPLY) - {"numbered"}
