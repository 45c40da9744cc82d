"""Statistics keep variants apart, and a solo game has records instead of wins."""

from __future__ import annotations

import pytest
from django.test import Client

from cardgames.models import ResultSeat
from cardgames.results.display import tally_results
from cardgames.results.services import save_printed_result
from people.requester import Who

pytestmark = pytest.mark.django_db


def save(person, key: str, *scores: int, bot: bool = False, **more):
    places = [(person, "", score, score == max(scores)) for score in scores[:1]]
    places += [(None, "", score, score == max(scores)) for score in scores[1:]]
    result = save_printed_result(person, key=key, game="monarchs", places=places, outcome="highest", **more)
    if bot:
        ResultSeat.objects.filter(result=result, person=None).update(bot="greedy")
    return result


@pytest.fixture
def played(master):
    save(master, "plain-one", 30, 20)
    save(master, "plain-two", 10, 20)
    save(master, "family", 8, 4, options={"family_scoring": True})
    save(master, "brisk", 25, 22, options={"brisk_court": True})
    save(master, "own", 60, 50, own_deck=True)
    save(master, "bots", 40, 12, bot=True)
    for number, score in enumerate((33, 51, 44)):
        save(master, f"solo-{number}", score)
    # A rule for ties does not make another game of it.
    save(master, "ties", 12, 11, options={"tiebreak": "crowns"})
    return master


def test_each_variant_is_counted_apart(played):
    by_key = {part.variant: part.tallies[0] for part in tally_results(Who.of(played))}
    assert set(by_key) == {(), ("family scoring",), ("brisk court",), ("own deck",), ("with bots",), ("solo",)}
    assert (by_key[()].played, by_key[()].won, by_key[()].best, by_key[()].average) == (3, 2, 30, "17.3")
    assert [by_key[key].best for key in (("own deck",), ("with bots",), ("brisk court",))] == [60, 40, 25]


def test_solo_games_have_records_and_no_wins(played):
    solo = next(part for part in tally_results(Who.of(played)) if part.is_solo)
    assert [record.score for record in solo.records] == [51, 44, 33]
    phone = Client()
    phone.force_login(played.account)
    page = phone.get("/tables/results/").content.decode()
    part = page[page.index("Of Mice and Monarchs: solo") :].split("</section>")[0]
    assert "Records" in part
    assert ">Won<" not in part
    assert ">51<" in part


def test_record_belongs_to_whoever_was_first(master, player):
    save(master, "first", 51)
    save(master, "second", 51)
    solo = tally_results(Who.of(master))[0]
    assert solo.records[0].at < solo.records[1].at
