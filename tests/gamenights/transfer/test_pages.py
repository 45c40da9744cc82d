"""Import with a preview, once; export; and the same plays in an empty group."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from gamenights.models import Game, Play, PlaysUpload
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.transfer import exports, services
from gamenights.transfer.core import read_plays_file, write_bg_stats
from gamenights.transfer.preview import compare_with_group
from groups import services as groups_services
from groups.entries import FoundGroup
from jobs.models import Job
from people.models import Person
from people.requester import Who
from refusal import Refusal
from tests.gamenights.transfer.import_jobs import import_file, run_import
from tests.gamenights.transfer.sample_files import TODAY, key, make_export, make_large_export, make_play_row, to_bytes

pytestmark = pytest.mark.django_db


# Nobody of the fixtures has these names.
PLAYERS = [{"id": 1, "uuid": key(11), "name": "Aster"}, {"id": 2, "uuid": key(12), "name": "Bracken"}]


def make_file(**lists):
    return make_export(**{"players": PLAYERS, **lists})


def url(group, rest=""):
    return f"/groups/{group.code}/plays/import/{rest}"


def read(group, body):
    data = body if isinstance(body, bytes) else to_bytes(body)
    return read_plays_file(data, TODAY, group.tzinfo)


def test_the_job_reads_the_file_once_and_pages_show_what_it_found(group, master, player, upload, monkeypatch):
    upload(make_file(plays=[make_play_row(), make_play_row(uuid=key(32), gameRefId=99)]))
    row = PlaysUpload.objects.get()
    assert row.found["new_plays"] == 1
    assert row.job.result == {"plays": 1, "left_out": 1}, "what the file holds is deleted with the file"
    monkeypatch.setattr(services, "read_plays_file", lambda *_: pytest.fail("the page read the file"))
    monkeypatch.setattr(services.gzip, "decompress", lambda *_: pytest.fail("the page unpacked the file"))
    for _ in range(2):
        page = master.client.get(url(group, "preview/")).text
        assert "1 new play" in page
        assert "Aster" in page
        assert "Bracken" in page
        assert "Its game is not in the file." in page


def test_page_waits_for_the_job_without_reading_the_file(group, master, monkeypatch):
    monkeypatch.setattr(services, "read_plays_file", lambda *_: pytest.fail("the page read the file"))
    sent = to_bytes(make_file(plays=[make_play_row()]))
    for _ in range(2):
        master.client.post(url(group), {"file": SimpleUploadedFile("plays.json", sent)})
    assert Job.objects.filter(kind=services.CHECK_JOB).count() == 1, "the same file is checked once"
    assert "Checking the file" in master.client.get(url(group, "preview/")).text
    assert master.client.post(url(group, "preview/"), {"key": "import-it-now"}).status_code == 409
    other = to_bytes(make_file(plays=[make_play_row(uuid=key(33))]))
    master.client.post(url(group), {"file": SimpleUploadedFile("plays.json", other)})
    assert sorted(Job.objects.values_list("state", flat=True)) == ["cancelled", "queued"]


def test_late_result_of_an_older_file_changes_nothing(group, master, upload):
    upload(make_file(plays=[make_play_row()]))
    old = Job.objects.get()
    upload(make_file(plays=[make_play_row(uuid=key(number)) for number in (33, 34)]))
    old.result = {"plays": 9, "left_out": 0, "preview": {}}
    services.save_preview(old)
    assert "2 new plays" in master.client.get(url(group, "preview/")).text


def test_too_many_questions_are_refused_in_the_job(group, master, upload):
    people = [{"id": n, "uuid": key(1000 + n), "name": master.name} for n in range(301)]
    rows = [make_play_row(uuid=key(5000 + n), playerScores=[{"playerRefId": n, "score": "1"}]) for n in range(301)]
    upload(make_export(players=people, plays=rows))
    assert "More than 300 people of this file" in master.client.get(url(group, "preview/")).text


def test_a_file_is_previewed_and_nothing_is_written_until_confirmed(group, master, upload):
    body = make_file(plays=[make_play_row(), make_play_row(uuid=key(32), gameRefId=99)])
    assert upload(body).status_code == 302
    page = master.client.get(url(group, "preview/")).content.decode()
    assert "1 new play" in page
    assert "Its game is not in the file." in page
    assert not Play.objects.exists()
    assert not Game.objects.exists()
    response = master.client.post(url(group, "preview/"), {"key": "confirm-the-import"})
    assert response.status_code == 302
    assert not Play.objects.exists(), "written by the job alone"
    run_import(Job.objects.get(kind="plays-import"))
    play = Play.objects.get()
    assert (play.uuid, play.source, play.game.name) == (key(31), "imported", "Catan")
    assert [one.score_text for one in play.players.all()] == ["12+30", "-3.5"]
    assert not PlaysUpload.objects.exists()


def test_the_same_file_again_adds_nothing(group, master, upload):
    file = read(group, make_file())
    import_file(group, master, file)
    people = Person.objects.count()
    assert import_file(group, master, file)["plays"] == 0
    assert (Play.objects.count(), Person.objects.count(), Game.objects.count()) == (1, people, 1)
    upload(make_file())
    page = master.client.get(url(group, "preview/")).content.decode()
    assert "0 new plays" in page
    assert "1 are already here" in page


def test_a_known_name_is_asked_about_and_never_merged_silently(group, master, upload):
    body = make_file(
        players=[{"id": 1, "uuid": key(11), "name": master.name.upper()}, {"id": 2, "uuid": key(12), "name": "Bracken"}]
    )
    file = read(group, body)
    with pytest.raises(Refusal, match=r"has come to the group since the preview\. Upload the file again"):
        import_file(group, master, file)
    assert not Play.objects.exists()
    upload(body)
    assert "Who are they?" in master.client.get(url(group, "preview/")).content.decode()
    wrong = master.client.post(url(group, "preview/"), {"key": "nobody-was-chosen"})
    assert wrong.status_code == 422
    assert "Choose who" in wrong.text
    assert not Person.objects.filter(name="Bracken").exists()
    import_file(group, master, file, **{f"person-{key(11)}": str(master.pk)})
    assert Play.objects.get().players.filter(person=master).exists()
    # Confirmed once, known ever after.
    later = read(group, make_file(players=body["players"], plays=[make_play_row(uuid=key(40))]))
    assert not compare_with_group(group, later).doubtful


def test_a_namesake_can_be_somebody_else(group, master):
    body = make_file(players=[{"id": 1, "uuid": key(11), "name": master.name}, {"id": 2, "name": "Bracken"}])
    import_file(group, master, read(group, body), **{f"person-{key(11)}": "new"})
    assert Person.objects.filter(name=master.name).count() == 2
    other = [{"id": 1, "uuid": key(13), "name": master.name}, PLAYERS[1]]
    file = read(group, make_file(players=other, plays=[make_play_row(uuid=key(33))]))
    with pytest.raises(Refusal, match="has changed since"):
        import_file(group, master, file, **{f"person-{key(13)}": "999999"})


def test_six_hundred_plays_survive_export_and_import(group, master, make_person):
    first = read(group, make_large_export())
    import_file(group, master, first)
    assert Play.objects.filter(group=group).count() == len(first.plays)
    exported = write_bg_stats(exports.load_as_file(group), group.tzinfo)
    host = make_person("Another Host", account=True)
    empty = groups_services.found_group(
        Who.of(host), "an-empty-group-now", FoundGroup(name="Empty", zone="Europe/Berlin")
    )
    import_file(empty, host, read(empty, exported))
    assert tell(group) == tell(empty)


def tell(group):
    """Plays without the ids of this site."""
    return [
        (
            play.uuid,
            play.game_name,
            play.day,
            play.scoring,
            play.variant,
            [(one.name, one.score, one.score_text, one.won, one.place, one.team, one.role) for one in play.players],
        )
        for play in load_facts(plays_of_group(group))
    ]


def test_an_export_imported_into_its_own_group_adds_nothing(group, master):
    import_file(group, master, read(group, make_file()))
    exported = write_bg_stats(exports.load_as_file(group), group.tzinfo)
    found = compare_with_group(group, read(group, exported))
    assert (found.new_plays, found.known_plays) == ((), 1)


@pytest.mark.parametrize("form", ["bgstats", "bgg", "csv"])
def test_members_export_in_three_forms(group, master, stranger, form):
    import_file(group, master, read(group, make_file()))
    response = master.client.get(f"/groups/{group.code}/plays/export/{form}/")
    assert response.status_code == 200
    assert "attachment" in response["Content-Disposition"]
    assert read(group, response.content).plays[0].players[0].name == "Aster"
    assert stranger.client.get(f"/groups/{group.code}/plays/export/{form}/").status_code == 404
    assert master.client.get(f"/groups/{group.code}/plays/export/pdf/").status_code == 404


def test_a_broken_file_says_why(group, master, upload):
    upload(b'{"plays": [')
    page = master.client.get(url(group, "preview/")).content.decode()
    assert "This file cannot be imported" in page
    assert "not complete JSON" in page


def test_old_files_are_deleted(group, master, upload):
    upload(make_file())
    PlaysUpload.objects.update(at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    services.delete_old_upload(None)
    assert not PlaysUpload.objects.exists()
    assert master.client.get(url(group, "preview/")).status_code == 302


def test_the_log_keeps_no_names(group, master):
    import_file(group, master, read(group, make_file()))
    bodies = json.dumps([entry.body for entry in group.log.entries.all()])
    assert "Bracken" not in bodies
