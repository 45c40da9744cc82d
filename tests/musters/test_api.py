"""Musters over the API: the same services and refusals as the pages."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from log.services import new_key
from musters.core.codec import army_from_json
from musters.models import Muster
from musters.quick_army import army_with_roster
from tests.musters.sample_war import scene

pytestmark = pytest.mark.django_db


def post(client: Client, path: str, **body):
    return client.post(f"/api/v1/musters/{path}", body, content_type="application/json")


def test_quick_army_can_be_recreated_from_its_code():
    made = post(Client(), "quick/", loyalty=2, words=["Moos", "鼠"]).json()
    again = Client().get(f"/api/v1/musters/a/{made['code'].lower()}/").json()
    assert again == made
    recipe, roster = army_with_roster(made["code"])
    assert army_from_json(made["army"]) == recipe.army
    assert made["roster"]["totals"]["models"] == roster.totals.models
    king = made["roster"]["units"][0]
    assert (king["q"], king["ac"], king["boxes"][-1]["is_leader"]) == (3, 8, True)
    wrong = Client().get("/api/v1/musters/a/8JWB9-G91FH-B8VW0/")
    assert wrong.status_code == 422
    assert "second group" in wrong.json()["refusal"]


def test_more_houses_than_there_are_is_refused_even_where_each_is_one_of_them():
    refused = post(Client(), "quick/", lost=[2, 2, 2, 2, 2])
    assert (refused.status_code, refused.json()["field"]) == (422, "lost")
    assert post(Client(), "quick/", lost=[2, 2]).status_code == 201


def test_code_gives_the_same_roster_elsewhere(site, make_person):
    """The site is another process with an empty database; the armies, one quick, one in a campaign, come from here."""
    war = scene(make_person, dice="sealed", vp=3)
    muster = war.begin(war.oak, "k1")
    for body in ({"word": "Ёжик"}, {"absent": True}):
        post(war.oak.client, f"{muster.code}/word/", **body)
    war.finish(muster, war.oak)
    post(war.oak.client, f"{muster.code}/take/", key=new_key())
    quick = post(Client(), "quick/", loyalty=-2, siege="attacker", rebels=2, lost=[3]).json()["code"]
    for code in (quick, Muster.objects.get().army_code):
        here = Client().get(f"/api/v1/musters/a/{code}/")
        status, there = site.get(f"/api/v1/musters/a/{code}/")
        assert status == 200
        assert json.loads(there) == here.json()


def test_muster_step_by_step(make_person):
    war = scene(make_person, dice="service")
    begun = post(war.oak.client, "", campaign=war.campaign.code, battle=war.battle, kingdom="k1")
    assert begun.status_code == 201
    muster = begun.json()
    while muster["question"]:
        question = muster["question"]
        answer = None if question["die"] else question["choices"][0]["key"]
        muster = post(
            war.oak.client, f"{muster['code']}/steps/", key=new_key(), question=question["token"], answer=answer
        ).json()
    stale = post(
        war.oak.client, f"{muster['code']}/steps/", key=new_key(), question="1-king-hero_chance.0", answer=None
    )
    assert stale.status_code == 409
    assert "already answered" in stale.json()["refusal"]
    done = post(war.oak.client, f"{muster['code']}/take/", key=new_key()).json()
    assert done["taken"]
    assert army_from_json(Muster.objects.get().army).models == done["roster"]["totals"]["models"]
    assert post(war.fen.client, f"{muster['code']}/take/", key=new_key()).status_code == 403


def test_sealed_words_over_the_api(make_person):
    war = scene(make_person, dice="sealed")
    muster = post(war.oak.client, "", campaign=war.campaign.code, battle=war.battle, kingdom="k1").json()
    assert muster["words_in"] == {"mine": False, "theirs": False}
    answer = post(war.oak.client, f"{muster['code']}/word/", word="moss").json()
    assert answer["words_in"] == {"mine": True, "theirs": False}
    assert "moss" not in str(war.fen.client.get(f"/api/v1/musters/{muster['code']}/").json())
    assert post(war.oak.client, f"{muster['code']}/word/", absent=True).json()["words_in"]["theirs"]


@pytest.mark.parametrize("answer", [0, 11, [1], {"kept": 3}, True, "nothing", 7.5])
def test_invalid_answer_is_refused(make_person, answer):
    war = scene(make_person)
    muster = post(war.oak.client, "", campaign=war.campaign.code, battle=war.battle, kingdom="k1").json()
    refused = post(war.oak.client, f"{muster['code']}/steps/", key=new_key(), question=muster["token"], answer=answer)
    assert refused.status_code == 422
    assert refused.json()["refusal"]
