"""Rosters, slips and the evening's print, read back against the sheets they come from; the slip's code opens the report."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import pytest
import zxingcpp
from django.http import Http404
from django.test import Client
from PIL import Image

from battles import slips
from campaign import door
from musters.quick import QuickCall, army_sheet
from people.who import Who
from printing.setting import Setting
from printing.sheet import sheet_of
from printing.words import signed
from refusal import Refusal
from rulebook.scenarios import SCENARIO
from tests.battles.worlds import a_campaign, declare
from tests.printing.leaf import Leaf

pytestmark = pytest.mark.django_db
PLAIN = QuickCall(loyalty=1, words=("acorn", "bramble"))
SIEGE = QuickCall(loyalty=3, siege="attacker", rebels=2, words=("cheese", "mole"))


@pytest.fixture(autouse=True)
def reachable(settings):
    settings.PUBLIC_URL = "https://mice.example"


def printed(sheet: str, thing: object, paper: str = "a4", ink: str = "colour") -> Leaf:
    return Leaf(sheet, sheet_of(sheet).gather(thing), Setting(paper, ink))


@pytest.mark.parametrize(("call", "paper", "ink", "pages"), [(PLAIN, "a4", "colour", 1), (SIEGE, "letter", "save", 2)])
def test_a_roster_has_every_unit_with_the_figures_of_its_sheet(call, paper, ink, pages):
    code = call.code()
    roster = army_sheet(code)[1]
    leaf = printed("army", roster, paper, ink)
    leaf.is_whole()
    assert len(leaf.pages) == pages
    for unit in roster.units:
        shots = unit.shooting or "–"
        figures = f"{unit.name} {unit.sender} {signed(unit.q)} Q {signed(unit.sq)} SQ {unit.ac} AC {unit.move} move {unit.melee} melee {shots} shots"
        assert leaf.says(figures), unit.title
        assert leaf.says(unit.removal)
        if unit.hero:
            assert leaf.says(f"{unit.hero.name} {unit.hero.timing} {unit.hero.text}")
    assert leaf.squashed.count("actedflees") == len(roster.units), "two tokens for each unit"
    assert leaf.says(code)
    for note in roster.notes:
        assert leaf.says(note)


def test_a_code_with_a_slip_in_it_prints_nothing():
    with pytest.raises(Http404):
        sheet_of("army").find(Who(), PLAIN.code()[:-1] + "?")


@pytest.fixture
def war(master, player, other_player):
    return a_campaign(master, [player, other_player])


@pytest.mark.parametrize("scenario", ["hold_the_hills", "secure_the_crossing"])
def test_the_slip_has_both_sides_the_scenarios_points_and_a_code_that_opens_its_report(war, player, scenario):
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario=scenario)
    who = Who.of(player)
    leaf = printed("slip", sheet_of("slip").find(who, battle.code))
    leaf.is_whole()
    assert len(leaf.pages) == 1
    for name in ("Oakhold", "Fenwick", SCENARIO[scenario].name):
        assert leaf.says(name)
    for line in SCENARIO[scenario].vp:
        assert leaf.squashed.count(f"{line.vp}vp{''.join(line.text.split())}".replace(",", "")) == 2
    grid = leaf.says("Tall mounds held when the round ended")
    assert grid is (scenario == "hold_the_hills")

    slip = slips.slip_of(battle, who)
    assert leaf.says("".join(slips.words_of(slip.link)))
    page = Image.open(io.BytesIO(leaf.press.pages(150)[0]))
    codes = {found.text for found in zxingcpp.read_barcodes(page)}
    address = next(text for text in codes if "/print/is/" not in text)
    opened = Client().get(urlsplit(address).path, follow=True)
    assert opened.redirect_chain[-1][0] == f"/battles/{battle.code}/report/"


def test_only_who_may_report_a_battle_prints_its_slip(war, player, stranger, master):
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="ambush")
    find = sheet_of("slip").find
    assert find(Who.of(master), battle.code).battle == battle
    with pytest.raises(Http404):
        find(Who.of(stranger), battle.code)
    door.do(war, Who.of(master), key="called-off-then", act="battle_called_off", body={"battle": battle.number})
    with pytest.raises(Refusal, match="over"):
        find(Who.of(player), battle.code)


def test_hostile_names_leave_the_slip_on_its_one_page(master, player, other_player):
    war = a_campaign(master, [player, other_player])
    hostile = ("W" * 200, "#let x = $y$ \\ <a> @b 王国 ממלכה")
    for number, name in enumerate(hostile, 1):
        houses = {str(house): {"name": name} for house in (1, 2, 3, 4)}
        body = {"kingdom": f"k{number}", "name": name, "places": {"border_1": name}, "houses": houses}
        door.do(war, Who.of(master), key=f"renamed-{number}-x", act="kingdom_looks", body=body)
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="break_free")
    leaf = printed("slip", sheet_of("slip").find(Who.of(player), battle.code))
    assert len(leaf.pages) == 1
    assert not leaf.pages[0].outside()
    assert leaf.says("W" * 200)


@pytest.mark.parametrize(("scenario", "units"), [("siege", 7), ("ambush", 5)])
def test_a_blank_slip_has_room_for_everything_that_comes(scenario, units):
    leaf = printed("blank-slip", SCENARIO[scenario], "letter", "save")
    leaf.is_whole()
    assert len(leaf.pages) == 1
    assert leaf.text.split().count("AC") == 2 * units
    machines = (leaf.squashed.count("catnon"), leaf.squashed.count("ballista"))
    assert machines == ((2, 2) if scenario == "siege" else (0, 0))


def test_tonight_is_one_file_with_slip_scenario_map_and_rules(war, player):
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="ambush")
    leaf = printed("tonight", sheet_of("tonight").find(Who.of(player), war.code))
    leaf.is_whole()
    assert leaf.says("".join(slips.words_of(slips.slip_of(battle, Who.of(player)).link)))
    for text in (SCENARIO["ambush"].setup[2], "Standings", "Before the battle, and after"):
        assert leaf.says(text)
    assert leaf.says("Pitched Battle"), "a blank slip for whoever musters at the table"
    assert len(leaf.pages) == 6  # slip, blank slip, scenario, map, two of rules


def test_an_evening_without_a_battle_has_a_blank_slip(war, player):
    leaf = printed("tonight", sheet_of("tonight").find(Who.of(player), war.code), ink="save")
    assert leaf.says("Pitched Battle")
    assert len(leaf.pages) == 4
