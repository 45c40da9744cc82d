"""Decks and points over the API: the same as on the pages, and bad input is refused."""

from __future__ import annotations

import pytest

from cardgames.decks import services as decks_services
from cardgames.games import SHELF, house_deck
from cardgames.games.menagerie import printed_game as menagerie
from cardgames.games.monarchs import printed_game as monarchs
from log.services import new_key
from people.requester import Who

pytestmark = pytest.mark.django_db

PENS = [{"mammoth": 2}, {"giant-ibis": 2}, {}, {"white-tiger": 3}]
ROLES = ["vizier", "conspirator", "loyalist", "conspirator"]


def send(client, game: str, body: object):
    return client.post(f"/api/v1/tables/score/{game}/", body, content_type="application/json")


def test_decks_are_listed_and_read(master, client):
    copy = decks_services.create_copy(Who.of(master), house_deck("monarchs"), key=new_key(), title="Ours")
    assert [row["code"] for row in client.get("/api/v1/tables/decks/").json()] == [""] * len(SHELF)
    assert {"game": "monarchs", "code": copy.code, "title": "Ours"} in master.client.get("/api/v1/tables/decks/").json()
    assert client.get("/api/v1/tables/decks/menagerie/").json() == house_deck("menagerie").as_json()
    assert client.get("/api/v1/tables/decks/chess/").status_code == 404


def test_api_points_equal_the_score_sheet(client):
    answer = send(client, "menagerie", {"counts": PENS, "roles": ROLES})
    assert answer.json() == menagerie.score_sheet(PENS, house_deck("menagerie"), ROLES).as_json()
    assert send(client, "menagerie", {"counts": PENS}).json()["outcome"] is None
    answer = send(client, "monarchs", {"counts": [{"red": [4, 3]}, {"blue": [2, 1]}], "agreed": "crowns"})
    scored = monarchs.score_sheet([{"red": (4, 3)}, {"blue": (2, 1)}], house_deck("monarchs"), "crowns")
    assert answer.json() == scored.as_json()


@pytest.mark.parametrize(
    ("game", "body"),
    [
        ("menagerie", {}),
        ("menagerie", []),
        ("menagerie", {"counts": [{}]}),
        ("menagerie", {"counts": [{"dodo": 1}, {}, {}, {}]}),
        ("menagerie", {"counts": [{"mammoth": "2"}, {}, {}, {}]}),
        ("menagerie", {"counts": [{"mammoth": [2]}, {}, {}, {}]}),
        ("menagerie", {"counts": PENS, "roles": ["vizier"] * 4}),
        ("menagerie", {"counts": PENS, "roles": ["vizier"]}),
        ("menagerie", {"counts": PENS, "agreed": "dice"}),
        ("menagerie", {"counts": PENS, "deck": "nobodys"}),
        ("monarchs", {"counts": [{"red": 4}]}),
        ("monarchs", {"counts": [{"red": [4, 3, 2]}]}),
        ("monarchs", {"counts": [{"red": [True, None]}]}),
        ("monarchs", {"counts": [{"beige": [1, 1]}]}),
        ("monarchs", {"counts": [{"red": [4, 3]}], "left": [{"red": 9}]}),
        ("monarchs", {"counts": [{"red": [4, 3]}], "left": []}),
    ],
)
def test_invalid_counts_are_refused(client, game, body):
    answer = send(client, game, body)
    assert answer.status_code in (400, 422)
    assert answer.json()["refusal"]
