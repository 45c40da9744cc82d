"""Confirming an import orders a job. It writes in small parts, and goes on where it was killed."""

from __future__ import annotations

import datetime as dt
import threading
from itertools import pairwise

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from gamenights.models import Game, Play, PlayPlayer, PlaysUpload
from gamenights.transfer import services
from gamenights.transfer.models import PersonKey
from groups import services as groups_services
from groups.entries import AddMember
from groups.models import Member
from jobs import services as jobs_services
from jobs.models import Job
from log import services as log_services
from log.models import Entry
from people.accounts import services as accounts_services
from people.models import Person
from people.requester import Who
from tests.gamenights.transfer.import_jobs import run_import
from tests.gamenights.transfer.sample_files import key, make_export

pytestmark = pytest.mark.django_db

HEAD = "play,date,game,player,score\n"


def make_table(plays, people=9, games=4):
    """Plays of four."""
    rows = (
        f"{row // 4},2026-03-{1 + row // 4 % 28:02},Game {row // 4 % games},P{row % people},{row}\n"
        for row in range(plays * 4)
    )
    return (HEAD + "".join(rows)).encode()


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(services, "PLAYS_AT_ONCE", 5)
    monkeypatch.setattr(services, "PEOPLE_AT_ONCE", 3)


@pytest.fixture
def confirm(group, master):
    """Confirm the preview; gives the job."""

    def confirm(key="confirm-the-import", **answers):
        answer = master.client.post(f"/groups/{group.code}/plays/import/preview/", {"key": key, **answers})
        assert answer.status_code == 302, answer.text
        return Job.objects.get(token=answer.url.split("/")[-2])

    return confirm


class Killed(BaseException):
    pass


def kill_at(part, stage="Importing the plays"):
    """A progress callback that ends the process before this part of the stage is written."""
    seen = []

    def progress(words, k=0, n=0):
        seen.append(words)
        if seen.count(stage) == part:
            raise Killed

    return progress


def everything():
    rows = {
        model.__name__: model.objects.count() for model in (Play, PlayPlayer, Game, Person, Member, PersonKey, Entry)
    }
    return rows | {"twice": Play.objects.count() - Play.objects.values("group", "uuid").distinct().count()}


def test_confirming_writes_nothing_in_the_request_and_orders_one_job(group, master, upload, confirm, monkeypatch):
    upload(make_table(12))
    monkeypatch.setattr(services, "read_plays_file", lambda *_: pytest.fail("the request read the file"))
    before = everything()
    job = confirm()
    assert everything() == before
    assert confirm() == job, "a double tap"
    assert confirm("from-another-tab") == job
    assert Job.objects.filter(kind=services.IMPORT_JOB).count() == 1
    monkeypatch.undo()
    run_import(job)
    assert (Play.objects.count(), PlaysUpload.objects.count()) == (12, 0)
    assert confirm() == job, "the tap again, after the end"
    assert Job.objects.filter(kind=services.IMPORT_JOB).count() == 1


def test_page_shows_progress_and_leads_to_the_plays(group, master, player, upload, confirm):
    upload(make_table(12))
    job = confirm()
    url = f"/groups/imports/{job.token}/"
    Job.objects.filter(pk=job.pk).update(state="running", stage="Importing the plays", done=5, total=12)
    assert "Importing the plays: 5 of 12." in master.client.get(url).text
    assert master.client.get(f"/groups/{group.code}/plays/import/preview/").url == url
    assert player.client.get(url).status_code == 404
    run_import(job)
    assert master.client.get(url, headers={"HX-Request": "true"})["HX-Redirect"] == group.get_absolute_url()
    assert "12 plays imported." in master.client.get(url, follow=True).text


