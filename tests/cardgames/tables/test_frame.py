"""The seat's page: select, preview, confirm; the turn bar; what happened since one's turn."""

from __future__ import annotations

import re
from html import unescape

import pytest

from cardgames.engine import FastRng
from cardgames.games import find_game, house_deck, new_table, replay
from cardgames.models import Table
from cardgames.tables import choice_services, load_from_log
from log.services import new_key
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, reload, seat_url

pytestmark = pytest.mark.django_db


def play_to(table: Table, kind: str, *, by_other: bool = False) -> int:
    """Plays at random until somebody is asked this, in another's turn if wanted, and gives the seat."""
    start = load_from_log.load_running_table(table)
    for seed in range(200):
        running, rng, line = replay(start.record), FastRng(seed), []
        while running.result is None:
            seat = running.asked_seats[0]
            if running.question_for(seat).kind == kind and (not by_other or running.table.active != seat):
                choice_services.write_timer_moves(table, key=new_key(), change=lambda t, _, line=line: play(t, line))
                return seat
            keys = list(running.question_for(seat).options)
            key = "bazaar" if "bazaar" in keys and kind == "pick" else keys[rng.below(len(keys))]
            line.append((seat, key))
            running.choose(seat, key)
    raise AssertionError(kind)


def play(running, line):
    for seat, key in line:
        running.choose(seat, key)


def text(page: bytes | str) -> str:
    page = page.decode() if isinstance(page, bytes) else page
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def turn_bar(page: bytes) -> str:
    return text(re.search(r'<div class="turn-words".*?</div>', page.decode(), re.S).group())


def look(phone, table, seat, *keys):
    stamp = load_from_log.load_running_table(reload(table)).stamp
    return phone.post(seat_url(table, seat, "choose/"), {"pick": "|".join(keys), "stamp": stamp})


@pytest.fixture
def four(master):
    return begin_sample_game(master, people=4)


def test_selecting_a_card_writes_nothing_and_shows_its_targets(four):
    table, phones = four
    seat = reload(table).asked[0]
    running = load_from_log.load_running_table(table)
    animal = next(
        key for key in running.question_for(seat).options if house_deck("menagerie").row(key).group == "animals"
    )
    page = look(phones[seat], table, seat, animal).content
    assert turn_bar(page).startswith("Your turn : Who gets the")
    # Each of the others is a target with the change in points; nobody can keep the animal.
    targets = set(re.findall(rf'name="pick" value="{animal}\|(\d)"', page.decode()))
    assert targets == {str(other) for other in range(4) if other != seat}
    # The target that is drawn first has the focus, and the role does not cover the targets, also without script.
    drawn = re.findall(rf'<button[^>]*value="{animal}\|\d"[^>]*>', page.decode())
    assert ["autofocus" in button for button in drawn] == [True, False, False]
    assert re.search(r'id="role-moment"[^>]* open', phones[seat].get(seat_url(table, seat)).text)
    assert not re.search(r'id="role-moment"[^>]* open', page.decode())
    assert 'id="press"' not in page.decode()
    assert load_from_log.choice_rows_of(table) == ()


def test_card_and_target_are_confirmed_together(four):
    table, phones = four
    seat = reload(table).asked[0]
    running = load_from_log.load_running_table(table)
    animal = next(
        key for key in running.question_for(seat).options if house_deck("menagerie").row(key).group == "animals"
    )
    to = str((seat + 1) % 4)
    page = text(look(phones[seat], table, seat, animal, to).content)
    name = house_deck("menagerie").row(animal).values["name"]
    assert f"Give {name} to" in page
    assert "→" in page
    sent = {"key": new_key(), "choice": [animal, to], "stamp": running.stamp}
    assert phones[seat].post(seat_url(table, seat, "choose/"), sent).status_code == 302
    assert load_from_log.choice_rows_of(table) == ((seat, animal), (seat, to))


