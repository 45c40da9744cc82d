"""What only a siege has: sauce from the vats, and the castle set as it stands. Cat-non shots are fights like others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.tracker.course import stored
from battles.tracker.draft import Draft, step
from battles.tracker.table import SIEGE_SIDES, Standing, Table
from battles.tracker.tokens import WHY
from refusal import Refusal
from rulebook.answers import Answer, no
from rulebook.inplay import Place
from rulebook.rolls import count, d10
from rulebook.sauce import Charge, may_pour, pour
from rulebook.siege import OUTSIDE, piece_of
from rulebook.situations import Morale

UNIT_KEY = re.compile(r"\b[A-Z]\d+\b")


def charge_of(unit: Standing, piece: str) -> Charge:
    return Charge(unit.id, SIEGE_SIDES[unit.side], unit.now, piece, unit.at.get("castle") or OUTSIDE)


def sauce(table: Table, unit: Standing, target: Standing) -> Answer:
    """Whether a vat waits for this charge; asked before the fight is opened."""
    piece = target.at.get("castle")
    if not table.has_castle or not piece:
        return no("There is no wall to climb.", "SIEGE-10")
    answer = may_pour(table.castle(), charge_of(unit, piece))
    return replace(answer, reason=in_words(table, answer.reason))


def in_words(table: Table, sentence: str) -> str:
    """The castle knows units by their keys; players know them by name."""
    return UNIT_KEY.sub(lambda found: table.called(found[0]) if found[0] in table.cells else found[0], sentence)


@step("poured")
def poured(draft: Draft, body: Mapping[str, Any]) -> None:
    """The vat over a charge, before anybody attacks (SIEGE-11)."""
    draft.begun()
    unit = draft.unit(body.get("unit"), noted=("left", "at"))
    piece = piece_of(body.get("piece"))
    draft.look(f"castle/{piece.key}")
    draft.look(f"poured/{piece.key}:{unit.id}")
    roll = d10(body.get("roll"), "sauce roll")
    try:
        done = pour(draft.before.castle(), charge_of(unit, piece.key), roll, draft.terms.options)
    except Refusal as refusal:
        raise Refusal(in_words(draft.before, refusal.sentence), status=refusal.status, field=refusal.field) from None
    draft.put(f"poured/{piece.key}:{unit.id}", True)
    draft.say(f"Cheese sauce from the {piece.name} over {draft.called(unit.id)}: {roll}, {'a model is scalded' if done.scalded else 'it misses'}.")  # fmt: skip
    if done.after is None:
        draft.gone(unit, "removed", WHY["lost"])
        draft.say(f"{draft.called(unit.id)}: removed, {WHY['lost']}.")
        return
    draft.left(unit, done.after)
    if done.tests_morale:
        test = Morale(done.after, None, Place(unit.at.get("terrain", "clear")), 0, draft.before.event)
        draft.put(f"fight/{unit.id}", {"how": "nerve", "attacker": unit.id, "situation": stored(test), "faces": []})


@step("piece_is")
def piece_is(draft: Draft, body: Mapping[str, Any]) -> None:
    """A piece of the castle set as it stands: damage and vat. A levelled piece buries whoever the table says is gone."""
    if not draft.before.has_castle:
        raise Refusal("There is no castle in this battle.", field="piece")
    piece = piece_of(body.get("piece"))
    if not piece.kind.wall:
        raise Refusal("The courtyard takes no damage.", field="piece")
    damage = count(body.get("damage"), f"damage of the {piece.name}", most=piece.kind.hits)
    levelled = damage == piece.kind.hits
    vat = bool(body.get("vat")) and not levelled
    if vat and not piece.kind.battlement:
        raise Refusal("A vat stands on a battlement or the gatehouse.", field="vat")
    draft.put(f"castle/{piece.key}", {"damage": damage, "vat": vat})
    draft.say(f"The {piece.name} {'is levelled' if levelled else f'has taken {damage} of {piece.kind.hits} hits'}{', with a vat' if vat else ''}.")  # fmt: skip
    if levelled:
        for unit in draft.before.here():
            if unit.at.get("castle") == piece.key:
                draft.gone(unit, "removed", WHY["buried"])
                draft.say(f"{draft.called(unit.id)}: removed, {WHY['buried']}.")
