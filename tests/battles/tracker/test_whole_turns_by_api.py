"""A whole attack and a whole turn of the solo opponent, each in one call, as one tap on the page."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from battles.tracker import services
from battles.tracker.forms import RolledHere
from battles.tracker.selectors import load_snapshot, steps_of
from battles.tracker.services import roll_here
from log.models import Entry
from tests.battles.battle_rows import Seat, make_battle
from tests.battles.tracker.core.memory_tracker import KING, house
from tests.site.answers_and_schema import check_answer

pytestmark = pytest.mark.django_db

CHARGE = {"unit": "A3", "how": "charge", "target": "B3"}


class ApiSeat(Seat):
    def send(self, part: str, **body: Any) -> Any:
        return self.client.post(f"/api/v1{self.address}{part}/", body, content_type="application/json")

    def fresh(self) -> Battle:
        return Battle.objects.select_related("log").get(pk=self.battle.pk)

    @property
    def tracker(self) -> Any:
        return load_snapshot(self.fresh()).tracker

    def entries(self) -> list[tuple[str, Any]]:
        """Without the dice, which depend on the key and on the log."""
        rows = Entry.objects.filter(log=self.battle.log_id).order_by("number").values_list("act", "body")
        kept = ("unit", "how", "target", "fight", "at", "here", "tap")
        return [(act, {name: body[name] for name in kept if name in body}) for act, body in rows]


@pytest.fixture
def seat(player) -> ApiSeat:
    seat = ApiSeat(player.client, make_battle(player))
    seat.begin()
    return seat


@pytest.fixture
def solo(player) -> ApiSeat:
    army = [KING, house(1, "bow_mice"), house(2, "rat_riders")]
    seat = ApiSeat(player.client, make_battle(player, b=army))
    seat.lay(solo="B")
    seat.step("begin", roll_A=3, roll_B=8)
    return seat


def test_attack_is_rolled_whole_and_undone_whole(seat):
    before = seat.tracker.cells
    answer = seat.send("attacks", key="a-whole-attack", attack=CHARGE, roll="all").json()
    assert (seat.tracker.unit("A3").acted, answer["fights"]) == (True, [])
    steps = [step for step in steps_of(seat.fresh()) if step.tap == answer["entry"]]
    assert [one["number"] for one in answer["steps"]] == [step.number for step in steps]
    assert [one["kind"] for one in answer["steps"]][:3] == ["fight", "dice", "dice"]
    undone = seat.send("take-back", key="undo-the-attack", step=answer["entry"])
    assert undone.json()["steps"] == [step.number for step in steps]
    assert seat.tracker.cells == before


def test_page_and_api_write_the_same_entries(seat, player):
    other = ApiSeat(player.client, make_battle(player))
    other.begin()
    for at, faces in ((seat, "10 10 1 1 1 1"), (other, [10, 10, 1, 1, 1, 1])):
        if at is seat:
            at.step("fight", **CHARGE, faces=faces)
        else:
            at.send("attacks", key="the-same-by-api", attack=CHARGE, faces=faces)
    assert seat.entries() == other.entries()
    assert seat.tracker.cells == other.tracker.cells


def test_dice_of_the_table_are_taken_in_their_order(seat):
    sent = {"key": "dice-of-the-table", "attack": CHARGE, "faces": [10, 1, 1, 1, 1, 1, 10]}
    answer = seat.send("attacks", **sent).json()
    assert [one["kind"] for one in answer["steps"]] == ["fight", "dice", "dice"]
    [fight] = answer["fights"]
    assert (fight["key"], fight["faces"], bool(fight["ask"])) == ("A3", sent["faces"], True)
    entries = Entry.objects.filter(log=seat.battle.log_id).count()
    assert seat.send("attacks", **sent).json() == answer
    assert Entry.objects.filter(log=seat.battle.log_id).count() == entries
    other = seat.send("attacks", **{**sent, "attack": {**CHARGE, "target": "B4"}})
    assert other.status_code == 409


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"faces": [10, 1, 1, 1, 1]}, 422, "faces"),
        ({"faces": [10, 1, 1, 1, 1, 11]}, 422, "hit roll"),
        ({"faces": [1, 1, 1, 1, 1, 1] * 9}, 422, "faces"),
        ({"faces": [1, 1, 1, 1, 1, 1], "roll": "all"}, 422, "roll"),
        ({"roll": "some"}, 422, "roll"),
        ({"attack": {**CHARGE, "unit": "Z9"}, "roll": "all"}, 422, "unit"),
        ({"attack": {**CHARGE, "wings": 2}}, 422, "attack.wings"),
        ({"seen": {"A3/left": {"models": 1}}, "roll": "all"}, 409, None),
        ({"key": "k" * 61}, 422, "key"),
    ],
)
def test_refused_attack_writes_nothing(seat, body, status, field):
    before = seat.tracker.cells
    answer = seat.send("attacks", **{"key": "a-refused-attack", "attack": CHARGE, **body})
    assert (answer.status_code, answer.json().get("field")) == (status, field), answer.content
    assert seat.tracker.cells == before


def test_undo_is_shown_before_it_is_done(seat):
    done = seat.send("attacks", key="a-whole-attack", attack=CHARGE, roll="all").json()
    address = f"/api/v1{seat.address}take-back/"
    answer = seat.client.get(address, {"step": done["entry"]})
    check_answer("get", address, answer)
    assert answer.json() == done["steps"]
    sent = {"key": "undo-the-attack", "step": done["entry"], "seen": len(answer.json())}
    assert seat.send("take-back", **{**sent, "seen": 1, "key": "one-step-only"}).status_code == 409
    assert seat.send("take-back", **sent).status_code == 200
    for step, status in (("", 422), ("x", 422), ("99", 404)):
        assert seat.client.get(address, {"step": step}).status_code == status
    assert seat.client.get(f"{seat.address}take-back/99/").status_code == 404


def refuse_at_roll(monkeypatch, number: int) -> None:
    """Let the site's dice be wrong at one of its rolls."""
    count = iter(range(1, 50))

    def roll(*args: Any) -> RolledHere:
        return roll_here(*args) if next(count) != number else RolledHere(faces=(11,))

    monkeypatch.setattr(services, "roll_here", roll)


