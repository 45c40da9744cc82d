"""A battle as a 1200 by 630 picture for chats and link previews: shields, place, winner, losses."""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image, ImageDraw

from campaign.map.png import CARD, INK, INK_2, LINE, PAPER, RUBRIC, RULE
from campaign.map.png_shields import draw_shield, draw_symbol
from campaign.map.png_text import ImageText, draw_texts
from heraldry import Arms


@dataclass(frozen=True, slots=True)
class CardSide:
    name: str
    arms: Arms
    won: bool
    figures: str  # "7 VP, 1 of 5 units removed"


@dataclass(frozen=True, slots=True)
class BattleCard:
    title: str
    under: str
    verdict: str
    sides: tuple[CardSide, ...]
    sentences: tuple[str, ...]


def draw_card(card: BattleCard) -> bytes:
    width, height = CARD
    image = Image.new("RGB", CARD, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((18, 18, width - 19, height - 19), outline=RULE)
    draw.rectangle((24, 24, width - 25, height - 25), outline=LINE)
    words = [
        ImageText(card.title, width / 2, 86, 56, width - 140, bold=True, align="middle"),
        ImageText(card.under, width / 2, 138, 26, width - 160, ink=INK_2, align="middle"),
    ]
    draw.line(((80, 174), (width - 80, 174)), fill=LINE, width=1)
    draw.line(((80, 177), (width - 80, 177)), fill=LINE, width=1)
    two = card.sides[:2]
    for at, side in enumerate(two):
        x = width * (0.25 if at == 0 else 0.75)
        arms = draw_shield(side.arms, 130)
        image.paste(arms, (round(x - arms.width / 2), 204), arms)
        words += [
            ImageText(side.name, x, 392, 34, 440, bold=True, align="middle", ink=RUBRIC if side.won else INK),
            ImageText(side.figures, x, 430, 22, 440, ink=INK_2, align="middle"),
        ]
    swords = draw_symbol("c-battle", 84)
    image.paste(RUBRIC, (width // 2 - swords.width // 2, 240), mask=swords)
    words.append(ImageText(card.verdict, width / 2, 486, 34, width - 160, align="middle", italic=True))
    for at, sentence in enumerate(card.sentences[:2]):
        words.append(ImageText(sentence, width / 2, 530 + at * 28, 20, width - 180, ink=INK_2, align="middle"))
    words.append(ImageText("Mice-at-Arms", width - 50, height - 46, 19, 200, ink=RUBRIC, align="end", caps=True))
    text_layer = draw_texts(words, width, height)
    image.paste(text_layer, (0, 0), text_layer)
    out = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
