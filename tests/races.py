"""Run many threads at the same moment. A race is a module with a function ``race`` that returns the outcome.

python -m tests.races tests.log.log_race SAME_KEY 12

runs one as a program on its own database and prints the result as JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import django
from django.db import connection

from refusal import Refusal


@dataclass(slots=True)
class Outcome:
    """The result of one thread."""

    value: Any = None
    error: Exception | None = None

    @property
    def refusal(self) -> Refusal | None:
        return self.error if isinstance(self.error, Refusal) else None

    def __str__(self) -> str:
        if self.refusal:
            return f"refused {self.refusal.status}"
        return str(self.value) if self.error is None else f"{type(self.error).__name__}: {self.error}"


def run_at_once(acts: Iterable[Callable[[], Any]]) -> list[Outcome]:
    """Run each act in its own thread, all at the same moment, and return the outcomes in order."""
    waiting = list(acts)
    outcomes = [Outcome() for _ in waiting]
    start = threading.Barrier(len(waiting))

    def run(act: Callable[[], Any], outcome: Outcome) -> None:
        start.wait()
        try:
            outcome.value = act()
        except Exception as error:
            outcome.error = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in zip(waiting, outcomes, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=90)
        assert not thread.is_alive(), "a thread of the race did not finish"
    return outcomes


def describe_outcomes(outcomes: Iterable[Outcome]) -> list[str]:
    """The outcomes as sorted text, because the order of threads is random."""
    return sorted(map(str, outcomes))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(json.dumps(importlib.import_module(sys.argv[1]).race(*sys.argv[2:])))
