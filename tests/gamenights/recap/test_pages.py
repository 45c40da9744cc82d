"""The recap of a night: page, picture, paper and TV."""

from __future__ import annotations

import datetime as dt
import io

import pytest
from PIL import Image

from gamenights.models import Play
from gamenights.recap.display import Edition
from gamenights.standings.services import StartSeason, start_season
from people.models import Person
from people.requester import Who
from printing.sheet_registry import PaperSetting, sheet_of
from tests.gamenights.plays.sample_plays import log_sample_play
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


def test_recap_says_who_won_the_night(played, coming, player):
    page = player.client.get(played.get_absolute_url() + "recap/").text
    assert "Tam won the night with 2 wins" in page
    assert "The closest game" in page
    assert "Standings of the night" in page
    assert "Long Candle" in page.partition("<h2>Next</h2>")[2], "the next fixture"


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


def test_tv_shows_room_tables_results_and_recap(played, master):
    client = master.client
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


def gazette_of(group, season=None, paper="a4"):
    return PrintedSheet("gazette", sheet_of("gazette").gather(Edition(group, season)), PaperSetting(paper))


def test_gazette_is_a_newspaper_of_two_pages(played, group, master):
    start_season(group, Who.of(master), "a-season-of-news", StartSeason("Autumn", played.day))
    printed = gazette_of(group, group.seasons.get())
    assert len(printed.pages) == 2
    assert "Tam leads Autumn with 2 wins" in printed.text
    assert "Night by night" in printed.text
    page = master.client.get(f"/groups/{group.code}/standings/").text
    assert f"/print/gazette/{group.code}-{group.seasons.get().pk}/" in page


def test_gazette_of_an_empty_group_and_of_very_long_names_has_two_pages(group, master, player, guest):
    assert len(gazette_of(group, paper="letter").pages) == 2
    long = "Wolfeschlegelsteinhausenbergerdorff-" * 4
    for person in (master, player, guest):
        Person.objects.filter(pk=person.pk).update(name=f"{long}{person.pk}"[:200])
    for number in range(40):
        scores = [(master, str(number)), (player, str(40 - number)), (guest, str(number % 7))]
        day = group.founded_at.date() - dt.timedelta(days=40 - number)
        name = f"{long}{number % 9}"[:80]
        log_sample_play(group, Who.of(master), scores, key=f"play-number-{number}", day=day, game_name=name, minutes=90)
    for paper in ("a4", "letter"):
        assert len(gazette_of(group, paper=paper).pages) == 2


def test_gazette_is_for_those_who_see_the_group(played, group, master, stranger):
    address = f"/print/gazette/{group.code}-all/"
    assert master.client.get(address).status_code == 200
    assert stranger.client.get(address).status_code == 404
    for wrong in (f"{group.code}-9", f"{group.code}-x", group.code, "all"):
        assert master.client.get(f"/print/gazette/{wrong}/").status_code == 404
