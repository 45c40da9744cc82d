"""Paper: chronicle and roster against WeasyPrint, a deck against its target, memory, and twenty people at once."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BATTLES = 40
ROSTERS = 15
RENDERS = 200
FRESH = 3
PEOPLE = 20
# Taken and retaken: each of these changes the map.
TURNS = (("k1", "k2.border_1"), ("k3", "k4.border_2"), ("k2", "k2.border_1"), ("k4", "k4.border_2"))

Row = tuple[Any, ...]


def run() -> list[Row]:
    """Use a separate database and processes."""
    folder = tempfile.mkdtemp(prefix="companion-bench-")
    env = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL")}
    env |= {"VAR": folder, "DEMO": "0", "DJANGO_SETTINGS_MODULE": "config.settings"}
    try:
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        paper = _told(env, "paper")
        # Each in a process that has printed nothing yet; the best of three.
        for sheet in ("chronicle", "deck"):
            file = Path(folder) / f"{sheet}.json"
            file.write_text(paper[sheet], encoding="utf-8")
            paper[f"{sheet} pressed"] = [_told(env, "press", sheet, str(file)) for _ in range(FRESH)]
        memory = _told(env, "memory")
        crowd = _told(env, "crowd")
        return [*_against(paper), *memory, *crowd]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _told(env: dict[str, str], *part: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "bench.printing", *part], cwd=ROOT, env=env, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def _against(paper: dict[str, object]) -> list[Row]:
    from bench import _weasyprint

    rows: list[Row] = []
    with _weasyprint.Weasy() as weasy:
        html = _weasyprint.chronicle(paper["chronicle"])
        book = [weasy.times(html, 1) for _ in range(FRESH)] if weasy.there else []
        army = weasy.times(_weasyprint.roster(paper["roster"]), ROSTERS) if weasy.there else None
    if all(book) and book and army:
        # Only our side gathers data and draws the maps: WeasyPrint gets them ready-made.
        ours = [
            gathered + least
            for gathered, least in zip(paper["gathered"], _least(paper["chronicle pressed"]), strict=True)
        ]
        theirs = _least([times[0] for times in book if times])
        note = (
            f"{ours[0] * 1000:.0f} ms for {paper['pages']} pages, "
            f"WeasyPrint {theirs[0] * 1000:.0f} ms for the {BATTLES} of its battles"
        )
        rows.append(
            (
                f"Chronicle with {BATTLES} maps, first render, WeasyPrint against ours",
                theirs[0] / ours[0],
                note + _by_the_clock(theirs, ours),
                (">=", 10),
            )
        )
        ours, theirs = _least(paper["again"]), _least(army[1:])
        note = f"{ours[0] * 1000:.0f} ms, WeasyPrint {theirs[0] * 1000:.0f} ms"
        rows.append(
            (
                "Roster, repeated, WeasyPrint against ours",
                theirs[0] / ours[0],
                note + _by_the_clock(theirs, ours),
                (">=", 8),
            )
        )
    else:
        rows.append(("WeasyPrint to compare with", 0, "it could not be had here", (">=", 1)))
    deck = _least(paper["deck pressed"])
    note = f"{deck[0] * 1000:.0f} ms, first render, fronts and backs; by the clock {deck[1] * 1000:.0f} ms"
    rows.append(("A deck of 54 cards against its target of 300 ms", deck[0] / 0.3, note, ("<=", 1)))
    return rows


def _least(times: Any) -> list[float]:
    """The best of several times: processor time and wall-clock time."""
    return [min(column) for column in zip(*times, strict=True)]


def _by_the_clock(theirs: list[float], ours: list[float]) -> str:
    return f"; by the clock {theirs[1] / ours[1]:.1f} times ({ours[1] * 1000:.0f} ms against {theirs[1] * 1000:.0f} ms)"


# ── In separate processes ───────────────────────────────────────────────────────────────────────────────


def _war(battles: int) -> Any:
    """A campaign of four kingdoms with this many battles in one season; each battle takes a territory."""
    from django.contrib.auth import get_user_model

    from campaign import services as campaign_services
    from campaign.chronicle.codec import read_sent
    from campaign.founding import services as founding_services, suggestions
    from campaign.models import Campaign
    from people.models import Person
    from people.requester import Who

    wren = Person.objects.create(name="Wren", account=get_user_model().objects.create_user("wren"))
    who = Who.of(wren)
    campaign = founding_services.found_campaign(who, key="bench-printing", name="The War of the Bench")
    for number, joins in enumerate(suggestions.suggest_kingdoms(campaign.code, 4)):
        campaign_services.write(campaign, who, replace(joins, ruler=wren.pk), key=f"joins-{number:04d}")
    for number in range(battles):
        attacker, target = TURNS[number % len(TURNS)]
        body = {
            "attacker": attacker,
            "target": target,
            "outcome": "attacker",
            "scenario": "ambush",
            "points": {attacker: 3},
        }
        campaign_services.write(
            campaign, who, key=f"fight-{number:04d}", act=read_sent("result", body), accept_late=True
        )
    return Campaign.objects.select_related("log").get(pk=campaign.pk)


def _timed(work: Any) -> tuple[list[float], Any]:
    """Processor seconds of this process, all threads together, and wall-clock seconds."""
    begin, clock = time.process_time(), time.perf_counter()
    made = work()
    return [time.process_time() - begin, time.perf_counter() - clock], made


def _press(sheet: str, text: str) -> bytes:
    from printing.sheet_registry import PaperSetting, sheet_of
    from printing.typst_compiler import SheetCompiler

    return SheetCompiler(sheet_of(sheet).template, text, PaperSetting(), stamp="{}").pdf()


def _text(sheet: str, data: Any) -> str:
    from printing.sheet_json_and_fingerprint import render_json

    return render_json(data, saves_ink=False, progress=lambda stage, k=0, n=0: None)


def _roster() -> str:
    """An army with the shields of its kingdom and its houses."""
    from heraldry import Arms
    from musters.core.army_code import decode_army
    from musters.display import House, build_roster
    from musters.quick_army import QuickArmyRequest
    from printing.sheet_registry import sheet_of

    army = decode_army(QuickArmyRequest(loyalty=1, words=("acorn", "bramble")).code()).army
    houses = [House(f"House {name}", Arms.from_seed(name)) for name in ("Reed", "Heron", "Eel", "Kingcup")]
    sheet = build_roster(
        army, title="Fenwick", under="Battle 8, against Oakhold", arms=Arms.from_seed("Fenwick"), houses=houses
    )
    return _text("army", sheet_of("army").gather(sheet))


def paper() -> dict[str, object]:
    from cardgames.games import house_deck
    from printing.sheet_registry import sheet_of
    from printing.sheets.campaign_season_book import Season
    from printing.typst_compiler import count_pages

    war = _war(BATTLES)
    gathered, text = _timed(lambda: _text("chronicle", sheet_of("chronicle").gather(Season(war, 1))))
    roster = _roster()
    _press("army", roster)
    again = [_timed(lambda: _press("army", roster))[0] for _ in range(ROSTERS)]
    cards = sheet_of("deck").gather(house_deck("monarchs"))
    deck = _text("deck", {**cards, "cards": cards["cards"][-54:]})
    return {
        "chronicle": text,
        "roster": roster,
        "gathered": gathered,
        "pages": count_pages(_press("chronicle", text)),
        "again": again,
        "deck": deck,
    }


def press(sheet: str, path: str) -> list[float]:
    text = Path(path).read_text(encoding="utf-8")
    return _timed(lambda: _press(sheet, text))[0]


def memory() -> list[Row]:
    """Peak memory after 200 different sheets in one process, compared with the peak after the first quarter."""
    base = json.loads(_roster())
    marks = []
    for number in range(RENDERS):
        base["sheet"]["rosters"][0]["title"] = f"Army {number}"
        _press("army", json.dumps(base))
        if number in (RENDERS // 4, RENDERS - 1):
            marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    note = f"{marks[0]:.0f} MB after {RENDERS // 4}, {marks[1]:.0f} MB after {RENDERS}"
    return [(f"Memory over {RENDERS} renders in one process", marks[1] / marks[0], note, ("<=", 1.2))]


def crowd() -> list[Row]:
    from bench._crowd import printing_at_once

    return printing_at_once(PEOPLE)


def main(part: str, *words: str) -> None:
    import django

    django.setup()
    print(json.dumps({"paper": paper, "press": press, "memory": memory, "crowd": crowd}[part](*words)))


if __name__ == "__main__":
    main(*sys.argv[1:])
