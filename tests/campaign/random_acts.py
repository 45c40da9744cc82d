"""Random acts for a given state, legal or not. The chronicle refuses the illegal ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from campaign.chronicle import codec
from campaign.chronicle.corrections import Choice, CorrectionPreview
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.state import State
from refusal import Refusal
from tests.campaign.chronicle.sample_wars import ARMS, NAMES, joining

T = TypeVar("T")
Pick = Callable[[int], int]  # a number from 0 up to but not including the one given
Body = dict[str, Any]


def one(pick: Pick, things: Sequence[T]) -> T:
    return things[pick(len(things))]


def any_act(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    """The kind of an act and its body."""
    return one(pick, ACTS)(state, pick, people)


def is_legal(state: State, act: str, body: Body) -> bool:
    """Whether the chronicle would accept it now."""
    trial = State.from_json(state.to_json())
    try:
        codec.read_sent(act, body).numbered(trial, 1).decide(trial, trial.rules())
    except Refusal:
        return False
    return True


def _realm(state: State, pick: Pick) -> str:
    return one(pick, [kingdom.id for kingdom in state.in_play()] or ["k1"])


def _target(state: State, pick: Pick) -> str:
    return one(pick, sorted(state.holders) or ["k1.castle"])


def result(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    attacker, target = _realm(state, pick), _target(state, pick)
    body: Body = {
        "attacker": attacker,
        "target": target,
        "outcome": one(pick, ("attacker", "attacker", "defender", "draw")),
    }
    if state.battles and pick(2):
        battle = one(pick, list(state.battles.values()))
        body |= {"attacker": battle.attacker, "target": battle.target, "battle": battle.number}
    defender = state.holders.get(body["target"], "k1")
    body["points"] = {body["attacker"]: pick(6), defender: pick(6)}
    if not pick(4):
        body["spent"] = {defender: pick(4)}
    if not pick(6):
        body["houses_lost"] = {defender: [1 + pick(4)]}
    return "result", body


def declared(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    return "battle_declared", {"attacker": _realm(state, pick), "target": _target(state, pick)}


def called_off(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    return "battle_called_off", {"battle": one(pick, sorted(state.battles) or [1])}


def spent(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    what = one(pick, ("loyalty", "loyalty", "regain", "rebel_roll", "reroll"))
    return "vp_spent", {"kingdom": _realm(state, pick), "what": what, "house": 1 + pick(4)}


def agreed(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    body: Body = {"why": "so the table said", one(pick, ("vp", "loyalty")): {_realm(state, pick): pick(9) - 4}}
    if not pick(3):
        body["hold"] = {_target(state, pick): _realm(state, pick)}
    if not pick(3):
        body["houses"] = [{"kingdom": _realm(state, pick), "house": 1 + pick(4), "lost": bool(pick(2))}]
    return "agreed_change", body


def joins(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    if len(state.kingdoms) >= len(NAMES):
        return note(state, pick, people)
    return "kingdom_joins", joining(NAMES[len(state.kingdoms)], ruler=one(pick, people))


def status(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    to = one(pick, ("playing", "playing", "frozen", "solo", "gone" if len(state.in_play()) > 3 else "playing"))
    return "kingdom_status", {"kingdom": _realm(state, pick), "to": to}


def rule(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    act = one(pick, ("ruler_changed", "regent_named"))
    return act, {"kingdom": _realm(state, pick), "person": one(pick, (*people, None))}


def looks(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    return "kingdom_looks", {
        "kingdom": _realm(state, pick),
        "arms": ARMS,
        "houses": {"2": {"name": f"House {pick(9)}"}},
    }


def master(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    if pick(2):
        return "master_shared", {"person": one(pick, people)}
    return "master_left", {"person": one(pick, people[1:] or people), "to": None}


def rules(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    if pick(2):
        return "house_rules", {
            "terms": {"house_rules": f"House rule {pick(5)}", "dice": one(pick, ("typed", "service"))}
        }
    return "house_rules", {"options": {"loyalty_cap": one(pick, (None, 3, 6))}}


def season(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    if state.season_open:
        return "season_closed", {}
    return "season_opened", {"name": f"Season of {pick(9)}", "new_war": bool(state.winner) or not pick(6)}


def note(state: State, pick: Pick, people: Sequence[int]) -> tuple[str, Body]:
    return "note", {"text": f"Note {pick(100)}"}


ACTS = (
    (result,) * 8
    + (declared,) * 3
    + (called_off,)
    + (spent,) * 3
    + (agreed,) * 2
    + (joins, status, rule, looks, master, rules, season, season, note)
)


def any_choices(preview: CorrectionPreview, pick: Pick) -> dict[int, Choice]:
    return {flag.number: one(pick, flag.choices) for flag in preview.flags}


def amended(entries: Sequence[ChronicleEntry], pick: Pick) -> tuple[int, Body] | None:
    """A result that still counts, with a different outcome and different points."""
    results = [entry for entry in effective_entries(entries) if entry.act == "result"]
    if not results:
        return None
    entry = one(pick, results)
    body = {**entry.body, "outcome": one(pick, ("attacker", "defender", "draw"))}
    body["points"] = dict.fromkeys(entry.body["points"], pick(6))
    return entry.number, body
