"""Beside printed cards: set-up, turns, the score sheet, hidden roles on phones, and keeping the result."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone

from cardgames import role_dealing, sheets
from cardgames.companion_sheet import score_of, seat_rows
from cardgames.games import house_deck
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.menagerie.faces import ANIMALS, ROLE, VIZIER
from cardgames.games.menagerie.score import result as menagerie_result
from cardgames.games.monarchs import companion as monarchs
from cardgames.games.monarchs.score import result as monarchs_result
from cardgames.models import Result, Sheet, SheetSeat
from log.door import new_key
from log.models import Entry, Log
from people.who import Who

pytestmark = pytest.mark.django_db(transaction=True)


def begun(phone: Client, game: str = "menagerie", seats: int = 4, **more) -> Sheet:
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
    """Another phone that came by the link on the sheet."""
    phone = Client()
    where = phone.get(sheet.link.get_absolute_url())["Location"]
    assert phone.post(where).status_code == 302
    return phone


def open_score(sheet: Sheet):
    return score_of(sheet, seat_rows(sheet, Who()))


# ── Set-up and how to play ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_set_up_calculator_says_what_the_companion_says(client, seats):
    page = client.get(f"/tables/companion/monarchs/?seats={seats}&brisk=on").content.decode()
    for step in monarchs.set_up(seats, house_deck("monarchs"), brisk=True):
        assert step in page
    assert f'<b class="num">{10 * seats}</b>' in page


def test_odd_numbers_in_the_address_fall_back_to_the_usual(client):
    for odd in ("seats=9", "seats=-1", "seats=x", "seats=99999999999", "deck=nowhere"):
        assert client.get(f"/tables/companion/monarchs/?{odd}").status_code == 200
    assert client.get("/tables/companion/chess/").status_code == 404
    page = client.get("/tables/companion/menagerie/").content.decode()
    assert all(step in page for step in menagerie.set_up(house_deck("menagerie")))


@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
def test_how_to_play_draws_each_step_of_a_real_table(client, game):
    from cardgames.games import HOWTO

    howto = HOWTO[game]
    for number, step in enumerate(howto.example.steps, 1):
        page = client.get(f"/tables/how/{game}/?step={number}").content.decode()
        assert step.caption.replace("'", "&#x27;") in page
        assert 'class="gcard' in page
    for key, _ in howto.rulings:
        assert f"<dt>{key}</dt>" in page
    assert "House values" in page
    for odd in ("0", "-4", "x", "999999"):
        assert client.get(f"/tables/how/{game}/?step={odd}").status_code == 200
    assert client.get("/tables/how/chess/").status_code == 404


# ── A sheet ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_guest_without_account_begins_a_sheet_and_others_come_by_its_link():
    phone = Client()
    sheet = begun(phone)
    assert sheet.keeper is None
    assert [seat.name for seat in sheet.seat_set.all()] == ["Wren", "Tam", "Oda", "Pim"]
    assert phone.get(sheet.get_absolute_url()).status_code == 200
    assert Client().get(sheet.get_absolute_url()).status_code == 404
    other = guest_of(sheet)
    page = other.get(sheet.get_absolute_url()).content.decode()
    assert "Tam" in page
    assert "Log in</a> to keep the result" not in page  # the game is not over yet
    # The one tap begins one sheet.
    sent = {"key": "one-sheet-please", "seats": 4}
    for _ in range(2):
        phone.post("/tables/companion/menagerie/begin/", sent)
    assert Sheet.objects.count() == 2


def test_a_sheet_cannot_be_begun_with_nonsense(client):
    for sent in (
        {"seats": 4},
        {"key": new_key(), "seats": 5},
        {"key": new_key(), "seats": "x"},
        {"key": new_key(), "seats": 4, "name0": "n" * 41},
        {"key": new_key(), "seats": 4, "deck": "not-a-deck"},
    ):
        assert client.post("/tables/companion/menagerie/begin/", sent).status_code == 422
    assert Sheet.objects.count() == 0


def test_turns_of_the_menagerie_go_clockwise_from_the_left_of_the_vizier():
    """G10, G12, G41, GR-14"""
    phone = Client()
    sheet = begun(phone)
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


def test_the_round_of_the_monarchs_is_played_to_its_end():
    """M46, MR-8"""
    phone = Client()
    sheet = begun(phone, "monarchs", 3)
    turn(phone, sheet, "start", seat=1)
    turn(phone, sheet, "next")
    turn(phone, sheet, "ends")
    page = phone.get(sheet.get_absolute_url()).content.decode()
    assert "After this one turn to go; Wren is last." in page
    turn(phone, sheet, "next")
    assert "Wren takes the last turn of the game." in phone.get(sheet.get_absolute_url()).content.decode()
    turn(phone, sheet, "next")
    assert sheet.state["over"]


def test_lots_name_a_start_player_and_dice_fall_in_a_game_alone():
    """M07, M70, M71, M72"""
    phone = Client()
    sheet = begun(phone, "monarchs", 4)
    assert turn(phone, sheet, "start").state["start"] in range(4)
    alone = begun(phone, "monarchs", 1)
    turn(phone, alone, "start")
    turn(phone, alone, "roll")
    white, black = alone.state["dice"]
    page = phone.get(alone.get_absolute_url()).content.decode()
    assert f"White {white}: in the front row" in page
    assert f"Black {black}: in the back row" in page
    turn(phone, alone, "fell", white=5, black=2)
    page = phone.get(alone.get_absolute_url()).content.decode()
    assert "White 5: in the front row you choose a card." in page
    assert "Black 2: in the back row the card on spot 2 from the left goes." in page
    where = f"/tables/sheets/{alone.code}/turn/"
    for odd in ({"white": 7, "black": 1}, {"white": "x", "black": 1}, {"white": 1}, {}):
        assert phone.post(where, {"act": "fell", "step": alone.state["step"]} | odd).status_code == 422


def test_a_tap_sent_twice_turns_the_table_once_and_odd_acts_are_refused():
    phone = Client()
    sheet = begun(phone, "monarchs", 2)
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


def test_seats_are_drawn_by_lot_before_the_game_and_not_in_it():
    phone = Client()
    sheet = begun(phone, "monarchs", 4)
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


def test_what_the_outbox_sends_again_after_others_wrote_changes_nothing():
    phone = Client()
    sheet = begun(phone)
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


def test_the_score_sheet_of_the_menagerie_adds_up_as_the_table_does():
    """G50, G51, G60, G61"""
    phone = Client()
    sheet = begun(phone)
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
    assert "The game goes to Wren." in phone.get(sheet.get_absolute_url()).content.decode()


def test_the_score_sheet_of_the_monarchs_adds_up_as_the_table_does():
    """M50, M52, M60, MR-9"""
    phone = Client()
    sheet = begun(phone, "monarchs", 2)
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


def test_what_cannot_be_is_said_and_the_figures_stay():
    phone = Client()
    sheet = begun(phone, "monarchs", 2)
    where = f"/tables/sheets/{sheet.code}/scores/"
    answer = phone.post(where, {"seat": 0, "s0.green.crowns": 2}, headers={"X-Outbox": "1"})
    assert "Green has crowns but no cards." in answer.content.decode()
    sheet.refresh_from_db()
    assert sheet.entered[0]["green"] == [0, 2, 0]
    for odd in ("x", "-1", "100", "1.5", "٣"):
        assert phone.post(where, {"seat": 0, "s0.green.cards": odd}).status_code == 422
    pens = begun(phone)
    sent = {"seat": 0} | {f"s0.{animal}": 1 for animal in ANIMALS}
    page = phone.post(f"/tables/sheets/{pens.code}/scores/", sent, headers={"X-Outbox": "1"}).content.decode()
    assert "a stampede takes one of each away" in page
    assert phone.post(f"/tables/sheets/{pens.code}/scores/", {"seat": 0, "s0.mammoth": 4}).status_code == 422


def test_another_phone_fetches_the_totals_with_a_tag():
    phone = Client()
    sheet = begun(phone)
    where = f"/tables/sheets/{sheet.code}/parts/"
    other = guest_of(sheet)
    first = other.get(where)
    assert other.get(where, headers={"If-None-Match": first["ETag"]}).status_code == 304
    phone.post(f"/tables/sheets/{sheet.code}/scores/", figures(0, {"mammoth": 2}))
    again = other.get(where, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert ">6</output>" in again.content.decode()


def test_the_forms_in_what_a_phone_fetches_are_its_own():
    sheet = begun(Client(), "monarchs", 2)
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


def dealt(phone: Client) -> Sheet:
    sheet = begun(phone)
    assert phone.post(f"/tables/sheets/{sheet.code}/roles/", {"key": new_key(), "step": 0}).status_code == 302
    sheet.refresh_from_db()
    return sheet


def test_roles_are_dealt_as_the_rules_have_them_and_the_vizier_is_shown():
    """G03, G04, G10"""
    phone = Client()
    sheet = dealt(phone)
    assert sorted(seat.role for seat in sheet.seat_set.all()) == ["conspirator", "conspirator", "loyalist", "vizier"]
    vizier = sheet.seat_set.get(role=VIZIER).number
    assert sheet.state["vizier"] == vizier
    assert sheet.state["active"] == (vizier + 1) % 4
    assert "Grand Vizier" in phone.get(sheet.get_absolute_url()).content.decode()


def test_a_role_is_seen_by_the_phone_that_took_it_and_by_nobody_else():
    phone = Client()
    sheet = dealt(phone)
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
    told = str(list(Entry.objects.filter(log=sheet.log).values_list("act", "body", "effects")))
    assert "loyalist" not in told
    assert "conspirator" not in told


def test_nothing_that_others_get_depends_on_what_was_dealt():
    """The same pages, byte for byte but for form keys, after the hidden roles were exchanged behind their backs."""
    phone = Client()
    sheet = dealt(phone)
    other = guest_of(sheet)
    paths = ["", "parts/", *(f"roles/{seat.place}/" for seat in hidden(sheet))]

    def seen() -> list[str]:
        pages = [other.get(f"/tables/sheets/{sheet.code}/{path}").content.decode() for path in paths]
        return [re.sub(r'(name="(?:key|csrfmiddlewaretoken)" value=")[^"]*', r"\1", page) for page in pages]

    before = seen()
    seats = hidden(sheet)
    roles = [seat.role for seat in seats]
    for seat, role in zip(seats, [*roles[1:], roles[0]], strict=True):
        SheetSeat.objects.filter(pk=seat.pk).update(role=role)
    assert seen() == before


def test_one_phone_is_handed_on_and_covers_what_was_seen():
    phone = Client()
    sheet = dealt(phone)
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


def test_roles_are_shown_by_the_keeper_alone_when_the_game_is_over():
    """G43"""
    phone = Client()
    sheet = dealt(phone)
    other = guest_of(sheet)
    where = f"/tables/sheets/{sheet.code}/roles/"
    assert other.post(f"{where}open/").status_code == 403
    assert other.post(where, {"key": new_key()}).status_code == 403
    assert phone.post(f"{where}open/").status_code == 302
    sheet.refresh_from_db()
    assert sheet.state["over"]
    assert "Conspirator" in other.get(sheet.get_absolute_url()).content.decode()
    # Dealing again voids what the phones hold.
    seat = hidden(sheet)[0]
    other.post(f"{where}{seat.place}/take/")
    # A page that has not heard of it deals nothing.
    assert phone.post(where, {"key": new_key(), "step": 0}).status_code == 409
    assert sheet.seat_set.exclude(token=None).count() == 1
    assert phone.post(where, {"key": new_key(), "step": sheet.state["step"]}).status_code == 302
    assert not sheet.seat_set.exclude(token=None).exists()
    sheet.refresh_from_db()
    assert not sheet.roles_open


def test_a_sheet_of_the_monarchs_has_no_roles(client):
    sheet = begun(client, "monarchs", 2)
    assert client.post(f"/tables/sheets/{sheet.code}/roles/", {"key": new_key()}).status_code == 422
    assert client.get(f"/tables/sheets/{sheet.code}/roles/1/").status_code == 409
    assert client.get(f"/tables/sheets/{sheet.code}/roles/9/").status_code == 404


# ── The result ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_result_is_kept_with_people_known_and_new(master, guest):
    guest.keeper = master
    guest.save()
    phone = master.client
    sheet = begun(phone)
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
    assert "The Grand Vizier alone has the most points. The game goes to Wren." in listed
    assert "Watch it again" not in listed
    assert "Wren" not in str(result.kept)
    assert Result.objects.count() == 1


def test_without_roles_nobody_has_won_and_without_a_name_nothing_is_kept(master):
    sheet = begun(master.client)
    turn(master.client, sheet, "over")
    assert master.client.post(f"/tables/sheets/{sheet.code}/keep/", {"key": new_key()}).status_code == 422
    phone = guest_of(sheet)
    assert phone.post(f"/tables/sheets/{sheet.code}/keep/", {"key": new_key()}).status_code == 403
    assert "to keep the result" in phone.get(sheet.get_absolute_url()).content.decode()
    assert Result.objects.count() == 0


def test_sheets_and_the_names_on_them_go_after_a_month():
    phone = Client()
    old, new = begun(phone), begun(phone)
    Sheet.objects.filter(pk=old.pk).update(touched_at=timezone.now() - dt.timedelta(days=31))
    assert sheets.forget_old(timezone.now()) == 1
    assert list(Sheet.objects.all()) == [new]
    assert not Log.objects.filter(pk=old.log_id).exists()


def test_who_is_forgotten_leaves_no_sheet_with_names(master):
    from people import forgetting

    begun(master.client)
    forgetting.forget(master, by=Who.of(master))
    assert Sheet.objects.count() == 0


def test_a_page_of_a_sheet_asks_the_database_a_bounded_number_of_times(master, django_assert_max_num_queries):
    sheet = begun(master.client)
    role_dealing.deal(sheet, Who.of(master), key=new_key(), seen=0)
    master.client.get(sheet.get_absolute_url())
    with django_assert_max_num_queries(16):
        master.client.get(sheet.get_absolute_url())
