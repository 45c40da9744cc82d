"""Moods of the Mad King with printed cards: the secret dealer on phones, draws left, and the result."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from cardgames.engine import FastRng
from cardgames.games import house_deck
from cardgames.games.moods import printed_game
from cardgames.games.moods.deck_definition import MOODS, MUSES
from cardgames.models import Sheet, SheetSeat
from log.models import Entry
from log.services import new_key
from refusal import Refusal
from tests.cardgames.companion.test_companion import guest_of, start_sheet, turn


@pytest.mark.parametrize(("seats", "moods"), [(2, 2), (3, 1), (4, 1)])
def test_secrets_are_dealt_by_the_rules(seats, moods):
    """D11, D12, D13, DI-4"""
    for number in range(30):
        deal = printed_game.MoodsCompanion().deal(seats, FastRng(number))
        muses = [hand[0] for hand in deal.hands]
        dealt = [mood for hand in deal.hands for mood in hand[1:]]
        assert len(set(muses)) == seats
        assert set(muses) <= set(MUSES)
        assert [len(hand) - 1 for hand in deal.hands] == [moods] * seats
        assert len({*deal.table, *dealt}) == 1 + len(dealt)
        assert {*deal.table, *dealt} <= set(MOODS)


def test_result_sheet_judges_like_the_table():
    """D40, D41, D42, DR-12"""
    deck = house_deck("moods")
    plays = [{"comedy": 2, "drama": 1}, {"drama": 2}, {"comedy": 1}]
    muses = ["muse-comedy", "muse-drama", "muse-romance"]
    told = printed_game.score_sheet(plays, deck, "mood-joyous", muses)
    assert (told.outcome, told.winners) == ("won", (0,))
    assert told.facts["beheaded"] == [1]
    assert told.facts["without_patron"] == [2]
    assert printed_game.score_sheet(plays, deck).outcome is None
    many = printed_game.score_sheet([{"comedy": 3}, {"comedy": 1}], deck, "mood-joyous", muses[:2])
    assert "4 of comedy entered, but the deck has only 3." in many.warnings
    assert many.outcome is None
    assert printed_game.score_sheet([{"comedy": 3, "drama": 1}, {}], deck).warnings
    with pytest.raises(Refusal, match="is not a genre"):
        printed_game.score_sheet([{"opera": 1}, {}], deck)
    with pytest.raises(Refusal, match="2 to 4 players"):
        printed_game.MoodsCompanion().set_up(deck, 5, {})


def deal(phone: Client) -> Sheet:
    sheet = start_sheet(phone, "moods", 3)
    assert phone.post(f"/tables/sheets/{sheet.code}/roles/", {"key": new_key(), "step": 0}).status_code == 302
    sheet.refresh_from_db()
    return sheet


@pytest.mark.django_db(transaction=True)
def test_only_the_phone_that_took_the_cards_sees_them_until_the_show():
    """D14, D31: several hidden cards per seat, and one in the middle that nobody sees"""
    phone = Client()
    sheet = deal(phone)
    other = guest_of(sheet)
    seat = sheet.seat_set.get(number=1)
    assert len(seat.hidden_cards) == 2
    where = f"/tables/sheets/{sheet.code}/roles/2/"
    words = [re.sub("^(muse|mood)-", "", card).capitalize() for card in (*seat.hidden_cards[1:], *sheet.table_cards)]
    cover = other.get(where).content.decode()
    assert "Are you" in cover
    assert other.post(f"{where}take/").status_code == 302
    mine = other.get(where).content.decode()
    assert words[0] in mine
    assert words[1] not in mine
    assert phone.get(where).status_code == 403
    for path in ("", "parts/"):
        page = phone.get(f"/tables/sheets/{sheet.code}/{path}").content.decode()
        below = page.partition('id="roles"')[2].partition("</section>")[0]
        assert not any(word in below for word in words)
    stored = str(list(Entry.objects.filter(log=sheet.log).values_list("act", "body", "effects")))
    assert "mood-" not in stored
    assert "muse-" not in stored
    assert other.post(f"/tables/sheets/{sheet.code}/roles/open/").status_code == 403


@pytest.mark.django_db(transaction=True)
def test_other_phones_learn_nothing_about_the_deal():
    phone = Client()
    sheet = deal(phone)
    other = guest_of(sheet)
    paths = ["", "parts/", "roles/1/", "roles/2/", "roles/3/"]

    def seen() -> list[str]:
        pages = [other.get(f"/tables/sheets/{sheet.code}/{path}").content.decode() for path in paths]
        return [re.sub(r'(name="(?:key|csrfmiddlewaretoken)" value=")[^"]*', r"\1", page) for page in pages]

    before = seen()
    seats = list(sheet.seat_set.all())
    for place, seat in enumerate(seats):
        SheetSeat.objects.filter(pk=seat.pk).update(hidden_cards=seats[place - 1].hidden_cards)
    Sheet.objects.filter(pk=sheet.pk).update(table_cards=[seats[0].hidden_cards[1]])
    assert seen() == before


@pytest.mark.django_db(transaction=True)
def test_a_whole_game_beside_printed_cards():
    """D30, DR-20, DE-2: the deck is counted, and the show opens the King's Mood"""
    phone = Client()
    sheet = deal(phone)
    turn(phone, sheet, "start", seat=2)
    assert "After this draw 14 cards are left" in phone.get(sheet.get_absolute_url()).content.decode()
    turn(phone, sheet, "card-more")
    turn(phone, sheet, "card-fewer")
    for _ in range(14):
        turn(phone, sheet, "next")
    page = phone.get(sheet.get_absolute_url()).content.decode()
    assert "no card is left" in page
    where = f"/tables/sheets/{sheet.code}/turn/"
    assert phone.post(where, {"act": "card-fewer", "step": sheet.state["step"]}).status_code == 409
    turn(phone, sheet, "card-more")
    turn(phone, sheet, "next")
    assert not sheet.state["over"]
    turn(phone, sheet, "next")
    assert sheet.state["over"]
    assert "Show the roles" in phone.get(sheet.get_absolute_url()).content.decode()
    assert phone.post(f"/tables/sheets/{sheet.code}/roles/open/").status_code == 302
    sheet.refresh_from_db()
    genre = {"brooding": "drama", "lamenting": "tragedy", "passionate": "romance", "joyous": "comedy"}
    king = sheet.table_cards[0].removeprefix("mood-")
    muse = sheet.seat_set.get(number=0).role.removeprefix("muse-")
    figures = {"seat": 0, f"s0.{genre.get(king, 'musical')}": 1} | {f"s0.{muse}": 1}
    assert phone.post(f"/tables/sheets/{sheet.code}/scores/", figures).status_code == 302
    shown = phone.get(sheet.get_absolute_url()).content.decode()
    assert f"Wren won. The King&#39;s Mood was {king.capitalize()}." in shown
    assert "beheaded and lost their patron" in shown


@pytest.mark.django_db(transaction=True)
def test_printed_moods_are_entered_by_hand():
    phone = Client()
    sheet = start_sheet(phone, "moods", 2)
    turn(phone, sheet, "start", seat=0)
    turn(phone, sheet, "over")
    assert "Enter the King&#39;s Mood and the Muses" in phone.get(sheet.get_absolute_url()).content.decode()
    turn(phone, sheet, "king", what="mood-joyous")
    for seat, muse in ((0, "muse-comedy"), (1, "muse-drama")):
        sent = {"seat": seat, f"s{seat}.comedy": 1, f"s{seat}.role": muse}
        assert phone.post(f"/tables/sheets/{sheet.code}/scores/", sent).status_code == 302
    assert "Wren won." in phone.get(sheet.get_absolute_url()).content.decode()
    where = f"/tables/sheets/{sheet.code}/turn/"
    assert phone.post(where, {"act": "king", "what": "mood-gloomy", "step": sheet.state["step"]}).status_code == 422
    assert phone.post(where, {"act": "scandal", "seat": 0, "step": sheet.state["step"]}).status_code == 409
