"""The example files in deploy/: they start what the README starts, and a proxy knows where streams go."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess

import pytest
import yaml

from tests.services import ROOT, skip_or_fail
from tests.site.production_site import commands, is_server, settings_in

DEPLOY = ROOT / "deploy"
SERVERS = [line for line in commands() if is_server(line)]


def test_settings_are_those_of_the_readme():
    lines = (DEPLOY / "companion.env").read_text().splitlines()
    readme = {name: value for line in commands() for name, value in settings_in(line).items()}
    assert dict(line.split("=", 1) for line in lines) == readme


def test_procfile_starts_what_the_readme_starts():
    processes = dict(line.split(": ", 1) for line in (DEPLOY / "Procfile").read_text().splitlines())
    assert processes.pop("release") in commands()
    assert list(processes.values()) == SERVERS


def test_systemd_units_start_what_the_readme_starts():
    units = {}
    for path in sorted((DEPLOY / "systemd").glob("*.service")):
        unit = configparser.ConfigParser(interpolation=None, strict=False)
        unit.optionxform = str
        unit.read(path)
        units[path.name] = unit
        folder = unit["Service"]["WorkingDirectory"]
        assert unit["Service"]["ExecStart"].removeprefix(f"{folder}/") in SERVERS
        assert unit["Service"]["ReadWritePaths"] == f"{folder}/var"
    wanted = re.search(r"^Wants=(.*)$", (DEPLOY / "systemd" / "companion.target").read_text(), re.M)[1].split()
    assert sorted(wanted) == list(units)


@pytest.fixture
def units(tmp_path):
    """The units, for a user and files that are here."""
    program = shutil.which("systemd-analyze")
    if program is None:
        skip_or_fail("systemd-analyze", "systemd")
    for name in ("gunicorn", "uvicorn", "celery"):
        command = tmp_path / "companion" / ".venv" / "bin" / name
        command.parent.mkdir(parents=True, exist_ok=True)
        command.touch(0o755)
    (tmp_path / "companion.env").write_text((DEPLOY / "companion.env").read_text())
    folder = tmp_path / "units"
    folder.mkdir()
    for path in (DEPLOY / "systemd").iterdir():
        text = path.read_text().replace("/srv/companion", f"{tmp_path}/companion")
        text = text.replace("/etc/companion.env", f"{tmp_path}/companion.env")
        (folder / path.name).write_text(text.replace("User=companion", f"User={os.getuid()}"))
    return program, folder


def test_systemd_understands_the_units(units):
    program, folder = units
    words = [program, "verify", "--man=no", *map(str, folder.iterdir())]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_finds_the_services_well_protected(units):
    """It counts from 0, safe, to 10, and calls services of less than 5 OK. Without any of it they have 9.2."""
    program, folder = units
    for path in folder.glob("*.service"):
        words = [program, "security", "--offline=true", "--threshold=25", "--no-pager", str(path)]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-300:] + done.stderr


def test_steps_for_systemd_name_what_the_units_need():
    steps = (DEPLOY / "README.md").read_text()
    for path in (DEPLOY / "systemd").glob("*.service"):
        service = dict(line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
        assert f"--home-dir {service['WorkingDirectory']} --shell /usr/sbin/nologin {service['User']}\n" in steps
        assert f"install -m 600 deploy/companion.env {service['EnvironmentFile']}\n" in steps
        assert f"mkdir -p {service['ReadWritePaths']}\n" in steps
        assert service["UMask"] == "0077"
    assert "systemctl enable --now companion.target\n" in steps
    for line in commands():
        if not is_server(line) and not settings_in(line):
            assert f"runuser -u companion -- {line}" in steps


def test_compose_runs_the_same_servers_after_deploying():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    ours = {name: row for name, row in services.items() if "build" in row}
    assert set(ours) == {"deploy", "web", "live", "worker"}
    programs = {row["command"][0] for row in ours.values()}
    assert programs == {shlex.split(line)[0] for line in SERVERS} | {".venv/bin/python"}
    for name in ("web", "live", "worker"):
        assert ours[name]["depends_on"] == {"deploy": {"condition": "service_completed_successfully"}}
        known = next(line for line in SERVERS if shlex.split(line)[0] == ours[name]["command"][0])
        assert shlex.split(known)[1] in ours[name]["command"]
    for row in ours.values():
        assert set(row["environment"]) == {"PUBLIC_URL", "TRUSTED_PROXIES", "DATABASE_URL", "REDIS_URL"}
        assert (DEPLOY / row["build"]["context"] / row["build"]["dockerfile"]).is_file()
        assert {volume.split(":")[0] for volume in row["volumes"]} <= set(compose["volumes"])


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_proxies_send_streams_to_their_own_server_unbuffered(name):
    text = (DEPLOY / name).read_text()
    live = text[text.index("/live/") :]
    assert re.findall(r"127\.0\.0\.1:(\d+)", live) == ["8001", "8000"]
    assert "proxy_buffering off" in live or "flush_interval -1" in live


def test_nginx_sends_the_same_headers_everywhere():
    text = (DEPLOY / "nginx.conf").read_text()
    # One header set in a location drops those of the server: the address of the phone, the scheme, the host.
    assert not any("proxy_set_header" in location for location in re.findall(r"location [^{]*\{([^}]*)\}", text))
    assert 'proxy_set_header Connection "";' in text


def steps(kind: str) -> list[str]:
    return re.findall(rf"^{kind} (.*)$", (DEPLOY / "Containerfile").read_text(), re.M)


def test_container_installs_from_the_lock_and_starts_the_web_server():
    assert "python3 bootstrap.py run" in steps("RUN")
    assert [word for word in yaml.safe_load(steps("CMD")[0]) if ":" not in word] == [
        word for word in shlex.split(SERVERS[0]) if ":" not in word
    ]
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().split()
    assert {".git", ".venv", "var"} <= set(ignored)
