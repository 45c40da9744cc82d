"""What can go wrong under load, and how long it takes from the end of the fault until all phones write again."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.sites import BreakableSite, embedded_site, production_site, small_folder, stop_postgres
from tests.faults.writers import Count, Writers, set_up
from tests.services import private_postgres, slowdown, stop_process

# On a machine that does nothing else; beside other work, as much longer as any program then takes to start.
MAX_SECONDS = 5.0
# Load before a fault begins.
WARM_UP = 1.5
AWAY = 5.0
SMALL_DISK = 24


@dataclass
class Outcome:
    form: str
    fault: str
    recovery: float
    count: Count | None
    broken: bool = False
    note: str = ""
    busy: float = 1.0

    @property
    def passed(self) -> bool:
        if self.count is None:
            return True
        wrong = self.count.lost + self.count.doubled + self.count.holes
        return not wrong and not self.broken and self.recovery < MAX_SECONDS * self.busy

    def __str__(self) -> str:
        if self.count is None:
            return f"{self.form:<12}{self.fault:<26}{self.note}"
        count, verdict = self.count, "ok" if self.passed else "FAILED"
        return (
            f"{self.form:<12}{self.fault:<26}{count.acknowledged:>8}{count.lost:>6}{count.doubled:>9}{count.holes:>7}"
            f"{self.recovery:>11.1f} s{self.busy:>7.1f} ×  {verdict} {self.note}"
        )


# A fault does its damage, undoes it, and returns the moment of its end.
Fault = Callable[[], float]


def under_load(form: str, name: str, site: BreakableSite, fault: Fault) -> Outcome:
    writers = set_up_once(site)
    busy_before = slowdown(niceness=0)
    writers.start()
    if writers.wait_for_recovery(time.monotonic() + WARM_UP) == float("inf"):
        raise RuntimeError("the site takes no writes")
    end = fault()
    recovery = writers.wait_for_recovery(end)
    writers.stop()
    busy = (busy_before + slowdown(niceness=0)) / 2
    broken = 500 in writers.statuses
    return Outcome(form, name, recovery, writers.count(site.shell), broken, "answered 500" if broken else "", busy)


def set_up_once(site: BreakableSite) -> Writers:
    return set_up(site.shell, site.url)


def kill_and_start(site: BreakableSite, name: str) -> Fault:
    """As a supervisor does: it starts again at once, and the fault is over when the program is there to start."""

    def fault() -> float:
        site.kill(name)
        end = time.monotonic()
        site.start(name)
        return end

    return fault


def fill_disk(folder: Path) -> Fault:
    def fault() -> float:
        filler = folder / "filler"
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65536)
        time.sleep(AWAY)
        filler.unlink()
        return time.monotonic()

    return fault


@contextlib.contextmanager
def new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="companion-faults-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "var"


def embedded_faults() -> Iterator[Outcome]:
    with new_folder() as var, embedded_site(var) as site:
        yield under_load("embedded", "kill -9 the site", site, kill_and_start(site, "web"))
    with small_folder(SMALL_DISK) as folder:
        if folder is None:
            yield Outcome("embedded", "full disk", 0, None, note="not tried: only root can mount a small disk")
            return
        with embedded_site(folder / "var") as site:
            yield under_load("embedded", "full disk for 5 s", site, fill_disk(folder))


def production_faults() -> Iterator[Outcome]:
    faults = {
        "kill -9 the web server": lambda site, url: kill_and_start(site, "web"),
        "kill -9 the worker": lambda site, url: kill_and_start(site, "worker"),
        "kill -9 Redis": lambda site, url: kill_and_start(site, "redis"),
        "no PostgreSQL for 5 s": lambda site, url: lambda: restart_postgres(url, started),
    }
    started: list = []
    with private_postgres() as url:
        try:
            for name, make in faults.items():
                fresh = f"faults_{abs(hash(name)) % 10**6}"
                create_database(url, fresh)
                with new_folder() as var, production_site(var, url.rsplit("/", 1)[0] + "/" + fresh) as site:
                    yield under_load("production", name, site, make(site, url))
        finally:
            for process in started:
                stop_process(process)


def restart_postgres(url: str, started: list) -> float:
    started.append(stop_postgres(url, AWAY))
    return time.monotonic()


def create_database(url: str, name: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
