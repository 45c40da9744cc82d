"""Printed cards: set-up, turns, the score sheet, hidden roles on phones, and saving the result."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone

from cardgames.companion import services as companion_services, turns_and_roles
from cardgames.companion.display import score_of, seat_rows
from cardgames.decks import services as decks_services
from cardgames.engine import edit_deck
from cardgames.games import find_companion, find_game, house_deck
from cardgames.games.menagerie.deck_definition import ANIMALS, ROLE, VIZIER
from cardgames.games.menagerie.scoring import result as menagerie_result
from cardgames.games.monarchs.scoring import result as monarchs_result
from cardgames.models import Result, Sheet, SheetSeat
from log.models import Entry, Log
from log.services import new_key
from people.requester import Who

pytestmark = pytest.mark.django_db(transaction=True)


def start_sheet(phone: Client, game: str = "menagerie", seats: int = 4, **more) -> Sheet:
    names = {f"name{number}": name for number, name in enumerate(("Wren", "Tam", "Oda", "Pim")[:seats])}
    sent = {"key": new_key(), "seats": seats, **names, **more}
    answer = phone.post(f"/tables/companion/{game}/begin/", sent)
    assert answer.status_code == 302, answer.content.decode()
    return Sheet.objects.get(code=answer["Location"].split("/")[-2])


def turn(phone: Client, sheet: Sheet, act: str, **more) -> Sheet:
    sheet.refresh_from_db()
    sent = {"act": act, "step": sheet.state.get("step", 0), **more}
    answer = phone.post(f"/tables/sheets/{sheet.code}/turn/", sent)
    assert answer.status_code == 302, answer.content.decode()
    sheet.refresh_from_db()
    return sheet


def guest_of(sheet: Sheet) -> Client:
    """Another phone that opened the sheet's link."""
    phone = Client()
    where = phone.get(sheet.link.get_absolute_url())["Location"]
    assert phone.post(where).status_code == 302
    return phone


def open_score(sheet: Sheet):
    return score_of(sheet, seat_rows(sheet, Who()))


# ── Set-up and how to play ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_set_up_page_shows_the_companions_steps(client, seats):
    page = client.get(f"/tables/companion/monarchs/?seats={seats}&brisk=on").content.decode()
    for step in find_companion("monarchs").set_up(house_deck("monarchs"), seats, {"brisk_court": True}):
        assert step in page
    assert f'<b class="num">{10 * seats}</b>' in page


def test_invalid_numbers_in_the_url_fall_back_to_defaults(client):
    for odd in ("seats=9", "seats=-1", "seats=x", "seats=99999999999", "deck=nowhere"):
        assert client.get(f"/tables/companion/monarchs/?{odd}").status_code == 200
    assert client.get("/tables/companion/chess/").status_code == 404
    page = client.get("/tables/companion/menagerie/").content.decode()
    assert all(step in page for step in find_companion("menagerie").set_up(house_deck("menagerie"), 4, {}))


@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
def test_how_to_play_draws_each_step_of_a_real_table(client, game):
    from cardgames.games import HOWTO

    howto = HOWTO[game]
    for number, step in enumerate(howto.example.steps, 1):
        page = client.get(f"/tables/how/{game}/?step={number}").content.decode()
        assert step.caption.replace("'", "&#39;") in page
        assert 'class="gcard' in page
    for key, _ in howto.rulings:
        assert f"<dt>{key}</dt>" in page
    assert "House values" in page
    for odd in ("0", "-4", "x", "999999"):
        assert client.get(f"/tables/how/{game}/?step={odd}").status_code == 200
    assert client.get("/tables/how/chess/").status_code == 404


# ── A sheet ──────────────────────────────────────────────────────────────────────────────────────────────


