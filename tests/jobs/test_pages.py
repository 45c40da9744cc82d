"""Jobs as their owner sees them, on the page and as JSON; for everybody else they are not there."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.urls import reverse

from jobs import desk
from jobs.models import Job, State


@pytest.fixture
def job(db, player):
    job = desk.ask("adds", {"a": 1, "b": 2}, player)
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, stage="Printing", done=23, total=40, lease_token="x")
    job.refresh_from_db()
    return job


def at(name: str, job: Job) -> str:
    return reverse(f"jobs:{name}", args=[job.pk])


def test_a_stranger_at_the_door_is_shown_the_way_in(client, db):
    assert client.get("/jobs/")["Location"] == "/log-in/?next=%2Fjobs%2F"


def test_the_list_says_honestly_how_far_each_is(player, job):
    page = player.client.get("/jobs/").content.decode()
    assert "Printing: 23 of 40." in page
    assert 'max="40" value="23"' in page


def test_work_that_cannot_know_how_much_there_is_shows_no_share(player, job):
    Job.objects.update(done=7, total=0)
    page = player.client.get(at("row", job)).content.decode()
    assert "Printing: 7." in page
    assert "value=" not in page.split("<progress")[1].split("</progress>")[0]


def test_a_waiting_job_says_how_many_stand_before_it(player, job):
    second = desk.ask("adds", {"a": 1, "b": 2}, player)
    assert "1 other stands before it." in player.client.get(at("row", second)).content.decode()


def test_only_an_open_job_fetches_itself_again(player, job):
    assert 'hx-trigger="every 1s"' in player.client.get(at("row", job)).content.decode()
    desk.cancel(job)
    assert "hx-trigger" not in player.client.get(at("row", job)).content.decode()


def test_calling_off_from_the_page_gives_back_the_row(player, job):
    answer = player.client.post(at("cancel", job), headers={"HX-Request": "true"})
    assert "called off" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert player.client.post(at("retry", job))["Location"] == at("job", job)
    job.refresh_from_db()
    assert job.state == State.QUEUED


def test_too_late_to_call_off_is_a_sentence(player, job):
    Job.objects.update(state=State.DONE)
    answer = player.client.post(at("cancel", job), headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert "nothing left to call off" in answer.content.decode()


def test_why_it_failed_stands_there_escaped(player, job):
    Job.objects.update(state=State.FAILED, error="No <queen> in the deck.")
    assert "No &lt;queen&gt; in the deck." in player.client.get("/jobs/").content.decode()


@pytest.mark.parametrize("name", ["job", "row", "file"])
def test_what_is_not_ones_own_is_not_there_to_be_seen(name, job, stranger, client):
    assert stranger.client.get(at(name, job)).status_code == 404
    assert client.get(at(name, job)).status_code == 404


@pytest.mark.parametrize("name", ["cancel", "retry"])
def test_nor_to_be_touched(name, job, stranger):
    assert stranger.client.post(at(name, job)).status_code == 404
    assert stranger.client.post(f"/api/v1/jobs/{job.pk}/{name}/").status_code == 404
    job.refresh_from_db()
    assert job.state == State.RUNNING


def test_an_owner_of_the_site_sees_it(job, make_person):
    owner = make_person("Bram")
    owner.account.is_staff = True
    owner.account.save()
    assert owner.client.get(at("job", job)).status_code == 200
    assert "23 of 40" not in owner.client.get("/jobs/").content.decode()  # the list is one's own


def test_what_two_asked_for_who_turned_out_to_be_one_is_seen_by_that_one(job, player, master):
    from people.models import Person

    Person.objects.filter(pk=player.pk).update(merged_into=master, joined_to=master)
    assert master.client.get(at("job", job)).status_code == 200


def test_its_file_is_handed_to_its_owner_under_its_name(do, player, stranger):
    job = do(desk.ask("writes", {"text": "Oakhold"}, player))
    answer = player.client.get(at("file", job))
    assert b"".join(answer.streaming_content) == b"Oakhold"
    assert answer["Content-Disposition"] == 'attachment; filename="Muster of Oakhold.txt"'
    assert stranger.client.get(at("file", job)).status_code == 404
    assert "Download" in player.client.get("/jobs/").content.decode()
    job.path.unlink()
    assert player.client.get(at("file", job)).status_code == 404
    assert "Download" not in player.client.get("/jobs/").content.decode()


def test_under_asgi_a_file_comes_in_pieces_and_whole(db, tmp_path):
    """Also one of WhiteNoise's: neither knows of ASGI, and Django would warn and read the whole of it first."""
    from django.core.handlers.asgi import ASGIRequest

    from jobs.handing import hand_over
    from pages.streaming import BLOCKS, PiecesMiddleware

    path = tmp_path / "big.bin"
    path.write_bytes(bytes(range(256)) * (3 * BLOCKS * 4096 // 256) + b"end")
    request = ASGIRequest({"type": "http", "method": "GET", "path": "/", "headers": []}, None)
    answer = PiecesMiddleware(lambda request: hand_over(path, "Größe.bin"))(request)

    async def pieces_of() -> list[bytes]:
        return [piece async for piece in answer]

    with ThreadPoolExecutor() as pool:  # a browser test may have left a loop running in this thread
        pieces = pool.submit(asyncio.run, pieces_of()).result()
    assert len(pieces) == 4
    assert b"".join(pieces) == path.read_bytes()
    assert answer["Content-Length"] == str(path.stat().st_size)
    assert "filename*=utf-8''Gr%C3%B6%C3%9Fe.bin" in answer["Content-Disposition"]
    answer.close()


class TestAsJson:
    def test_ones_own_and_how_far(self, job, player, stranger):
        (row,) = player.client.get("/api/v1/jobs/").json()
        assert (row["id"], row["state"], row["stage"], row["done"], row["total"]) == (
            job.pk,
            "running",
            "Printing",
            23,
            40,
        )
        assert player.client.get(f"/api/v1/jobs/{job.pk}/").json() == row
        assert stranger.client.get("/api/v1/jobs/").json() == []
        assert stranger.client.get(f"/api/v1/jobs/{job.pk}/").status_code == 404

    def test_calling_off_and_doing_again(self, job, player):
        assert player.client.post(f"/api/v1/jobs/{job.pk}/cancel/").json()["state"] == "cancelled"
        assert player.client.post(f"/api/v1/jobs/{job.pk}/retry/").json()["state"] == "queued"
        Job.objects.update(state=State.DONE)
        answer = player.client.post(f"/api/v1/jobs/{job.pk}/retry/")
        assert (answer.status_code, answer.json()) == (
            409,
            {"refusal": "This job is done. Its result is kept with it."},
        )


def test_my_data_and_forget_me(do, player, django_capture_on_commit_callbacks):
    from people import forgetting, my_data
    from people.who import Who

    job = do(desk.ask("writes", {"text": "Oakhold"}, player))
    assert [row["kind"] for row in my_data.export(player)["jobs"]] == ["writes"]
    path = job.path
    assert path.exists()
    forgetting.forget(player, by=Who.of(player))
    assert not Job.objects.filter(pk=job.pk).exists()
    assert not path.exists()


def test_the_admin_shows_and_does_not_edit(job, make_person):
    owner = make_person("Bram")
    owner.account.is_staff = owner.account.is_superuser = True
    owner.account.save()
    for model in ("jobs/job", "jobs/due", "log/log", "log/entry", "log/receipt"):
        assert owner.client.get(f"/admin/{model}/").status_code == 200
        assert owner.client.get(f"/admin/{model}/add/").status_code == 403
    page = owner.client.get(f"/admin/jobs/job/{job.pk}/change/").content.decode()
    assert 'name="_save"' not in page
    owner.client.post("/admin/jobs/job/", {"action": "call_off", "_selected_action": [job.pk]})
    job.refresh_from_db()
    assert job.state == State.CANCELLED
