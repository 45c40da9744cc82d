"""The quick fight: anyone, no battle, the dice typed or rolled here, nothing stored."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from log.models import Entry

ADDRESS = "/battles/fight/"
CHARGE = {"how": "charge", "a_unit": "rat_riders", "b_unit": "bow_mice"}


def faces_of(answer) -> list[int]:
    query = parse_qs(urlsplit(answer["Location"]).query)
    return [int(face) for face in query.get("faces", [""])[0].split()]


def test_number_to_roll_and_odds_are_shown_before_rolling(client, db):
    """MELEE-08: charging, mounted against foot, a target behind a hedge is two [A] against one [D]."""
    page = client.get(ADDRESS, {**CHARGE, "b_at": "barrier"}).content.decode()
    assert "2 against" in page
    assert "twice as many" in page
    assert re.search(r'class="big">3\+', page)
    assert "each of 6 dice" in page
    assert "46." in page  # all four lost, as counted by the rulebook


def test_dice_are_typed_group_by_group_until_the_fight_is_over(client, db):
    sent = dict(CHARGE)
    answer = client.post(ADDRESS, {**sent, "more": "10 10 1 1 1 1"})
    assert faces_of(answer) == [10, 10, 1, 1, 1, 1]
    page = client.get(answer["Location"]).content.decode()
    assert "Roll 2 dice to save." in page
    answer = client.post(ADDRESS, {**sent, "faces": "10 10 1 1 1 1", "more": "10, 10"})
    page = client.get(answer["Location"]).content.decode()
    assert "Roll 4 dice to hit." in page  # the Bow-Mice battle back
    answer = client.post(ADDRESS, {**sent, "faces": "10 10 1 1 1 1 10 10", "more": "1 1 1 1"})
    page = client.get(answer["Location"]).content.decode()
    assert "Continue the fight" in page
    assert "Bow-Mice to hit: 1, 1, 1 and 1; no hit." in page


def test_server_rolls_dice_without_storing_anything(client, db):
    answer = client.post(ADDRESS, {**CHARGE, "here": "1"})
    assert len(faces_of(answer)) == 6
    assert set(faces_of(answer)) <= set(range(1, 11))
    assert Entry.objects.count() == 0


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"more": "10 10"}, "6 dice"),
        ({"more": "11 1 1 1 1 1"}, "A d10 shows 1 to 10"),
        ({"a_models": "3", "a_unit": "cat_non"}, ""),
        ({"how": "shoot"}, "no shooting attack"),
        ({"how": "cast"}, "no Wizard"),
    ],
)
def test_impossible_fights_are_refused_with_a_sentence(client, db, sent, sentence):
    answer = client.post(ADDRESS, {**CHARGE, **sent})
    assert answer.status_code in (422, 400)
    assert sentence in answer.content.decode()


@pytest.mark.parametrize("how", ["shoot", "cast", "rally", "strike"])
def test_every_kind_of_attack_has_its_page(client, db, how):
    sent = {
        "how": how,
        "a_unit": "bow_mice",
        "a_hero": "wizard",
        "b_unit": "field_mice",
        "a_flees": "on" if how == "rally" else "",
    }
    page = client.get(ADDRESS, sent)
    assert page.status_code == 200
    assert "Roll here" in page.content.decode()


def test_fire_and_cat_non_attack_buildings_and_walls(client, db):
    """SCEN-10: a house does not save. The Cat-non rolls two dice and the wall saves; the page shows its own odds."""
    torch = {"how": "torch", "a_unit": "field_mice", "b_unit": "bow_mice", "hits": "1"}
    page = client.get(ADDRESS, torch).content.decode()
    assert "One more hit sets it ablaze." in page
    assert "The building after this attack" in page
    dice = int(re.search(r"Enter the (\d+) dice", page)[1])
    page = client.get(ADDRESS, {**torch, "faces": " ".join(["10"] * dice)}).content.decode()
    assert "It is ablaze." in page
    gun = {"how": "bombard", "a_unit": "field_mice", "b_unit": "bow_mice", "piece": "gatehouse"}
    page = client.get(ADDRESS, gun).content.decode()
    assert "The Gatehouse after this shot" in page
    assert "Enter the 2 dice" in page
    page = client.get(ADDRESS, {**gun, "faces": "10 1 1"}).content.decode()
    assert "The Gatehouse" in page
    assert "rubble" in page
    page = client.get(ADDRESS, {**gun, "hits": "3"})
    assert page.status_code == 422
    assert "is already rubble" in page.content.decode()


def test_ticks_of_another_attack_are_ignored(client, db):
    """From a charge to the gun or the bows: nobody was asked whether they moved, so they aim."""
    gun = {"how": "bombard", "a_unit": "bow_mice", "b_unit": "bow_mice"}
    assert client.get(ADDRESS, {**gun, "told": "charge"}).status_code == 200
    moved = client.get(ADDRESS, {**gun, "told": "bombard"})
    assert moved.status_code == 422
    assert 'name="still"' in moved.content.decode()  # the way back
    assert "Aiming" in client.get(ADDRESS, {**gun, "how": "shoot", "told": "charge"}).content.decode()
    assert "Aiming" not in client.get(ADDRESS, {**gun, "how": "shoot", "told": "shoot"}).content.decode()
