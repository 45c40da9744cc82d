"""The recap of a night: page, picture, paper and TV."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from gamenights.models import Play
from printing.paper_settings import PaperSetting
from printing.sheet_registry import sheet_of
from tests.gamenights.plays.test_logging import log
from tests.printing.read_pdf import PrintedSheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(night, master, player, other_player):
    log(master.client, night, {master: "87", player: "92", other_player: "74"})
    log(
        master.client, night, {master: "60", player: "61"}, play="second-play", key="the-second-play", notes="So close!"
    )
    return night


def test_recap_tells_who_won_the_night(played, player):
    page = player.client.get(played.get_absolute_url() + "recap/").text
    assert "Tam won the night with 2 wins" in page
    assert "The closest game" in page
    assert "Table of the night" in page


def test_recap_of_a_night_without_plays(night, master):
    assert "Nothing has been played yet" in master.client.get(night.get_absolute_url() + "recap/").text


def test_picture_has_the_size_messengers_show(played, master):
    answer = master.client.get(played.get_absolute_url() + "recap.png")
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)


def test_a_changed_play_changes_the_recap(played, master):
    Play.objects.filter(uuid="second-play").get()
    url = Play.objects.get(uuid="second-play").get_absolute_url()
    master.client.post(url + "run/", {"key": "remove-the-second", "act": "remove"})
    assert "Tam won the night with 1 win" in master.client.get(played.get_absolute_url() + "recap/").text


def test_recap_fits_on_one_printed_page(played):
    printed = PrintedSheet("night", sheet_of("night").gather(played), PaperSetting())
    assert len(printed.pages) == 1
    assert "So close!" in printed.text
    assert "Cascadia" in printed.text


def test_tv_shows_room_tables_results_and_recap(played, client):
    page = client.get(played.get_absolute_url() + "tv/").text
    assert played.code in page
    for part in ("room", "tables", "results", "recap"):
        assert f'data-page="{part}"' in page
    assert 'data-page="results" hidden' in page
    assert 'data-page="results">' in client.get(played.get_absolute_url() + "tv/?show=results").text


def test_tv_is_drawn_again_only_when_something_happened(played, client):
    first = client.get(played.get_absolute_url() + "tv/part/")
    assert (
        client.get(played.get_absolute_url() + "tv/part/", headers={"If-None-Match": first["ETag"]}).status_code == 304
    )
