"""What looks like a number and is none is a sentence or nothing, never a stumble."""

from __future__ import annotations

import pytest

from campaign import services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from pages.number_parsing import parse_int
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

ODD = ["²", "٣", "--5", "+-5", "1e3", "9" * 5000, "-", "", " "]


@pytest.mark.parametrize("typed", ODD)
def test_parse_int_rejects(typed):
    assert parse_int(typed) is None
    assert parse_int(typed, signed=True) is None


def test_parse_int_accepts():
    assert (
        parse_int("007"),
        parse_int(" 12 "),
        parse_int("-3"),
        parse_int("-3", signed=True),
        parse_int("+3", signed=True),
    ) == (
        7,
        12,
        None,
        -3,
        3,
    )


@pytest.fixture
def war(master, player):
    who = Who.of(master)
    result = founding_services.found_campaign(who, key="war-of-numbers", name="War of numbers")
    for kingdom, ruler in (("Oakhold", master), ("Fenwick", player)):
        campaign_services.write(
            result, who, key=f"{kingdom}-joins", act=read_sent("kingdom_joins", joining(kingdom, ruler=ruler.pk))
        )
    return result


@pytest.mark.parametrize("typed", [typed for typed in ODD if typed])
def test_pages_survive_invalid_numbers(war, master, typed):
    here, client = war.get_absolute_url(), master.client
    key = {"key": "a-key-of-the-form"}
    answers = [
        client.get(here, {"before": typed}),
        client.get(f"{here}atlas/", {"at": typed}),
        client.get(f"{here}result/", {"battle": typed}),
        client.get("/tables/results/", {"page": typed}),
        client.post(f"{here}invite/", key | {"take_back": typed}),
        client.post(f"{here}kingdoms/k1/spend/", key | {"what": "reroll", "house": typed, "seen": typed}),
        client.post(f"{here}entries/2/strike/", key | {f"choice-{typed}": "keep", "why": "Odd"}),
        client.post("/musters/quick/", key | {"loyalty": typed}),
    ]
    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []
