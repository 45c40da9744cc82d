"""Print jobs that run in the test's own process, because other processes do not see the test database."""

from __future__ import annotations

import importlib
import json

from jobs import registry as jobs_registry
from refusal import Refusal


class InProcessChild:
    """Stands in for the child process; tests/printing/test_killed_worker.py has the real one."""

    def __init__(self, work, args, folder, megabytes) -> None:
        self.written: list[dict] = []
        folder.mkdir(parents=True)
        module, _, name = work.partition(":")
        function = getattr(importlib.import_module(module), name)
        tell = lambda stage, k=0, n=0: self.written.append({"stage": stage, "k": k, "n": n})  # noqa: E731
        try:
            outcome = function(jobs_registry.JobContext(json.loads(json.dumps(args)), tell, folder))
            end = {"end": "done", "facts": dict(outcome.facts), "file": outcome.file.name, "saved_as": outcome.saved_as}
        except Refusal as refusal:
            end = {"end": "refused", "sentence": refusal.sentence}
        self.written.append(end)

    def reports(self, seconds):
        return self.written

    def is_too_big(self):
        return False

    def kill(self):
        pass
