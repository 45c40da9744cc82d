"""The owner's page, the nightly copy, clean-up."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from jobs import timers, turns_and_leases
from jobs.models import Due, Job, State
from log import services as log_services
from log.models import Entry, Receipt
from ops import backup, cleanup, health
from ops.job_kinds import BACKUP, NIGHT, TIDY
from people.models import LogIn, Pass

DAY = dt.timedelta(days=1)


@pytest.fixture(autouse=True)
def places(settings, tmp_path):
    settings.VAR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.BACKUPS = tmp_path / "backups"
    settings.BACKUPS.mkdir()


@pytest.fixture
def owner(make_person):
    owner = make_person("Bram")
    owner.account.is_staff = True
    owner.account.save()
    return owner


def keep_copy(settings, day: int, size: int = 10):
    path = backup.new_copy_path(dt.datetime(2026, 5, day, 4, 0, tzinfo=dt.UTC))
    path.write_bytes(b"x" * size)
    return path.name


class TestOwnerPage:
    ADDRESSES = [("get", "/ops/"), ("post", "/ops/backup/"), ("post", "/ops/tidy/"), ("get", "/ops/copies/{name}")]

    @pytest.mark.parametrize(("method", "address"), ADDRESSES)
    def test_page_is_hidden_from_others(self, method, address, client, player, settings):
        address = address.format(name=keep_copy(settings, 1))
        assert getattr(player.client, method)(address).status_code == 404
        assert getattr(client, method)(address).status_code == (302 if method == "get" else 403)
        assert not Job.objects.exists()

    def test_page_shows_copies_health_and_database(self, owner, settings):
        keep_copy(settings, 1, size=5 * 2**20)
        timers.start_recurring_timers()
        turns_and_leases.note_seen()
        page = owner.client.get("/ops/").content.decode()
        assert "5.0\xa0MB" in page
        assert "Everything is running." in page
        assert connection.display_name in page

    def test_pressing_twice_makes_one_backup(self, owner):
        for _ in range(2):
            assert owner.client.post("/ops/backup/")["Location"] == "/ops/"
        job = Job.objects.get()
        assert (job.kind, job.owner) == (BACKUP, owner)
        assert "Cancel" in owner.client.get("/ops/").content.decode()

    def test_only_copies_can_be_downloaded(self, owner, settings, tmp_path):
        name = keep_copy(settings, 1)
        (settings.BACKUPS / "notes.txt").write_text("private")
        (tmp_path / "secret_key").write_text("secret")
        assert b"".join(owner.client.get(f"/ops/copies/{name}").streaming_content) == b"x" * 10
        for other in ("notes.txt", "..%2Fsecret_key", "../secret_key", "companion-2026-05-02-040000.zip"):
            assert owner.client.get(f"/ops/copies/{other}").status_code == 404


class TestNightlyRun:
    def test_requests_one_clean_up_and_one_backup(self, db):
        timers.start_recurring_timers(timezone.now() - 3 * DAY)
        due = Due.objects.get(kind=NIGHT)
        assert timers.fire_timer(due, timezone.now())
        assert sorted(Job.objects.values_list("kind", flat=True)) == [BACKUP, TIDY]
        from ops.job_kinds import _run_nightly

        _run_nightly(due)  # by a process that died before it could record that
        assert Job.objects.count() == 2
        assert Due.objects.get(kind=NIGHT).due_at > timezone.now()

    def test_next_night_requests_them_again(self, db):
        timers.start_recurring_timers(timezone.now() - 3 * DAY)
        timers.fire_due_timers()
        Job.objects.update(state=State.DONE)
        Due.objects.filter(kind=NIGHT).update(due_at=timezone.now())
        timers.fire_due_timers()
        assert Job.objects.filter(kind=BACKUP).count() == 2

    def test_only_the_newest_copies_are_kept(self, settings):
        settings.KEEP_COPIES = 3
        names = [keep_copy(settings, day) for day in range(1, 7)]
        (settings.BACKUPS / "by-hand.zip").write_text("mine")
        assert backup.prune_copies() == 3
        assert [copy.name for copy in backup.list_copies()] == names[:2:-1]
        assert (settings.BACKUPS / "by-hand.zip").exists()
        settings.KEEP_COPIES = 0
        assert backup.prune_copies() == 0


class TestCleanUp:
    def test_old_receipts_are_deleted_and_entries_stay(self, transactional_db):
        log = log_services.create_log("x")
        for number in range(3):
            log_services.write(
                log.pk,
                who="p",
                key=f"key-{number:05}",
                body={},
                act=lambda writer: {"n": writer.append("a", actor=None).number},
            )
        Receipt.objects.filter(key="key-00000").update(at=timezone.now() - 91 * DAY)
        assert cleanup.clean_up()["receipts"] == 1
        assert Receipt.objects.count() == 2
        assert Entry.objects.count() == 3

    def test_many_rows_are_deleted_in_small_batches(self, db, monkeypatch):
        monkeypatch.setattr(cleanup, "AT_ONCE", 10)
        log = log_services.create_log("x")
        old = timezone.now() - 91 * DAY
        Receipt.objects.bulk_create(
            Receipt(log=log, actor="p", key=f"{n}", digest="", answer={}, at=old) for n in range(35)
        )
        assert cleanup.clean_up()["receipts"] == 35

    def test_files_of_old_jobs_are_deleted_before_their_rows(self, db, settings):
        def job(days: int, file: str, **fields) -> Job:
            path = settings.MEDIA_ROOT / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")
            ago = timezone.now() - days * DAY
            return Job.objects.create(kind="x", state=State.DONE, file=file, finished_at=ago, **fields)

        fresh, old = job(29, "jobs/1-a/f.pdf"), job(31, "jobs/2-b/f.pdf")
        shared_old, shared_new = job(31, "jobs/3-c/f.pdf"), job(1, "jobs/3-c/f.pdf")
        ancient = job(181, "jobs/4-d/f.pdf")
        waiting = Job.objects.create(kind="x", created_at=timezone.now() - 400 * DAY)
        taken = cleanup.clean_up()
        assert (taken["job_files"], taken["jobs"]) == (2, 1)
        assert fresh.path
        assert shared_new.path  # somebody else's row handed out the same file
        old.refresh_from_db()
        shared_old.refresh_from_db()
        assert (old.file, shared_old.file) == ("", "")
        assert not (settings.MEDIA_ROOT / "jobs" / "2-b").exists()
        assert not (settings.MEDIA_ROOT / "jobs" / "4-d").exists()
        assert not Job.objects.filter(pk=ancient.pk).exists()
        assert Job.objects.filter(pk=waiting.pk).exists()

    def test_leftovers_of_interrupted_jobs_are_deleted(self, db, settings):
        import os

        stray, young, named = (settings.MEDIA_ROOT / "jobs" / name for name in ("9-stray", "9-young", "7-token"))
        for folder in (stray, young, named):
            folder.mkdir(parents=True)
        Job.objects.create(pk=7, kind="x", state=State.RUNNING, lease_token="token")
        part = settings.BACKUPS / "companion-2026-05-01-040000.zip.part"
        part.touch()
        long_ago = (timezone.now() - 2 * DAY).timestamp()
        for path in (stray, named, part):
            os.utime(path, (long_ago, long_ago))
        assert cleanup.clean_up()["strays"] == 2
        assert (stray.exists(), young.exists(), named.exists(), part.exists()) == (False, True, True, False)

    def test_expired_passes_and_sessions_are_deleted(self, db, player):
        now = timezone.now()
        alive = Pass.objects.create(kind="x", expires_at=now - 89 * DAY)
        forever = Pass.objects.create(kind="x")
        Pass.objects.create(kind="x", expires_at=now - 91 * DAY)
        Pass.objects.create(kind="x", revoked_at=now - 91 * DAY)
        LogIn.objects.create(person=player, how="password", last_seen=now - 366 * DAY)
        recent = LogIn.objects.create(person=player, how="password")
        Session.objects.create(session_key="old", expire_date=now - DAY)
        Session.objects.create(session_key="new", expire_date=now + DAY)
        taken = cleanup.clean_up()
        assert (taken["passes"], taken["log_ins"]) == (2, 2)
        assert set(Pass.objects.all()) == {alive, forever}
        assert recent in LogIn.objects.all()
        assert Session.objects.filter(session_key="new").exists()

    def test_clean_up_runs_as_a_command(self, db, capsys):
        call_command("tidy")
        assert len(capsys.readouterr().out.splitlines()) == len(cleanup.CHORES)


def test_sizes_of_the_parts_of_var_add_up(db, settings):
    (settings.MEDIA_ROOT / "jobs").mkdir(parents=True)
    (settings.MEDIA_ROOT / "jobs" / "a").write_bytes(b"x" * 100)
    (settings.MEDIA_ROOT / "b").write_bytes(b"x" * 10)
    (settings.VAR / "secret_key").write_bytes(b"x" * 5)
    sizes = {part.name: (part.size, part.files) for part in health.storage_parts()}
    assert sizes["Made by jobs"] == (100, 1)
    assert sizes["Other files"] == (10, 1)
    assert sizes["Database"][0] > 0
