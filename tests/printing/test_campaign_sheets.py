"""Campaign sheets, read back: figures, longest names in any script, a hundred kingdoms, none at all."""

from __future__ import annotations

import datetime as dt
import random

import pytest
from django.utils import timezone

from battles.new_battle.services import get_campaign_battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.display import kingdom_rows, names_for
from campaign.founding import services as founding_services, suggestions
from campaign.models import Campaign
from campaign.seasons.display import build_season_display
from people.requester import Who
from photos.models import Photo
from printing.sheet_registry import PaperSetting, sheet_of
from printing.sheets.campaign_season_book import Season
from tests.campaign.chronicle.sample_wars import joining
from tests.photos.sample_photos import add_drawn_photo, jpeg
from tests.printing.read_pdf import PrintedSheet, squash
from text import format_signed

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 5, 1)
# Markup of the typesetter, of the web, of the shell; scripts from the right, marks without letters, what no font has.
HOSTILE = (
    '#strong[x] $a^2$ @cite \\ <label> *b* _i_ `raw` // /* #import "x": y',
    "ממלכת העכברים (הצפון) 12 ✦ مملكة",
    "W" * 200,
    "Ç̷̡̛̳̋̓n 王国 😀 evil \u0301\u0301 Ünïcödé",
)


@pytest.fixture
def make_war(make_person):
    """A campaign with these kingdoms and this many battles in its one season."""
    wren = make_person("Wren & Söhne #1")

    def make(
        names: tuple[str, ...] = ("Oakhold", "Fenwick"), battles: int = 0, name: str = "The War of the Hedges"
    ) -> Campaign:
        who = Who.of(wren)
        campaign = founding_services.found_campaign(
            who, key=f"found-{len(names)}-{battles}-x", name=name, began=DAY, season=name[:200]
        )
        for number, kingdom in enumerate(names):
            body = joining(kingdom, ruler=wren.pk)
            body["places"] = {place: f"{kingdom} {place}"[:200] for place in body["places"]}
            body["houses"] = [house | {"name": f"{house['name'][-9:]} {kingdom}"[:200]} for house in body["houses"]]
            campaign_services.write(
                campaign, who, key=f"joins-{number:04d}", act=read_sent("kingdom_joins", body), played_on=DAY
            )
        for number in range(battles):
            attacker, target = (("k1", "k2.border_1"), ("k2", "k2.border_1"))[number % 2]
            body = {
                "attacker": attacker,
                "target": target,
                "outcome": "attacker",
                "scenario": "ambush",
                "points": {attacker: 3},
            }
            campaign_services.write(
                campaign, who, key=f"fight-{number:04d}", act=read_sent("result", body), played_on=DAY
            )
        return Campaign.objects.select_related("log").get(pk=campaign.pk)

    return make


def printed(sheet: str, thing: object, paper: str = "a4", ink: str = "colour") -> PrintedSheet:
    return PrintedSheet(sheet, sheet_of(sheet).gather(thing), PaperSetting(paper, ink))


def test_map_sheet_has_every_territory_and_the_standings(make_war):
    war = make_war(battles=1)
    leaf = printed("campaign-map", war)
    leaf.is_whole()
    state = campaign_selectors.state_of(war)
    for key in state.holders:
        if not key.endswith(".castle"):
            assert leaf.says(state.place_name(key)), key
    for row in kingdom_rows(state, names_for(war, state), set()):
        assert leaf.says(
            f"{row.name} {row.ruler} {row.holds} {format_signed(row.loyalty)} {row.vp} {row.sworn} of 4"
        ), row.name
    assert len(leaf.pages) == 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_poster_with_an_open_battle_is_one_page(make_war, paper):
    war = make_war(names=("Oakhold", "Fenwick", "Mole End", "Thistledown"))
    who = Who.of(next(iter(war.members.select_related("person"))).person)
    body = {"attacker": "k1", "target": "k2.border_1", "scenario": "ambush"}
    campaign_services.write(war, who, key="declared-one", act=read_sent("battle_declared", body), played_on=DAY)
    leaf = printed("campaign-map", Campaign.objects.select_related("log").get(pk=war.pk), paper)
    assert leaf.says("Open battles")
    assert len(leaf.pages) == 1


def test_battle_page_lists_what_came_before(make_war):
    """A few more entries make the map smaller, not the book longer."""
    war = make_war()
    who = Who.of(next(iter(war.members.select_related("person"))).person)
    before = len(printed("chronicle", Season(war, 1), "letter").pages)
    for number in range(6):
        campaign_services.add_note(
            war, who, key=f"a-note-{number:04d}", text=f"Note {number}: the bridge was painted red."
        )
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "scenario": "ambush", "points": {"k1": 3}}
    campaign_services.write(war, who, key="fight-it-out", act=read_sent("result", body))
    leaf = printed("chronicle", Season(Campaign.objects.select_related("log").get(pk=war.pk), 1), "letter")
    leaf.is_whole()
    assert leaf.says("Note 5: the bridge was painted red.")
    assert len(leaf.pages) == before + 1  # the battle