@pytest.mark.parametrize("number", [1, 2])
def test_attack_refused_in_the_middle_writes_nothing(seat, monkeypatch, number):
    before, version = seat.entries(), seat.fresh().log.version
    sent = {"key": "refused-in-the-middle", "attack": CHARGE, "roll": "all"}
    with monkeypatch.context() as patched:
        refuse_at_roll(patched, number)
        assert seat.send("attacks", **sent).status_code == 422
    assert (seat.entries(), seat.fresh().log.version) == (before, version)
    assert len(seat.send("attacks", **sent).json()["steps"]) > 2, "the key was not used up"
    assert seat.fresh().log.version == version + 1, "one tap, one piece of news"


def test_attack_on_the_page_with_wrong_dice_writes_nothing(seat):
    before = seat.entries()
    form = {"key": "wrong-dice-here", "kind": "fight", **CHARGE, "faces": "10 1"}
    assert seat.client.post(f"{seat.address}step/", form).status_code == 422
    assert seat.entries() == before


def test_solo_turn_refused_in_the_middle_writes_only_its_die(solo, monkeypatch):
    answers = {"shot_at": ["none"], "charger": ["B3"], "charged": ["A2"]}
    sent = {"key": "refused-in-the-middle", "roll": 2, "answers": answers}
    with monkeypatch.context() as patched:
        refuse_at_roll(patched, 2)
        assert solo.send("solo", **sent).status_code == 422
    assert solo.entries()[-1][0].endswith("solo_die")
    assert solo.send("solo", **sent).json()["fights"] == []
    assert solo.tracker.unit("B3").acted


def test_repeated_attack_is_rolled_once(seat):
    sent = {"key": "a-repeated-attack", "attack": CHARGE, "roll": "all"}
    assert seat.send("attacks", **sent).json() == seat.send("attacks", **sent).json()


def test_first_roll_alone(seat):
    answer = seat.send("attacks", key="the-first-roll", attack=CHARGE, roll="first").json()
    assert [one["kind"] for one in answer["steps"]] == ["fight", "dice"]


def test_solo_turn_asks_and_then_acts_whole(solo):
    asked = solo.send("solo", key="a-solo-turn-1", roll=2).json()
    assert (asked["question"]["key"], [one["kind"] for one in asked["steps"]]) == ("shot_at", ["solo_die"])
    answers = {"shot_at": ["none"], "charger": ["B3"], "charged": ["A2"]}
    seen = solo.client.get(f"/api/v1{solo.address}solo/", answers).json()
    assert (seen["roll"], seen["decision"]["unit"], seen["decision"]["does"]) == (2, "B3", "charge")
    sent = {"key": "a-solo-turn-2", "answers": answers}
    acted = solo.send("solo", **sent).json()
    assert (acted["question"], acted["fights"]) == (None, [])
    assert [one["kind"] for one in acted["steps"]][:3] == ["solo", "fight", "dice"]
    assert solo.tracker.unit("B3").acted
    assert solo.send("solo", **sent).json() == acted
    solo.send("take-back", key="undo-the-turn", step=acted["entry"])
    assert not solo.tracker.unit("B3").acted
    again = solo.client.get(f"/api/v1{solo.address}solo/").json()
    assert (again["roll"], again["question"]["key"]) == (2, "shot_at"), "the die stays"


