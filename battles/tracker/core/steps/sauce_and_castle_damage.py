"""Steps only a siege has: pouring sauce and setting castle damage. Cat-non shots are ordinary fights."""

import re
from dataclasses import replace

from battles.tracker.core.fight_progress import king_whereabouts
from battles.tracker.core.state import Fight, TrackedUnit, TrackerState
from battles.tracker.core.steps.tracker_step import Number, PieceKey, StepDraft, TrackerStep, UnitId, register_step
from battles.tracker.core.steps.units import REMOVAL_REASONS
from refusal import Refusal
from rulebook.battle.assault import SCALDS_FROM, WallCharge, can_pour, empty_vat, unit_pouring
from rulebook.battle.attack_situations import Morale
from rulebook.battle.castle import OUTSIDE, piece_of
from rulebook.battle.unit_in_play import Place
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.input_checks import Answer, check_count, check_d10, no
from rulebook.odds.rolls import sauce_odds

UNIT_ID = re.compile(r"\b[A-Z]\d+\b")


def castle_charge(unit: TrackedUnit, piece: str) -> WallCharge:
    return WallCharge(unit.id, unit.as_occupant().side, unit.now, piece, unit.at.castle or OUTSIDE)


def can_pour_sauce(
    tracker: TrackerState, unit: TrackedUnit, target: TrackedUnit, options: Options = BY_THE_BOOK
) -> Answer:
    """Whether a vat can be poured over this charge, before the fight starts."""
    piece = target.at.castle
    if not tracker.has_castle or not piece:
        return no("The target is not on a wall.", "SIEGE-10")
    answer = can_pour(tracker.castle(), castle_charge(unit, piece))
    reason = with_unit_names(tracker, answer.reason)
    return replace(answer, reason=f"{reason} {_sauce_faces(unit, options)}" if answer else reason)


def _sauce_faces(unit: TrackedUnit, options: Options) -> str:
    """What the faces of the die mean for this unit."""
    chances = sauce_odds(unit.now, options)
    does = "destroys the unit" if chances.unit_gone else "wounds a model" if chances.wounded_only else "kills a model"
    test = ", and the unit tests morale" if chances.morale_test else ""
    return f"1–{SCALDS_FROM - 1}: misses; {SCALDS_FROM}–10: {does}{test}."


def with_unit_names(tracker: TrackerState, sentence: str) -> str:
    """Replace unit ids with names."""
    return UNIT_ID.sub(lambda match: tracker.full_name(match[0]) if match[0] in tracker.cells else match[0], sentence)


@register_step("poured")
class PourSauce(TrackerStep):
    """Pour a vat over a charge, before any attack (SIEGE-11)."""

    unit: UnitId
    piece: PieceKey
    roll: Number

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        unit = draft.unit(self.unit, noted=("left", "at"))
        piece = piece_of(self.piece)
        if not draft.before.has_castle:
            raise Refusal("There is no castle in this battle.", field="piece")
        draft.read(f"castle/{piece.key}")
        draft.read(f"poured/{piece.key}:{unit.id}")
        roll = check_d10(self.roll, "sauce roll")
        try:
            done = empty_vat(draft.before.castle(), castle_charge(unit, piece.key), roll, draft.terms.options)
        except Refusal as refusal:
            raise Refusal(
                with_unit_names(draft.before, refusal.sentence), status=refusal.status, field=refusal.field
            ) from None
        pourer = unit_pouring(draft.before.castle(), castle_charge(unit, piece.key))
        draft.write(f"poured/{piece.key}:{unit.id}", True)
        came = "a model is scalded" if done.scalded else "it misses"
        draft.say(f"Cheese sauce from the {piece.name} over {draft.full_name(unit.id)}: {roll}, {came}.")
        if done.after is None:
            draft.remove(unit, "removed", REMOVAL_REASONS["lost"])
            draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS['lost']}.")
            return
        draft.write_strength(unit, done.after)
        if done.tests_morale:
            # The King's whereabouts count; whether he is near, the players say before they roll.
            at = Place(unit.at.terrain, king=king_whereabouts(draft.before, unit, near=False))
            attacker = draft.unit(pourer, "pourer", ("left",)).now if pourer else None
            test = Morale(done.after, attacker, at, 0, draft.before.event)
            draft.write(f"fight/{unit.id}", Fight("nerve", unit.id, test).to_cell())


@register_step("piece_is")
class SetCastlePiece(TrackerStep):
    """Set the damage and vat of a castle piece by hand. A levelled piece removes its occupants."""

    piece: PieceKey
    damage: Number
    vat: bool = False

    def judge(self, draft: StepDraft) -> None:
        if not draft.before.has_castle:
            raise Refusal("There is no castle in this battle.", field="piece")
        piece = piece_of(self.piece)
        if not piece.kind.wall:
            raise Refusal("The courtyard cannot be damaged.", field="piece")
        damage = check_count(self.damage, f"damage of the {piece.name}", most=piece.kind.hits)
        levelled = damage == piece.kind.hits
        vat = self.vat and not levelled
        if vat and not piece.kind.battlement:
            raise Refusal("Only battlements and the gatehouse can have a vat.", field="vat")
        draft.write(f"castle/{piece.key}", {"damage": damage, "vat": vat})
        now = "is levelled" if levelled else f"has taken {damage} of {piece.kind.hits} hits"
        draft.say(f"The {piece.name} {now}{', with a vat' if vat else ''}.")
        if levelled:
            for unit in draft.before.units_here():
                if unit.at.castle == piece.key:
                    draft.remove(unit, "removed", REMOVAL_REASONS["buried"])
                    draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS['buried']}.")
