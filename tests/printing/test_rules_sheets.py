"""Sheets of the rules and of the decks, read back: every figure is the rulebook's, nothing overflows, both papers, both inks."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from cardgames.games import HOWTO, SHELF, house_deck
from cardgames.games.menagerie.faces import play_deck
from cardgames.games.monarchs.faces import letters, piles_of
from cardgames.on_paper import ON_PAPER, paper_deck
from printing.sheets.quick_reference import dice, hero_of
from printing.words import signed, span
from rulebook.events import EVENTS
from rulebook.heroes import HEROES, MUSICIAN, SPELLS
from rulebook.marks import MARKS
from rulebook.morale import MORALE
from rulebook.muster_table import MUSTER
from rulebook.playing import PLAYING
from rulebook.scenarios import SCENARIO, SCENARIOS
from rulebook.siege import PIECE_KINDS, PIECES
from rulebook.solo import SOLO_TABLE
from rulebook.spoils import PRICES
from rulebook.terrain import TERRAINS
from rulebook.units import UNITS
from tests.printing.leaf import MM, squash

PAPERS = [("a4", "colour"), ("letter", "save")]


def row_of(text: str, *cells: str) -> bool:
    """Whether a line of the page holds these cells in this order."""
    return bool(re.search(r"[^\n]*?".join(map(re.escape, cells)), text))


@pytest.mark.parametrize(("paper", "ink"), PAPERS)
def test_the_quick_reference_is_one_leaf_with_every_figure_of_the_rulebook(rules_leaf, paper, ink):
    leaf = rules_leaf("quick-reference", paper=paper, ink=ink)
    assert len(leaf.pages) == 2
    leaf.is_whole()
    for unit in UNITS:
        melee, shots = dice(unit)
        cells = (
            unit.name,
            signed(unit.q),
            signed(unit.sq),
            str(unit.ac),
            str(unit.models),
            str(unit.wounds[-1]),
            melee,
            shots,
        )
        assert row_of(leaf.text, *cells, f"{unit.move}″", hero_of(unit)), unit.name
    for row in MUSTER:
        assert leaf.says(f"{span(row.low, row.high)} {row.name} {row.hero}")
    for row in (*MORALE, *EVENTS, *SOLO_TABLE, *SPELLS):
        assert leaf.says(f"{span(row.low, row.high)} {row.name} {row.text}"), row.key
    for hero in (*HEROES, MUSICIAN):
        assert leaf.says(f"{hero.roll} {hero.name} {hero.text}"), hero.key
    for price in PRICES:
        assert leaf.says(f"{price.vp} {price.name}")
    for mark in MARKS:
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


def test_a_sheet_has_title_language_and_structure(rules_leaf):
    leaf = rules_leaf("quick-reference")
    assert re.search(r"Title:\s+Mice-at-Arms: quick reference", leaf.info)
    assert re.search(r"Tagged:\s+yes", leaf.info)
    assert b"/Lang" in leaf.pdf
    assert b"pdfuaid" in leaf.pdf  # it says of itself that it is PDF/UA, and the compiler refuses what is not


@pytest.mark.parametrize(("paper", "ink"), PAPERS)
def test_the_booklet_has_every_scenario_with_set_up_victory_and_points(rules_leaf, paper, ink):
    leaf = rules_leaf("scenarios", paper=paper, ink=ink)
    assert len(leaf.pages) == 1 + len(SCENARIOS) + 1  # title, one each, the castle
    leaf.is_whole()
    for number, scenario in enumerate(SCENARIOS, 2):
        said = squash(" ".join(word.text for word in leaf.pages[number - 1].words))
        for text in (scenario.name, scenario.text, *scenario.setup, scenario.length):
            assert squash(text) in said, (scenario.key, text)
        for side in scenario.sides:
            assert squash(side.wins) in said
        for line in scenario.vp:
            assert squash(f"{line.vp} VP {line.text}") in said
    castle = squash(" ".join(word.text for word in leaf.pages[-1].words))
    for piece in PIECES:
        assert squash(piece.name) in castle


def test_hold_the_hills_has_a_box_for_each_mound_and_round(rules_leaf):
    leaf = rules_leaf("scenario", SCENARIO["hold_the_hills"], "hold_the_hills")
    assert len(leaf.pages) == 1
    for piece in SCENARIO["hold_the_hills"].objectives:
        assert len(re.findall(rf"{piece.name}\s+[AB]\b", leaf.text)) == 2


@pytest.mark.parametrize("sheet", ["kingdom-sheet", "tokens"])
def test_blank_sheets_fill_one_page(rules_leaf, sheet):
    leaf = rules_leaf(sheet)
    assert len(leaf.pages) == 1
    leaf.is_whole()


def test_every_hero_and_unit_has_a_card(rules_leaf):
    heroes, units = rules_leaf("heroes"), rules_leaf("units", ink="save")
    for hero in (*HEROES, MUSICIAN):
        assert heroes.says(hero.text), hero.key
        assert heroes.says(hero.timing)
    for unit in UNITS:
        for point in unit.points:
            assert units.says(point), unit.key
    heroes.is_whole()
    units.is_whole()


# ── Decks ────────────────────────────────────────────────────────────────────────────────────────────────


def names_on(page) -> str:
    return squash(" ".join(word.text for word in page.words))


@pytest.mark.parametrize(("paper", "ink"), PAPERS)
def test_a_deck_has_every_card_as_often_as_it_occurs(rules_leaf, paper, ink):
    deck = house_deck("menagerie")
    leaf = rules_leaf("deck", deck, "menagerie", paper, ink)
    leaf.is_whole()
    cards = Counter(face.name for face in play_deck(deck))
    assert len(leaf.pages) == 2 * 6  # 46 cards of play and 4 roles, nine to a sheet, and their backs
    fronts = "".join(names_on(page) for page in leaf.pages[::2])
    for name, copies in cards.items():
        row = next(row for row in deck.rows if row.values["name"] == name)
        assert fronts.count(squash(str(row.values["text"]))) == copies, name
    assert fronts.count("animalroyalmenagerie") == 30
    assert fronts.count("rolesroyalmenagerie") + fronts.count("roleroyalmenagerie") == 4


def test_a_court_has_starting_cards_for_every_seat(rules_leaf):
    deck = house_deck("monarchs")
    leaf = rules_leaf("deck", deck, "monarchs")
    starting, court = piles_of(deck)
    fronts = "".join(names_on(page) for page in leaf.pages[::2])
    for letter in letters(deck):
        assert fronts.count(f"startingcard{letter.casefold()}ofmice") == len(starting)
    for face in court:
        assert squash(face.name) in fronts
    assert len(leaf.pages) == 2 * -(-(len(letters(deck)) * len(starting) + len(court)) // 9)


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("moods", {"play card": 15, "action": 14, "mood": 5, "muse": 5, "show": 1, "reference": 4}),
        ("majesty", {"reform": 15, "philosophe": 40, "colony": 24, "campaign": 18, "scandal": 10, "reshuffle": 1}),
    ],
)
def test_games_that_are_only_printed_have_every_card_of_their_box(rules_leaf, game, kinds):
    deck = paper_deck(game)
    assert not ON_PAPER[game].schema.warnings(deck)
    leaf = rules_leaf("deck", deck, game, "letter" if game == "moods" else "a4", "save")
    leaf.is_whole()
    cards = list(ON_PAPER[game].cards(deck))
    assert len(leaf.pages) == 2 * -(-len(cards) // 9)
    fronts = "".join(names_on(page) for page in leaf.pages[::2])
    for kind, number in kinds.items():
        assert fronts.count(squash(f"{kind} · {ON_PAPER[game].title}")) == number, kind
    for picture, _ in cards:
        assert squash(picture.name) in fronts
        assert squash(picture.text) in fronts, picture.id
    last = ON_PAPER[game].title.split()[-1]
    for front, back in zip(leaf.pages[::2], leaf.pages[1::2], strict=True):
        assert {(2 - column, row) for column, row in cells(front, last)} == cells(back, last)


def test_an_action_card_of_your_majesty_has_the_randomizer_of_its_copy():
    numbers = [picture.corner for picture, _ in ON_PAPER["majesty"].cards(paper_deck("majesty")) if picture.id == "ev-a-place-at-court"]  # fmt: skip
    assert numbers == ["3", "5", "2", "1", "4"]


def test_a_deck_says_which_values_are_ours_and_that_the_site_does_not_deal_it(client, db):
    page = client.get("/print/deck/majesty/").content.decode()
    assert "All other names, figures and texts are our own." in page
    # In the words one reads, not in an attribute of a tag.
    assert "The site does not deal this game" in re.sub(r"<[^>]*>", "", page)
    assert "Your Majesty" in client.get("/print/").content.decode()


def test_backs_meet_their_fronts_when_the_leaf_is_turned_on_its_long_edge(rules_leaf):
    """The last sheet of Royal Menagerie is not full and mixes two backs, so a wrong order would show."""
    leaf = rules_leaf("deck", house_deck("menagerie"), "menagerie")
    for front, back in zip(leaf.pages[::2], leaf.pages[1::2], strict=True):
        cards, turned = cells(front, "Menagerie"), cells(back, "Menagerie")
        assert cards
        assert {(2 - column, row) for column, row in cards} == turned


def cells(page, word: str) -> set[tuple[int, int]]:
    """In which of the nine fields this word stands."""
    left, top = (page.width - 3 * 63 * MM) / 2, (page.height - 3 * 88 * MM) / 2
    found = set()
    for one in page.words:
        if one.text.casefold() == word.casefold() and one.top > top + 20 * MM:
            found.add((int((one.middle - left) // (63 * MM)), int((one.top - top) // (88 * MM))))
    return found


@pytest.mark.parametrize("game", sorted(SHELF))
def test_aids_say_the_rules_at_a_glance(rules_leaf, game):
    leaf = rules_leaf("player-aid", SHELF[game], game)
    assert len(leaf.pages) == 1
    leaf.is_whole()
    howto = HOWTO[game]
    for text in (howto.aim, *howto.glance, *(line for section in howto.sections for line in section.lines)):
        assert leaf.says(text), text


def test_score_sheets_show_what_animals_are_worth(rules_leaf):
    leaf = rules_leaf("score-sheet", SHELF["menagerie"], "menagerie")
    leaf.is_whole()
    assert row_of(leaf.text, "Mammoth", "1: 2, 2: 6, 3: 0")
    assert row_of(leaf.text, "White Tiger", "1: 1, 2: 3, 3: 0")
