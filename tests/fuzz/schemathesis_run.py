"""``make schemathesis``: somebody else's fuzzer on our schema, on a real site with the demo world, as its owner.

It is run without being installed, as ``make audit`` is: two dozen packages for one command are too many to lock.
"""

from __future__ import annotations

import subprocess
import sys

from tests.faults.faults import new_folder
from tests.faults.sites import BreakableSite
from tests.services import ROOT, wait_for

TOKEN = "c" * 32
SESSION = """
from django.contrib.auth import get_user_model
from django.test import Client
client = Client()
client.force_login(get_user_model().objects.filter(is_superuser=True).first())
print("SESSION", client.cookies["companion_session"].value)
"""
CHECKS = "not_a_server_error,content_type_conformance,response_schema_conformance"


def main(seconds: str = "120") -> int:
    with new_folder() as var:
        site = BreakableSite(var, DEMO="1")
        site.commands = {"web": [sys.executable, "manage.py", "serve"]}
        try:
            site.start()
            wait_for((var / "demo.json").exists, 60, "the demo world")
            session = site.shell(SESSION).partition("SESSION ")[2].strip()
            headers = {"Cookie": f"companion_session={session}; companion_csrf={TOKEN}", "X-CSRFToken": TOKEN}
            command = [str(ROOT / ".venv/bin/uv"), "tool", "run", "schemathesis", "run", f"{site.url}/api/schema/"]
            command += ["--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-time", seconds]
            command += ["--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure", "--no-color"]
            for name, value in headers.items():
                command += ["--header", f"{name}: {value}"]
            return subprocess.run(command, cwd=var.parent, check=False).returncode
        finally:
            site.stop()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
