"""Random games: the link holds everything, anyone can open it, no database access."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import hypot
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree import ElementTree

import pytest
from django.http import QueryDict
from django.test import Client

from chance import Dice
from musters.core.army_code import decode_army
from musters.core.auto_roll import MAX_WORD_LENGTH
from musters.random_game import MAX_NAME_LENGTH, MAX_ROUNDS, GameRequest, draw_game_word, generate_game
from pages.api.operations import read_parameters
from refusal import Refusal
from rulebook.data.battlefield import EVENTS
from rulebook.data.scenarios import SCENARIOS
from rulebook.odds.rolls import event_odds

PAGE = "/musters/evening/"


def get(**query: object):
    return Client().get(PAGE, query)


def asked(query: dict[str, str]) -> GameRequest:
    return read_parameters(GameRequest, QueryDict(urlencode(query)))


# ── The word ─────────────────────────────────────────────────────────────────────────────────────────────


def test_same_word_gives_the_same_game_however_typed() -> None:
    first = generate_game(GameRequest("Brämble", round=6, ground=2))
    again = generate_game(GameRequest("BRA\u0308MBLE ", round=6, ground=2))
    for part in ("scenario", "die", "roll_offs", "begins", "rounds", "layout"):
        assert getattr(first, part) == getattr(again, part)


@pytest.mark.parametrize("word", ["мышь", "ねずみ", "עכבר", "🐭", "a b"])
def test_words_of_any_alphabet_give_a_game(word: str, db) -> None:
    page = get(word=word, ground=1)
    assert page.status_code == 200
    assert word in page.content.decode()


def test_one_choice_leaves_the_rest_of_the_game_unchanged() -> None:
    rolled = generate_game(GameRequest("hazel", round=4))
    chosen = generate_game(GameRequest("hazel", scenario="surrounded", round=4))
    assert rolled.rounds == chosen.rounds
    assert rolled.die is not None
    assert chosen.die is None
    assert generate_game(GameRequest("hazel", round=2)).rounds == rolled.rounds[:2]


def test_old_link_still_gives_the_same_game() -> None:
    sheet = generate_game(GameRequest("bramble-417", round=5, ground=1))
    assert (sheet.scenario.key, sheet.die) == ("pitched_battle", 1)
    assert [row.die for row in sheet.rounds] == [1, 2, 2, 2, 10]
    assert sheet.rounds[-1].event is not None
    assert sheet.rounds[-1].event.key == "mud"
    assert sheet.begins == "Army one activates a unit first."


def test_scenarios_and_events_have_the_frequencies_of_the_dice() -> None:
    """CAMP-07, EVENT-01, EVENT-02: a d10 for the scenario; 3 in 10 rounds have an event."""
    sheets = [generate_game(GameRequest(f"word {number}", round=6)) for number in range(1000)]
    scenarios = Counter(sheet.scenario.key for sheet in sheets)
    assert set(scenarios) == {row.key for row in SCENARIOS if row.roll}
    assert sum((count - 100) ** 2 / 100 for count in scenarios.values()) < 27.9  # 9 degrees, one in a thousand
    rounds = [each for sheet in sheets for each in sheet.rounds]
    events = Counter(each.event.key for each in rounds if each.event)
    due = {key: float(chance) * len(rounds) for key, chance in event_odds().items()}
    assert sum((events[row.key] - due[row.key]) ** 2 / due[row.key] for row in EVENTS) < 22.5  # 6 degrees
    assert all((each.table_die is None) == (each.die < 8) for each in rounds)


def test_tie_is_rerolled_and_listed() -> None:
    """R-68: those who tie roll again."""
    tied = next(
        sheet
        for number in range(100)
        if len((sheet := generate_game(GameRequest(f"w{number}"))).roll_offs[0].steps) > 2
    )
    steps = tied.roll_offs[0].steps
    assert steps[2].startswith("Army one and Army two tie on")
    assert steps[3].startswith("Army one rolls")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda row: row.key)
def test_every_scenario_says_who_goes_first(scenario) -> None:
    """SCEN-07: in Ambush side B begins; everywhere else a die each (ROUND-01)."""
    sheet = generate_game(GameRequest("sedge", scenario=scenario.key, one="Oakhold", two="Fenwick"))
    if scenario.key == "ambush":
        assert sheet.initiative is None
        assert sheet.begins == "Side B activates a unit first."
    else:
        assert sheet.begins.split()[0] in ("Oakhold", "Fenwick")
    assert sheet.roll_offs
    assert generate_game(GameRequest("sedge", scenario=scenario.key, round=MAX_ROUNDS)).last_round == (
        scenario.rounds or MAX_ROUNDS
    )


def test_drawn_words_differ_and_are_pronounceable() -> None:
    words = {draw_game_word(Dice(f"{number}")) for number in range(200)}
    assert len(words) > 190
    assert all(word.replace("-", "").isalnum() and word.isascii() for word in words)


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda row: row.key)
def test_every_scenario_page_needs_no_query(scenario, db, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        page = get(word="hazel", scenario=scenario.key, ground=3, round=2)
    text = page.content.decode()
    assert page.status_code == 200
    assert f"<h1>{scenario.name}</h1>" in text
    for line in scenario.vp:
        assert line.text in text
    for pair in page.context["game"].layout.pairs:
        assert pair.kind.name in text
    assert 'class="ground"' in text
    assert "a twin" in text


def test_one_tap_rolls_a_game_with_its_own_url(db) -> None:
    answer = Client().get(f"{PAGE}fresh/", {"scenario": "ambush", "one": "Oakhold"})
    assert answer.status_code == 302
    query = parse_qs(urlsplit(answer["Location"]).query)
    assert query["scenario"] == ["ambush"]
    assert query["one"] == ["Oakhold"]
    assert Client().get(answer["Location"]).status_code == 200
    assert "no-store" in answer["Cache-Control"]


def test_form_without_a_word_draws_one(db) -> None:
    answer = get(word="", scenario="siege", event="none", one="", two="")
    assert answer.status_code == 302
    assert "scenario=siege" in answer["Location"]


def test_terrain_is_rolled_and_removed_by_links(db) -> None:
    bare = get(word="hazel").content.decode()
    assert "Roll terrain" in bare
    first, second = get(word="hazel", ground=1), get(word="hazel", ground=2)
    assert first.context["game"].layout != second.context["game"].layout
    assert "word=hazel&amp;ground=1#ground" in second.content.decode()
    assert 'href="?word=hazel#ground"' in second.content.decode()


def test_rounds_are_rolled_up_to_the_scenarios_last(db) -> None:
    assert "round=1#rounds" in get(word="hazel", scenario="last_stand").content.decode()
    last = get(word="hazel", scenario="last_stand", round=6).content.decode()
    assert "This is the last round." in last
    assert "round=7" not in last
    assert len(get(word="hazel", scenario="last_stand", round=20).context["game"].rounds) == 6


def test_event_can_be_chosen_or_turned_off(db) -> None:
    assert "Every attack has a [D]" in get(word="hazel", event="storm").content.decode()
    assert 'id="rounds"' not in get(word="hazel", event="none").content.decode()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"word": "x" * (MAX_WORD_LENGTH + 1)}, "The limit is"),
        ({"word": "hazel", "scenario": "picnic"}, "“picnic” is not a known scenario."),
        ({"word": "hazel", "event": "rain"}, "“rain” is not a known event."),
        ({"word": "hazel", "round": "-1"}, "must be 0 to 20"),
        ({"word": "hazel", "round": "21"}, "must be 0 to 20"),
        ({"word": "hazel", "ground": "many"}, "a number from 0 to 999"),
        ({"word": "hazel", "ground": "9" * 5000}, "a number from 0 to 999"),
        ({"word": "hazel", "ground": "0000000009999"}, "a number from 0 to 999"),
        ({"word": "hazel", "ground": "²"}, "a number from 0 to 999"),
        ({"word": "hazel", "one": "Oak", "two": "oak"}, "same name"),
        ({"word": "hazel", "one": "x" * (MAX_NAME_LENGTH + 1)}, "The limit is"),
    ],
)
def test_invalid_query_shows_the_form_with_a_refusal(query: dict, sentence: str, db) -> None:
    page = get(**query)
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert "<form" in page.content.decode()
    answer = Client().get("/api/v1/musters/evening/", query)
    assert answer.status_code == 422
    assert sentence in answer.json()["refusal"]


def test_invisible_characters_are_not_a_word() -> None:
    with pytest.raises(Refusal):
        asked({"word": "\x00\u200b \n"})


def test_names_are_shown_as_text_and_never_as_markup(db) -> None:
    page = get(word="<b>x</b>", one="<script>alert(1)</script>", round=1).content.decode()
    assert "<script>alert" not in page
    assert "<b>x</b>" not in page.replace("&lt;b&gt;", "")


# ── Aftermath ────────────────────────────────────────────────────────────────────────────────────────────


def test_aftermath_rolls_unit_positions(db) -> None:
    """SCEN-08: 2d10+1 up and right from your own left corner; at least 4 inches from enemies, never on a friend."""
    page = get(word="hazel", scenario="aftermath")
    spots = page.context["game"].spots
    assert [one.token.label for one in spots[:4]] == ["A1", "B1", "A2", "B2"]
    assert all(3 <= one.spot.up <= 21 and 3 <= one.spot.right <= 21 for one in spots)
    for word in ("hazel", "moss", "oak", "fern"):
        for one, other in combinations(
            [one.token for one in generate_game(GameRequest(word, scenario="aftermath")).spots], 2
        ):
            assert hypot(other.x - one.x, other.y - one.y) >= (2 if one.side == other.side else 4)
    assert page.content.decode().count('class="stand stand-a"') == 5
    assert generate_game(GameRequest("hazel", scenario="surrounded")).spots == ()
    assert (
        len(Client().get("/api/v1/musters/evening/", {"word": "hazel", "scenario": "aftermath"}).json()["spots"]) == 10
    )


# ── Armies ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("word", ["hazel", "мышь с хвостом", "x" * MAX_WORD_LENGTH])
def test_word_gives_two_army_codes(word: str, db) -> None:
    sheet = generate_game(GameRequest(word, scenario="ambush"))
    one, two = (decode_army(code).army for code in sheet.armies)
    assert one != two
    assert one.siege is two.siege is None
    assert Client().get(f"/musters/compare/?{sheet.comparison}").status_code == 200
    for code in sheet.armies:
        assert code in get(word=word, scenario="ambush").content.decode()


def test_drawn_words_give_short_codes() -> None:
    sheet = generate_game(GameRequest(draw_game_word(Dice("x"))))
    assert all(len(code) <= 23 for code in sheet.armies)


def test_siege_has_an_attacking_and_a_defending_army() -> None:
    """SIEGE-13 and the muster: garrison and train are added automatically."""
    sheet = generate_game(GameRequest("hazel", scenario="siege"))
    attacker, defender = (decode_army(code).army for code in sheet.armies)
    assert (attacker.siege, defender.siege) == ("attacker", "defender")
    assert [unit.unit for unit in attacker.units].count("cat_non") == 2
    assert sheet.army_names == ("The attacker", "The defender")


# ── JSON and the file ────────────────────────────────────────────────────────────────────────────────────


def test_json_matches_the_page(db, django_assert_num_queries) -> None:
    query = {"word": "hazel", "scenario": "chevauchee", "ground": "4", "round": "3"}
    with django_assert_num_queries(0):
        answer = Client().get("/api/v1/musters/evening/", query).json()
    sheet = generate_game(asked(query))
    assert answer["scenario"]["key"] == "chevauchee"
    assert [row["die"] for row in answer["rounds"]] == [row.die for row in sheet.rounds]
    assert sheet.layout is not None
    assert len(answer["layout"]["pieces"]) == 8
    assert answer["layout"]["pairs"][0]["right"] == sheet.layout.pairs[0].right
    assert "twin" in answer["layout"]["fair"]
    assert Client().get(answer["page"]).context["game"] == sheet
    assert Client().get("/api/v1/musters/evening/").json()["word"]


def test_drawing_can_be_downloaded(db) -> None:
    answer = Client().get(f"{PAGE}ground.svg", {"word": "hazel", "scenario": "siege", "ground": "1"})
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Disposition"] == 'attachment; filename="siege.svg"'
    assert ElementTree.fromstring(answer.content).tag.endswith("svg")
