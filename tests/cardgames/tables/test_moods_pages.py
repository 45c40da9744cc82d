"""Moods of the Mad King on the pages: a whole game, notes, finale, TV, replay and results."""

from __future__ import annotations

import datetime as dt

import pytest

from cardgames.engine import SentenceBuilder, edit_deck
from cardgames.games import house_deck
from cardgames.games.moods.deck_definition import SCHEMA
from cardgames.games.moods.scoring import explain_ending, result
from cardgames.models import Result
from cardgames.tables import choice_services, load_from_log
from jobs import timers as jobs_timers
from log.services import new_key
from refusal import Refusal
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, first_option, reload, seat_url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(master):
    return begin_sample_game(master, "moods", people=3, seats=3, options={"first_player": 0})


def test_whole_game_of_three_from_first_draw_to_results(master, game):
    table, phones = game
    page = phones[0].get(seat_url(table, 0)).content.decode()
    assert "The King&#39;s Mood is one of four" in page
    assert "My Muse" in page
    assert "Keep or give" in page
    seen = set()
    for _ in range(200):
        running = load_from_log.load_running_table(reload(table))
        if running.result is not None:
            break
        seat = running.unanswered_seats[0]
        question = running.question_for(seat)
        keys = list(question.options)
        key = next((key for key in keys if key.startswith("give") and question.kind == "draw"), keys[0])
        if question.kind not in seen:
            seen.add(question.kind)
            shown = phones[seat].get(seat_url(table, seat))
            assert shown.status_code == 200, question.kind
            # There are no points in this game to compare with.
            assert "None" not in shown.content.decode()
            picked = phones[seat].post(seat_url(table, seat, "choose/"), {"pick": key, "stamp": running.stamp})
            assert picked.status_code in (200, 302), question.kind
        answer = choose(phones[seat], table, seat, key)
        assert answer.status_code in (200, 302), answer.content[:300]
    ended = Result.objects.get()
    assert ended.game == "moods"
    assert {place.role for place in ended.places.all()} <= {
        f"muse-{g}" for g in ("drama", "tragedy", "romance", "comedy", "musical")
    }
    finale = phones[0].get(table.get_absolute_url(), follow=True).content.decode()
    assert "The King" in finale
    assert 'class="pts num"' not in finale
    for address in (
        f"/tables/{table.code}/wall/",
        f"/tables/{table.code}/replay/",
        f"/tables/{table.code}/replay/?step=9",
    ):
        assert phones[0].get(address).status_code == 200, address
    results = phones[0].get("/tables/results/")
    assert results.status_code == 200
    assert "Moods of the Mad King" in results.content.decode()


def test_note_of_a_peek_is_drawn_for_its_seat_only(master, game):
    """DI-9"""
    table, phones = game
    running = load_from_log.load_running_table(reload(table))
    holders = {card.key: seat for seat, hand in enumerate(running.table.hands) for card in hand.cards}
    user = holders["at-the-keyhole"]
    while (seat := load_from_log.load_running_table(reload(table)).single.seat) != user:
        choose(phones[seat], table, seat, "keep")
    other = (user + 1) % 3
    for key in (f"give:{other}", "at-the-keyhole", str(other)):
        assert choose(phones[user], table, user, key).status_code in (200, 302)
    page = phones[user].get(seat_url(table, user)).content.decode()
    assert "Your notes" in page
    assert " held " in page
    assert "May have changed" not in page
    assert "Your notes" not in phones[other].get(seat_url(table, other)).content.decode()


def test_pages_of_the_game_without_a_table(client, master):
    for address in ("/tables/how/moods/", "/tables/decks/moods/", "/tables/"):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert "Moods of the Mad King" in answer.content.decode()
    assert client.get("/tables/companion/moods/").status_code == 200


@pytest.mark.parametrize(
    ("plays", "muses", "lines"),
    [
        (
            ((0, 1), (0,), ()),
            (1, 1, 2),
            [
                "Pim wins",
                "The King's Mood was Brooding.",
                "Oda pleased neither King nor Muse.",
                "Wren pleased the King but lost their patron.",
                "Pim pleased both the King and the Muse.",
            ],
        ),
        (((0, 1), (0, 2), (3,)), (1, 2, 3), ["Pim and Wren win"]),
        (((1,), (2,), (3,)), (1, 2, 3), ["Everybody loses"]),
    ],
)
def test_every_outcome_is_explained(plays, muses, lines):
    """D40, D41, D42, DR-12"""
    told = explain_ending(result(plays, 0, muses, "Brooding"), {})
    words = SentenceBuilder(("Pim", "Wren", "Oda"), {})
    rows = [words.fill(line.text, line.values) for line in (told.headline, *told.reasons)]
    assert rows[: len(lines)] == lines
    assert sum(line.is_decisive for line in told.reasons) == 1


def test_seat_that_leaves_before_a_sealed_choice_is_answered_for(master):
    """DR-23: a Change of Scenery waits for everybody; a bot answers for whoever has left."""
    table, phones = begin_sample_game(master, "moods", people=4, seats=4, options={"first_player": 0})
    _play_until_scenery(table)
    running = load_from_log.load_running_table(reload(table))
    asked = running.unanswered_seats
    assert running.kind == "scenery"
    assert len(asked) > 1
    for seat in asked[:-1]:
        assert choose(phones[seat], table, seat, first_option(table, seat)).status_code in (200, 302)
    gone = asked[-1]
    # What the others chose is not shown yet, and cannot be chosen again.
    assert load_from_log.load_running_table(reload(table)).unanswered_seats == (gone,)
    assert choose(phones[asked[0]], table, asked[0], "play-drama", stamp=running.stamp).status_code == 409
    phones[gone].post(seat_url(table, gone, "own/"), {"key": new_key(), "act": "leave", "sure": "yes"})
    for _ in range(2):
        jobs_timers.fire_due_timers(reload(table).asked_at + dt.timedelta(seconds=30))
    assert load_from_log.load_running_table(reload(table)).kind != "scenery"


def _play_until_scenery(table) -> None:
    """Everybody fills a play; then whoever holds Change of Scenery uses it."""

    def play(running, table) -> None:
        while running.kind != "scenery":
            seat = running.unanswered_seats[0]
            keys = list(running.question_for(seat).options)
            holds = any(card.key == "change-of-scenery" for card in running.table.hands[seat].cards)
            gives = running.kind == "draw" and holds and running.table.turn > 4
            wanted = [key for key in keys if key == "change-of-scenery" or (gives and key.startswith("give"))]
            running.choose(seat, (wanted or keys)[0])

    choice_services.write_timer_moves(table, key=new_key(), change=play)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({f"play-{genre}": {"copies": 0} for genre in ("drama", "tragedy", "romance", "comedy")}, "at least 4 play"),
        ({"muse-drama": {"genre": "comedy"}}, "must be drama"),
        ({"mood-joyous": {"copies": 0}}, "from 1 to 1"),
    ],
)
def test_deck_that_cannot_be_dealt_is_refused_with_a_sentence(changes, words):
    with pytest.raises(Refusal, match=words):
        edit_deck(SCHEMA, house_deck("moods"), changes)
