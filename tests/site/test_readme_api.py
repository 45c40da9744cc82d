"""The README's curl commands, run exactly as they stand against a live site."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from django.conf import settings

from tests.services import skip_or_fail


def test_commands_found_a_campaign_and_record_a_battle(make_site):
    if shutil.which("curl") is None:
        skip_or_fail("curl", "curl")
    readme = (Path(settings.BASE_DIR) / "README.md").read_text()
    [commands] = re.findall(r"## The API\n.*?```sh\n(.*?)```", readme, re.DOTALL)
    site = make_site()
    done = subprocess.run(
        ["sh", "-eu", "-c", commands],
        env={"PATH": "/usr/bin:/bin", "SITE": site.url, "HOME": str(site.var)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    standings = json.loads(done.stdout.splitlines()[-1])
    assert [row["vp"] > 0 for row in standings] == [True, False], standings