def test_second_choice_must_complete_the_first(four):
    """Two whole turns cannot be sent at once."""
    table, phones = four
    seat = reload(table).asked[0]
    running = load_from_log.load_running_table(table)
    action = next(iter(running.question_for(seat).options))
    sent = {"key": new_key(), "choice": [action, action, action], "stamp": running.stamp}
    assert phones[seat].post(seat_url(table, seat, "choose/"), sent).status_code == 409
    assert load_from_log.choice_rows_of(table) == ()


def test_a_card_that_turns_up_others_is_confirmed_without_a_look_at_them(master):
    """Selecting a Bazaar must not show the four cards it would lay out."""
    table, phones = begin_sample_game(master, people=4, seed=b"bazaar 25")
    seat = reload(table).asked[0]
    page = look(phones[seat], table, seat, "bazaar").content.decode()
    assert 'id="press"' in page
    assert "Four cards are turned up" in page
    assert 'id="card-row-' not in page


def test_phone_says_whose_bazaar_it_picks_from(four):
    """It said "Your turn" in another player's Bazaar."""
    table, phones = four
    seat = play_to(table, "pick", by_other=True)
    active = load_from_log.load_running_table(reload(table)).table.active
    names = load_from_log.get_seat_names(load_from_log.seats_of(table))
    page = phones[seat].get(seat_url(table, seat)).content
    assert turn_bar(page) == f"{names[active]}'s Bazaar : You pick a card"


def test_turn_bar_tells_the_others_whose_turn_it_is(four):
    table, phones = four
    seat = play_to(table, "shoot")
    names = load_from_log.get_seat_names(load_from_log.seats_of(table))
    assert turn_bar(phones[seat].get(seat_url(table, seat)).content) == "Your turn : Shoot an animal"
    other = (seat + 1) % 4
    page = phones[other].get(seat_url(table, other)).content
    assert turn_bar(page) == f"{names[seat]}'s turn : {names[seat]} takes aim."


def test_strip_tells_what_happened_since_ones_own_turn(four):
    table, phones = four
    seat = reload(table).asked[0]
    line = []
    running, rng = load_from_log.load_running_table(table), FastRng(3)
    while len(line) < 8 or running.asked_seats[0] != seat or running.question_for(seat).kind != "play":
        asked = running.asked_seats[0]
        keys = list(running.question_for(asked).options)
        line.append((asked, keys[rng.below(len(keys))]))
        running.choose(*line[-1])
    choice_services.write_timer_moves(table, key=new_key(), change=lambda t, _: play(t, line))
    page = phones[seat].get(seat_url(table, seat)).content.decode()
    since = re.search(r'<details class="since".*?</details>', page, re.S).group()
    assert "Since your turn" in since
    told = [text(item) for item in re.findall(r"<li.*?</li>", since, re.S)]
    assert told
    assert not any(words.startswith("You ") for words in told), "one's own moves are not news"
    # A pen that changed since is marked.
    assert re.search(r'class="cell [^"]*is-(new|lost)', page)


def test_court_shows_everybodys_points_and_ending_the_turn_is_the_last_and_small_choice(master):
    """Colours times crowns of each player; a card is bought where it lies."""
    table, phones = begin_sample_game(master, "monarchs", people=2)
    seat = reload(table).asked[0]
    page = phones[seat].get(seat_url(table, seat)).text
    for number in range(2):
        assert len(re.findall(rf'id="score-{number}:[a-z]+"', page)) == 6
    spots = re.findall(r'<button[^>]*name="pick" value="(buy:[a-z]+-\d)"', page)
    assert spots
    buttons = re.findall(r'<button class="([^"]*)"[^>]*name="pick" value="([^"]*)"[^>]*>([^<]*)</button>', page)
    assert buttons[-1] == ("btn btn-plain", "done", "End turn without buying")
    assert page.rindex('value="done"') > page.rindex('value="buy:')
    # One's own row says what the card would make of its colour.
    chosen = look(phones[seat], table, seat, spots[0]).text
    row = re.search(rf'id="score-{seat}">.*?</tr>', chosen, re.S).group()
    assert re.search(r'class="[^"]*is-result[^"]*"', row)
    assert "Buy " in re.search(r'id="press"[^>]*>([^<]*)', chosen).group(1)


