"""The board of Your Majesty: every question can be laid out, selected and confirmed."""

from __future__ import annotations

from cardgames.drawing import deck_pictures_of
from cardgames.engine import FastRng
from cardgames.games import new_table, replay
from cardgames.tables.board_layout import frame_board
from tests.cardgames.engine import game_laws


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
                        assert frame.button or frame.is_choosing_target
            game_laws.step(live, rng)
    assert {"act", "pay", "claim", "reform", "invite", "lend", "attend", "defend", "steal", "letters"} <= kinds
