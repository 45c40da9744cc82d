"""The page of the solo opponent: its die, one question at a time, and what its unit does."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.models import Battle
from battles.tracker import services
from battles.tracker.core import solo_questions
from battles.tracker.core.combat_helper import CombatNumbers
from battles.tracker.core.logged_steps import judge_solo_turn
from battles.tracker.core.steps import solo_turn
from battles.tracker.core.steps.solo_turn import DecideSoloTurn, SoloDecision
from battles.tracker.display import side_livery
from battles.tracker.selectors import TrackerSnapshot, load_snapshot, terms_of
from battles.tracker.unit_actions_display import fight_setup_display
from log.services import new_key
from refusal import Refusal
from rulebook.battle.castle import piece_of
from rulebook.data.heroes import HERO
from rulebook.solo_opponent import SOLO_TABLE, SoloRow, solo_row

# What one model does, what several do.
VERBS = {
    "shoot": ("shoots at", "shoot at"),
    "charge": ("charges", "charge"),
    "attack": ("attacks", "attack"),
    "seek_shot": ("moves to shoot at", "move to shoot at"),
    "drag": ("moves towards", "move towards"),
    "advance": ("moves towards", "move towards"),
    "rally": ("tries to rally", "try to rally"),
    "stand": ("stands", "stand"),
}


@require_safe
def solo_opponent(request: HttpRequest, code: str) -> HttpResponse:
    """The die, then a question, then what the unit does. The answers travel in the address until it acts."""
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    tracker = snapshot.tracker
    if not tracker.is_set_up or tracker.solo is None:
        raise Refusal("This battle has no solo opponent.", status=404)
    answers = _answers(request.GET)
    turn = solo_questions.current_turn(tracker, answers)
    die = turn.die if turn else solo_turn.pending_die(tracker)
    context = {
        "battle": battle,
        "side": tracker.side_name(tracker.solo),
        "livery": side_livery(tracker, tracker.solo),
        "round": tracker.round,
        "die": die,
        "row": solo_row(die.roll) if die else None,
        "faces": _faces(die.roll if die else None),
        "can_step": battle.can_step and not battle.is_over,
        "undo": snapshot.last_tap,
        "key": new_key(),
        "all_acted": solo_questions.have_all_acted(tracker),
    }
    if turn is not None and not turn.is_pending:
        context["back"] = _without_last(answers) if answers else ""
    if turn is not None and isinstance(turn.next, DecideSoloTurn):
        with suppress(*((Refusal,) if turn.is_pending else ())):  # it is being carried out at this moment
            context["turn"] = _turn(battle, snapshot, turn.next)
    elif turn is not None:
        context |= {"question": turn.next, "asked": _pairs(answers)}
    return render(request, "battles/tracker/solo_opponent.html", context)


def _answers(data: QueryDict) -> Mapping[str, Sequence[str]]:
    return {name: data.getlist(name) for name in solo_questions.ANSWERS if name in data}


def _pairs(answers: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, given in answers.items() for value in given]


def _without_last(answers: Mapping[str, Sequence[str]]) -> str:
    """The address of the question before."""
    kept = dict(list(answers.items())[:-1])
    return f"?{urlencode(kept, doseq=True)}"


def _faces(roll: int | None) -> list[tuple[SoloRow, list[tuple[int, bool]]]]:
    return [(row, [(face, face == roll) for face in range(row.low, row.high + 1)]) for row in SOLO_TABLE]


@dataclass(frozen=True, slots=True)
class SoloTurnDisplay:
    """What the unit does, ready to draw, with the fields that make it happen."""

    now: SoloDecision
    title: str
    text: tuple[str, ...]
    does: str
    unit_name: str
    unit_icon: str
    target_name: str
    target_icon: str
    numbers: CombatNumbers | None
    dice: int
    hero: str
    fields: tuple[tuple[str, str], ...]


def _turn(battle: Battle, snapshot: TrackerSnapshot, step: DecideSoloTurn) -> SoloTurnDisplay:
    tracker, terms = snapshot.tracker, terms_of(battle)
    now = judge_solo_turn(snapshot.cells, terms, step)
    unit = tracker.unit(now.unit)
    target = tracker.unit(now.target) if now.target else None
    whom = piece_of(now.piece).name.lower() if now.piece else f"your {target.name}" if target else ""
    numbers, dice = None, 0
    how = "bombard" if now.piece else solo_turn.LEADS_TO.get(now.does or "", "")
    if how:
        with suppress(Refusal):  # then its own tap says why not
            setup = fight_setup_display(tracker, terms, how, unit, target, piece=now.piece or None)
            numbers, dice = setup.numbers, setup.dice
    one, many = VERBS[now.does or "stand"]
    title = f"Its {unit.name} {many if unit.row.many else one}{f' {whom}' if whom else ''}"
    return SoloTurnDisplay(
        now,
        title,
        now.reasons,
        now.does or "",
        f"its {unit.name}",
        f"c-{unit.now.key}",
        whom,
        "c-castle" if now.piece else f"c-{target.now.key}" if target else "",
        numbers,
        dice,
        HERO[now.hero.hero].name if now.hero and now.hero.hero in HERO and not unit.power_used else "",
        tuple(_fields(step)),
    )


def _fields(step: DecideSoloTurn) -> list[tuple[str, str]]:
    """The decision as fields of a form."""
    rows = [("roll", str(step.roll)), ("unit", step.unit or "")]
    for unit, seen in step.seen.items():
        rows += [(f"enemy_{unit}", seen.enemy or ""), (f"inches_{unit}", f"{seen.inches or 0:g}")]
        rows += [(f"sees_{unit}", "on")] if seen.sees else []
        rows += [(f"reach_{unit}", "on")] if seen.reach else []
        rows += [(f"friend_{unit}", seen.friend)] if seen.friend else []
        if seen.piece:
            rows += [(f"piece_{unit}", seen.piece), (f"wall_{unit}", f"{seen.piece_inches or 0:g}")]
    return rows