def test_solo_turn_in_one_call(solo):
    for number in range(3):
        left = [unit.id for unit in solo.tracker.units("B") if not unit.acted]
        sent = {"roll": 10, "answers": {"movers": left, "toward": ["A1"]}}
        acted = solo.send("solo", key=f"solo-turn-{number:04}", **sent)
        assert (acted.status_code, acted.json()["question"]) == (200, None), acted.content
        assert [one["kind"] for one in acted.json()["steps"]] == ["solo", "did"]
        assert sum(unit.acted for unit in solo.tracker.units("B")) == number + 1
    done = solo.send("solo", key="solo-turn-0009", roll=10)
    assert (done.status_code, done.json()["refusal"]) == (409, "All its units have acted this round.")


def test_site_rolls_the_solo_die_once(solo):
    first = solo.send("solo", key="the-site-rolls").json()
    again = solo.send("solo", key="the-site-rolls").json()
    assert [one["kind"] for one in first["steps"]] == ["solo_die"]
    assert (again["question"], again["steps"]) == (first["question"], [])


def test_decision_of_another_client_is_carried_out(solo):
    solo.step("solo", roll=2, enemy_B2="A2", inches_B2="7", sees_B2="on", reach_B2="on", unit="B2")
    seen = solo.client.get(f"/api/v1{solo.address}solo/").json()
    assert seen["decision"]["unit"] == "B2"
    assert solo.send("solo", key="carry-it-out").status_code == 200
    assert solo.tracker.unit("B2").acted


def test_battle_without_a_solo_opponent_has_no_turn(seat):
    assert seat.send("solo", key="no-solo-opponent").status_code == 404


def test_watcher_may_not_attack(seat, stranger):
    other = ApiSeat(stranger.client, seat.battle)
    assert other.send("attacks", key="by-a-stranger", attack=CHARGE).status_code == 404


def test_unit_says_what_it_can_do_and_to_whom(seat):
    answer = seat.client.get(f"/api/v1{seat.address}units/A3/")
    check_answer("get", f"/api/v1{seat.address}units/A3/", answer)
    page = answer.json()
    charge = next(row for row in page["actions"] if row["how"] == "charge")
    assert charge["allowed"]
    assert ("target", "B3") in {(row["field"], row["value"]) for row in charge["targets"]}
    assert {row["did"] for row in page["choices"]} == {"move", "nothing"}
    seat.send("attacks", key="it-charges-now", attack=CHARGE, roll="first")
    fighting = seat.client.get(f"/api/v1{seat.address}units/A3/").json()
    assert fighting["idle_reason"]
    assert seat.client.get(f"/api/v1{seat.address}units/Z9/").status_code == 404


def test_attack_is_looked_at_before_its_first_die(seat):
    before = seat.entries()
    answer = seat.send("attacks/preview", **CHARGE, ticks={"target_flanked": 1, "target_at": "barrier"})
    check_answer("post", f"/api/v1{seat.address}attacks/preview/", answer)
    found = answer.json()
    page = seat.page("helper/", **CHARGE, told=1, target_flanked=1, target_at="barrier")
    assert all(bar["exact"] in page for bar in found["odds"])
    assert all(one["name"] in page for one in found["modifiers"])
    assert {"Target flanked", "Target in cover"} <= {one["name"] for one in found["modifiers"]}
    assert (found["advantages"], found["disadvantages"], found["target_at"]) == (3, 1, "barrier")
    assert [one["key"] for one in found["ticks"] if one["ticked"]] == ["target_flanked"]
    first = seat.send("attacks", key="it-charges-now", attack=CHARGE).json()["fights"][0]
    assert found["dice"] == len(first["needed"])
    assert seat.entries()[:-1] == before, "only the attack was written"


def test_preview_of_an_attack_knows_the_house_rules(player):
    flanks = {}
    for stacks in (False, True):
        seat = ApiSeat(player.client, make_battle(player, options={"flank_stacks": stacks}))
        seat.begin()
        found = seat.send("attacks/preview", **CHARGE, ticks={"target_flanked": 2}).json()
        flanks[stacks] = found["advantages"]
    assert flanks[True] == flanks[False] + 1


def test_preview_of_an_attack_refuses_what_is_not_there(seat, stranger):
    assert seat.send("attacks/preview", unit="A3", how="charge", target="Z9").status_code == 404
    assert seat.send("attacks/preview", unit="A3", how="tickle", target="B3").status_code == 422
    assert ApiSeat(stranger.client, seat.battle).send("attacks/preview", **CHARGE).status_code == 404
