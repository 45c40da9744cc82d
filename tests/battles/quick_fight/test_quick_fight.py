"""The quick fight: anyone, no battle, the dice typed or rolled here, nothing stored."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from log.models import Entry
from tests.site.answers_and_schema import check_answer

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


API = "/api/v1/battles/fight/"
BY_API = {"how": "charge", "attacker": {"unit": "rat_riders"}, "target": {"unit": "bow_mice"}}


def fight(client, **body):
    answer = client.post(API, {**BY_API, **body}, content_type="application/json")
    check_answer("post", API, answer)
    return answer


def test_dice_are_sent_group_by_group_over_the_api(client, db):
    """The same fight as on the page above."""
    found = fight(client, ticks={"target_at": "barrier"}).json()
    assert (found["over"], found["advantages"], found["disadvantages"]) == (False, 2, 1)
    assert found["ask"] == {"text": "Roll 6 dice to hit.", "side": "attacker", "needed": [3] * 6}
    assert sum(bar["percent"] for bar in found["odds"]) in range(98, 103)
    first = [10, 10, 1, 1, 1, 1]
    saving = fight(client, faces=first).json()["ask"]
    assert (saving["text"], saving["side"]) == ("Roll 2 dice to save.", "target")
    over = fight(client, faces=[*first, 10, 10, 1, 1, 1, 1]).json()
    assert (over["over"], over["ask"], over["target"]["models"]) == (True, None, 4)
    assert over["story"][-1] == "Bow-Mice to hit: 1, 1, 1 and 1; no hit."


def test_server_rolls_dice_for_the_api(client, db):
    assert len(fight(client, roll="next").json()["faces"]) == 6
    whole = fight(client, roll="all").json()
    assert (whole["over"], fight(client, faces=whole["faces"]).json()) == (True, whole)
    assert fight(client, how="bombard", piece="gatehouse", roll="all").json()["over"]
    assert Entry.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"faces": [11, 1, 1, 1, 1, 1]}, "hit roll"),
        ({"faces": [1] * 61}, "faces"),
        ({"attacker": {"unit": "dragon"}}, "attacker.unit"),
        ({"attacker": {"unit": "cat_non"}}, "attacker.unit"),
        ({"attacker": {"unit": "rat_riders", "models": 9}}, None),
        ({"attacker": {"unit": "rat_riders", "wings": 2}}, "attacker.wings"),
        ({"how": "bombard", "hits": 20}, "hits"),
        ({"how": "bombard", "piece": "moon"}, None),
        ({"event": "snow_of_cheese"}, "event"),
        ({"ticks": {"at": "moon"}}, None),
        ({"how": "cast"}, None),
        ({"roll": "some"}, "roll"),
    ],
)
def test_impossible_fight_is_refused_over_the_api(client, db, body, field):
    answer = fight(client, **body)
    assert answer.status_code == 422, answer.content
    assert field is None or answer.json()["field"] == field
