"""manage.py serve as a real process: starts without settings, restarts quickly, stops at once, explains errors."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services import ROOT, free_port, slowdown


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_site_without_settings_serves_pages_health_and_a_demo(make_site):
    site = make_site(DEMO="1", migrated=False)
    assert site.get("/")[0] == 200
    assert site.get("/healthz")[0] == 200
    status, ready = site.get("/readyz")
    assert status == 200
    assert json.loads(ready)["ready"] is True
    printed = site.output.read_text()
    assert f"http://127.0.0.1:{site.port}/" in printed
    rows = json.loads((site.var / "demo.json").read_text())["log_ins"]
    assert [row["name"] for row in rows] == ["Wren", "Tam", "Oda"]
    assert all(row["password"] in printed for row in rows)
    for name in ("demo.json", "secret_key", "companion.sqlite3", "companion.sqlite3-wal", "companion.sqlite3-shm"):
        assert oct((site.var / name).stat().st_mode & 0o777) == "0o600", name
    assert "HOST=0.0.0.0" in printed
    # Restarted: nothing is duplicated, the log-ins are the same, and it is quick.
    before = site.shell(
        "from people.models import Person; from log.models import Entry; "
        "print(Person.objects.count(), Entry.objects.count())"
    )
    site.stop()
    site.start()
    # Measured in processor time, because wall-clock time depends on what else is running.
    assert cpu_seconds(site.process.pid) < 5
    assert json.loads((site.var / "demo.json").read_text())["log_ins"] == rows
    site.manage("demo")
    assert (
        site.shell(
            "from people.models import Person; from log.models import Entry; "
            "print(Person.objects.count(), Entry.objects.count())"
        )
        == before
    )
    assert "Removed the demo" in site.manage("demo", "--remove")
    assert "There is no demo to remove" in site.manage("demo", "--remove")
    assert site.get("/")[0] == 200


def test_ctrl_c_stops_the_site_at_once_even_with_open_streams(make_site):
    site = make_site(DEMO="1")
    log = site.shell("from campaign.models import Campaign; print(Campaign.objects.get().log_id)").strip()
    streams = []
    for _ in range(5):
        stream = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
        stream.request("GET", f"/live/{log}/", headers={"Accept": "text/event-stream"})
        answer = stream.getresponse()
        assert answer.status == 200
        assert answer.read(3)
        streams.append(stream)
    limit = 3 * slowdown()
    assert site.stop() < limit
    assert site.process.returncode == 0
    assert "Everything is saved in" in site.output.read_text()


@pytest.mark.postgres
@pytest.mark.redis
def test_site_serves_the_same_with_postgresql_and_redis(make_site, migrated_postgres_url, redis_url):
    site = make_site(DEMO="1", DATABASE_URL=migrated_postgres_url, REDIS_URL=redis_url)
    assert site.get("/")[0] == 200
    ready = json.loads(site.get("/readyz")[1])
    assert ready["ready"] is True
    assert "postgresql" in site.shell("from django.db import connection; print(connection.vendor)")
    site.stop()
    assert site.process.returncode == 0


def start(tmp_path, **env: str) -> subprocess.CompletedProcess:
    full = os.environ | {"VAR": str(tmp_path / "var"), "DEMO": "0", "PORT": str(free_port())} | env
    return subprocess.run(
        [sys.executable, "manage.py", "serve"], cwd=ROOT, env=full, capture_output=True, text=True, timeout=60
    )


def test_a_port_in_use_is_explained_in_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = start(tmp_path, PORT=str(port))
    assert done.returncode == 1
    assert f"Port {port} on 127.0.0.1 is in use" in done.stderr
    assert f"make run PORT={port + 1}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_read_only_folder_is_explained_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = start(tmp_path, VAR=str(tmp_path / "file" / "var"), SECRET_KEY="x" * 60)
    assert done.returncode == 1
    assert "Cannot write to" in done.stderr
    assert "make run VAR=" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_read_only_folder_for_the_secret_key_is_explained_too(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = start(tmp_path, VAR=str(tmp_path / "file" / "var"), SECRET_KEY="")
    assert done.returncode == 1
    assert "Cannot write to" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("name", "value"), [("SIGN_UP", "maybe"), ("HOST", "203.0.113.77")])
def test_a_wrong_setting_is_named_in_one_sentence(tmp_path, name, value):
    done = start(tmp_path, **{name: value})
    assert done.returncode == 1
    assert name in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_an_unreachable_database_is_explained_in_one_sentence(tmp_path):
    done = start(tmp_path, DATABASE_URL=f"postgresql://mice@127.0.0.1:{free_port()}/mice")
    assert done.returncode == 1
    assert "is not answering" in done.stderr
    assert "DATABASE_URL" in done.stderr
    assert "Traceback" not in done.stderr


def test_there_is_no_demo_in_production(make_site):
    site = make_site(start=False, DEBUG="0", DEMO="1", SECRET_KEY="x" * 60)
    with pytest.raises(RuntimeError, match="not available with DEBUG=0"):
        site.manage("demo")


def test_production_is_secure_by_default(make_site):
    site = make_site(DEBUG="0", PUBLIC_URL="https://mice.example.org", ALLOWED_HOSTS="127.0.0.1")
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
    connection.request("GET", "/first/")  # where a new site sends its first visitor
    answer = connection.getresponse()
    page = answer.read().decode()
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert 'name="code"' in page
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy  # for the file of symbols, in Firefox; all other kinds have their own line
    for kind in ("object-src", "media-src", "frame-src", "worker-src", "base-uri", "frame-ancestors"):
        assert f"{kind} 'none'" in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "camera=()" in answer.headers["Permissions-Policy"]
    cookies = answer.headers.get_all("Set-Cookie")
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    assert "components." in page
    assert ".css" in page
    hashed = page.split('href="/static/css/components.')[1].split('"')[0]
    connection.request("GET", f"/static/css/components.{hashed}")
    static = connection.getresponse()
    static.read()
    assert static.status == 200
    assert "immutable" in static.headers["Cache-Control"]
    connection.request("GET", "/nowhere/")
    lost = connection.getresponse()
    assert lost.status == 404
    assert "Traceback" not in lost.read().decode()
    connection.request("GET", "/", headers={"Host": "evil.example"})
    assert connection.getresponse().status == 400