@pytest.mark.parametrize(("stage", "part"), [("Adding the people", 2), ("Importing the plays", 1)] + [
    ("Importing the plays", part) for part in (2, 4)
])  # fmt: skip
def test_killed_between_two_parts_it_goes_on_without_doubling(group, upload, confirm, small_parts, stage, part):
    upload(make_table(18))
    job = confirm()
    with pytest.raises(Killed):
        run_import(job, kill_at(part, stage))
    assert Play.objects.count() == (5 * (part - 1) if stage == "Importing the plays" else 0)
    assert PlaysUpload.objects.get().imported_plays == Play.objects.count()
    steps = []
    run_import(job, lambda *step: steps.append(step))
    assert steps[-1] == ("Done", 18, 18)
    assert job.result == {"plays": 18, "people": 9, "known": 0}, "over all attempts"
    found = everything()
    assert (found["Play"], found["twice"], found["PersonKey"], found["Game"]) == (18, 0, 9, 4)
    assert PlayPlayer.objects.count() == 18 * 4
    assert sorted(Person.objects.filter(name__startswith="P").values_list("name", flat=True)) == sorted(
        {*Person.objects.filter(name__startswith="P").values_list("name", flat=True)}
    )
    numbers = list(Entry.objects.filter(log=group.log_id).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_two_people_of_one_name_survive_a_kill_between_them(group, upload, confirm, monkeypatch):
    monkeypatch.setattr(services, "PEOPLE_AT_ONCE", 1)
    twins = [{"id": n, "uuid": key(10 + n), "name": "Sorrel"} for n in (1, 2)]
    upload(make_export(players=twins))
    job = confirm()
    with pytest.raises(Killed):
        run_import(job, kill_at(2, "Adding the people"))
    assert Person.objects.filter(name="Sorrel").count() == 1
    assert run_import(job).state == "done"
    assert Person.objects.filter(name="Sorrel").count() == 2
    assert Play.objects.get().players.values("person").distinct().count() == 2


def test_two_workers_beside_each_other_write_it_once(group, upload, confirm, small_parts):
    """The lease of the first ran out, but it still lives."""
    upload(make_table(18))
    job = confirm()
    nested = []

    def progress(words, k=0, n=0):
        if words == "Importing the plays" and k == 5 and not nested:
            nested.append(True)
            services.run_import(services_context(job))

    services.run_import(services_context(job, progress))
    assert (Play.objects.count(), everything()["twice"]) == (18, 0)
    assert PlaysUpload.objects.get().imported_plays == 18


def services_context(job, progress=lambda *_: None):
    from pathlib import Path

    from jobs.registry import JobContext

    return JobContext(job.args, progress, Path())


def test_cancelled_import_stops_at_the_next_part_and_a_retry_goes_on(group, master, upload, confirm, small_parts):
    upload(make_table(18))
    job = confirm()

    def progress(words, k=0, n=0):
        if words == "Importing the plays" and k == 10:
            jobs_services.cancel_job(job)

    run_import(job, progress)
    assert Play.objects.count() == 10
    Job.objects.filter(pk=job.pk).update(state="cancelled")
    page = master.client.get(f"/groups/imports/{job.token}/").text
    assert "10 plays are imported" in " ".join(page.split())
    assert "Retry" in page
    jobs_services.retry_job(job)
    assert run_import(job).result["plays"] == 18
    assert everything()["twice"] == 0


def test_another_file_waits_for_the_import(group, master, upload, confirm):
    upload(make_table(12))
    confirm()
    assert "Your last file is still being imported." in upload(make_table(13)).text
    PlaysUpload.objects.update(at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    services.delete_old_upload(None)
    assert PlaysUpload.objects.get().found["new_plays"] == 12


def test_what_is_refused_is_refused_before_anything_is_written(group, master, upload, confirm, monkeypatch):
    upload(make_table(12))
    job = confirm()
    before = everything()
    monkeypatch.setattr(log_services, "MAX_LOG", group.log.size + 2_000)
    assert "The group has room for" in run_import(job).error
    assert everything() == before
    page = master.client.get(f"/groups/imports/{job.token}/").text
    assert "The group has room for" in page
    assert "No plays are imported yet." in page
    assert PlaysUpload.objects.get().found is not None, "kept, to try again"
    monkeypatch.undo()
    jobs_services.retry_job(job)
    assert run_import(job).result["plays"] == 12


def test_namesake_who_came_since_the_preview_is_asked_about(group, master, upload, confirm):
    upload(make_table(12))
    job = confirm()
    groups_services.add_by_name(group, Who.of(master), "somebody-joins", AddMember(name="P1", which="new"))
    assert "Somebody called P1 has come to the group since the preview." in run_import(job).error
    assert not Play.objects.exists()


def test_name_that_looks_like_an_account_is_refused_first(group, upload, confirm):
    upload(make_table(12).replace(b"P8", b"Will0w").replace(b"Will0w", b"WiIIow"))
    job = confirm()
    accounts_services.create_account("Willow", "cheese-and-thyme-42")
    assert "looks like another name" in run_import(job).error
    assert not Play.objects.exists()


def test_somebody_who_left_the_group_imports_nothing(group, player, upload):
    upload(make_table(12), player.client)
    player.client.post(f"/groups/{group.code}/plays/import/preview/", {"key": "confirm-the-import"})
    Member.objects.filter(person=player).delete()
    assert run_import(Job.objects.get(kind=services.IMPORT_JOB)).state == "failed"
    assert not Play.objects.exists()


def test_key_of_an_older_import_is_not_taken_for_another_file(group, master, upload, confirm):
    upload(make_table(12))
    run_import(confirm())
    upload(make_table(13, people=8))
    answer = master.client.post(f"/groups/{group.code}/plays/import/preview/", {"key": "confirm-the-import"})
    assert answer.status_code == 409


def test_a_part_needs_few_queries_however_many_plays_the_group_has(group, upload, confirm):
    upload(make_table(services.PLAYS_AT_ONCE * 3, people=services.PEOPLE_AT_ONCE * 2, games=40))
    job = confirm()
    parts: dict[str, list[int]] = {}
    with CaptureQueriesContext(connection) as queries:

        def progress(words, k=0, n=0):
            parts.setdefault(words, []).append(len(queries))

        run_import(job, progress)
    plays, people = parts["Importing the plays"], parts["Adding the people"]
    counts = [later - earlier for earlier, later in pairwise(plays)]
    assert len(counts) == 2
    # SQLite takes 999 values in a statement; the plays of a part are 100 rows, their players 400.
    assert max(counts) < 30, counts
    assert people[1] - people[0] < 25


@pytest.mark.django_db(transaction=True)
def test_others_write_between_two_parts(group, master, upload, confirm, small_parts):
    """A note of somebody else in the same group, on a connection of its own, while the import is under way."""
    upload(make_table(18))
    job = confirm()
    written = []

    def write_beside():
        try:
            entry = groups_services.add_by_name(
                group,
                Who.of(master),
                f"beside-{len(written)}-key",
                AddMember(name=f"Guest {len(written)}", which="new"),
            )
            written.append(entry.pk)
        finally:
            connections.close_all()

    def progress(words, k=0, n=0):
        if words == "Importing the plays":
            thread = threading.Thread(target=write_beside)
            thread.start()
            thread.join(60)
            assert not thread.is_alive(), "it waits for the import"

    run_import(job, progress)
    assert job.state == "done", job.error
    assert len(written) == 4
    assert (Play.objects.count(), everything()["twice"]) == (18, 0)