def test_battle_page_prints_its_photos_and_what_was_written(make_war, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    war = make_war(battles=2)
    who = Who.of(next(iter(war.members.select_related("person"))).person)
    plain = printed("chronicle", Season(war, 1))
    battle = get_campaign_battle(war, 1)
    for number, size in enumerate(((800, 600), (600, 800))):
        add_drawn_photo(battle, who, key=f"a-photo-{number:03d}", raw=jpeg(*size))
    words = "The bridge held.\nThen it did not: #strong[nobody] swam."
    campaign_services.add_note(war, who, key="what-happened", text=words, battle=1)
    fresh = Campaign.objects.select_related("log").get(pk=war.pk)
    for ink in ("colour", "save"):
        leaf = printed("chronicle", Season(fresh, 1), ink=ink)
        leaf.is_whole()
        assert len(leaf.pages) == len(plain.pages), "the map gives way, the book stays as long"
        pages = [squash(" ".join(word.text for word in page.words)) for page in leaf.pages]
        here = [n for n, page in enumerate(pages) if squash("Then it did not: #strong[nobody] swam.") in page]
        assert [squash("Battle 1 1 May 2026") in pages[n] for n in here] == [True], "on its own page, once"
        assert leaf.pdf.count(b"/Alt") - plain.pdf.count(b"/Alt") == 2, "each photo has words"
    # A photo that somebody reported is not printed.
    photo = Photo.objects.first()
    Photo.objects.filter(pk=photo.pk).update(reported_at=timezone.now())
    told = sheet_of("chronicle").gather(Season(fresh, 1))
    assert [len(page["photos"]) for page in told["battles"] if page["number"]] == [1, 0]


@pytest.mark.parametrize(("paper", "millimetres"), [("letter", 215.9), ("a3", 297), ("a2", 420)])
def test_poster_scales_with_its_paper(make_war, paper, millimetres):
    leaf = printed("campaign-map", make_war(), paper, "save")
    assert len(leaf.pages) == 1
    assert leaf.pages[0].width == pytest.approx(millimetres * 72 / 25.4, abs=1)
    leaf.is_whole()


def test_chronicle_has_a_page_for_every_battle_and_the_season_figures(make_war):
    war = make_war(battles=3)
    leaf = printed("chronicle", Season(war, 1))
    leaf.is_whole()
    sheet = build_season_display(war, 1)
    for paragraph in sheet.page["story"]:
        for sentence in paragraph:
            assert leaf.says(sentence["text"]), sentence
    for rank in sheet.ranks:
        record = rank["record"]
        row = (
            f"{rank['name']} {rank['holds']} {rank['vp']} {format_signed(rank['loyalty'])} {rank['sworn']} "
            f"{record['won']} {record['drawn']} {record['lost']}"
        )
        assert leaf.says(row), row
    for title in sheet.titles:
        assert leaf.says(title["said"])
    pages = [squash(" ".join(word.text for word in page.words)) for page in leaf.pages]
    for number in (1, 2, 3):
        assert sum(f"battle{number}1may2026" in page for page in pages) == 1


def test_season_book_has_no_empty_last_page(make_war):
    war = make_war(battles=1)
    who = Who.of(next(iter(war.members.select_related("person"))).person)
    campaign_services.write(war, who, key="season-closed", act=read_sent("season_closed", {}), played_on=DAY)
    war = Campaign.objects.select_related("log").get(pk=war.pk)
    assert not printed("chronicle", Season(war, 1)).says("After the last battle")


def test_empty_season_and_empty_campaign_can_be_printed(make_war):
    printed("chronicle", Season(make_war(), 1)).is_whole()
    empty = make_war(names=())
    for sheet in ("campaign-map", "kingdoms"):
        leaf = printed(sheet, empty)
        leaf.is_whole()
        assert len(leaf.pages) == 1


@pytest.mark.parametrize("sheet", ["campaign-map", "kingdoms", "chronicle"])
def test_long_right_to_left_and_markup_names_stay_on_the_page(make_war, sheet):
    war = make_war(names=HOSTILE, battles=1, name=HOSTILE[0])
    leaf = printed(sheet, Season(war, 1) if sheet == "chronicle" else war, ink="save")
    for number, page in enumerate(leaf.pages, 1):
        assert not page.outside(), f"page {number}"
    assert leaf.says("strongxa2citelabelbirawimportxy"), "markup is printed, not read"
    assert leaf.says("W" * 200)
    assert leaf.says("1F600")  # no font has the sign, so its number stands in a box


def test_any_unicode_name_still_compiles():
    """Sixty names of random characters, including lone marks and half pairs of joiners, never break a sheet."""
    dice = random.Random(8)
    planes = ((0x20, 0x500), (0x590, 0x1000), (0x1000, 0x2400), (0x2E80, 0xD7FF), (0xE000, 0x10000), (0x10000, 0x30000))
    names = ["".join(chr(dice.randrange(*dice.choice(planes))) for _ in range(60)) for _ in range(60)]
    data = sheet_of("kingdom-sheet").gather(None)
    page = data["pages"][0]
    for at, name in enumerate(names[:8]):
        houses = [house | {"name": names[8 + at * 4 + house["number"]]} for house in page["houses"]]
        places = [place | {"name": names[(at * 5 + n) % 60], "holder": name} for n, place in enumerate(page["places"])]
        data["pages"].append(page | {"name": name, "ruler": names[-at], "houses": houses, "places": places})
    leaf = PrintedSheet("kingdom-sheet", data, PaperSetting())
    assert len(leaf.pages) == 9
    assert not any(leaf_page.outside() for leaf_page in leaf.pages)


def test_hundred_kingdoms_are_numbered_and_listed(make_war, make_person):
    who = Who.of(make_person("Herald"))
    war = founding_services.found_campaign(who, key="a-hundred-kings", name="A Hundred Kings")
    for number, joins in enumerate(suggestions.suggest_kingdoms(war.code, 100)):
        campaign_services.write(war, who, joins, key=f"joins-{number:04d}")
    war = Campaign.objects.select_related("log").get(pk=war.pk)
    leaf = printed("campaign-map", war)
    leaf.is_whole()
    for kingdom in campaign_selectors.state_of(war).kingdoms.values():
        assert leaf.says(kingdom.name)
