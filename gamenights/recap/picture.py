"""A night as a 1200 by 630 picture for chats and link previews: who won it, the table, a story."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

from campaign.map.png import CARD, INK, INK_2, LINE, PAPER, RUBRIC, RULE
from campaign.map.png_shields import draw_shield
from campaign.map.png_text import ImageText, draw_texts
from gamenights.recap.display import RecapDisplay
from gamenights.standings.core.titles import count

MOST_ROWS = 6


def draw_picture(display: RecapDisplay, under: str) -> bytes:
    width, height = CARD
    image = Image.new("RGB", CARD, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((18, 18, width - 19, height - 19), outline=RULE)
    draw.rectangle((24, 24, width - 25, height - 25), outline=LINE)
    words = [
        ImageText(display.night.name, width / 2, 86, 52, width - 140, bold=True, align="middle"),
        ImageText(under, width / 2, 134, 26, width - 160, ink=INK_2, align="middle"),
        ImageText(display.recap.headline, width / 2, 212, 38, width - 140, align="middle", italic=True),
    ]
    draw.line(((80, 158), (width - 80, 158)), fill=LINE, width=1)
    draw.line(((80, 161), (width - 80, 161)), fill=LINE, width=1)
    for at, one in enumerate(display.table[:MOST_ROWS]):
        x, y = (90, 640)[at % 2], 262 + at // 2 * 86
        if one.arms is not None:
            arms = draw_shield(one.arms, 56)
            image.paste(arms, (x, y), arms)
        ink = RUBRIC if one.row.place == 1 and one.row.wins else INK
        wins = f"{count(one.row.wins, 'win')} of {one.row.contests}"
        words.append(ImageText(one.row.name, x + 78, y + 32, 32, 280, bold=True, ink=ink))
        words.append(ImageText(wins, x + 78, y + 60, 20, 280, ink=INK_2))
    for at, story in enumerate(display.stories[:2]):
        words.append(ImageText(story.text, width / 2, 548 + at * 28, 20, width - 180, ink=INK_2, align="middle"))
    words.append(ImageText("Mice-at-Arms", width - 50, height - 40, 19, 200, ink=RUBRIC, align="end", caps=True))
    text_layer = draw_texts(words, width, height)
    image.paste(text_layer, (0, 0), text_layer)
    out = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