def test_guest_starts_a_sheet_and_others_open_its_link():
    phone = Client()
    sheet = start_sheet(phone)
    assert sheet.keeper is None
    assert [seat.name for seat in sheet.seat_set.all()] == ["Wren", "Tam", "Oda", "Pim"]
    assert phone.get(sheet.get_absolute_url()).status_code == 200
    assert Client().get(sheet.get_absolute_url()).status_code == 404
    other = guest_of(sheet)
    page = other.get(sheet.get_absolute_url()).content.decode()
    assert "Tam" in page
    assert "Log in</a> to save the result" not in page  # the game is not over yet
    # A repeated tap starts one sheet.
    sent = {"key": "one-sheet-please", "seats": 4}
    for _ in range(2):
        phone.post("/tables/companion/menagerie/begin/", sent)
    assert Sheet.objects.count() == 2


def test_sheet_with_invalid_input_is_refused(client):
    for sent in (
        {"seats": 4},
        {"key": new_key(), "seats": 5},
        {"key": new_key(), "seats": "x"},
        {"key": new_key(), "seats": 4, "name0": "n" * 41},
        {"key": new_key(), "seats": 4, "deck": "not-a-deck"},
    ):
        assert client.post("/tables/companion/menagerie/begin/", sent).status_code == 422
    assert Sheet.objects.count() == 0


def test_menagerie_turns_go_clockwise_from_the_left_of_the_vizier():
    """G10, G12, G41, GR-14"""
    phone = Client()
    sheet = start_sheet(phone)
    turn(phone, sheet, "start", seat=3)
    assert (sheet.state["vizier"], sheet.state["active"]) == (3, 0)
    assert "Wren: draw 1, play 1." in phone.get(sheet.get_absolute_url()).content.decode()
    for _ in range(3):
        turn(phone, sheet, "next")
    assert "Pim: draw 2, play 2." in phone.get(sheet.get_absolute_url()).content.decode()
    turn(phone, sheet, "ends")
    assert "Pim plays a card." in phone.get(sheet.get_absolute_url()).content.decode()
    turn(phone, sheet, "out", seat=0)
    turn(phone, sheet, "next")
    assert sheet.state["active"] == 1
    for seat in (1, 2, 3):
        turn(phone, sheet, "out", seat=seat)
    assert sheet.state["over"]
    turn(phone, sheet, "back")
    assert not sheet.state["over"]
    assert sheet.state["out"] == [0, 1, 2]


def test_last_monarchs_round_is_finished():
    """M46, MR-8"""
    phone = Client()
    sheet = start_sheet(phone, "monarchs", 3)
    turn(phone, sheet, "start", seat=1)
    turn(phone, sheet, "next")
    turn(phone, sheet, "ends")
    page = phone.get(sheet.get_absolute_url()).content.decode()
    assert "After this, one turn left; Wren is last." in page
    turn(phone, sheet, "next")
    assert "Wren takes the last turn of the game." in phone.get(sheet.get_absolute_url()).content.decode()
    turn(phone, sheet, "next")
    assert sheet.state["over"]


def test_random_start_player_and_solo_dice():
    """M07, M70, M71, M72"""
    phone = Client()
    sheet = start_sheet(phone, "monarchs", 4)
    assert turn(phone, sheet, "start").state["start"] in range(4)
    alone = start_sheet(phone, "monarchs", 1)
    turn(phone, alone, "start")
    turn(phone, alone, "roll")
    white, black = alone.state["dice"]
    page = phone.get(alone.get_absolute_url()).content.decode()
    assert f"White {white}: in the front row" in page
    assert f"Black {black}: in the back row" in page
    turn(phone, alone, "fell", white=5, black=2)
    page = phone.get(alone.get_absolute_url()).content.decode()
    assert "White 5: in the front row, remove a card of your choice." in page
    assert "Black 2: in the back row, remove the card on spot 2 from the left." in page
    where = f"/tables/sheets/{alone.code}/turn/"
    for odd in ({"white": 7, "black": 1}, {"white": "x", "black": 1}, {"white": 1}, {}):
        assert phone.post(where, {"act": "fell", "step": alone.state["step"]} | odd).status_code == 422


