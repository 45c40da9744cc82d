"""Rosters, slips and the tonight bundle, read back against their data."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import pytest
import zxingcpp
from django.http import Http404
from django.test import Client
from PIL import Image

from battles.slip import access_codes
from campaign import services as campaign_services
from campaign.chronicle.codec import read_sent
from musters.quick_army import QuickArmyRequest, army_with_roster
from people.requester import Who
from printing.sheet_registry import PaperSetting, sheet_of
from refusal import Refusal
from rulebook.data.scenarios import SCENARIO
from tests.battles.sample_campaigns import a_campaign, declare
from tests.printing.read_pdf import PrintedSheet
from tests.site.viewers import make_world
from text import format_bonus

pytestmark = pytest.mark.django_db
PLAIN = QuickArmyRequest(loyalty=1, words=("acorn", "bramble"))
SIEGE = QuickArmyRequest(loyalty=3, siege="attacker", rebels=2, words=("cheese", "mole"))


@pytest.fixture(autouse=True)
def reachable(settings):
    settings.PUBLIC_URL = "https://mice.example"


def printed(sheet: str, thing: object, paper: str = "a4", ink: str = "colour") -> PrintedSheet:
    return PrintedSheet(sheet, sheet_of(sheet).gather(thing), PaperSetting(paper, ink))


@pytest.mark.parametrize(("call", "paper", "ink", "pages"), [(PLAIN, "a4", "colour", 1), (SIEGE, "letter", "save", 2)])
def test_printed_roster_has_every_unit_and_figure(call, paper, ink, pages):
    code = call.code()
    roster = army_with_roster(code)[1]
    leaf = printed("army", roster, paper, ink)
    leaf.is_whole()
    assert len(leaf.pages) == pages
    for unit in roster.units:
        shots = unit.shooting or "–"
        figures = (
            f"{unit.name} {unit.sender} {format_bonus(unit.q)} Q {format_bonus(unit.sq)} SQ {unit.ac} AC "
            f"{unit.move} move {unit.melee} melee {shots} shots"
        )
        assert leaf.says(figures), unit.title
        assert leaf.says(unit.removal)
        if unit.hero:
            assert leaf.says(f"{unit.hero.name} {unit.hero.timing} {unit.hero.text}")
    assert leaf.squashed.count("actedflees") == len(roster.units), "two tokens for each unit"
    assert leaf.says(code)
    for note in roster.notes:
        assert leaf.says(note)


def test_mistyped_code_is_not_printed():
    with pytest.raises(Http404):
        sheet_of("army").find(Who(), PLAIN.code()[:-1] + "?")


@pytest.fixture
def war(master, player, other_player):
    return a_campaign(master, [player, other_player])


@pytest.mark.parametrize("scenario", ["hold_the_hills", "secure_the_crossing"])
def test_slip_has_sides_points_and_report_code(war, player, scenario):
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

    slip = access_codes.get_or_create_slip(battle, who)
    assert leaf.says("".join(access_codes.words_of(slip.link)))
    page = Image.open(io.BytesIO(leaf.press.pages(150)[0]))
    codes = {result.text for result in zxingcpp.read_barcodes(page)}
    address = next(text for text in codes if "/print/is/" not in text)
    opened = Client().get(urlsplit(address).path, follow=True)
    assert opened.redirect_chain[-1][0] == f"/battles/{battle.code}/report/"


def test_only_reporters_can_print_a_slip(war, player, stranger, master):
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="ambush")
    find = sheet_of("slip").find
    assert find(Who.of(master), battle.code).battle == battle
    with pytest.raises(Http404):
        find(Who.of(stranger), battle.code)
    campaign_services.write(
        war, Who.of(master), key="called-off-then", act=read_sent("battle_called_off", {"battle": battle.number})
    )
    with pytest.raises(Refusal, match="over"):
        find(Who.of(player), battle.code)


def listed(person, sheet: str) -> dict[str, str]:
    return {row["subject"]: row["title"] for row in person.client.get(f"/api/v1/print/of/{sheet}/").json()}


def test_api_lists_the_slips_rosters_and_armies_that_can_be_printed(make_person):
    hall = make_world(make_person)
    for sheet in ("slip", "roster", "army"):
        seen = {viewer: client.get(f"/api/v1/print/of/{sheet}/").json() for viewer, client in hall.clients.items()}
        assert seen["ruler"], sheet
        assert seen["nobody"] == []
        for viewer, rows in seen.items():
            for row in rows:
                assert sheet_of(sheet).find(hall.whos[viewer], row["subject"]), (viewer, row)


def test_list_of_slips_names_the_battle_and_ends_with_it(war, player, stranger, master):
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="ambush")
    assert listed(player, "slip") == {battle.code: f"Battle {battle.number} of {war.name}"}
    assert listed(stranger, "slip") == {}
    campaign_services.write(
        war, Who.of(master), key="called-off-then", act=read_sent("battle_called_off", {"battle": battle.number})
    )
    assert listed(player, "slip") == {}
    assert "Battle slip" not in [line.strip() for line in player.client.get("/print/").text.splitlines()]


def test_hostile_names_keep_the_slip_on_one_page(master, player, other_player):
    war = a_campaign(master, [player, other_player])
    hostile = ("W" * 200, "#let x = $y$ \\ <a> @b 王国 ממלכה")
    for number, name in enumerate(hostile, 1):
        houses = {str(house): {"name": name} for house in (1, 2, 3, 4)}
        body = {"kingdom": f"k{number}", "name": name, "places": {"border_1": name}, "houses": houses}
        campaign_services.write(war, Who.of(master), key=f"renamed-{number}-x", act=read_sent("kingdom_looks", body))
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="break_free")
    leaf = printed("slip", sheet_of("slip").find(Who.of(player), battle.code))
    assert len(leaf.pages) == 1
    assert not leaf.pages[0].outside()
    assert leaf.says("W" * 200)


@pytest.mark.parametrize(("scenario", "units"), [("siege", 7), ("ambush", 5)])
def test_blank_slip_has_room_for_every_entry(scenario, units):
    leaf = printed("blank-slip", SCENARIO[scenario], "letter", "save")
    leaf.is_whole()
    assert len(leaf.pages) == 1
    assert leaf.text.split().count("AC") == 2 * units
    machines = (leaf.squashed.count("catnon"), leaf.squashed.count("ballista"))
    assert machines == ((2, 2) if scenario == "siege" else (0, 0))


def test_evening_print_is_one_file_with_slip_scenario_map_and_rules(war, player):
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="ambush")
    leaf = printed("tonight", sheet_of("tonight").find(Who.of(player), war.code))
    leaf.is_whole()
    assert leaf.says("".join(access_codes.words_of(access_codes.get_or_create_slip(battle, Who.of(player)).link)))
    for text in (SCENARIO["ambush"].setup[2], "Standings", "Before the battle, and after"):
        assert leaf.says(text)
    assert leaf.says("Pitched Battle"), "a blank slip for whoever musters at the table"
    assert len(leaf.pages) == 6  # slip, blank slip, scenario, map, two of rules


def test_tonight_without_battles_has_a_blank_slip(war, player):
    leaf = printed("tonight", sheet_of("tonight").find(Who.of(player), war.code), ink="save")
    assert leaf.says("Pitched Battle")
    assert len(leaf.pages) == 4
