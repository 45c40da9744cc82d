"""A finished card game as a 1200 by 630 picture for chats: the headline, everybody's arms, names and points."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from art.picture import WIDTH, Words, draw_leaf, draw_symbol
from cardgames.models import Table
from cardgames.selectors import get_visible_table
from cardgames.tables.display import build_table_display
from cardgames.tables.finale_display import FinaleDisplay, build_finale
from cardgames.tables.load_from_log import load_running_table
from heraldry import draw_arms_at
from live.shared_parts import render_once
from people.requester import Who
from refusal import Refusal


@require_safe
def table_picture(request: HttpRequest, code: str) -> HttpResponse:
    table = get_visible_table(request, code)
    if table.state != Table.State.OVER:
        raise Refusal("The picture appears when the game is over.", status=409)

    def draw() -> HttpResponse:
        # As a stranger sees the table: the picture is sent to others.
        display = build_table_display(table, Who())
        finale = build_finale(load_running_table(table), display)
        under = f"{display.game.title}, {table.ended_at:%-d %B %Y}" if table.ended_at else display.game.title
        return HttpResponse(draw_finale(finale, under), content_type="image/png")

    return render_once(request, draw, table.log.version, content_type="image/png")


def draw_finale(finale: FinaleDisplay, under: str) -> bytes:
    drawing, words = "", []
    column = (WIDTH - 120) / len(finale.seats)
    for place, seat in enumerate(finale.seats):
        x = 60 + column * (place + 0.5)
        if seat.arms:
            drawing += draw_arms_at(seat.arms, x - 60, 250, 120)
        else:
            drawing += draw_symbol("c-mouse-head", x, 260, 110, "ink-2")
        if seat.won:
            drawing += draw_symbol("c-crown", x, 196, 44, "rubric")
        ink = "rubric" if seat.won else "ink"
        points = str(seat.points) if finale.has_points else ""
        words += [
            Words(seat.name, x, 430, 32, column - 16, ink, "middle", bold=True),
            Words(seat.role_name, x, 464, 22, column - 16, "ink-2", "middle"),
            Words(points, x, 520, 52, column - 16, ink, "middle", bold=True),
        ]
    decisive = next((text for text, is_decisive in finale.reasons if is_decisive), "")
    words.append(Words(decisive, WIDTH / 2, 574, 22, WIDTH - 360, "ink-2", "middle"))
    return draw_leaf(finale.headline, under, drawing, words, title_ink="rubric")
