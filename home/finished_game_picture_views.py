"""A finished card game as a 1200 by 630 picture for chats: the headline, everybody's arms, names and points."""

from __future__ import annotations

import io

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from PIL import Image, ImageDraw

from campaign.map.png import CARD, INK, INK_2, LINE, PAPER, RUBRIC, RULE
from campaign.map.png_shields import draw_shield, draw_symbol
from campaign.map.png_text import ImageText, draw_texts
from cardgames.models import Table
from cardgames.selectors import get_visible_table
from cardgames.tables.display import build_table_display
from cardgames.tables.finale_display import FinaleDisplay, build_finale
from cardgames.tables.load_from_log import load_running_table
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
    width, height = CARD
    image = Image.new("RGB", CARD, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((18, 18, width - 19, height - 19), outline=RULE)
    draw.rectangle((24, 24, width - 25, height - 25), outline=LINE)
    words = [
        ImageText(finale.headline, width / 2, 96, 56, width - 140, bold=True, align="middle", ink=RUBRIC),
        ImageText(under, width / 2, 148, 26, width - 160, ink=INK_2, align="middle"),
    ]
    draw.line(((80, 180), (width - 80, 180)), fill=LINE, width=1)
    draw.line(((80, 183), (width - 80, 183)), fill=LINE, width=1)
    column = (width - 120) / len(finale.seats)
    crown = draw_symbol("c-crown", 44)
    for place, seat in enumerate(finale.seats):
        x = 60 + column * (place + 0.5)
        picture = draw_shield(seat.arms, 120) if seat.arms else None
        if picture is not None:
            image.paste(picture, (round(x - picture.width / 2), 250), picture)
        else:
            mouse = draw_symbol("c-mouse-head", 110)
            image.paste(INK_2, (round(x - mouse.width / 2), 260), mask=mouse)
        if seat.won:
            image.paste(RUBRIC, (round(x - crown.width / 2), 198), mask=crown)
        ink = RUBRIC if seat.won else INK
        points = str(seat.points) if finale.has_points else ""
        words += [
            ImageText(seat.name, x, 430, 32, column - 16, bold=True, align="middle", ink=ink),
            ImageText(seat.role_name, x, 464, 22, column - 16, ink=INK_2, align="middle"),
            ImageText(points, x, 524, 52, column - 16, bold=True, align="middle", ink=ink),
        ]
    decisive = next((text for text, is_decisive in finale.reasons if is_decisive), "")
    words.append(ImageText(decisive, width / 2, 574, 22, width - 360, ink=INK_2, align="middle"))
    words.append(ImageText("Mice-at-Arms", width - 50, height - 46, 19, 200, ink=RUBRIC, align="end", caps=True))
    text_layer = draw_texts([word for word in words if word.text], width, height)
    image.paste(text_layer, (0, 0), text_layer)
    out = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
