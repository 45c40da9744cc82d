"""The night's TV at 1920 × 1080 on a full evening: everything on one screen, names that can be read from the sofa."""

from __future__ import annotations

import pytest

from tests.browser_phones import open_phones

pytestmark = pytest.mark.browser

TV = {"width": 1920, "height": 1080}
SMALLEST_NAME, SMALLEST_TEXT = 48, 28  # pixels
NAMES = ".tv-night h1, .tv-folks b, .tv-votes b, .tv-tbl li b, .tv-results b, .won b, .hero p"
# Thirteen people with long names, four tables and nine plays.
FULL_NIGHT = """
import secrets
from django.utils import timezone
from people.accounts import services as accounts
from people import guests
from people.requester import Who
from cardgames.tables.seats import seating
from groups import services as groups
from groups.entries import FoundGroup
from groups.models import Group
from gamenights.nights import services as nights
from gamenights.nights.entries import PlanNight
from gamenights.plays import services as plays
from gamenights.plays.values import PlayerResult, PlayFacts
host = Who.of(accounts.create_account("Tansy" + secrets.token_hex(3), "cheese-and-thyme"))
group = groups.found_group(host, "a-group-for-the-tv", FoundGroup(name="The Sorrel Table"))
Group.objects.filter(pk=group.pk).update(visibility="public")  # a screen without a log-in shows the results too
title = "Night of the Longest Candle in the Hedgerow"
night = nights.plan_night(group, host, "tonight-for-the-tv", PlanNight(dates=(timezone.now(),), title=title))
people = [host.person]
for number in range(12):
    name = f"Bartholomewthefieldmouseofburdock {number}"[:40] if number % 3 == 0 else f"Meadowsweet {number}"
    people.append(guests.add_guest(host, name))
    nights.check_in(night, host, key=f"here-for-the-tv-{number}", person=people[-1])
for number in range(9):
    game = plays.find_or_add_game(group, f"The Great Game of Hedgerows and Hollows {number % 5}", {"players_max": 6})
    seats = people[number % 3 : number % 3 + 4]
    rows = tuple(PlayerResult(str(one.pk), one.name, score_text=str(90 - at)) for at, one in enumerate(seats))
    facts = PlayFacts(f"tv-{number}", str(game.pk), game.name, night.day, rows, minutes=40)
    plays.log_play(group, host, key=f"play-for-the-tv-{number}", facts=facts, night=night)
for number, game in enumerate(("menagerie", "monarchs", "moods", "majesty")):
    table = nights.open_table(night, host, key=f"table-for-the-tv-{number}", game=game)
    for seat in range(table.seat_set.count()):
        sits = Who.of(people[1 + (number + seat) % 12])
        if table.seat_set.get(number=seat).is_free:
            seating.take_seat(table, sits, ref=f"tv-{number}-{seat}", key=f"sit-tv-{number}-{seat}", number=seat)
print("night", night.code)
"""
MEASURE = """([names, smallestName, smallestText]) => {
  const wrong = [];
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) wrong.push("scrolls");
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  for (const one of document.querySelectorAll(names))
    if (one.checkVisibility() && size(one) < smallestName) wrong.push(`${one.textContent.trim()}: ${size(one)} px`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    if (!text.data.trim() || one.closest("svg, .sr, script, noscript") || !one.checkVisibility()) continue;
    if (size(one) < smallestText) wrong.push(`${text.data.trim()}: ${size(one)} px`);
    const line = one.closest("bdi")?.parentElement ?? one; // a long name ends in "…" at the end of its line
    const box = line.getBoundingClientRect();
    const room = (one.closest("[data-page]") ?? document.body).getBoundingClientRect();
    if (box.bottom > room.bottom + 2 || box.right > room.right + 2 || box.top < room.top - 2)
      wrong.push(`${text.data.trim()} is cut`);
  }
  return wrong;
}"""


def test_tv_of_a_full_night_is_one_screen_with_names_of_48_px(site, browser):
    code = site.shell(FULL_NIGHT).split("night ")[1].strip()
    with open_phones(browser) as make:
        for scheme in ("light", "dark"):
            tv = make(viewport=TV, color_scheme=scheme)
            for show in ("room", "tables", "results", "recap"):
                tv.goto(f"{site.url}/nights/{code}/tv/?show={show}")
                tv.locator(f"[data-page={show}]").wait_for()
                wrong = tv.evaluate(MEASURE, [NAMES, SMALLEST_NAME, SMALLEST_TEXT])
                assert not wrong, f"{show}: {wrong}"
