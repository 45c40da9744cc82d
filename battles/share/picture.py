"""A battle as a picture of 1200 by 630, for chats and link previews: two shields, what was fought for, who won, what it cost."""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image, ImageDraw

from campaign.map.letters import Word, lettered
from campaign.map.png import CARD, INK, INK_2, LINE, PAPER, RUBRIC, RULE
from campaign.map.shields import shield, symbol
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


def card(told: BattleCard) -> bytes:
    width, height = CARD
    image = Image.new("RGB", CARD, PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((18, 18, width - 19, height - 19), outline=RULE)
    pen.rectangle((24, 24, width - 25, height - 25), outline=LINE)
    words = [
        Word(told.title, width / 2, 86, 56, width - 140, bold=True, align="middle"),
        Word(told.under, width / 2, 138, 26, width - 160, ink=INK_2, align="middle"),
    ]
    pen.line(((80, 174), (width - 80, 174)), fill=LINE, width=1)
    pen.line(((80, 177), (width - 80, 177)), fill=LINE, width=1)
    two = told.sides[:2]
    for at, side in enumerate(two):
        x = width * (0.25 if at == 0 else 0.75)
        arms = shield(side.arms, 130)
        image.paste(arms, (round(x - arms.width / 2), 204), arms)
        words += [
            Word(side.name, x, 392, 34, 440, bold=True, align="middle", ink=RUBRIC if side.won else INK),
            Word(side.figures, x, 430, 22, 440, ink=INK_2, align="middle"),
        ]
    swords = symbol("c-battle", 84)
    image.paste(RUBRIC, (width // 2 - swords.width // 2, 240), mask=swords)
    words.append(Word(told.verdict, width / 2, 486, 34, width - 160, align="middle", italic=True))
    for at, sentence in enumerate(told.sentences[:2]):
        words.append(Word(sentence, width / 2, 530 + at * 28, 20, width - 180, ink=INK_2, align="middle"))
    words.append(Word("Mice-at-Arms", width - 50, height - 46, 19, 200, ink=RUBRIC, align="end", caps=True))
    sheet = lettered(words, width, height)
    image.paste(sheet, (0, 0), sheet)
    out = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
