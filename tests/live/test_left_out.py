"""A live part leaves out what its page shows already, and nothing else."""

from __future__ import annotations

import re

import pytest

from campaign.founding.services import found_campaign
from campaign.models import Campaign
from pages.drawn_once import kept_parts
from people.accounts.log_ins import get_or_create_person
from people.requester import Who

pytestmark = pytest.mark.django_db
DRAWN = re.compile(r'data-drawn="([^"]+)"')


def part(name: str, words: str) -> str:
    text = f'<li id="{name}">{words * 100}</li>'
    return kept_parts.get_or_draw((name, words), lambda: text, can_be_left_out=True)


def test_only_what_is_named_is_left_out():
    html = part("one", "first ") + part("two", "second ")
    [first, second] = DRAWN.findall(html)
    shorter = kept_parts.leave_out(html, [second, "made-up"])
    assert f'<li id="two" data-left-out="{second}"></li>' in shorter
    assert "first" in shorter
    assert "second" not in shorter
    assert kept_parts.leave_out(html, []) == html
    assert kept_parts.leave_out("<p>Nothing of it.</p>", [first, second]) == "<p>Nothing of it.</p>"


def test_a_part_inside_another_goes_with_it():
    inner = part("inner", "small ")
    outer = kept_parts.get_or_draw("outer", lambda: f'<ul id="outer">{inner}</ul>', can_be_left_out=True)
    digests = DRAWN.findall(outer)
    assert len(digests) == 2
    assert kept_parts.leave_out(outer, digests) == f'<ul id="outer" data-left-out="{digests[0]}"></ul>'


@pytest.mark.parametrize("text", ["<li>no id</li>" * 100, "words " * 200, '<li id="short">short</li>'])
def test_what_cannot_be_named_is_always_sent(text):
    assert kept_parts.get_or_draw(text, lambda: text, can_be_left_out=True) == text


def test_forms_are_always_sent():
    text = f'<div id="forms"><form>{"x" * 1000}</form></div>'
    assert kept_parts.get_or_draw("forms", lambda: text, can_be_left_out=False) == text


def test_a_chronicle_with_one_new_entry_is_short(client, django_user_model):
    user = django_user_model.objects.create_user("ann")
    client.force_login(user)
    campaign = found_campaign(Who.of(get_or_create_person(user)), key="founds-left-out", name="War")
    for number in range(1, 4):
        client.post(f"/campaigns/{campaign.code}/join/{number}/", {})
    here = f"/campaigns/{campaign.code}/"
    for number in range(6):
        client.post(f"{here}note/", {"key": f"left-out-{number}", "text": f"Note {number}. " + "A long evening. " * 20})
    digests = DRAWN.findall(client.get(here).text)
    assert digests
    client.post(f"{here}note/", {"key": "left-out-news", "text": "Here is news"})
    whole = client.get(f"{here}parts/").text
    short = client.get(f"{here}parts/", headers={"X-Live-Drawn": " ".join(digests)}).text
    assert "Here is news" in short
    assert "Note 5. " in whole
    assert "Note 5. " not in short
    assert len(short) < len(whole) / 2
    # Whatever is missing is named, and is what the page had.
    assert set(re.findall(r'data-left-out="([^"]+)"', short)) <= set(digests)
    assert Campaign.objects.count() == 1
