"""``make fuzz``: 20,000 bad requests to SQLite and to a PostgreSQL of its own, one table and a verdict.

With ``--here`` it sends them to the database of the environment, and prints its findings as JSON.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile

from tests.services import ROOT, private_postgres

REQUESTS = 20_000


def main() -> int:
    options = argparse.ArgumentParser(prog="make fuzz")
    options.add_argument("--requests", type=int, default=REQUESTS)
    options.add_argument("--seed", default="")
    options.add_argument("--here", action="store_true")
    given = options.parse_args()
    seed = given.seed or os.urandom(4).hex()
    if given.here:
        return fuzz_here(given.requests, seed)
    rows = [("SQLite", run_on("", given.requests, seed))]
    with private_postgres() as url:
        rows.append(("PostgreSQL", run_on(url, given.requests, seed)))
    print("database      requests   kinds  2xx/3xx     4xx   5xx  off schema  seconds")
    for name, result in rows:
        counts = [sum(result["statuses"].get(str(n), 0) for n in range(low, low + 100)) for low in (200, 300, 400, 500)]
        print(
            f"{name:<12}{result['requests']:>10,}{len(result['kinds']):>8}{counts[0] + counts[1]:>9,}{counts[2]:>8,}"
            f"{counts[3]:>6}{len(result['off_schema']):>12}{result['seconds']:>9.0f}"
        )
    for name, result in rows:
        for line in [*result["broken"][:20], *result["off_schema"][:20]]:
            print(f"{name}: {line}")
    passed = not any(result["broken"] or result["off_schema"] for _, result in rows)
    print(f"{'Passed' if passed else 'FAILED'}, seed {seed}.")
    return 0 if passed else 1


def run_on(url: str, requests: int, seed: str) -> dict:
    with tempfile.TemporaryDirectory(prefix="companion-fuzz-") as var:
        env = {**os.environ, "VAR": var, "DATABASE_URL": url, "SQLITE_SYNC": "normal", "REDIS_URL": "", "DEBUG": "1"}
        words = ["--here", "--requests", str(requests), "--seed", seed]
        command = [sys.executable, "-m", "tests.fuzz", *words]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr[-3000:])
    return json.loads(done.stdout.splitlines()[-1])


def fuzz_here(requests: int, seed: str) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    setup_test_environment()
    logging.disable(logging.CRITICAL)
    call_command("migrate", verbosity=0)
    from tests.fuzz.requests import Fuzzer
    from tests.fuzz.world import make_world

    result = Fuzzer(make_world(), seed).run(requests)
    print(json.dumps({**vars(result), "kinds": dict(result.kinds), "statuses": dict(result.statuses)}))
    return 0 if result.passed else 1


if __name__ == "__main__":
    sys.exit(main())
