"""Rules and deck sheets, read back: figures match the rulebook and nothing overflows, on both papers and inks."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from cardgames.drawing import deck_pictures_of
from cardgames.games import HOWTO, SHELF, find_game, house_deck
from cardgames.games.menagerie.deck_definition import play_deck
from cardgames.games.monarchs.deck_definition import letters, piles_of
from printing.sheet_registry import format_range
from printing.sheets.card_decks import deck_cards
from printing.sheets.rules_sheets import dice_text, hero_text
from rulebook.battle.castle import PIECE_KINDS, PIECES
from rulebook.battle.modifiers import MODIFIERS
from rulebook.campaign.vp_spending import PRICES
from rulebook.data.battlefield import EVENTS, MORALE_TABLE, TERRAINS
from rulebook.data.heroes import HEROES, MUSICIAN, SPELLS
from rulebook.data.muster_table import MUSTER_TABLE
from rulebook.data.rule_texts import PLAYING
from rulebook.data.scenarios import SCENARIO, SCENARIOS
from rulebook.data.units import UNITS
from rulebook.solo_opponent import SOLO_TABLE
from tests.printing.read_pdf import MM, squash
from text import format_bonus

PAPERS = [("a4", "colour"), ("letter", "save")]


def row_of(text: str, *cells: str) -> bool:
    """Whether a line of the page holds these cells in this order."""
    return bool(re.search(r"[^\n]*?".join(map(re.escape, cells)), text))


@pytest.mark.parametrize(("paper", "ink"), PAPERS)
def test_quick_reference_has_two_pages_with_every_figure(rules_sheet, paper, ink):
    leaf = rules_sheet("quick-reference", paper=paper, ink=ink)
    assert len(leaf.pages) == 2
    leaf.is_whole()
    for unit in UNITS:
        melee, shots = dice_text(unit)
        cells = (
            unit.name,
            format_bonus(unit.q),
            format_bonus(unit.sq),
            str(unit.ac),
            str(unit.models),
            str(unit.wounds[-1]),
            melee,
            shots,
        )
        assert row_of(leaf.text, *cells, f"{unit.move}″", hero_text(unit)), unit.name
    for row in MUSTER_TABLE:
        assert leaf.says(f"{format_range(row.low, row.high)} {row.name} {row.hero}")
    for row in (*MORALE_TABLE, *EVENTS, *SOLO_TABLE, *SPELLS):
        assert leaf.says(f"{format_range(row.low, row.high)} {row.name} {row.text}"), row.key
    for hero in (*HEROES, MUSICIAN):
        assert leaf.says(f"{hero.roll} {hero.name} {hero.text}"), hero.key
    for price in PRICES:
        assert leaf.says(f"{price.vp} {price.name}")
    for mark in MODIFIERS:
        assert leaf.says(mark.name), mark.key
        if mark.kind == "flat":
            assert leaf.says(f"{mark.name} {mark.worth}")
    for terrain in TERRAINS:
        assert leaf.says(f"{terrain.name} {terrain.examples}")
    for kind in PIECE_KINDS:
        if kind.wall:
            assert leaf.says(f"{kind.name} {kind.number} {kind.ac} {kind.save_bonus} {kind.hits}")
    for scenario in SCENARIOS:
        assert row_of(leaf.text, str(scenario.roll or "–"), scenario.name, str(scenario.rounds or "–"))
    for key, _, rules in PLAYING:
        for rule in rules:
            if (key, rule.key) != ("morale", "table"):
                assert leaf.says(f"{rule.title} {rule.text}"), rule.key


def test_sheet_has_title_language_and_structure(rules_sheet):
    leaf = rules_sheet("quick-reference")
    assert re.search(r"Title:\s+Mice-at-Arms: quick reference", leaf.info)
    assert re.search(r"Tagged:\s+yes", leaf.info)
    assert b"/Lang" in leaf.pdf
    assert b"pdfuaid" in leaf.pdf  # it says of itself that it is PDF/UA, and the compiler refuses what is not


@pytest.mark.parametrize(("paper", "ink"), PAPERS)
def test_booklet_has_every_scenario_with_set_up_victory_and_points(rules_sheet, paper, ink):
    leaf = rules_sheet("scenarios", paper=paper, ink=ink)
    assert len(leaf.pages) == 1 + len(SCENARIOS) + 1  # title, one each, the castle
    leaf.is_whole()
    for number, scenario in enumerate(SCENARIOS, 2):
        page_text = squash(" ".join(word.text for word in leaf.pages[number - 1].words))
        for text in (scenario.name, scenario.text, *scenario.setup, scenario.length):
            assert squash(text) in page_text, (scenario.key, text)
        for side in scenario.sides:
            assert squash(side.wins) in page_text
        for line in scenario.vp:
            assert squash(f"{line.vp} VP {line.text}") in page_text
    castle = squash(" ".join(word.text for word in leaf.pages[-1].words))
    for piece in PIECES:
        assert squash(piece.name) in castle


def test_hold_the_hills_has_boxes_for_mounds_and_rounds(rules_sheet):
    leaf = rules_sheet("scenario", SCENARIO["hold_the_hills"], "hold_the_hills")
    assert len(leaf.pages) == 1
    for piece in SCENARIO["hold_the_hills"].objectives:
        assert len(re.findall(rf"{piece.name}\s+[AB]\b", leaf.text)) == 2


@pytest.mark.parametrize("sheet", ["kingdom-sheet", "tokens"])
def test_blank_sheets_fill_one_page(rules_sheet, sheet):
    leaf = rules_sheet(sheet)
    assert len(leaf.pages) == 1
    leaf.is_whole()


def test_every_hero_and_unit_has_a_card(rules_sheet):
    heroes, units = rules_sheet("heroes"), rules_sheet("units", ink="save")
    for hero in (*HEROES, MUSICIAN):
        assert heroes.says(hero.text), hero.key
        assert heroes.says(hero.when)
    for unit in UNITS:
        for point in unit.points:
            assert units.says(point), unit.key
    heroes.is_whole()
    units.is_whole()


# ── Decks ────────────────────────────────────────────────────────────────────────────────────────────────


def names_on(page) -> str:
    return squash(" ".join(word.text for word in page.words))


@pytest.mark.parametrize(("paper", "ink"), PAPERS)
def test_deck_has_the_right_number_of_each_card(rules_sheet, paper, ink):
    deck = house_deck("menagerie")
    leaf = rules_sheet("deck", deck, "menagerie", paper, ink)
    leaf.is_whole()
    cards = Counter(face.name for face in play_deck(deck))
    assert len(leaf.pages) == 2 * 6  # 46 cards of play and 4 roles, nine to a sheet, and their backs
    fronts = "".join(names_on(page) for page in leaf.pages[::2])
    for name, copies in cards.items():
        row = next(row for row in deck.rows if row.values["name"] == name)
        assert fronts.count(squash(str(row.values["text"]))) == copies, name
    assert fronts.count("animalroyalmenagerie") == 30
    assert fronts.count("rolesroyalmenagerie") + fronts.count("roleroyalmenagerie") == 4


def test_court_deck_has_starting_cards_for_every_seat(rules_sheet):
    deck = house_deck("monarchs")
    leaf = rules_sheet("deck", deck, "monarchs")
    starting, court = piles_of(deck)
    fronts = "".join(names_on(page) for page in leaf.pages[::2])
    for letter in letters(deck):
        assert fronts.count(f"startingcard{letter.casefold()}ofmice") == len(starting)
    for face in court:
        assert squash(face.name) in fronts
    assert len(leaf.pages) == 2 * -(-(len(letters(deck)) * len(starting) + len(court)) // 9)


PRINTED = {
    "moods": {"play card": 15, "action": 14, "mood": 5, "muse": 5, "show": 1, "reference": 4},
    "majesty": {"reform": 15, "philosophe": 40, "colony": 24, "campaign": 18, "scandal": 10, "reshuffle": 1},
}


@pytest.mark.parametrize("game", PRINTED)
def test_printed_games_have_every_card(rules_sheet, game):
    deck, title = house_deck(game), find_game(game).title
    assert not find_game(game).schema.warnings(deck)
    leaf = rules_sheet("deck", deck, game, "letter" if game == "moods" else "a4", "save")
    leaf.is_whole()
    cards = list(deck_cards(deck))
    assert len(leaf.pages) == 2 * -(-len(cards) // 9)
    fronts = "".join(names_on(page) for page in leaf.pages[::2])
    for kind, number in PRINTED[game].items():
        assert fronts.count(squash(f"{kind} · {title}")) == number, kind
    pictures = deck_pictures_of(deck).pictures.values()
    texts = {squash(picture.text): squash(picture.name) for picture in pictures if picture.text}
    copies = Counter(squash(card["name"]) for card in cards)
    for name in copies:
        assert name in fronts
    for text, name in texts.items():
        assert fronts.count(text) >= copies[name], name
    last = title.split()[-1]
    for front, back in zip(leaf.pages[::2], leaf.pages[1::2], strict=True):
        assert {(2 - column, row) for column, row in cells(front, last)} == cells(back, last)


def test_your_majesty_action_card_has_the_randomizer_of_its_copy():
    numbers = [card["corner"] for card in deck_cards(house_deck("majesty")) if card["name"] == "A Place at Court"]
    assert numbers == ["3", "5", "2", "1", "4"]


def test_deck_page_names_the_source_of_its_values(client, db):
    page = client.get("/print/deck/majesty/").content.decode()
    assert "All other names, figures and texts are our own." in page
    assert "Your Majesty" in client.get("/print/").content.decode()


def test_card_backs_match_fronts_in_duplex_printing(rules_sheet):
    """The last sheet of Royal Menagerie is not full and mixes two backs, so a wrong order would show."""
    leaf = rules_sheet("deck", house_deck("menagerie"), "menagerie")
    for front, back in zip(leaf.pages[::2], leaf.pages[1::2], strict=True):
        cards, turned = cells(front, "Menagerie"), cells(back, "Menagerie")
        assert cards
        assert {(2 - column, row) for column, row in cards} == turned


def cells(page, word: str) -> set[tuple[int, int]]:
    """Which of the nine cells holds this word."""
    left, top = (page.width - 3 * 63 * MM) / 2, (page.height - 3 * 88 * MM) / 2
    seen = set()
    for row in page.words:
        if row.text.casefold() == word.casefold() and row.top > top + 20 * MM:
            seen.add((int((row.middle - left) // (63 * MM)), int((row.top - top) // (88 * MM))))
    return seen


@pytest.mark.parametrize("game", sorted(SHELF))
def test_player_aids_list_the_rules(rules_sheet, game):
    leaf = rules_sheet("player-aid", SHELF[game], game)
    assert len(leaf.pages) == 1
    leaf.is_whole()
    howto = HOWTO[game]
    for text in (howto.aim, *howto.glance, *(line for section in howto.sections for line in section.lines)):
        assert leaf.says(text), text


def test_score_sheets_show_animal_points(rules_sheet):
    leaf = rules_sheet("score-sheet", SHELF["menagerie"], "menagerie")
    leaf.is_whole()
    assert row_of(leaf.text, "Mammoth", "1: 2, 2: 6, 3: 0")
    assert row_of(leaf.text, "White Tiger", "1: 1, 2: 3, 3: 0")


def test_score_sheet_of_your_majesty_has_six_courts(rules_sheet):
    """Y70, Y71, Y72, Y73, Y75"""
    leaf = rules_sheet("score-sheet", SHELF["majesty"], "majesty")
    leaf.is_whole()
    assert leaf.says("20 prestige wins at once")
    assert row_of(leaf.text, "Reforms of level 5", "5")
    assert row_of(leaf.text, "Slave colonies", "−1, 0 after Abolition")
    assert row_of(leaf.text, "1", "2", "3", "4", "5", "6")


def test_quick_reference_is_the_first_sheet_on_the_page(client, db):
    page = client.get("/print/").content.decode()
    assert re.findall(r'href="/print/([\w-]+)/', page)[:3] == ["quick-reference", "heroes", "units"]
