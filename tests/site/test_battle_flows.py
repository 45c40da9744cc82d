"""Battles on real phones: a report from the slip in few taps, and one battle live on two phones."""

from __future__ import annotations

import functools
import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser_phones import log_in

pytestmark = pytest.mark.browser

SCENARIOS = (
    "pitched_battle",
    "last_stand",
    "secure_the_crossing",
    "break_free",
    "surrounded",
    "take_the_fortress",
    "ambush",
    "aftermath",
    "hold_the_hills",
    "chevauchee",
    "siege",
)

# One war for each scenario, so that all are open at once; both sides confirm.
WORLD = """
import json
from battles.models import Battle
from battles.slip.access_codes import get_or_create_slip
from campaign.founding.services import found_campaign
from campaign.chronicle.codec import read_sent
from campaign.services import write
from people.accounts.services import create_account, find_account, normalise_log_in_name
from people.models import Person
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

def one(name):
    if find_account(name) is None:
        create_account(name, 'thyme-and-cheese')
    return Person.objects.get(account__username=normalise_log_in_name(name))

bryn, ilse = one('Bryn'), one('Ilse')
who = Who.of(one('Mott'))
found = {}
for scenario in SCENARIOS:
    war = found_campaign(who, key=f'slips-{GO}-{scenario}', name='War of ' + scenario)
    for n, (realm, ruler) in enumerate((('Oakhold', bryn), ('Fenwick', ilse))):
        write(war, who, key=f'joins-{n}-{scenario}', act=read_sent('kingdom_joins', joining(realm, ruler=ruler.pk)))
    write(war, who, key='terms-' + scenario, act=read_sent('house_rules', {'terms': {'confirm': 'both'}}))
    siege = scenario == 'siege'
    if siege:
        land = {'k2.border_1': 'k1', 'k2.border_2': 'k1', 'k2.lands': 'k1'}
        write(war, who, key='lands-' + scenario, act=read_sent('agreed_change', {'hold': land, 'why': 'To the siege.'}))
    target, played = ('k2.castle', None) if siege else ('k2.border_1', scenario)
    body = {'attacker': 'k1', 'target': target, 'scenario': played}
    write(war, who, key='battle-' + scenario, act=read_sent('battle_declared', body))
    battle = Battle.objects.get(campaign=war)
    found[scenario] = get_or_create_slip(battle, who).link.get_absolute_url()
mott = one('Mott')
two, three = (bryn, ilse), (bryn, ilse, mott)
for name, rulers, confirm in (('hedge', two, 'both'), ('march', two, 'both'), ('three', three, 'one')):
    war = found_campaign(who, key=f'war-of-{GO}-{name}', name='The ' + name)
    for n, ruler in enumerate(rulers):
        realm = ('Oakhold', 'Fenwick', 'Thistledown')[n]
        write(war, who, key=f'joins-{n}-{name}', act=read_sent('kingdom_joins', joining(realm, ruler=ruler.pk)))
    if confirm == 'both':
        write(war, who, key='terms-' + name, act=read_sent('house_rules', {'terms': {'confirm': confirm}}))
    found[name] = war.code
print('WORLD' + json.dumps(found))
"""


@pytest.fixture(scope="session")
def worlds(hall):
    """Makes the wars of a first go, and others if a test needs a second one."""

    @functools.cache
    def make(go: int) -> dict[str, str]:
        printed = hall.site.shell(f"SCENARIOS, GO = {SCENARIOS!r}, {go}\n{WORLD}")
        return json.loads(printed.split("WORLD", 1)[1].splitlines()[0])

    return make


@pytest.fixture
def world(worlds, request) -> dict[str, str]:
    """The slips' links by scenario; and the codes of wars in which nothing is declared yet."""
    return worlds(getattr(request.node, "execution_count", 1))