def test_repeated_tap_changes_the_turn_once_and_unknown_acts_are_refused():
    phone = Client()
    sheet = start_sheet(phone, "monarchs", 2)
    where = f"/tables/sheets/{sheet.code}/turn/"
    for _ in range(2):
        assert phone.post(where, {"act": "start", "seat": 0, "step": 0}).status_code == 302
    for _ in range(2):
        assert phone.post(where, {"act": "next", "step": 1}).status_code == 302
    sheet.refresh_from_db()
    assert (sheet.state["turn"], sheet.state["active"]) == (2, 1)
    for sent in ({"act": "fly", "step": 2}, {"act": "out", "seat": 0, "step": 2}, {"act": "roll", "step": 2}):
        assert phone.post(where, sent).status_code == 422
    assert phone.post(where, {"act": "back", "step": 2}).status_code == 302


def test_seats_can_be_shuffled_only_before_the_game():
    phone = Client()
    sheet = start_sheet(phone, "monarchs", 4)
    where = f"/tables/sheets/{sheet.code}/names/"
    sent = {f"name{number}": name for number, name in enumerate(("Wren", "Tam", "Oda", "Pim"))} | {"lots": "yes"}
    orders = set()
    for _ in range(20):
        assert phone.post(where, sent).status_code == 302
        orders.add(tuple(seat.label for seat in sheet.seat_set.all()))
    assert len(orders) > 1
    assert {frozenset(order) for order in orders} == {frozenset(("Wren", "Tam", "Oda", "Pim"))}
    turn(phone, sheet, "start")
    assert phone.post(where, sent).status_code == 409


def test_repeated_outbox_entry_changes_nothing():
    phone = Client()
    sheet = start_sheet(phone)
    other = guest_of(sheet)
    where = f"/tables/sheets/{sheet.code}/scores/"
    sent = figures(0, {"mammoth": 1}) | {"key": "a-key-of-the-outbox"}
    assert phone.post(where, sent, headers={"X-Outbox": "1"}).status_code == 200
    other.post(where, figures(0, {"mammoth": 2}))
    assert phone.post(where, sent, headers={"X-Outbox": "1"}).status_code == 200
    sheet.refresh_from_db()
    assert sheet.entered[0]["mammoth"] == 2


# ── Points ───────────────────────────────────────────────────────────────────────────────────────────────


def figures(seat: int, counts: dict[str, int], role: str = "") -> dict[str, object]:
    return {"seat": seat, f"s{seat}.role": role} | {f"s{seat}.{key}": value for key, value in counts.items()}


COUNTS = (
    {"mammoth": 2, "white-tiger": 1},
    {"giant-ibis": 2, "komodo-dragon": 1},
    {"white-tiger": 3, "hiroa-antelope": 2},
    {"galapagos-tortoise": 1, "komodo-dragon": 2},
)


def test_menagerie_score_sheet_matches_the_digital_game():
    """G50, G51, G60, G61"""
    phone = Client()
    sheet = start_sheet(phone)
    other = guest_of(sheet)
    roles = ("vizier", "conspirator", "loyalist", "conspirator")
    for seat, counts in enumerate(COUNTS):
        # Two phones at two menageries do not overwrite each other.
        sent = figures(seat, counts, roles[seat])
        answer = (phone, other)[seat % 2].post(f"/tables/sheets/{sheet.code}/scores/", sent, headers={"X-Outbox": "1"})
        assert answer.status_code == 200
    sheet.refresh_from_db()
    score = open_score(sheet)
    counts = [[each.get(animal, 0) for animal in ANIMALS] for each in COUNTS]
    played = menagerie_result(counts, roles, house_deck("menagerie"))
    assert tuple(count.total for count in score.counts) == played.scores == (7, 4, 3, 4)
    assert tuple(count.seat.number for count in score.counts if count.won) == played.winners
    assert score.outcome == played.outcome
    page = answer.content.decode()
    assert re.search(r'id="sum-0"[^>]*>7<', page)
    turn(phone, sheet, "over")
    assert "Wren won alone" in phone.get(sheet.get_absolute_url()).content.decode()


