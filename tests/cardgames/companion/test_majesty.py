"""Your Majesty with printed cards: the set-up and salon calculators."""

from __future__ import annotations

import pytest

from cardgames.companion.services import create_sheet
from cardgames.games import house_deck
from cardgames.games.majesty import companion
from log.services import new_key
from people.requester import Who
from refusal import Refusal


def test_set_up_page_counts_for_the_number_of_players(client, db):
    page = client.get("/tables/companion/majesty/?seats=4").content.decode()
    assert "take out 6 at random. 18 are left" in page
    assert "2 of politics" in page
    assert "30 are left" in page
    assert client.get("/tables/companion/majesty/?seats=nine&level=x&wealth=-1").status_code == 200


def test_salon_page_says_the_exact_chance(client, db):
    page = client.get("/tables/companion/majesty/?level=3&of_muse=2&others=2&wealth=4&scandals=0").content.decode()
    assert "33 %" in page
    assert "wins on 1, 2," in page
    poor = client.get("/tables/companion/majesty/?level=3&of_muse=2&others=2&wealth=2").content.decode()
    assert "Your wealth seats only 2." in poor


def test_there_is_no_score_sheet_to_begin(master):
    with pytest.raises(Refusal, match="no page for printed cards"):
        create_sheet(Who.of(master), key=new_key(), deck=house_deck("majesty"), seats=4)
    with pytest.raises(Refusal, match="level 1, 3 or 5"):
        companion.work_out_salon(house_deck("majesty"), level=2, of_muse=1, others=1, wealth=2)
