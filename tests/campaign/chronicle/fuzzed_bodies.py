"""Bodies of acts, right and wrong: each field missing, of the wrong kind, too long, unknown, nested too deep."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from campaign.chronicle import codec
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import ARMS, joining

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 10**12, 1.5, "", "k1", "k2", "k9", "k1.lands", "k2.border_1", "k2.border_2", "k1.",
    ".", "draw", "attacker", "x" * 5000, "🧀", "²", "1", [], [1], ["k1", "k2"], [[]], [{}], {}, {"k1": 1}, {"k1": "x"},
    {"k1": [1]}, {"k1": [9]}, {"k1": {}}, {"": None}, {"1": {}}, {"castle": "x"}, {"a": {"b": {"c": {"d": []}}}}, ARMS,
)  # fmt: skip

# Bodies that are right, so that fuzzing starts from what nearly passes.
GOOD: dict[str, list[dict[str, Any]]] = {
    "founded": [{"name": "A war", "master": 1}],
    "renamed": [{"to": "Another war"}],
    "note": [{"text": "A quiet evening."}],
    "joined": [{}],
    "kingdom_joins": [joining("Mole End", ruler=1), joining("Rennet", standing={"vp": 3, "lost": [1]})],
    "map_set": [{"holders": {"k2.border_1": "k1"}}],
    "kingdom_status": [{"kingdom": "k1", "to": "frozen"}, {"kingdom": "k3", "to": "gone", "heirs": {}}],
    "ruler_changed": [{"kingdom": "k1", "person": 2}, {"kingdom": "k1"}],
    "regent_named": [{"kingdom": "k1", "person": 2}],
    "kingdom_looks": [{"kingdom": "k1", "name": "Oak", "arms": ARMS, "houses": {"1": {"name": "Ash"}}}],
    "master_shared": [{"person": 2}],
    "master_left": [{"person": 1, "to": 2}],
    "house_rules": [{"options": {"loyalty_cap": 3}, "terms": {"dice": "service", "house_rules": "None"}}],
    "throne_taken": [{"kingdom": "k3", "person": 9}],
    "season_opened": [{"name": "Spring", "new_war": True}],
    "season_closed": [{}],
    "standing": [{"kingdoms": {"k1": {"vp": 3}}, "holders": {}, "season": {"number": 1, "name": "Thaw"}}],
    "roll_off": [{"throws": [{"kingdom": f"k{n}", "roll": n} for n in (1, 2, 3)], "winner": "k3"}],
    "battle_declared": [{"attacker": "k1", "target": "k2.border_1", "scenario": "pitched_battle"}],
    "battle_called_off": [{"battle": 1}],
    "result": [
        {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 3}, "spent": {"k1": 1}},
        {
            "attacker": "k1",
            "target": "k2.border_2",
            "outcome": "attacker",
            "report": {
                "scenario": "pitched_battle",
                "side_a": "k1",
                "a": {"fielded": 5, "removed": 1},
                "b": {"fielded": 5, "removed": 5},
            },
            "houses_lost": {"k2": [1]},
            "told": {"scenario": "pitched_battle", "ending": "", "fielded": {"A": [], "B": []}, "mounds": [[1, 2]]},
        },
        {
            "attacker": "k1",
            "target": "k2.border_1",
            "outcome": "draw",
            "others": {"k3": 2},
            "many": {
                "sides": ["A", "B", "C"],
                "winner": None,
                "removed": {"A": 1},
                "lost": {"B": 1},
                "yielded": [],
                "kingdoms": {"A": "k1", "B": "k2", "C": "k3"},
                "fielded": {"B": [{"key": "king", "origin": "king", "number": 1, "unit": "king"}]},
                "fallen": {"B": {"king": "A"}},
            },
        },
    ],
    "vp_spent": [{"kingdom": "k1", "what": "loyalty", "times": 1}, {"kingdom": "k1", "what": "regain", "house": 1}],
    "agreed_change": [
        {"why": "so we said", "vp": {"k1": 2}, "loyalty": {"k2": 1}, "hold": {"k2.lands": "k1"}},
        {"why": "so we said", "houses": [{"kingdom": "k1", "house": 1, "lost": True}]},
    ],
    "campaign_won": [{"kingdom": "k1", "why": "first to ten"}],
    "muster_taken": [{"battle": 1, "kingdom": "k1", "muster": "abcd", "lost": [1], "army": {"units": []}}],
    "muster_paid": [{"battle": 1, "kingdom": "k1", "muster": "abcd", "question": "q", "what": "reroll", "roll": 3}],
}


def fuzzed_bodies(key: str, count: int, seed: int = 1) -> Iterator[Any]:
    """Bodies for this act: the right ones, each of their values replaced by junk, then anything."""
    dice = random.Random(f"{key}/{seed}")
    yield from GOOD[key][:count]
    fields = [*codec.act_schema(key)["properties"], "in_force", "line", "confirmed", "unknown", ""]
    for number in range(count - len(GOOD[key])):
        if number % 50 == 49:
            yield copy_body(dice.choice(JUNK))
            continue
        body = copy_body(dice.choice(GOOD[key]))
        for _ in range(dice.choice((1, 1, 1, 2, 4))):
            spoil_body(body, fields, dice, JUNK)
        yield body


def spoil_body(body: dict[str, Any], fields: list[str], dice: random.Random, junk: Sequence[Any]) -> None:
    how = dice.randrange(8)
    if how == 0 and body:
        del body[dice.choice(list(body))]
    elif how < 4:
        body[dice.choice(fields)] = copy_body(dice.choice(junk))
    else:
        places = list(_places(body))
        if places:
            inside, at = dice.choice(places)
            inside[at] = copy_body(dice.choice(junk))
        if how == 7 and places and isinstance(inside, dict):
            inside[dice.choice(("", "unknown", "k1", "k9", "2"))] = copy_body(dice.choice(junk))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in which a value could be replaced."""
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for at, inner in list(rows):
        yield value, at
        yield from _places(inner)


def copy_body(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: copy_body(one) for key, one in value.items()}
    return [copy_body(one) for one in value] if isinstance(value, list) else value


def spoil_fields(good: dict[str, Any], count: int, seed: str) -> Iterator[Any]:
    """The good body with a field or two missing, unknown or replaced by junk, at any depth."""
    dice = random.Random(seed)
    fields = [*good, "unknown", ""]
    for number in range(count):
        if number % 50 == 49:
            yield copy_body(dice.choice(JUNK))
            continue
        body = copy_body(good)
        for _ in range(dice.choice((1, 1, 2))):
            spoil_body(body, fields, dice, JUNK)
        yield body


def read_or_refuse(read: Callable[[Any], Any], body: Any) -> Any:
    """What ``read`` makes of the body; None if it refuses it, which it does with a sentence and the field."""
    refused = None
    try:
        return read(body)
    except Refusal as refusal:
        refused = refusal
    assert refused.sentence.endswith(".")
    assert refused.status == 422
    assert refused.field or not isinstance(body, dict) or "" in body
    return None