def test_monarchs_score_sheet_matches_the_digital_game():
    """M50, M52, M60, MR-9"""
    phone = Client()
    sheet = start_sheet(phone, "monarchs", 2)
    where = f"/tables/sheets/{sheet.code}/scores/"
    table = ({"green": (4, 3, 2), "red": (2, 1, 0)}, {"blue": (7, 2, 1)})
    for seat, colours in enumerate(table):
        sent: dict[str, object] = {"seat": seat}
        for colour, triple in colours.items():
            sent |= {f"s{seat}.{colour}.{part}": n for part, n in zip(("cards", "crowns", "left"), triple, strict=True)}
        assert phone.post(where, sent).status_code == 302
    sheet.refresh_from_db()
    pairs = [{colour: (cards, crowns) for colour, (cards, crowns, _) in each.items()} for each in table]
    played = monarchs_result(pairs)
    assert tuple(count.total for count in open_score(sheet).counts) == played.scores == (14, 14)
    assert open_score(sheet).outcome == "shared"
    assert phone.post(where, {"tiebreak": "crowns"}).status_code == 302
    sheet.refresh_from_db()
    assert [count.won for count in open_score(sheet).counts] == [True, False]
    assert phone.post(where, {"family_scoring": "True"}).status_code == 302
    sheet.refresh_from_db()
    assert tuple(count.total for count in open_score(sheet).counts) == (2, 1)


def test_impossible_figures_show_a_warning_and_stay():
    phone = Client()
    sheet = start_sheet(phone, "monarchs", 2)
    where = f"/tables/sheets/{sheet.code}/scores/"
    answer = phone.post(where, {"seat": 0, "s0.green.crowns": 2}, headers={"X-Outbox": "1"})
    assert "Green has crowns but no cards." in answer.content.decode()
    sheet.refresh_from_db()
    assert sheet.entered[0]["green"] == [0, 2, 0]
    for odd in ("x", "-1", "100", "1.5", "٣"):
        assert phone.post(where, {"seat": 0, "s0.green.cards": odd}).status_code == 422
    pens = start_sheet(phone)
    sent = {"seat": 0} | {f"s0.{animal}": 1 for animal in ANIMALS}
    page = phone.post(f"/tables/sheets/{pens.code}/scores/", sent, headers={"X-Outbox": "1"}).content.decode()
    assert "a stampede removes one of each" in page
    assert phone.post(f"/tables/sheets/{pens.code}/scores/", {"seat": 0, "s0.mammoth": 4}).status_code == 422


