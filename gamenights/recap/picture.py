"""A night as a 1200 by 630 picture for chats and link previews: who won it, the table, a story."""

from __future__ import annotations

from art.picture import WIDTH, Words, draw_leaf
from gamenights.recap.display import RecapDisplay
from gamenights.standings.core.titles import count
from heraldry import draw_arms_at

MAX_ROWS = 6


def draw_picture(display: RecapDisplay, under: str) -> bytes:
    drawing = ""
    words = [Words(display.recap.headline, WIDTH / 2, 222, 38, WIDTH - 140, align="middle", italic=True)]
    for at, one in enumerate(display.table[:MAX_ROWS]):
        x, y = (90, 640)[at % 2], 268 + at // 2 * 86
        if one.arms is not None:
            drawing += draw_arms_at(one.arms, x, y, 56)
        ink = "rubric" if one.row.place == 1 and one.row.wins else "ink"
        wins = f"{count(one.row.wins, 'win')} of {one.row.contests}"
        words.append(Words(one.row.name, x + 78, y + 24, 32, 400, ink, bold=True))
        words.append(Words(wins, x + 78, y + 53, 20, 400, "ink-2"))
    for at, story in enumerate(display.stories[:2]):
        words.append(Words(story.text, WIDTH / 2, 548 + at * 28, 20, WIDTH - 360, "ink-2", "middle"))
    return draw_leaf(display.night.name, under, drawing, words)
