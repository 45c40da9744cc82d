"""A game owns its printed side: companion, score pad and pictures come from its folder, and nothing else names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from cardgames import games
from cardgames.games import SHELF, register_game
from cardgames.models import Sheet
from log.services import new_key
from printing.sheet_registry import PaperSetting, sheet_of
from tests.printing.read_pdf import PrintedSheet

ROOT = Path(settings.BASE_DIR)
# Folders of the games themselves. Migrations are history.
OWN = ("cardgames/games", "cardgames/migrations", "templates/cardgames/games", "static/css/games")
GENERIC = [
    path
    for folder in ("cardgames", "printing", "templates", "static")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".html", ".typ", ".css", ".js", ".svg")
    and not path.relative_to(ROOT).as_posix().startswith(OWN)
]


def test_what_all_games_share_names_no_game():
    names = "|".join(re.escape(name) for game in SHELF.values() for name in (game.key, game.title))
    match = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in GENERIC
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(rf"(?<![a-z])({names})(?![a-z])", line, re.IGNORECASE)
    ]
    assert len(GENERIC) > 300
    assert not match, match


def test_folders_of_templates_and_styles_belong_to_games():
    """A folder or stylesheet that no game asks for is forgotten or misspelt."""
    asked = {path.name for path in (ROOT / "templates/cardgames/games").iterdir()}
    asked |= {path.stem for path in (ROOT / "static/css/games").iterdir()}
    assert asked <= set(SHELF)


@pytest.fixture
def pebbles():
    """The toy game on the shelf, as CARD_GAMES puts it there, and nothing of it left afterwards."""
    registries = (games.GAMES, games.SHELF, games.HOWTO, games.HOUSE)
    before = [dict(registry) for registry in registries]
    from tests.cardgames import toy_game

    register_game(toy_game.GAME, toy_game.HOWTO, toy_game.FOLDER)
    yield toy_game
    for registry, rows in zip(registries, before, strict=True):
        registry.clear()
        registry.update(rows)


@pytest.mark.django_db(transaction=True)
def test_game_added_as_a_folder_has_a_companion(client, pebbles):
    page = client.get("/tables/companion/pebbles/?seats=3").content.decode()
    assert "Deal 3 cards to each of the 3 players." in page
    sent = {"key": new_key(), "seats": 2, "name0": "Wren", "name1": "Tam"}
    where = client.post("/tables/companion/pebbles/begin/", sent)["Location"]
    sheet = Sheet.objects.get()

    def tap(act: str, **more: object) -> str:
        sheet.refresh_from_db()
        assert client.post(f"{where}turn/", {"act": act, "step": sheet.state.get("step", 0), **more}).status_code == 302
        return client.get(where).content.decode()

    assert "The deck is empty" in tap("start", seat=1)
    page = tap("ends")
    assert "Tam plays a card." in page
    assert "The deck is empty" not in page
    for _ in range(6):
        page = tap("next")
    assert "Count the cards of each row." in page
    for seat, bells in ((0, 1), (1, 2)):
        assert client.post(f"{where}scores/", {"seat": seat, f"s{seat}.bell": bells}).status_code == 302
    assert "Tam won." in client.get(where).content.decode()
    assert client.post(f"{where}scores/", {"seat": 0, "s0.bell": 21}).status_code == 422
    answer = client.post(
        "/api/v1/tables/score/pebbles/", {"counts": [{"bell": 1}, {"thorn": 1}]}, content_type="application/json"
    )
    assert answer.json()["winners"] == [0]


def test_game_added_as_a_folder_is_printed(pebbles):
    def printed(sheet: str, thing: object) -> PrintedSheet:
        return PrintedSheet(sheet, sheet_of(sheet).gather(thing), PaperSetting("a4", "colour"))

    assert printed("score-sheet", pebbles.GAME).says("the best row wins")
    assert printed("player-aid", pebbles.GAME).says("Have the best row.")
    deck = games.house_deck("pebbles")
    cards = sum(row.copies for row in deck.rows)
    assert len(printed("deck", deck).pages) == 2 * -(-cards // 9)
