"""make bench: run every bench module, print one table, and save it in docs/BENCHMARKS.md.

A module here whose name does not begin with "_" has ``run() -> list[tuple[name, ratio, note]]``; a row
may carry a fourth value, the limit: ("<=", 30) or (">=", 10). A row that misses its limit is reported, not hidden.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib
import pkgutil
import platform
import sys
from pathlib import Path

import bench

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "BENCHMARKS.md"


def main(words: list[str]) -> int:
    options = argparse.ArgumentParser(prog="python -m bench")
    options.add_argument("wanted", nargs="*", help="run only modules with this in their names")
    options.add_argument("--without", action="append", default=[], help="leave this module out")
    options.add_argument("--keep", action="store_true", help="save a partial table too")
    given = options.parse_args(words)
    wanted, left_out = given.wanted, given.without
    rows, broken = [], []
    for info in sorted(pkgutil.iter_modules(bench.__path__), key=lambda info: info.name):
        if info.name.startswith("_") or (wanted and not any(word in info.name for word in wanted)):
            continue
        if info.name in left_out:
            continue
        module = importlib.import_module(f"bench.{info.name}")
        if not hasattr(module, "run"):
            continue
        print(f"{info.name} …", flush=True)
        try:
            for row in module.run():
                rows.append((info.name, *row))
                print(f"  {row[0]}: {row[1]:.2f}", flush=True)  # a run that is stopped has shown something
        except Exception as error:
            broken.append(f"{info.name}: {type(error).__name__}: {error}")
    text = table(rows, broken)
    if wanted:
        text += f"\nOnly these were run: {', '.join(wanted)}. `make bench` runs everything.\n"
    if left_out:
        text += f"\nNot run: {', '.join(left_out)}. `make bench` runs everything.\n"
    print("\n" + text)
    if given.keep or not (wanted or left_out):
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(text)
        print(f"Saved in {KEPT.relative_to(ROOT)}.")
    return 1 if broken else 0


def table(rows: list[tuple], broken: list[str]) -> str:
    short = []
    out = [
        "# Benchmarks",
        "",
        f"One run on {dt.date.today():%d %B %Y}, Python {platform.python_version()}, {_cores()}. "
        "Ratios are what counts; absolute figures belong to this machine and hour.",
        "",
        "| what | ratio | limit | note |",
        "|---|---:|---:|---|",
    ]
    for _, name, ratio, note, *limit in rows:
        bound = limit[0] if limit else None
        bound_words = f"{'at most' if bound[0] == '<=' else 'at least'} {bound[1]:g}" if bound else ""
        out.append(f"| {name} | {ratio:.2f} | {bound_words} | {note} |")
        if bound and not (ratio <= bound[1] if bound[0] == "<=" else ratio >= bound[1]):
            short.append(f"{name}: {ratio:.2f}, wanted {bound_words}")
    out += ["", "## What fell short", ""]
    out += [f"- {line}" for line in short + broken] or ["Nothing."]
    return "\n".join(out) + "\n"


def _cores() -> str:
    import os

    return f"{os.cpu_count()} cores"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
