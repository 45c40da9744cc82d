"""make load: 500 phones at 100 card tables and 50 campaigns for three minutes. Prints a table and a verdict.

make load                                  as above
make load TABLES=10 CAMPAIGNS=5 MINUTES=1  smaller
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.faults.sites import BreakableSite
from tests.load.crowded_site import SEATS, Gathering, Processes, crowded_site, gather
from tests.load.phones import JITTER, Crowd, Phone
from tests.services import create_database, private_postgres

EVERY_CHOICE, EVERY_NOTE = 7.0, 20.0
VIEWERS = 2  # of a campaign
MAX_SECONDS = 0.150  # p95 of a choice
WHILE_PLAYING = ("choice", "tap", "live part", "campaign page", "note")


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make load", description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--campaigns", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=3)
    asked = parser.parse_args(words)
    phones = asked.tables * SEATS + asked.campaigns * VIEWERS
    print(f"{phones} phones, {asked.tables} card tables, {asked.campaigns} campaigns, {asked.minutes:g} minutes.")
    with (
        tempfile.TemporaryDirectory(prefix="companion-load-") as folder,
        private_postgres(durable=True) as server,
        crowded_site(Path(folder) / "var", create_database(server)) as site,
    ):
        print("Seating everybody …", flush=True)
        tables, campaigns = gather(site, tables=asked.tables, campaigns=asked.campaigns, viewers=VIEWERS)
        crowd, use = asyncio.run(run(site, Processes.of(site, server), tables, campaigns, asked.minutes * 60))
    return report(crowd, use)


@dataclass(frozen=True)
class Use:
    """What the processes used from the first choice to the last."""

    seconds: float
    processor: dict[str, float]
    megabytes: dict[str, float]


async def run(
    site: BreakableSite, processes: Processes, tables: list[Gathering], campaigns: list[Gathering], seconds: float
) -> tuple[Crowd, Use]:
    crowd = Crowd(site.port, site.live_port)
    at_tables = [
        [
            Phone(crowd, table.log, session, f"/tables/{table.code}/seats/{seat}/", "part/", 0)
            for seat, session in enumerate(table.phones)
        ]
        for table in tables
    ]
    at_campaigns = [
        [Phone(crowd, war.log, session, f"/campaigns/{war.code}/", "parts/", JITTER) for session in war.phones]
        for war in campaigns
    ]
    phones = [phone for group in (*at_tables, *at_campaigns) for phone in group]
    for phone in phones:  # one after the other, as people come in
        await phone.open()
    following = [asyncio.create_task(phone.follow()) for phone in phones]
    await asyncio.sleep(5)  # all streams are open
    before, begin = processes.seconds(), time.monotonic()
    until = begin + seconds
    await asyncio.gather(
        *(crowd.play(group, EVERY_CHOICE, until) for group in at_tables),
        *(crowd.write(group, EVERY_NOTE, until) for group in at_campaigns),
    )
    took, after = time.monotonic() - begin, processes.seconds()
    use = Use(took, {name: after[name] - before[name] for name in after}, processes.megabytes())
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    crowd.connections.close()
    return crowd, use


def report(crowd: Crowd, use: Use) -> int:
    print(f"\n| {'what':18} | times | p50 ms | p95 ms | p99 ms | slowest |\n|---|---:|---:|---:|---:|---:|")
    for kind, values in sorted(crowd.measured.seconds.items()):
        rows = sorted(values)
        figures = [rows[min(len(rows) - 1, int(len(rows) * share))] * 1000 for share in (0.5, 0.95, 0.99, 1)]
        print(f"| {kind:18} | {len(rows):,} | {' | '.join(f'{figure:.0f}' for figure in figures)} |")
    print(f"\n| {'process':8} | seconds of processor in {use.seconds:.0f} s | of a core | MB |\n|---|---:|---:|---:|")
    for name, seconds in use.processor.items():
        print(f"| {name:8} | {seconds:.1f} | {seconds / use.seconds:.2f} | {use.megabytes[name]:.0f} |")
    asked = sum(len(crowd.measured.seconds.get(kind, ())) for kind in WHILE_PLAYING)
    each = ", ".join(
        f"{name} {use.processor[name] * 1000 / max(1, asked):.1f} ms" for name in ("web", "postgres", "live", "phones")
    )
    print(f"\n{asked:,} requests, {asked / use.seconds:.0f} a second. Of processor for each: {each}.")
    print(f"\n{crowd.measured.finished_games} games ended. Not fine: {dict(crowd.measured.wrong) or 'nothing'}.")
    choices = sorted(crowd.measured.seconds.get("choice", [float("inf")]))
    p95 = choices[int(len(choices) * 0.95)]
    held = not crowd.measured.wrong and p95 <= MAX_SECONDS
    print(f"p95 of a choice {p95 * 1000:.0f} ms, at most {MAX_SECONDS * 1000:.0f}: {'held' if held else 'NOT HELD'}.")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
