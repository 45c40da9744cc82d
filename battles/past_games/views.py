"""Past games in one form, several rows: for tables that played before they came here."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from battles import bulk
from battles.forms import read_day
from campaign import reading
from campaign.annals.state import State
from campaign.annals.wording import capital, counted
from campaign.models import Campaign
from campaign.sheet import acts_open_to
from log.door import new_key
from pages.numbers import whole
from refusal import Refusal
from rulebook.scenarios import SCENARIOS


@require_http_methods(["GET", "POST"])
def past(request: HttpRequest, campaign: str) -> HttpResponse:
    found = get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log"), code=campaign)
    state = reading.state_of(found)
    if not acts_open_to(state, request.who, "result"):
        raise Refusal("Only a ruler of this campaign or its game master enters games.", status=403)
    said, looked = "", []
    if request.method == "POST":
        try:
            games = _games(request.POST, state)
            if not games:
                raise Refusal("Fill in one row at least.")
            looked = bulk.judged(found, games)
            if "preview" not in request.POST:
                written, waits = bulk.write(found, request.who, games, key=request.POST.get("key", ""))
                messages.success(request, _told(written, waits))
                return redirect(found)
        except Refusal as refusal:
            said = refusal.sentence
    context = {
        "campaign": found,
        "kingdoms": state.in_play(),
        "territories": [(key, state.place_name(key)) for key in state.holders],
        "scenarios": SCENARIOS,
        "rows": _folded(_rows(request.POST), state, {row.game.row for row in looked if row.said}),
        "looked": looked,
        "fine": bool(looked) and not any(row.said for row in looked),
        "said": said,
        "today": timezone.localdate(),
        "key": request.POST.get("key") if looked and not said else new_key(),
        "state": state,
    }
    return render(request, "battles/past.html", context, status=422 if said else 200)


def _rows(data: QueryDict) -> list[dict[str, Any]]:
    names = ("day", "attacker", "target", "outcome", "scenario", "vp_a", "vp_d", "agreed")
    return [{"n": n, **{name: data.get(f"{name}-{n}", "") for name in names}} for n in range(1, bulk.ROWS + 1)]


def _folded(rows: list[dict[str, Any]], state: State, wrong: set[int]) -> list[dict[str, Any]]:
    """One line for each game: what is filled in is said in a few words and folded; the next empty row is open, and a wrong one."""
    empty = next((row["n"] for row in rows if not _filled(row)), 0)
    for row in rows:
        row["said"] = _said(row, state) if _filled(row) else ""
        row["open"] = row["n"] == empty or row["n"] in wrong or (_filled(row) and not row["said"])
        row["more"] = bool(row["scenario"] or row["agreed"] or any(row[vp] not in ("", "0") for vp in ("vp_a", "vp_d")))
    return rows


def _filled(row: dict[str, Any]) -> bool:
    return bool(row["attacker"] or row["target"])


def _said(row: dict[str, Any], state: State) -> str:
    """A whole row in a few words; nothing, where something of it is missing."""
    attacker = state.kingdoms.get(row["attacker"])
    if attacker is None or row["target"] not in state.holders:
        return ""
    ended = {"attacker": "won", "defender": "lost", "draw": "a draw"}.get(row["outcome"], "")
    return f"{attacker.name}, {state.place_name(row['target'])}: {ended}"


def _games(data: QueryDict, state: State) -> list[bulk.PastGame]:
    games: list[bulk.PastGame] = []
    for row in _rows(data):
        if not _filled(row):
            continue
        n = row["n"]
        day = read_day(row["day"]) or (games[-1].played_on if games else None)
        if day is None:
            raise Refusal(f"Row {n}: say on which day it was played.")
        if row["attacker"] not in state.kingdoms or row["target"] not in state.holders:
            raise Refusal(f"Row {n}: say who attacked, and what.")
        if row["outcome"] not in ("attacker", "defender", "draw"):
            raise Refusal(f"Row {n}: say who won.")
        points = []
        for name in ("vp_a", "vp_d"):
            number = whole(row[name].strip() or "0")
            if number is None or number > 99:
                raise Refusal(f"Row {n}: VP are a number from 0 to 99.")
            points.append(number)
        games.append(
            bulk.PastGame(
                n, day, row["attacker"], row["target"], row["outcome"], row["scenario"] or None, (points[0], points[1]), bool(row["agreed"])
            )
        )  # fmt: skip
    return games


def _told(written: int, waits: int) -> str:
    said = []
    if written:
        said.append(f"{capital(counted(written, 'game'))} written into the chronicle.")
    if waits:
        said.append(f"{capital(counted(waits, 'game'))} {'waits' if waits == 1 else 'wait'} for the others to confirm.")
    return " ".join(said)
