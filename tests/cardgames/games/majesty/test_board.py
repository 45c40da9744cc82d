"""The board of Your Majesty: every question can be laid out, selected and confirmed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cardgames.drawing import deck_pictures_of
from cardgames.engine import FastRng
from cardgames.engine.board import PlayerRows, Scene
from cardgames.games import new_table, replay
from cardgames.tables.board_frame import Frame, frame_board
from tests.cardgames.engine import game_laws
from tests.cardgames.games.majesty.arranged_courts import (
    CANADA,
    FILLER,
    HUME,
    JEFFERSON,
    KANT,
    LAW,
    PERU,
    WOLLSTONECRAFT,
    Throne,
)
from tests.cardgames.tables.phones_at_a_question import read_record

STORY = Path(__file__).parents[1] / "majesty-story.json"


def test_every_question_is_laid_out_with_a_way_to_each_choice():
    kinds = set()
    for seats, number in ((2, 1), (4, 2), (6, 3)):
        live, rng = replay(new_table("majesty", seats, seed=b"board", options={"round_limit": 20})), FastRng(number)
        names = game_laws.NAMES[:seats]
        while live.result is None:
            seat = next((seat for seat in live.asked_seats if live.question_for(seat)), None)
            question = None if seat is None else live.question_for(seat)
            if question is not None and (question.kind not in kinds or rng.below(40) == 0):
                kinds.add(question.kind)
                keys = list(question.options)
                for path in ((), (keys[0],), (keys[-1],)):
                    probe = replay(live.to_record())
                    display = probe.seat_display(seat, names)
                    words = probe.sentence_builder(seat, names)
                    frame = frame_board(probe, seat, display, words, deck_pictures_of(probe.record.deck), path)
                    assert frame.board.title
                    if path:
                        assert frame.path[0] == path[0]
                        assert frame.button or (frame.path and not frame.is_complete)
            game_laws.step(live, rng)
    assert {"act", "pay", "claim", "reform", "invite", "lend", "attend", "defend", "steal", "letters"} <= kinds


def test_every_philosophe_of_a_cell_can_be_invited():
    """A tap on a cell selects its first card; the others are offered beside it, although that choice leads on."""
    record = read_record(str(STORY))
    rows = record.rows[: record.rows.index((3, "ask:ph-cesare-beccaria"))]

    def frame_at(path: tuple[str, ...]) -> Frame:
        live = replay(replace(record, rows=rows))
        display, words = live.seat_display(3, game_laws.NAMES[:4]), live.sentence_builder(3, game_laws.NAMES[:4])
        return frame_board(live, 3, display, words, deck_pictures_of(record.deck), path)

    (courts,) = [piece for piece in frame_at(()).board.pieces if isinstance(piece, PlayerRows)]
    cells = {cell.pick.value for row in courts.rows for cell in row.cells if cell.pick}
    beside = {value for cell in cells for value, _ in frame_at((cell,)).alternatives}
    question = replay(replace(record, rows=rows)).question_for(3)
    assert "ask:ph-cesare-beccaria" not in cells
    assert cells | beside | {"send"} == set(question.options)


@pytest.mark.parametrize(("faux_pas", "odds"), [(False, "wins on 1–6, 100 %"), (True, "wins on 1–5, 83 %")])
def test_odds_of_a_salon_follow_what_the_table_agreed(faux_pas, odds):
    """Y90: a six on the card fails, and the preview says so before the salon is held."""
    hall = Throne(
        hands=[FILLER[:2]],
        philosophes=[(JEFFERSON, KANT, WOLLSTONECRAFT, HUME)],
        colonies=[[PERU, CANADA]],
        faux_pas=faux_pas,
    )
    hall.turn().choose("salon", f"pay:{FILLER[0]}", LAW)
    live = replay(new_table("majesty", 2, seed=b"around an arranged table"))
    live.table, live.single = hall.table, hall.ask
    display = live.seat_display(0, game_laws.NAMES[:2])
    scene = Scene(
        display.view,
        [score.points for score in display.scores],
        live.sentence_builder(0, game_laws.NAMES[:2]),
        live.record.deck,
        deck_pictures_of(live.record.deck),
        display.question,
    )
    (hold,) = [preview for preview in live.game.lay_out(scene).previews if preview.key == "hold"]
    assert odds in hold.explanation
