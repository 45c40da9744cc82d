"""A battle as a 1200 by 630 picture for chats and link previews: shields, place, winner, losses."""

from __future__ import annotations

from dataclasses import dataclass

from art.picture import WIDTH, Words, draw_leaf, draw_symbol
from heraldry import Arms, draw_arms_at


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
    drawing = draw_symbol("c-battle", WIDTH / 2, 240, 84, "rubric")
    words = [Words(card.verdict, WIDTH / 2, 486, 34, WIDTH - 160, align="middle", italic=True)]
    for x, side in zip((WIDTH / 4, WIDTH * 3 / 4), card.sides[:2], strict=False):
        drawing += draw_arms_at(side.arms, x - 65, 204, 130)
        words += [
            Words(side.name, x, 392, 34, 440, "rubric" if side.won else "ink", "middle", bold=True),
            Words(side.figures, x, 430, 22, 440, "ink-2", "middle"),
        ]
    for at, sentence in enumerate(card.sentences[:2]):
        words.append(Words(sentence, WIDTH / 2, 530 + at * 28, 20, WIDTH - 180, "ink-2", "middle"))
    return draw_leaf(card.title, card.under, drawing, words)