def test_another_phone_gets_totals_with_an_etag():
    phone = Client()
    sheet = start_sheet(phone)
    where = f"/tables/sheets/{sheet.code}/parts/"
    other = guest_of(sheet)
    first = other.get(where)
    assert other.get(where, headers={"If-None-Match": first["ETag"]}).status_code == 304
    phone.post(f"/tables/sheets/{sheet.code}/scores/", figures(0, {"mammoth": 2}))
    again = other.get(where, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert ">6</output>" in again.content.decode()


def test_fetched_parts_contain_the_phones_own_forms():
    sheet = start_sheet(Client(), "monarchs", 2)
    for _ in range(2):
        phone = Client(enforce_csrf_checks=True)
        where = phone.get(sheet.link.get_absolute_url())["Location"]
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', phone.get(where).content.decode())[1]
        assert phone.post(where, {"csrfmiddlewaretoken": token}).status_code == 302
        part = phone.get(f"/tables/sheets/{sheet.code}/parts/").content.decode()
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', part)[1]
        sent = {"csrfmiddlewaretoken": token, "act": "over", "step": -1}
        assert phone.post(f"/tables/sheets/{sheet.code}/turn/", sent).status_code == 302


# ── Hidden roles ─────────────────────────────────────────────────────────────────────────────────────────


def hidden(sheet: Sheet) -> list[SheetSeat]:
    """The seats whose role is a secret, in order."""
    return [seat for seat in sheet.seat_set.all() if seat.role != VIZIER]


def deal_roles(phone: Client) -> Sheet:
    sheet = start_sheet(phone)
    assert phone.post(f"/tables/sheets/{sheet.code}/roles/", {"key": new_key(), "step": 0}).status_code == 302
    sheet.refresh_from_db()
    return sheet


def test_roles_are_dealt_by_the_rules_and_the_vizier_is_public():
    """G03, G04, G10"""
    phone = Client()
    sheet = deal_roles(phone)
    assert sorted(seat.role for seat in sheet.seat_set.all()) == ["conspirator", "conspirator", "loyalist", "vizier"]
    vizier = next(seat.number for seat in sheet.seat_set.all() if seat.role == VIZIER)
    assert sheet.state["vizier"] == vizier
    assert sheet.state["active"] == (vizier + 1) % 4
    assert "Grand Vizier" in phone.get(sheet.get_absolute_url()).content.decode()


def test_only_the_phone_that_took_a_role_sees_it():
    phone = Client()
    sheet = deal_roles(phone)
    other = guest_of(sheet)
    seat = hidden(sheet)[0]
    where = f"/tables/sheets/{sheet.code}/roles/{seat.place}/"
    name = ROLE[seat.role].name
    cover = phone.get(where).content.decode()
    assert "Are you" in cover
    assert name not in cover
    assert phone.post(f"{where}take/").status_code == 302
    mine = phone.get(where)
    assert name in mine.content.decode()
    assert "no-store" in mine["Cache-Control"]
    for answer in (other.get(where), other.post(f"{where}seen/")):
        assert answer.status_code == 403
        assert name not in answer.content.decode()
    assert other.post(f"{where}take/").status_code == 409
    for who in (phone, other):
        for path in ("", "parts/"):
            page = who.get(f"/tables/sheets/{sheet.code}/{path}").content.decode()
            below = page.partition('id="roles"')[2].partition("</section>")[0]
            assert below
            assert "Loyalist" not in below
            assert "Conspirator" not in below
    stored = str(list(Entry.objects.filter(log=sheet.log).values_list("act", "body", "effects")))
    assert "loyalist" not in stored
    assert "conspirator" not in stored


def test_other_phones_learn_nothing_about_the_deal():
    """The pages stay the same, apart from form keys, after the hidden roles are swapped."""
    phone = Client()
    sheet = deal_roles(phone)
    other = guest_of(sheet)
    paths = ["", "parts/", *(f"roles/{seat.place}/" for seat in hidden(sheet))]

    def seen() -> list[str]:
        pages = [other.get(f"/tables/sheets/{sheet.code}/{path}").content.decode() for path in paths]
        return [re.sub(r'(name="(?:key|csrfmiddlewaretoken)" value=")[^"]*', r"\1", page) for page in pages]

    before = seen()
    seats = hidden(sheet)
    roles = [seat.role for seat in seats]
    for seat, role in zip(seats, [*roles[1:], roles[0]], strict=True):
        SheetSeat.objects.filter(pk=seat.pk).update(hidden_cards=[role])
    assert seen() == before


def test_shared_phone_covers_roles_already_seen():
    phone = Client()
    sheet = deal_roles(phone)
    places = [seat.place for seat in hidden(sheet)]
    for number, place in enumerate(places):
        where = f"/tables/sheets/{sheet.code}/roles/{place}/"
        phone.post(f"{where}take/")
        assert phone.get(where).status_code == 200
        on = phone.post(f"{where}seen/")["Location"]
        assert phone.get(where).status_code == 403
        assert on == (
            sheet.get_absolute_url() if number == 2 else f"/tables/sheets/{sheet.code}/roles/{places[number + 1]}/"
        )


def test_only_the_keeper_reveals_the_roles():
    """G43"""
    phone = Client()
    sheet = deal_roles(phone)
    other = guest_of(sheet)
    where = f"/tables/sheets/{sheet.code}/roles/"
    assert other.post(f"{where}open/").status_code == 403
    assert other.post(where, {"key": new_key()}).status_code == 403
    assert phone.post(f"{where}open/").status_code == 302
    sheet.refresh_from_db()
    assert sheet.state["over"]
    assert "Conspirator" in other.get(sheet.get_absolute_url()).content.decode()
    # Dealing again revokes the roles on all phones.
    seat = hidden(sheet)[0]
    other.post(f"{where}{seat.place}/take/")
    # An outdated page cannot deal.
    assert phone.post(where, {"key": new_key(), "step": 0}).status_code == 409
    assert sheet.seat_set.exclude(token=None).count() == 1
    assert phone.post(where, {"key": new_key(), "step": sheet.state["step"]}).status_code == 302
    assert not sheet.seat_set.exclude(token=None).exists()
    sheet.refresh_from_db()
    assert not sheet.roles_open


def test_monarchs_sheet_has_no_roles(client):
    sheet = start_sheet(client, "monarchs", 2)
    assert client.post(f"/tables/sheets/{sheet.code}/roles/", {"key": new_key()}).status_code == 422
    assert client.get(f"/tables/sheets/{sheet.code}/roles/1/").status_code == 409
    assert client.get(f"/tables/sheets/{sheet.code}/roles/9/").status_code == 404


# ── The result ───────────────────────────────────────────────────────────────────────────────────────────


def test_result_is_saved_with_known_and_new_people(master, guest):
    guest.keeper = master
    guest.save()
    phone = master.client
    sheet = start_sheet(phone)
    for seat, (counts, role) in enumerate(
        zip(COUNTS, ("vizier", "conspirator", "loyalist", "conspirator"), strict=True)
    ):
        phone.post(f"/tables/sheets/{sheet.code}/scores/", figures(seat, counts, role))
    where = f"/tables/sheets/{sheet.code}/keep/"
    sent = {"key": new_key(), "who0": "Wren", "who1": "pim", "who2": "Newt", "who3": ""}
    assert phone.post(where, sent).status_code == 409
    turn(phone, sheet, "over")
    assert phone.post(where, sent).status_code == 302
    result = Result.objects.get()
    places = list(result.places.all())
    assert [place.person and place.person.name for place in places] == ["Wren", "Pim", "Newt", None]
    assert places[0].person == master
    assert places[1].person == guest
    assert [(place.score, place.won, place.role) for place in places] == [
        (7, True, "vizier"),
        (4, False, "conspirator"),
        (3, False, "loyalist"),
        (4, False, "conspirator"),
    ]
    assert (result.game, result.outcome, result.keeper) == ("menagerie", "solo", master)
    assert phone.post(where, sent | {"key": new_key()}).status_code == 409
    listed = re.sub("[\u2068\u2069]", "", phone.get("/tables/results/").content.decode())
    assert "Newt" in listed
    assert "Wren won alone: the Grand Vizier outscored each of the others." in listed
    assert "Watch the replay" not in listed
    assert "Wren" not in str(result.kept)
    assert Result.objects.count() == 1


def test_button_for_the_roles_is_in_sight_when_the_game_is_over():
    """Not in a second fold that is also called "End the game"."""
    phone = Client()
    sheet = deal_roles(phone)
    page = phone.get(sheet.get_absolute_url()).text
    assert page.count("End the game") == 1
    turn(phone, sheet, "over")
    for shown in (phone.get(sheet.get_absolute_url()).text, phone.get(f"{sheet.get_absolute_url()}parts/").text):
        before, button, _ = shown.partition("Show the roles on every phone")
        assert button
        assert before.count("<details") == before.count("</details>"), "the button is inside a fold"
    assert "Show the roles on every phone" not in guest_of(sheet).get(sheet.get_absolute_url()).text


def test_menagerie_with_six_types_cannot_be_saved_as_a_win(master):
    sheet = start_sheet(master.client)
    for seat, role in enumerate(("vizier", "loyalist", "conspirator", "conspirator")):
        counts = dict.fromkeys(ANIMALS, 1) if seat == 0 else {}
        master.client.post(f"/tables/sheets/{sheet.code}/scores/", {"seat": seat, **figures(seat, counts, role)})
    turn(master.client, sheet, "start", seat=0)
    turn(master.client, sheet, "over")
    page = master.client.get(sheet.get_absolute_url()).text
    assert "Correct the menagerie with all six types" in page
    assert " wins<" not in page
    saved = master.client.post(f"/tables/sheets/{sheet.code}/keep/", {"key": new_key(), "who0": "Wren"})
    assert saved.status_code == 422
    assert not Result.objects.exists()


def test_same_people_play_again_on_a_new_sheet(master):
    sheet = start_sheet(master.client)
    other, late = guest_of(sheet), guest_of(sheet)
    again = f"/tables/sheets/{sheet.code}/again/"
    assert other.post(again, {"key": new_key()}).status_code == 409
    turn(master.client, sheet, "start", seat=0)
    turn(master.client, sheet, "over")
    assert "Play again with the same people" in other.get(sheet.get_absolute_url()).text
    key = new_key()
    where = {other.post(again, {"key": key})["Location"] for _ in range(2)}
    following = Sheet.objects.get(follows=sheet)
    assert where == {following.get_absolute_url()}
    assert [seat.label for seat in following.seat_set.all()] == [seat.label for seat in sheet.seat_set.all()]
    assert (following.deck, following.options, following.state["over"]) == (sheet.deck, sheet.options, False)
    # The others find it at the old sheet, without becoming its keeper.
    assert "Go to the next game" in late.get(f"{sheet.get_absolute_url()}parts/").text
    assert late.get(following.get_absolute_url()).status_code == 404
    assert late.post(again, {"key": key})["Location"] == following.get_absolute_url()
    assert late.get(following.get_absolute_url()).status_code == 200
    assert turns_and_roles.NOT_KEEPER in late.post(f"/tables/sheets/{following.code}/roles/open/").text


def test_set_up_page_warns_about_a_brisk_court_without_cards(master):
    deck = house_deck("monarchs")
    rows = {row.id: {"copies": 0} for row in deck.group("court") if not row.id.endswith(("usher", "steward"))}
    tiny = edit_deck(find_game("monarchs").schema, deck, rows, title="Tiny")
    copy = decks_services.create_copy(Who.of(master), tiny, key=new_key())
    page = f"/tables/companion/monarchs/?deck={copy.code}&seats=2"
    assert "everybody scores 0" not in master.client.get(page).text
    assert "everybody scores 0" in master.client.get(f"{page}&brisk=on").text


def test_no_result_without_roles_or_log_in(master):
    sheet = start_sheet(master.client)
    turn(master.client, sheet, "over")
    assert master.client.post(f"/tables/sheets/{sheet.code}/keep/", {"key": new_key()}).status_code == 422
    phone = guest_of(sheet)
    assert phone.post(f"/tables/sheets/{sheet.code}/keep/", {"key": new_key()}).status_code == 403
    assert "to save the result" in phone.get(sheet.get_absolute_url()).content.decode()
    assert Result.objects.count() == 0


def test_old_sheets_and_their_names_are_deleted():
    phone = Client()
    old, new = start_sheet(phone), start_sheet(phone)
    Sheet.objects.filter(pk=old.pk).update(touched_at=timezone.now() - dt.timedelta(days=31))
    assert companion_services.delete_old_sheets(timezone.now()) == 1
    assert list(Sheet.objects.all()) == [new]
    assert not Log.objects.filter(pk=old.log_id).exists()


def test_forgotten_person_leaves_no_sheets(master):
    from people import privacy

    start_sheet(master.client)
    privacy.forget_person(master, by=Who.of(master))
    assert Sheet.objects.count() == 0


def test_sheet_page_query_count_is_bounded(master, django_assert_max_num_queries):
    sheet = start_sheet(master.client)
    turns_and_roles.deal_roles(sheet, Who.of(master), key=new_key(), seen=0)
    master.client.get(sheet.get_absolute_url())
    with django_assert_max_num_queries(16):
        master.client.get(sheet.get_absolute_url())
