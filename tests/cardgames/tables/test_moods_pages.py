"""Moods of the Mad King on the pages: a whole game, notes, finale, TV, replay and results."""

from __future__ import annotations

import pytest

from cardgames.models import Result
from cardgames.tables import load_from_log
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, reload, seat_url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(master):
    return begin_sample_game(master, "moods", people=3, seats=3, options={"first_player": 0})


def test_whole_game_of_three_from_first_draw_to_results(master, game):
    table, phones = game
    page = phones[0].get(seat_url(table, 0)).content.decode()
    assert "The King&#x27;s Mood is one of four" in page
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
            picked = phones[seat].post(seat_url(table, seat, "choose/"), {"pick": key, "stamp": running.stamp})
            assert picked.status_code in (200, 302), question.kind
        answer = choose(phones[seat], table, seat, key)
        assert answer.status_code in (200, 302), answer.content[:300]
    result = Result.objects.get()
    assert result.game == "moods"
    assert {place.role for place in result.places.all()} <= {
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
