"""The production commands of the README and of deploy/, run exactly as printed."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import subprocess
from typing import Any

import pytest

from tests.site.production_site import (
    SERVERS,
    commands,
    container_commands,
    container_steps,
    is_server,
    program_of,
    settings_in,
    systemd_commands,
    wait_until,
)

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


def test_the_readme_names_what_every_process_needs():
    named = {name for line in commands() for name in settings_in(line)}
    assert {"DEBUG", "PUBLIC_URL", "DATABASE_URL", "REDIS_URL"} <= named


def test_production_commands_are_run_from_the_lock_alone(deployed):
    """What the developers' lock adds is not there."""
    python = str(deployed.code / ".venv/bin/python")
    assert subprocess.run([python, "-c", "import pytest"], capture_output=True).returncode == 1
    assert sorted(map(program_of, filter(is_server, commands()))) == sorted(SERVERS)


WAYS = {
    "readme": [line for line in commands() if is_server(line)],  # the rest was run for all of them
    "systemd": systemd_commands(),
    "containers": [*container_steps(), *container_commands()],
}


@pytest.mark.parametrize("way", WAYS)
def test_production_commands_start_the_whole_site_and_print(production, way):
    for line in WAYS[way]:
        if not is_server(line):
            production.run(line)
    for line in WAYS[way]:
        if is_server(line):
            production.start(line)
    assert sorted(production.processes) == sorted(SERVERS)
    for port in production.ports:
        wait_until(lambda port=port: production.is_up(port), f"port {port}")

    assert (production.folder / "var" / "gunicorn_addresses").read_text() == f"127.0.0.1:{production.ports['8000']}"

    # gunicorn: pages, and a stylesheet under the name that carries its fingerprint.
    account = {"name": "Maud", "password": "cheese-and-thyme"}
    if production.owner_code:  # whoever has it becomes the owner
        assert production.ask("/")[::2] == (302, "/first/")
        assert production.submit("/first/", code=production.owner_code, **account)
        production.owner_code = ""
    else:
        assert production.submit("/log-in/", **account)
    home = production.page("/")
    production.page("/rules/")
    css = re.search(r'href="(/static/css/[^"]+\.[0-9a-f]{12}\.css)"', home)
    assert css, "no stylesheet with a fingerprint in the page"
    assert "{" in production.page(css[1])
    mine, production.cookies = production.cookies, {}
    assert "password" in production.page("/log-in/")
    production.cookies = mine

    # Ready, with Redis, and with the worker's timers running.
    def all_well() -> bool:
        production.check_alive()
        return set(json.loads(production.page("/readyz"))["checks"].values()) == {"ok"}

    wait_until(all_well, "/readyz")

    # uvicorn: a page's own live stream begins, and hears what gunicorn writes.
    leads_to = production.submit("/campaigns/found/", name="The War of the Cheese", go="found")
    campaign = "/".join(leads_to.split("/")[:3]) + "/"  # /campaigns/<code>/
    live = re.search(r'data-live="(/live/[0-9]+/)"', production.page(campaign))
    assert live, "the page of a campaign has no live stream"
    connection = production.connection("8001")
    with contextlib.closing(connection):
        connection.request("GET", live[1], headers=production.headers() | {"Accept": "text/event-stream"})
        stream = connection.getresponse()
        assert stream.status == 200
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        first = version(stream)
        production.submit(campaign, to=f"{campaign}note/", key=f"note-of-the-{way}", text="Bring your own dice.")
        assert version(stream) > first

    # Celery: a print is finished, and can be read. What was printed before would not be made again.
    sheet = {"readme": "ambush", "systemd": "pitched_battle", "containers": "siege"}[way]
    production.submit(f"/print/scenario/{sheet}/", paper="a4")

    def finished() -> dict[str, Any] | None:
        job = json.loads(production.page("/api/v1/jobs/"))[0]
        assert job["state"] != "failed", job
        return job if job["state"] == "done" else None

    job = wait_until(finished, "the print")
    assert sheet.replace("_", " ") in production.read_pdf(job["file_url"]).lower()
    for name in production.processes:
        assert not re.search("ERROR|CRITICAL|Traceback", production.output(name).read_text()), name


def version(stream: http.client.HTTPResponse) -> int:
    """The next version that the stream tells; the connection's timeout ends the wait."""
    for line in iter(stream.readline, b""):
        if line.startswith(b"event: version"):
            return int(stream.readline().removeprefix(b"data: "))
    raise AssertionError("the stream ended")
