"""Your Majesty on its pages: one seat."""

from __future__ import annotations

from tests.cardgames.tables.sample_tables import begin_sample_game, choose, first_option, reload, seat_url


def test_seat_page_shows_courts_and_takes_a_choice(master):
    table, phones = begin_sample_game(master, "majesty", people=2, seats=2)
    asked = 0 if "Choose an action" in phones[0].get(seat_url(table, 0)).content.decode() else 1
    page = phones[asked].get(seat_url(table, asked)).content.decode()
    assert "Courts: philosophes by muse, and wealth" in page
    before = table.log.version
    assert choose(phones[asked], table, asked, first_option(table, asked)).status_code in (200, 302)
    assert reload(table).log.version > before
