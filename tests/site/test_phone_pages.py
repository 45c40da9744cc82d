"""Frequent pages on a phone: at most two screens tall, what to do next on the first one, nothing sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser_phones import log_in as log_in_at, open_phones

pytestmark = pytest.mark.browser

SCREEN = {"width": 390, "height": 664}
MOST = 2 * 844  # pixels
BAR = 60  # the bar at the bottom of the page

LISTS = ("/", "/battles/", "/musters/", "/campaigns/", "/nights/", "/tables/")

# The demo's battles in every stage, with trackers and musters; what other tests add to the site is newer.
DEMO = """
from battles.models import Battle
from campaign.models import Campaign
from gamenights.models import Night
from musters.models import Muster
war = Campaign.objects.earliest("pk")
for path in ("", "roll-off/", "targets/?attacker=k1", "kingdoms/k1/", "kingdoms/k2/"):
    print(war.get_absolute_url() + path)
for battle in [*Battle.objects.filter(campaign=war), *Battle.objects.filter(campaign=None).order_by("pk")[:3]]:
    print(battle.get_absolute_url())
    if battle.stage == "on_the_table":
        print(battle.get_absolute_url() + "table/")
for muster in Muster.objects.filter(campaign=war):
    print(muster.get_absolute_url())
for night in Night.objects.filter(group__founding_key__endswith="/demo-group"):
    print(night.get_absolute_url())
print(night.group.get_absolute_url())
"""
# A campaign of six battles, the newest entries with many effects; its captain is in the seventh.
SIX_BATTLES = """
from campaign import services
from campaign.chronicle.acts.war import DeclareBattle, ReportResult
from people.accounts.services import create_account, find_account
from people.models import Person
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign
for name in ("Chervil", "Lovage"):
    if find_account(name) is None:
        create_account(name, "cheese-and-thyme")
chervil, lovage = (Person.objects.get(name=name) for name in ("Chervil", "Lovage"))
war = a_campaign(chervil, [chervil, lovage, None, None], key="six-battles")
fought = ("k2.border_1", "k3.border_1", "k2.border_2", "k3.border_2", "k2.lands", "k4.border_1")
for number, target in enumerate(fought):
    points = {"k1": 4, target[:2]: 2}
    done = ReportResult("k1", target, "attacker", scenario="ambush", points=points, houses_lost={"k1": ()})
    services.write(war, Who.of(chervil), done, key=f"six-battles-{number}")
services.write(war, Who.of(chervil), DeclareBattle("k1", "k3.lands", "ambush"), key="six-battles-next")
print("SIX", war.get_absolute_url(), war.get_absolute_url() + "?show=all", war.get_absolute_url() + "kingdoms/k1/", *(
    f"/battles/of/{war.code}/{number}/" for number in (1, 6, 7)
))
"""
# Somebody with much of everything, and long names: these pages may not grow with it.
BUSY = """
import datetime as dt
from django.utils import timezone
from battles.models import Battle
from battles.new_battle.services import create_standalone_battle
from campaign import services
from campaign.chronicle.acts.war import DeclareBattle, ReportResult
from cardgames.tables.core.acts import HostTable
from cardgames.tables.table_creation import open_table
from gamenights.nights.services import plan_night
from gamenights.nights.entries import PlanNight
from gamenights.plays import services as plays
from gamenights.plays.values import PlayerResult, PlayFacts
from groups.services import found_group
from groups.entries import FoundGroup
from people.accounts.services import create_account, find_account
from people.models import Person
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign
if find_account("Costmary") is None:
    create_account("Costmary", "cheese-and-thyme")
costmary = Person.objects.get(name="Costmary")
who, noon = Who.of(costmary), timezone.now().replace(hour=12, minute=0, second=0, microsecond=0)
LONG = "Wherethegreatoldhedgerowsmeetthesea"
for number in range(10):
    name = f"{LONG} {number}"
    war = a_campaign(costmary, [costmary, costmary, None, None] if number < 3 else [costmary], key=f"busy-{number}")
    war.name = name
    war.save()
    group = found_group(who, f"busy-group-{number}", FoundGroup(name=name))
    starts = noon + dt.timedelta(days=number)
    plan_night(group, who, f"busy-night-{number}", PlanNight(dates=(starts,), title=name, place=LONG))
    open_table(who, HostTable("menagerie"), key=f"busy-table-{number}")
    names = [name, f"{LONG}folk {number}"]
    create_standalone_battle(
        who, key=f"busy-battle-{number}", scenario="pitched_battle", names=names, people=[costmary]
    )
    game = plays.find_or_add_game(group, name, {})
    facts = PlayFacts(f"busy-{number}", str(game.pk), name, noon.date(), (PlayerResult(str(costmary.pk), "Costmary"),))
    plays.log_play(group, who, key=f"busy-play-{number}", facts=facts)
    if number >= 3:
        continue
    for target in ("k3.border_1", "k4.border_1"):
        points = {"k1": 4, target[:2]: 2}
        done = ReportResult("k1", target, "attacker", scenario="ambush", points=points, houses_lost={"k1": ()})
        services.write(war, who, done, key=f"busy-{number}-{target[:2]}")
    for attacker, target in (("k1", "k2.border_1"), ("k3", "k4.border_2")):
        services.write(war, who, DeclareBattle(attacker, target, "ambush"), key=f"busy-{number}-{attacker}-declares")
for battle in Battle.objects.filter(made_by=costmary, campaign=None)[:5]:
    battle.stage = Battle.Stage.ON_THE_TABLE
    battle.save()
"""
MEASURE = """() => {
  const press = [...document.querySelectorAll("main .btn-press")].find((one) => one.checkVisibility());
  const box = press?.getBoundingClientRect();
  return {
    tall: Math.round(document.documentElement.scrollHeight),
    wide: document.documentElement.scrollWidth,
    press: press ? press.textContent.trim().replace(/\\s+/g, " ") : "",
    bottom: box ? Math.round(box.bottom) : 0,
  };
}"""


def faults(page: Page, address: str) -> list[str]:
    page.goto(address)
    page.wait_for_load_state("load")
    result, wrong = page.evaluate(MEASURE), []
    if result["tall"] > MOST:
        wrong.append(f"{address} is {result['tall']} px tall")
    if result["wide"] > SCREEN["width"]:
        wrong.append(f"{address} is {result['wide']} px wide")
    if result["press"] and result["bottom"] > SCREEN["height"] - BAR:
        wrong.append(f"{address}: “{result['press']}” ends at {result['bottom']} px")
    return wrong


@pytest.fixture(scope="module")
def six_battles(site) -> list[str]:
    return site.shell(SIX_BATTLES).split("SIX ")[1].split()


def test_frequent_pages_are_two_screens_at_most_with_the_next_step_on_the_first(
    hall, phone, log_in, site, browser, six_battles
):
    page = phone(viewport=SCREEN, reduced_motion="reduce")
    log_in(page, "Wren")
    paths = [*LISTS, *hall.site.shell(DEMO).split()]
    wrong = [fault for path in paths for fault in faults(page, hall.url + path)]
    with open_phones(browser) as make:
        page = log_in_at(make(viewport=SCREEN), site.url, "Chervil", "cheese-and-thyme")
        wrong += [fault for path in ["/", "/battles/", *six_battles] for fault in faults(page, site.url + path)]
        site.shell(BUSY)
        page = log_in_at(make(viewport=SCREEN), site.url, "Costmary", "cheese-and-thyme")
        wrong += [f"Costmary: {fault}" for path in LISTS for fault in faults(page, site.url + path)]
    assert not wrong, "\n" + "\n".join(wrong)
    assert len(paths) > 20
