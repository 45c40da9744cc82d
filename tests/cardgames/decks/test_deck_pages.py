"""Decks are data: the pages say where each value comes from, and a group plays with the cards it owns."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from cardgames import selectors as decks_selectors
from cardgames.decks import services as decks_services
from cardgames.decks.display import build_deck_display
from cardgames.games import SHELF, find_game, house_deck
from cardgames.models import DeckCopy, Table
from log.services import new_key
from people.requester import Who

pytestmark = pytest.mark.django_db(transaction=True)


def fields(copy: DeckCopy) -> dict[str, str]:
    """The edit form as the page sends it unchanged."""
    deck = decks_selectors.deck_of(copy)
    return {
        f"{line.id}.{cell.kind.key}": ("on" if cell.value is True else str(cell.value))
        for part in build_deck_display(find_game(copy.game).schema, deck).parts
        for line in part.lines
        for cell in line.cells
        if cell.value is not False
    }


def copy_deck(person, game: str = "menagerie") -> DeckCopy:
    return decks_services.create_copy(Who.of(person), house_deck(game), key=new_key())


@pytest.mark.parametrize("game", sorted(SHELF))
def test_deck_page_marks_house_values(client, game):
    page = client.get(f"/tables/decks/{game}/").content.decode()
    assert "House values: ours, where the rules give none" in page
    sheet = build_deck_display(find_game(game).schema, house_deck(game))
    counts = {origin.key: origin.count for origin in sheet.origins}
    assert sum(counts.values()) == sum(len(row.values) for row in house_deck(game).rows)
    assert counts["house"] == page.count(">⌂<span") > 0
    assert all(total.fits for total in sheet.sums)
    assert not sheet.warnings


def test_copy_accepts_printed_values_and_warns_about_totals(master):
    answer = master.client.post("/tables/decks/menagerie/copy/", {"key": new_key(), "title": "Cellar deck"})
    copy = DeckCopy.objects.get()
    assert answer["Location"] == f"/tables/decks/ours/{copy.code}/edit/"
    assert "Cellar deck" in master.client.get(answer["Location"]).content.decode()
    form = fields(copy) | {"shoot.copies": "5", "shoot.name": "Fire & Away", "version": "1", "title": "Our cards"}
    assert master.client.post(answer["Location"], form)["Location"] == copy.get_absolute_url()
    copy.refresh_from_db()
    row = decks_selectors.deck_of(copy).row("shoot")
    assert (row.copies, row.sources["copies"], row.sources["text"]) == (5, "printed", "house")
    page = master.client.get(copy.get_absolute_url()).content.decode()
    assert "The rules call for 16 actions; this deck has 17." in page
    assert "Fire &amp; Away" in page
    assert "Entered from printed cards" in page


def test_invalid_values_are_refused_and_stay_in_the_form(master):
    copy = copy_deck(master)
    form = fields(copy) | {"shoot.copies": "many", "steal.name": "Pinch", "version": "1"}
    answer = master.client.post(f"/tables/decks/ours/{copy.code}/edit/", form)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "must be a whole number" in page
    assert 'value="Pinch"' in page
    copy.refresh_from_db()
    assert copy.version == 1
    assert decks_selectors.deck_of(copy).row("steal").values["name"] == "Steal"


def test_two_phones_do_not_overwrite_each_other(master):
    copy = copy_deck(master)
    where = f"/tables/decks/ours/{copy.code}/edit/"
    first = fields(copy) | {"shoot.copies": "3", "version": "1"}
    assert master.client.post(where, first).status_code == 302
    # Repeating the same save is fine; another value from the old page is a conflict.
    assert master.client.post(where, first).status_code == 302
    assert master.client.post(where, first | {"shoot.copies": "4"}).status_code == 409
    copy.refresh_from_db()
    assert decks_selectors.deck_of(copy).row("shoot").copies == 3


def test_copy_can_add_a_court_card(master):
    copy = copy_deck(master, "monarchs")
    more = {"name": "Duchess Quill", "role": "juggler", "colour": "red", "cost": "7", "influence": "4", "text": ""}
    form = fields(copy) | {f"new-court.{key}": value for key, value in more.items()}
    form |= {"new-court.moves": "0", "new-court.crowns": "0", "new-court.copies": "1", "version": "1"}
    assert master.client.post(f"/tables/decks/ours/{copy.code}/edit/", form).status_code == 302
    copy.refresh_from_db()
    deck = decks_selectors.deck_of(copy)
    assert deck.count(("court",)) == 61
    assert deck.row("own-court-1").values["name"] == "Duchess Quill"
    assert "Duchess Quill" in master.client.get(copy.get_absolute_url()).content.decode()


def test_deck_file_exports_and_imports_and_invalid_files_are_refused(master, player):
    text = master.client.get("/tables/decks/monarchs/deck.json").content
    assert json.loads(text) == house_deck("monarchs").as_json()

    def send(raw: bytes):
        sent = {"key": new_key(), "file": SimpleUploadedFile("deck.json", raw, "application/json")}
        return player.client.post("/tables/decks/take-in/", sent)

    answer = send(text)
    copy = DeckCopy.objects.get()
    assert (answer["Location"], copy.owner) == (copy.get_absolute_url(), player)
    broken = json.loads(text)
    broken["cards"][0]["values"] = {}
    for raw, words in (
        (b"\xff\xfe", "not text in UTF-8"),
        (b"[]", "not a deck for one of our games"),
        (b"[" * 5000, "nested too deeply"),
        (b"{", "not valid JSON"),
        (b'{"game": "\\u0000"}', "not text"),
        (b'{"game": "chess"}', "not a deck for one of our games"),
        (b'{"game": "menagerie"}', "not a deck"),
        (json.dumps(broken).encode(), "needs exactly these values"),
        (b" " * 300_001, "too large"),
    ):
        answer = send(raw)
        assert answer.status_code == 422, raw[:20]
        assert words in answer.content.decode()
    assert DeckCopy.objects.count() == 1
    assert player.client.post("/tables/decks/take-in/", {"key": new_key()}).status_code == 422


def test_deck_is_private_until_it_is_shared(master, player, stranger):
    campaign = founding_services.found_campaign(Who.of(master), key="one-campaign", name="The War of the Hedges")
    invitations_services.join_campaign(campaign, Who.of(player), key="player-joins")
    copy = copy_deck(master)
    where = copy.get_absolute_url()
    assert player.client.get(where).status_code == 404
    assert master.client.post(f"{where}open/", {"use": "circle"}).status_code == 302
    assert player.client.get(where).status_code == 200
    assert stranger.client.get(where).status_code == 404
    assert player.client.post(f"{where}edit/", {"version": "1"}).status_code == 403
    answer = player.client.post("/tables/decks/menagerie/copy/", {"key": new_key(), "deck": copy.code})
    assert answer.status_code == 302
    assert DeckCopy.objects.filter(owner=player).count() == 1
    assert (
        stranger.client.post("/tables/decks/menagerie/copy/", {"key": new_key(), "deck": copy.code}).status_code == 422
    )


def test_table_uses_a_deck_copy(master):
    copy = copy_deck(master)
    way = f"/tables/host/menagerie/?deck={copy.code}"
    assert way in master.client.get(f"/tables/decks/ours/{copy.code}/").content.decode()
    assert f'value="{copy.code}" selected' in master.client.get(way).content.decode()
    form = fields(copy) | {"trade.copies": "6", "version": "1", "title": "Six trades"}
    master.client.post(f"/tables/decks/ours/{copy.code}/edit/", form)
    answer = master.client.post("/tables/host/menagerie/", {"key": new_key(), "deck": copy.code})
    assert answer.status_code == 302, answer.content.decode()
    table = Table.objects.get()
    assert table.deck_title == "Six trades"
    # Deleting the copy does not affect a table that uses it.
    assert master.client.post(f"/tables/decks/ours/{copy.code}/away/").status_code == 302
    assert json.loads(Table.objects.get().deck)["title"] == "Six trades"


def test_repeated_copy_makes_one_and_copies_are_limited(master, monkeypatch):
    sent = {"key": new_key()}
    for _ in range(2):
        master.client.post("/tables/decks/menagerie/copy/", sent)
    assert DeckCopy.objects.count() == 1
    monkeypatch.setattr(decks_services, "MAX_COPIES", 1)
    assert master.client.post("/tables/decks/menagerie/copy/", {"key": new_key()}).status_code == 422


@pytest.mark.parametrize("content_type", ["application/json", "application/octet-stream", ""])
def test_deck_without_a_body_is_refused(player, content_type):
    answer = player.client.post("/api/v1/tables/decks/take-in/?key=an-empty-deck-file", b"", content_type=content_type)
    assert answer.status_code == 422


@pytest.mark.parametrize("title", ["", "  "])
def test_an_empty_title_is_refused_by_the_api(master, title):
    copy = copy_deck(master)
    sent = {"values": {}, "version": 1, "title": title}
    answer = master.client.patch(f"/api/v1/tables/decks/ours/{copy.code}/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["field"]) == (422, "title")
