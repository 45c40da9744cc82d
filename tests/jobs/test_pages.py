"""Jobs as their owner sees them, on the page and as JSON. Everyone else gets a 404."""

from __future__ import annotations

import pytest
from django.urls import reverse

from jobs import services as jobs_services
from jobs.models import Job, State


@pytest.fixture
def job(db, player):
    job = jobs_services.request_job("adds", {"a": 1, "b": 2}, player)
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING, stage="Printing", done=23, total=40, lease_token="x")
    job.refresh_from_db()
    return job


def at(name: str, job: Job) -> str:
    return reverse(f"jobs:{name}", args=[job.token])


def test_anonymous_visitor_is_sent_to_log_in(client, db):
    assert client.get("/jobs/")["Location"] == "/log-in/?next=%2Fjobs%2F"


def test_list_shows_the_progress_of_each_job(player, job):
    page = player.client.get("/jobs/").content.decode()
    assert "Printing: 23 of 40." in page
    assert 'max="40" value="23"' in page


def test_job_without_a_known_total_shows_no_percentage(player, job):
    Job.objects.update(done=7, total=0)
    page = player.client.get(at("row", job)).content.decode()
    assert "Printing: 7." in page
    assert "value=" not in page.split("<progress")[1].split("</progress>")[0]


def test_waiting_job_shows_its_place_in_the_queue(player, job):
    second = jobs_services.request_job("adds", {"a": 1, "b": 2}, player)
    assert "1 job ahead of it." in player.client.get(at("row", second)).content.decode()


def test_only_an_unfinished_job_refreshes_itself(player, job):
    assert 'hx-trigger="every 1s"' in player.client.get(at("row", job)).content.decode()
    jobs_services.cancel_job(job)
    assert "hx-trigger" not in player.client.get(at("row", job)).content.decode()


def test_cancelling_on_the_page_returns_the_row(player, job):
    answer = player.client.post(at("cancel", job), headers={"HX-Request": "true"})
    assert "called off" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert player.client.post(at("retry", job))["Location"] == at("job", job)
    job.refresh_from_db()
    assert job.state == State.QUEUED


def test_cancelling_too_late_is_refused_with_a_sentence(player, job):
    Job.objects.update(state=State.DONE)
    answer = player.client.post(at("cancel", job), headers={"HX-Request": "true"})
    assert answer.status_code == 409
    assert "nothing to cancel" in answer.content.decode()


def test_reason_for_failure_is_shown_escaped(player, job):
    Job.objects.update(state=State.FAILED, error="No <queen> in the deck.")
    assert "No &lt;queen&gt; in the deck." in player.client.get("/jobs/").content.decode()


@pytest.mark.parametrize("name", ["job", "row", "file"])
def test_jobs_of_others_are_hidden(name, job, stranger, client):
    assert stranger.client.get(at(name, job)).status_code == 404
    assert client.get(at(name, job)).status_code == 404


@pytest.mark.parametrize("name", ["cancel", "retry"])
def test_jobs_of_others_cannot_be_changed(name, job, stranger):
    assert stranger.client.post(at(name, job)).status_code == 404
    assert stranger.client.post(f"/api/v1/jobs/{job.pk}/{name}/").status_code == 404
    job.refresh_from_db()
    assert job.state == State.RUNNING


def test_site_owner_sees_every_job(job, make_person):
    owner = make_person("Bram")
    owner.account.is_staff = True
    owner.account.save()
    assert owner.client.get(at("job", job)).status_code == 200
    assert "23 of 40" not in owner.client.get("/jobs/").content.decode()  # the list holds only your own jobs


def test_merged_person_sees_the_jobs_of_both(job, player, master):
    from people.models import Person

    Person.objects.filter(pk=player.pk).update(merged_into=master, joined_to=master)
    assert master.client.get(at("job", job)).status_code == 200


def test_owner_downloads_the_file_under_its_name(do, player, stranger):
    job = do(jobs_services.request_job("writes", {"text": "Oakhold"}, player))
    answer = player.client.get(at("file", job))
    assert b"".join(answer.streaming_content) == b"Oakhold"
    assert answer["Content-Disposition"] == 'attachment; filename="Muster of Oakhold.txt"'
    assert stranger.client.get(at("file", job)).status_code == 404
    assert "Download" in player.client.get("/jobs/").content.decode()
    job.path.unlink()
    assert player.client.get(at("file", job)).status_code == 404
    assert "Download" not in player.client.get("/jobs/").content.decode()


class TestJson:
    def test_lists_own_jobs_with_progress(self, job, player, stranger):
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

    def test_cancels_and_retries(self, job, player):
        assert player.client.post(f"/api/v1/jobs/{job.pk}/cancel/").json()["state"] == "cancelled"
        assert player.client.post(f"/api/v1/jobs/{job.pk}/retry/").json()["state"] == "queued"
        Job.objects.update(state=State.DONE)
        answer = player.client.post(f"/api/v1/jobs/{job.pk}/retry/")
        assert (answer.status_code, answer.json()["refusal"]) == (409, "This job is done; its result is on its page.")


def test_jobs_are_exported_and_forgotten_with_their_owner(do, player, django_capture_on_commit_callbacks):
    from people import privacy
    from people.requester import Who

    job = do(jobs_services.request_job("writes", {"text": "Oakhold"}, player))
    assert [row["kind"] for row in privacy.export_my_data(player)["jobs"]] == ["writes"]
    path = job.path
    assert path.exists()
    privacy.forget_person(player, by=Who.of(player))
    assert not Job.objects.filter(pk=job.pk).exists()
    assert not path.exists()


def test_admin_is_read_only(job, make_person):
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
