"""``manage.py shell -c`` for the site of a test, many times. Loading the site takes two seconds, so it is loaded once.

Each code runs in a process of its own, forked from one that has loaded the site and done nothing else.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import select
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Console:
    """The process that has loaded the site. It ends when its input is closed."""

    def __init__(self, env: dict[str, str]) -> None:
        self.env = dict(env)
        command = [sys.executable, "-m", "tests.site_console"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.env, stdin=pipe, stdout=pipe, text=True)

    def run(self, code: str, seconds: float) -> str:
        with tempfile.TemporaryDirectory(prefix="companion-console-") as folder:
            out, err = Path(folder) / "out", Path(folder) / "err"
            self.process.stdin.write(json.dumps([code, str(out), str(err)]) + "\n")
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                self.process.kill()
                raise subprocess.TimeoutExpired("manage.py shell", seconds)
            if (status := self.process.stdout.readline().strip()) != "0":
                printed = "".join(path.read_text() for path in (out, err) if path.exists())
                raise RuntimeError(f"manage.py shell failed with {status or 'the site not loaded'}:\n{printed}")
            return out.read_text()

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def answer_codes() -> None:
    import django
    from django.urls import get_resolver

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    get_resolver().reverse_dict  # noqa: B018 - most codes name an address: all of them are loaded
    gc.freeze()  # a child that ends does not look through all of it for garbage, which takes a second
    for line in sys.stdin:
        assert threading.active_count() == 1, "a fork would lose the other threads"
        code, out, err = json.loads(line)
        if (child := os.fork()) == 0:
            _run(code, out, err)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _run(code: str, out: str, err: str) -> None:
    for name, number in ((os.devnull, 0), (out, 1), (err, 2)):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
    sys.stdin = open(0)  # noqa: SIM115 - without what the parent has read ahead
    sys.argv = ["manage.py", "shell", "-v0", "-c", code]
    runpy.run_path(str(ROOT / "manage.py"), run_name="__main__")
    sys.exit()


if __name__ == "__main__":
    answer_codes()