# What is tapped, by the words on the page, and what the page says then. The last two taps: who reports, who confirms.
A, B = "Units of Oakhold removed", "Units of Fenwick removed"
TAPS = {
    "pitched_battle": ([("Fenwick yielded", None), ("Ash", B), ("Birch", B), ("Cherry", A)], "Oakhold won the day."),
    "last_stand": (
        [("Oakhold held out for 6 rounds", None), ("Ash", A), ("Birch", A), ("Ash", B)],
        "Oakhold won the day.",
    ),
    "secure_the_crossing": (
        [
            ("6 rounds played: the crossings decide", None),
            ("Ash", B),
            ("2", "Crossings of Oakhold"),
            ("1", "Crossings of Fenwick"),
        ],
        "Oakhold won the day.",
    ),
    "break_free": (
        [("No unit of Oakhold is left on the table", None), ("escaped", A), ("escaped 2", A)],
        "Oakhold won the day.",
    ),
    "surrounded": (
        [("Oakhold: all remaining units flee", None), ("Ash", A), ("Birch", A), ("Ash", B), ("Birch", B)],
        "Fenwick won the day.",
    ),
    "take_the_fortress": (
        [("Fenwick holds the fortress, 3 units removed", None), ("Ash", A), ("Birch", A), ("Cherry", A), ("Ash", B)],
        "Fenwick won the day.",
    ),
    "ambush": ([("Fenwick yielded", None), ("Ash", B), ("Birch", B), ("Cherry", A)], "Oakhold won the day."),
    "aftermath": ([("Draw, left undecided", None), ("Ash", A), ("Ash", B)], "Nobody won."),
    "hold_the_hills": (
        [
            ("Fenwick has no units left", None),
            ("1", "Round 1, side A"),
            ("1", "Round 1, side B"),
            ("2", "Round 3, side A"),
            ("3", "Round 5, side A"),
            ("0", "Round 5, side B"),
        ],
        "Oakhold won the day.",
    ),
    "chevauchee": (
        [("Oakhold: all remaining units flee", None), ("2", "Buildings ablaze"), ("Ash", A), ("Birch", A)],
        "Fenwick won the day.",
    ),
    "siege": (
        [("Fenwick yielded", None), ("Ballista", B), ("Ash", B), ("Birch", B), ("Cat-non", A), ("Ash", A)],
        "Oakhold won the day.",
    ),
}


def tap(page, word: str, group: str | None) -> None:
    """One tap on a label; ``group`` is the part of the form, where names are isolated by invisible marks."""
    where = page.locator("form#report-form")
    if group:
        marked = re.sub(r"(Oakhold|Fenwick)", r"\\W?\1\\W?", group)
        where = page.get_by_role("group", name=re.compile(f"^{marked}$"))
    word, nth = ("escaped", 1) if word == "escaped 2" else (word, 0)
    where.locator("label").filter(has_text=word).nth(nth).click()


def known(hall, page, name: str):
    """This phone, logged in."""
    return log_in(page, hall.url, name, "thyme-and-cheese")


def declared(hall, page, war: str, attacker: str, target: str, die: int) -> None:
    """One phone declares, and rolls the scenario where there is a choice."""
    page.goto(f"{hall.url}/campaigns/{war}/targets/?attacker={attacker}&target={target}")
    page.get_by_role("button", name="Declare the attack").click()
    expect(page.get_by_role("link", name="Print the slip")).to_be_visible()
    if not target.endswith(".castle"):
        enter_scenario(page, die)
        expect(page.locator(".timeline")).to_contain_text(f"Rolled a {die}")


def enter_scenario(page, die: int) -> None:
    """Our own die instead of the button's."""
    page.locator("#set-up summary").click()
    page.get_by_label("Your roll").fill(str(die))
    page.get_by_role("button", name="Enter the die").click()


def to_the_report(page) -> None:
    """Open the form and wait for its scripts, which make the preview."""
    page.get_by_role("link", name="Report the result").click()
    page.wait_for_url(re.compile("/report/"), wait_until="load")


def report_result(page, ending: str) -> None:
    """Report the result from the same phone."""
    to_the_report(page)
    tap(page, ending, None)
    expect(page.locator("#report-preview .verdict")).to_be_visible()
    page.get_by_role("button", name="Report the battle").click()


