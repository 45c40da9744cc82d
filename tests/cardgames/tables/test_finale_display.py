"""The end of a game: who won and why, roles, points, records, and a picture to share."""

from __future__ import annotations

import io
import re

import pytest
from django.test import Client
from PIL import Image

from cardgames.engine import RunningTable
from cardgames.games import house_deck
from cardgames.games.menagerie.scoring import (
    explain_ending as explain_menagerie,
    parse_counts,
    result as menagerie_result,
)
from cardgames.games.monarchs.scoring import explain_ending as explain_monarchs, result as monarchs_result
from cardgames.models import Result, ResultSeat, Table
from cardgames.tables import choice_services
from log.services import new_key
from tests.cardgames.tables.sample_tables import begin_sample_game, reload, seat_url

NAMES = ("Pim", "Wren", "Oda", "Tam")


def told(ending) -> list[str]:
    from cardgames.engine import SentenceBuilder

    words = SentenceBuilder(NAMES, {})
    return [words.fill(line.text, line.values) for line in (ending.headline, *ending.reasons)]


def menagerie(*tigers: int, sum_tie: str = "conspirators") -> list[str]:
    counts = [parse_counts({"white-tiger": count}) for count in tigers]
    roles = ("vizier", "loyalist", "conspirator", "conspirator")
    return told(explain_menagerie(menagerie_result(counts, roles, house_deck("menagerie"), sum_tie), {}))


def test_every_outcome_of_royal_menagerie_is_explained() -> None:
    """G60 to G63, GR-1"""
    assert menagerie(1, 2, 2, 1) == [
        "Conspirators win the tie, 4 : 4",
        "Not alone: Pim has 1, Wren has 3.",
        "Together Pim and Wren have 4; they need more than 4.",
        "Oda and Tam won. A tie goes to the Conspirators.",
    ]
    assert menagerie(1, 2, 2, 1, sum_tie="nobody")[0] == "A tie, 4 : 4. Nobody wins"
    assert menagerie(2, 0, 1, 1)[0] == "The Grand Vizier wins alone"
    assert menagerie(2, 2, 1, 1)[0] == "Vizier and Loyalist win, 6 : 2"
    assert menagerie(1, 0, 2, 2)[0] == "Conspirators win, 6 : 1"


def test_every_outcome_of_monarchs_is_explained() -> None:
    """MR-9"""
    tie = [{"red": (4, 3)}, {"blue": (3, 4)}]
    assert told(explain_monarchs(monarchs_result([{"red": (4, 3)}, {}]), {}))[0] == "Pim won with 12 points"
    assert told(explain_monarchs(monarchs_result(tie), {}))[0] == "Pim and Wren share the win with 12 points each"
    assert told(explain_monarchs(monarchs_result(tie, "crowns"), {"tiebreak": "crowns"})) == [
        "Wren won the tie at 12 points",
        "Pim and Wren tied with 12 points.",
        "Wren won: most crowns (4).",
    ]
    assert (
        told(explain_monarchs(monarchs_result(tie, "cards"), {"tiebreak": "cards"}))[-1]
        == "Wren won: fewest cards (3)."
    )
    assert told(explain_monarchs(monarchs_result([{"red": (4, 3)}]), {}))[0] == "Final score: 12"


def finish(host, game: str = "menagerie", **more):
    """A finished game in which everybody takes the last choice."""
    table, phones = begin_sample_game(host, game, **more)

    def last_options(running: RunningTable, table: Table) -> None:
        while running.result is None:
            seat = running.unanswered_seats[0]
            running.choose(seat, list(running.question_for(seat).options)[-1])

    choice_services.write_timer_moves(table, key=new_key(), change=last_options)
    return reload(table), phones


@pytest.mark.django_db
@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
def test_everybody_sees_the_same_end(master, game):
    table, phones = finish(master, game)
    result = Result.objects.get()
    pages = [client.get(f"/tables/{table.code}/").text for client in (*phones, Client())]
    for page in pages:
        for score in result.kept["result"]["scores"]:
            assert f">{score}<" in page
        assert 'class="because"' in page
        assert re.search(r"<tfoot>.*Total", page, re.S)
        assert ("balance" in page) == (game == "menagerie")
    assert phones[0].get(seat_url(table, 0))["Location"] == f"/tables/{table.code}/"


@pytest.mark.django_db
def test_best_score_so_far_is_shown_to_the_players_only(master):
    table, (phone, *_) = finish(master, "monarchs", people=1, seats=1, seed=b"a first game")
    assert "new best score" not in phone.get(f"/tables/{table.code}/").text
    ResultSeat.objects.update(score=-1)
    again = phone.post(f"/tables/{table.code}/run/", {"key": new_key(), "act": "again"})["Location"]
    assert phone.get(again).status_code == 200
    phone.post(f"{again}run/", {"key": new_key(), "act": "begin"})
    second = Table.objects.get(follows=table)

    def first_options(running: RunningTable, table: Table) -> None:
        while running.result is None:
            running.choose(0, list(running.question_for(0).options)[-1])

    choice_services.write_timer_moves(second, key=new_key(), change=first_options)
    assert "has a new best score" in phone.get(again).text
    assert "has a new best score" not in Client().get(again).text


@pytest.mark.django_db
def test_picture_to_share_has_the_size_of_a_link_preview(master):
    table, phones = finish(master)
    answer = Client().get(f"/tables/{table.code}/picture.png")
    assert answer["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    running, _ = begin_sample_game(master)
    assert phones[0].get(f"/tables/{running.code}/picture.png").status_code == 409