def test_family_scoring_shows_pictures_and_crowns(master):
    """It offered pairs of names."""
    options = {"family_scoring": True, "brisk_court": True}
    table, phones = begin_sample_game(master, "monarchs", people=2, options=options)
    seat = play_to(table, "family")
    page = phones[seat].get(seat_url(table, seat)).text
    cards = re.findall(r'<li class="[^"]*" id="card-card-\d+">.*?</li>', page, re.S)
    assert len(cards) > 2
    for card in cards:
        assert "<svg" in card
        assert re.search(r"\d crowns?<", card)
    assert 'id="press"' not in page
    picks = [re.search(r'name="pick" value="([^"]*)"', card).group(1) for card in cards]
    assert all(pick.count("+") == 1 and pick.endswith("+") for pick in picks), "one card after the other"


def test_undo_takes_back_a_whole_decision(master):
    """A move at court is which card and where to; its undo is one press."""
    table, phones = begin_sample_game(master, "monarchs", people=2)
    seat = play_to(table, "move")
    rows = load_from_log.choice_rows_of(table)
    before = rows[:-1]
    to = next(iter(load_from_log.load_running_table(reload(table)).question_for(seat).options))
    choose(phones[seat], table, seat, to)
    assert choose(phones[seat], table, seat, "undo").status_code == 302
    assert tuple(load_from_log.load_running_table(reload(table)).line) == before


def test_every_question_of_every_game_can_be_selected_to_its_end():
    """Whatever the rules ask, the frame finds a way from a tap to a press button."""
    from cardgames.drawing import deck_pictures_of
    from cardgames.tables.board_frame import frame_board

    setups = [("menagerie", 4, {}), ("monarchs", 2, {"family_scoring": True, "brisk_court": True}), ("monarchs", 1, {})]
    kinds = set()
    for game, seats, options in setups:
        running, rng = replay(new_table(game, seats, seed=b"every question", options=options)), FastRng(1)
        pictures = deck_pictures_of(house_deck(game))
        while running.result is None:
            seat = next(iter(running.unanswered_seats))
            kinds.add((game, running.question_for(seat).kind))
            names = ["A", "B", "C", "D"][:seats]
            path: list[str] = []
            for _ in range(5):
                trial = replay(running.to_record())
                frame = frame_board(
                    trial, seat, trial.seat_display(seat, names), trial.sentence_builder(seat, names), pictures, path
                )
                if frame.is_complete:
                    break
                picks = [pick.value for pick in picks_of(frame) if pick.value and not pick.is_chosen]
                path = picks[rng.below(len(picks))].split("|")
            assert frame.button
            for key in frame.path:
                running.choose(seat, key)
    follow_ups = {(game, kind) for game in ("menagerie", "monarchs") for kind in find_game(game).follow_ups}
    assert kinds.isdisjoint(follow_ups), "a target is always chosen together with its card"
    assert kinds == {("menagerie", "play"), ("menagerie", "pick")} | {
        ("monarchs", kind) for kind in ("court", "revealed", "dice", "family")
    }


def picks_of(frame):
    board = frame.board
    rows = list(frame.buttons)
    for piece in board.pieces:
        for row in piece.rows:
            cells = getattr(row, "cells", None) or getattr(row, "spots", ())
            rows += [cell.pick for cell in cells if getattr(cell, "pick", None) and cell.pick.label]
    if board.fan and not frame.path:
        rows += [card.pick for card in board.fan.cards if card.pick]
    if board.fan and frame.path and frame.path[-1].endswith("+"):
        rows += [card.pick for card in board.fan.cards if card.pick]
    return rows
