"""Comparing the two armies of a battle: permissions, names, few queries."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from log.services import new_key
from musters import vp_payments
from musters.models import Muster
from people.requester import Who
from tests.musters.sample_war import Scene, scene

pytestmark = pytest.mark.django_db


def address(war: Scene) -> str:
    return f"/musters/compare/{war.campaign.code}/{war.battle}/"


def take(war: Scene, person, kingdom: str, faces=None) -> Muster:
    muster = war.finish(war.begin(person, kingdom), person, faces)
    vp_payments.finish_muster(muster, Who.of(person), key=new_key())
    return muster


def both(war: Scene) -> Scene:
    take(war, war.oak, "k1", [1, 9])
    take(war, war.fen, "k2", [4, 2, 10])
    return war


def test_both_armies_are_shown_with_their_names(make_person):
    war = both(scene(make_person))
    page = war.oak.client.get(address(war), {"kind": "shooting", "inches": "9"})
    sheet = page.context["comparison"]
    assert page.status_code == 200
    assert (sheet.one.title, sheet.two.title) == ("Fenwick", "Oakhold")  # the attacker first
    assert sheet.setting.inches == 9
    assert sheet.two.units[0].sender == "King of Oakhold"
    answer = war.fen.client.get(f"/api/v1{address(war)}", {"kind": "shooting", "inches": "9"}).json()
    assert answer["strikes"][0]["attacker"] == "Fenwick"
    assert answer["one"] == sheet.one.code


def test_reading_takes_at_most_five_queries_for_any_army(make_person):
    war = both(scene(make_person, muster_sight="after"))
    client = war.oak.client
    client.get(address(war))
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address(war)).status_code == 200
    reads = [
        row["sql"] for row in asked.captured_queries if not row["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN"))
    ]
    assert len(reads) <= 5, "\n".join(reads)


def test_unfinished_muster_cannot_be_compared(make_person):
    war = scene(make_person)
    take(war, war.oak, "k1")
    page = war.oak.client.get(address(war))
    assert page.status_code == 409
    assert "Fenwick: not mustered yet" in page.content.decode()
    war.begin(war.fen, "k2")
    assert war.oak.client.get(address(war)).status_code == 409


def test_hidden_musters_cannot_be_compared(make_person):
    war = both(scene(make_person, muster_sight="own"))
    page = war.oak.client.get(address(war))
    assert page.status_code == 403
    assert "Musters are hidden" in page.content.decode()
    assert war.oak.client.get(f"/api/v1{address(war)}").status_code == 403


def test_strangers_and_unknown_battles_get_404(make_person):
    war = both(scene(make_person))
    assert make_person("Stranger").client.get(address(war)).status_code == 404
    assert war.oak.client.get(f"/musters/compare/{war.campaign.code}/99/").status_code == 404


def test_roster_links_to_the_comparison(make_person):
    war = scene(make_person)
    muster = take(war, war.oak, "k1")
    assert address(war) in war.oak.client.get(f"/musters/{muster.code}/").content.decode()


def test_invalid_situation_shows_the_default_with_an_error(make_person):
    war = both(scene(make_person))
    page = war.oak.client.get(address(war), {"kind": "shooting", "inches": "99"})
    assert page.status_code == 422
    assert "Some of these values are not valid." in page.content.decode()
    assert page.context["comparison"].setting.kind == "melee"
