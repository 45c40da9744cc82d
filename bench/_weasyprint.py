"""WeasyPrint to measure against, in a temporary environment, and the same sheets as HTML for it."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

from bench._anchors import Anchors

# The first time is for a process that has printed nothing yet, without its start-up and imports.
RENDER = """
import sys, time
from pathlib import Path
from weasyprint import HTML
text, count = Path(sys.argv[1]).read_text(), int(sys.argv[2])
for _ in range(count):
    begin, clock = time.process_time(), time.perf_counter()
    pdf = HTML(string=text).write_pdf()
    print(time.process_time() - begin, time.perf_counter() - clock, len(pdf), flush=True)
"""


class Weasy:
    """``with Weasy() as weasy``: ``weasy.times(html, count)`` returns processor and wall-clock seconds, or None."""

    def __enter__(self) -> Weasy:
        self.folder = Path(tempfile.mkdtemp(prefix="bench-weasyprint-"))
        self.python = self.folder / "bin" / "python"
        uv = Path(sys.executable).parent / "uv"
        self.there = (
            uv.exists()
            and Anchors._run(uv, "venv", "-q", "--python", sys.executable, str(self.folder))
            and Anchors._run(uv, "pip", "install", "-q", "--python", str(self.python), "weasyprint")
            and self.times("<p>one</p>", 1) is not None
        )
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def times(self, html: str, count: int) -> list[tuple[float, float]] | None:
        path = self.folder / "sheet.html"
        path.write_text(html, encoding="utf-8")
        words = [str(self.python), "-W", "ignore", "-c", RENDER, str(path), str(count)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            return None
        rows = [line.split() for line in done.stdout.splitlines()]
        return [(float(row[0]), float(row[1])) for row in rows]


STYLE = """
@page { size: A4; margin: 15mm 17mm 16mm } body { font: 10.4pt serif; color: #1d1a16 } h2 { font-variant: small-caps }
.page { break-before: page } .map { position: relative; width: 167mm; height: 167mm } .map > * { position: absolute }
.label { background: #fff; border: .3pt solid; text-align: center; font-size: 9pt }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: .3pt solid #a79d8c; padding: 1pt 3pt; text-align: left }
.unit { break-inside: avoid; border: .3pt dashed; padding: 4mm; width: 84mm; float: left; height: 72mm }
.box { display: inline-block; width: 6mm; height: 6mm; border: .6pt solid }
.stat { display: inline-block; width: 13mm; text-align: center; font-size: 15pt }
.token { float: left; width: 18mm; height: 18mm; border: .6pt solid; border-radius: 50% }
.token { text-align: center; font-size: 6.4pt }
.round { border-radius: 50%; font-size: 7pt; text-align: center } .stat small { display: block; font-size: 7pt }
"""


def page(body: str) -> str:
    return f'<!doctype html><html lang="en"><title>A sheet</title><style>{STYLE}</style>{body}</html>'


def chronicle(drawn: str) -> str:
    """The battles of a chronicle, from the same JSON that the template reads."""
    data = json.loads(drawn)
    sources = _sources(data)
    return page("".join(_battle(row, sources) for row in data["sheet"]["battles"] if row["number"]))


def _sources(data: dict[str, object]) -> dict[str, str]:
    return {
        key: "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
        for key, svg in data["pictures"].items()
    }


def _battle(row: dict[str, object], sources: dict[str, str]) -> str:
    effects = "".join(
        f"<tr><td>{_shields(effect['arms'], sources)}</td><td><b>{escape(effect['text'])}</b> "
        f"{escape(effect['name'])}</td><td>{escape(effect['why'])}</td></tr>"
        for effect in row["effects"]
    )
    sides = " against ".join(f"{_shields(side['arms'], sources)} {escape(side['name'])}" for side in row["sides"])
    return (
        f'<section class="page"><h2>Battle {row["number"]}</h2><p>{row["day"]}, {row["scenario"]}, '
        f"for {escape(row['place'])}</p>"
        f"<p>{sides}</p><p><i>{escape(row['tale'])}</i></p>"
        f"{_map(row['map'], sources)}<table>{effects}</table></section>"
    )


def _shields(arms: list[dict[str, str]], sources: dict[str, str]) -> str:
    return "".join(f'<img src="{sources[arm["picture"]]}" style="width:6mm" alt="">' for arm in arms)


def _map(drawn: dict[str, object], sources: dict[str, str]) -> str:
    u = 167 / drawn["size"]

    def at(box: dict[str, object]) -> str:
        return f"left:{box['x'] * u:.2f}mm;top:{box['y'] * u:.2f}mm;width:{box['w'] * u:.2f}mm"

    def piece(box: dict[str, object]) -> str:
        return f'<img src="{sources[box["picture"]]}" style="{at(box)}" alt="">'

    whole = '<img src="{}" style="left:0;top:0;width:167mm" alt="">'
    labels = "".join(
        f'<div class="label" style="{at(label)}">{escape(label["name"])}</div>' for label in drawn["labels"]
    )
    inner = (
        whole.format(sources[drawn["under"]])
        + "".join(map(piece, drawn["lands"]))
        + whole.format(sources[drawn["over"]])
        + "".join(map(piece, (*drawn["castles"], *drawn["shields"])))
        + labels
    )
    return f'<div class="map">{inner}</div>'


def roster(drawn: str) -> str:
    """A roster card by card, with shields, boxes and the final card, as the template draws it."""
    data = json.loads(drawn)
    sources = _sources(data)
    body = ""
    for army in data["sheet"]["rosters"]:
        cards = "".join(_unit(row, sources) for row in army["units"])
        head = (
            f"{_shields([army['arms']], sources)} <h1>{escape(army['title'])}</h1><p>{escape(army['under'])} loyalty "
            f"{army['loyalty']}</p>"
        )
        tokens = "".join(_token(row, word, sources) for row in army["units"] for word in ("acted", "flees"))
        body += f"{head}{cards}{_glance(army)}{tokens}"
    return page(body)


def _unit(row: dict[str, object], sources: dict[str, str]) -> str:
    stats = "".join(
        f'<span class="stat">{escape(row[key])}<small>{key}</small></span>'
        for key in ("q", "sq", "ac", "move", "melee", "shots")
    )
    boxes = "".join(BOX for model in row["boxes"] for _ in range(model["wounds"])) + f" fleeing {BOX}"
    hero = f"<p><b>{escape(row['hero'][0])}</b> {escape(row['hero'][2])}</p>" if row["hero"] else ""
    notes = "".join(f"<p>{escape(note)}</p>" for note in row["notes"])
    rounds = "acted " + "".join(f'<span class="box round">{number}</span> ' for number in range(1, 7))
    return (
        f'<div class="unit">{_shields([row["arms"]], sources)}<h2>{escape(row["name"])}</h2>'
        f"<i>{escape(row['sender'])}</i>"
        f"<div>{stats}</div><div>{boxes}</div>{hero}{notes}<div><small>{escape(row['removal'])}</small> "
        f"{rounds}</div></div>"
    )


def _token(row: dict[str, object], word: str, sources: dict[str, str]) -> str:
    return f'<div class="token">{_shields([row["arms"]], sources)}<br>{word}</div>'


BOX = '<span class="box"></span> '


def _glance(army: dict[str, object]) -> str:
    tables = "".join(
        "<table>"
        + "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        + "</table>"
        for rows in (army["morale"], army["prices"])
    )
    totals = "".join(f'<span class="stat">{value}<small>{key}</small></span>' for key, value in army["totals"].items())
    notes = " ".join(escape(note) for note in army["notes"])
    return f'<div class="unit"><h2>At a glance</h2><div>{totals}</div>{tables}<div>{BOX * 14}</div><p>{notes}</p></div>'