def test_a_result_from_the_slip_takes_few_taps_in_every_scenario(hall, phone, world):
    """At most 6 taps for a Pitched Battle with three losses, 10 for any scenario, with the other side confirming."""
    page = phone(viewport={"width": 360, "height": 740})
    taken = {}
    for scenario, (steps, verdict) in TAPS.items():
        page.goto(hall.url + world[scenario], wait_until="load")
        expect(page.locator("legend").filter(has_text="How it ended")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for word, group in steps:
            tap(page, word, group)
        if scenario == "hold_the_hills":  # a number carries over to the rounds below
            held = page.locator("[data-mounds] input:checked").evaluate_all("all => all.map(one => one.value).join('')")
            assert held == "111121213030"
        # Previewed before anybody confirms.
        expect(page.locator("#report-preview .verdict")).to_be_visible()
        page.get_by_role("button", name="Report as Bryn").first.click()
        page.get_by_role("button", name="Confirm as Ilse").click()
        expect(page.locator(".lead").first).to_contain_text(verdict)
        taken[scenario] = len(steps) + 2
    assert taken.keys() == set(SCENARIOS)
    assert taken["pitched_battle"] <= 6
    assert max(taken.values()) <= 10, taken


def test_two_phones_declare_report_and_confirm_a_battle(hall, phone, world):
    """Bryn declares on the map and sets it up; Ilse's phone updates by itself."""
    bryn, ilse = (known(hall, phone(), name) for name in ("Bryn", "Ilse"))
    bryn.goto(f"{hall.url}/campaigns/{world['hedge']}/targets/?attacker=k1&target=k2.border_1")
    bryn.get_by_role("button", name="Declare the attack").click()
    expect(bryn.get_by_role("button", name="Muster my army")).to_be_visible()
    ilse.goto(bryn.url)
    enter_scenario(bryn, 7)
    expect(ilse.locator(".timeline")).to_contain_text("Rolled a 7: Ambush.")
    bryn.locator("#set-up summary").click()
    bryn.get_by_role("button", name="Give side A to").click()
    expect(ilse.locator(".timeline")).to_contain_text("Fenwick takes side A.")
    # The slip shows a code for exactly this battle.
    bryn.get_by_role("link", name="Print the slip").click()
    code = bryn.locator(".three-words").inner_text()
    assert len(code.split()) == 3
    bryn.get_by_role("link", name="Back to the battle").click()
    to_the_report(bryn)
    tap(bryn, "Fenwick yielded", None)
    tap(bryn, "Ash", "Units of Fenwick removed")
    expect(bryn.locator("#report-preview")).to_contain_text("Fenwick yielded.")
    bryn.get_by_role("button", name="Report the battle").click()
    expect(bryn.get_by_role("heading", name="Waiting for Ilse")).to_be_visible()
    ilse.get_by_role("button", name="Confirm", exact=True).click()
    expect(ilse.locator(".lead").first).to_contain_text("Oakhold won the day.")
    bryn.locator("summary", has_text="Read on").click()
    expect(bryn.locator("details .story")).to_contain_text("Fenwick yielded.")
    # The code no longer works.
    nobody = phone()
    nobody.goto(f"{hall.url}/battles/code/")
    nobody.fill("[name=code]", code)
    nobody.get_by_role("button", name="Open the report").click()
    expect(nobody.locator("#error")).to_contain_text("This battle is already confirmed")


def test_two_phones_fight_a_campaign_of_four_battles_and_a_siege(hall, phone, world):
    """Both borderlands, one attack thrown back, the lands, the castle: every report is confirmed on the other phone."""
    war = world["march"]
    bryn, ilse = (known(hall, phone(), name) for name in ("Bryn", "Ilse"))
    marches = (
        (bryn, ilse, "Ilse", "k1", "k2.border_1", 1),
        (bryn, ilse, "Ilse", "k1", "k2.border_2", 7),
        (ilse, bryn, "Bryn", "k2", "k2.border_1", 3),
        (bryn, ilse, "Ilse", "k1", "k2.lands", 1),
        (bryn, ilse, "Ilse", "k1", "k2.castle", 0),
    )
    for page, other, name, attacker, target, die in marches:
        declared(hall, page, war, attacker, target, die)
        report_result(page, "Fenwick yielded")
        expect(page.get_by_role("heading", name=f"Waiting for {name}")).to_be_visible()
        other.goto(page.url)
        other.get_by_role("button", name="Confirm", exact=True).click()
        expect(other.locator(".lead").first).to_contain_text("Oakhold won the day.")
    for page in (bryn, ilse):
        page.goto(f"{hall.url}/campaigns/{war}/")
        expect(page.locator("#entries")).to_contain_text("Oakhold")
        assert page.get_by_role("link", name="Attack or log a battle").count() == 0, "the war is won"


def test_three_phones_fight_a_campaign(hall, phone, world):
    """One report is enough here. While two are in battle the third cannot attack, and can once they are done."""
    war = world["three"]
    bryn, ilse, mott = (known(hall, phone(), name) for name in ("Bryn", "Ilse", "Mott"))
    declared(hall, bryn, war, "k1", "k2.border_1", 1)
    report_result(bryn, "Fenwick yielded")
    expect(bryn.locator(".lead").first).to_contain_text("Oakhold won the day.")
    declared(hall, ilse, war, "k2", "k2.border_1", 1)
    mott.goto(f"{hall.url}/campaigns/{war}/targets/?attacker=k3&target=k1.border_1")
    expect(mott.get_by_role("button", name="Declare the attack")).to_have_count(0)
    report_result(ilse, "Oakhold yielded")
    expect(ilse.locator(".lead").first).to_contain_text("Fenwick won the day.")
    declared(hall, mott, war, "k3", "k1.border_1", 1)
    report_result(mott, "Oakhold yielded")
    expect(mott.locator(".lead").first).to_contain_text("Thistledown won the day.")
    mott.goto(f"{hall.url}/campaigns/{war}/")
    expect(mott.locator("#board tr", has_text="Thistledown").locator("td").last).to_contain_text("5")
