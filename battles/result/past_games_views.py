"""One form for several past games, for groups that played before they came here."""

import datetime as dt
from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from battles.result import past_games as services
from battles.result.forms import parse_played_on
from campaign import selectors as campaign_selectors
from campaign.chronicle.acts.war import MAX_VP, Outcome
from campaign.chronicle.sentences import capitalise, count_noun
from campaign.chronicle.state import State
from log.services import new_key
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.data.scenarios import SCENARIOS


@require_http_methods(["GET", "POST"])
def past_games(request: HttpRequest, campaign: str) -> HttpResponse:
    visible = campaign_selectors.get_visible_campaign(request.who, campaign)
    state = campaign_selectors.state_of(visible)
    services.require_enter_past_games(state, request.who)
    error, checked = "", []
    if request.method == "POST":
        try:
            games = _read_games(request.POST, state)
            if not games:
                raise Refusal("Fill in at least one game.")
            checked = services.check_games(visible, games)
            if "preview" not in request.POST:
                written, pending = services.write_games(visible, request.who, games, key=request.POST.get("key", ""))
                messages.success(request, _success_message(written, pending))
                return redirect(visible)
        except Refusal as refusal:
            error = refusal.sentence
    context = {
        "campaign": visible,
        "kingdoms": state.in_play(),
        "territories": [(key, state.place_name(key)) for key in state.holders],
        "scenarios": SCENARIOS,
        "rows": _fold_rows(_rows(request.POST), state, {row.row for row in checked if row.error}),
        "checked": checked,
        "all_valid": bool(checked) and not any(row.error for row in checked),
        "error": error,
        "today": timezone.localdate(),
        "key": request.POST.get("key") if checked and not error else new_key(),
        "state": state,
    }
    return render(request, "battles/enter_past_games/past_games.html", context, status=422 if error else 200)


@dataclass(frozen=True, slots=True)
class GameRow:
    """One row of the form as it was filled in, and how it is drawn: folded to a summary, or open."""

    n: int
    day: str
    attacker: str
    target: str
    outcome: str
    scenario: str
    vp_a: str
    vp_d: str
    agreed: str
    summary: str = ""
    open: bool = False

    @property
    def is_filled(self) -> bool:
        return bool(self.attacker or self.target)

    @property
    def more(self) -> bool:
        """Whether the folded part has answers."""
        return bool(self.scenario or self.agreed or any(vp not in ("", "0") for vp in (self.vp_a, self.vp_d)))


OUTCOMES: dict[str, Outcome] = {"attacker": "attacker", "defender": "defender", "draw": "draw"}
ANSWERS = ("day", "attacker", "target", "outcome", "scenario", "vp_a", "vp_d", "agreed")


def _rows(data: QueryDict) -> list[GameRow]:
    return [GameRow(n, *(data.get(f"{name}-{n}", "") for name in ANSWERS)) for n in range(1, services.MAX_ROWS + 1)]


def _fold_rows(rows: list[GameRow], state: State, wrong: set[int]) -> list[GameRow]:
    """Fold finished rows to a summary; the next empty row and wrong rows stay open."""
    empty = next((row.n for row in rows if not row.is_filled), 0)
    folded = []
    for row in rows:
        summary = _summary(row, state) if row.is_filled else ""
        is_open = row.n == empty or row.n in wrong or (row.is_filled and not summary)
        folded.append(replace(row, summary=summary, open=is_open))
    return folded


def _summary(row: GameRow, state: State) -> str:
    """A complete row in a few words, or nothing if it is incomplete."""
    attacker = state.kingdoms.get(row.attacker)
    if attacker is None or row.target not in state.holders:
        return ""
    ended = {"attacker": "won", "defender": "lost", "draw": "a draw"}.get(row.outcome, "")
    return f"{attacker.name}, {state.place_name(row.target)}: {ended}"


def _read_games(data: QueryDict, state: State) -> dict[int, services.PastGame]:
    games: dict[int, services.PastGame] = {}
    last_day: dt.date | None = None
    for row in _rows(data):
        if not row.is_filled:
            continue
        n = row.n
        day = last_day = parse_played_on(row.day) or last_day
        if day is None:
            raise Refusal(f"Game {n}: enter the day played.")
        if row.attacker not in state.kingdoms or row.target not in state.holders:
            raise Refusal(f"Game {n}: choose the attacker and the territory.")
        if (outcome := OUTCOMES.get(row.outcome)) is None:
            raise Refusal(f"Game {n}: choose who won.")
        points = []
        for typed in (row.vp_a, row.vp_d):
            number = parse_int(typed.strip() or "0")
            if number is None or number > MAX_VP:
                raise Refusal(f"Game {n}: VP must be a number from 0 to {MAX_VP}.")
            points.append(number)
        games[n] = services.PastGame(
            day, row.attacker, row.target, outcome, row.scenario or None, points[0], points[1], bool(row.agreed)
        )
    return games


def _success_message(written: int, pending: int) -> str:
    sentences = []
    if written:
        sentences.append(f"{capitalise(count_noun(written, 'game'))} saved to the chronicle.")
    if pending:
        sentences.append(f"{capitalise(count_noun(pending, 'game'))} awaiting confirmation.")
    return " ".join(sentences)
