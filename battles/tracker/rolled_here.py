"""Dice that the site rolls for a step. Page and API ask for the same."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

from battles.models import Battle
from battles.tracker import forms
from battles.tracker.core.fight_progress import progress_of
from battles.tracker.selectors import TrackerSnapshot, terms_of
from battles.typed_and_rolled_dice import roll_dice
from people.requester import Who
from refusal import Refusal
from rulebook.data.battlefield import has_event


def seed_of(who: Who, battle: Battle, key: str) -> bytes:
    return salted_hmac("battles.typed_and_rolled_dice", f"{battle.log_id}/{who.ref}/{key}").digest()


def roll_tie(who: Who, battle: Battle, key: str) -> int:
    """The second number of the solo opponent's die, when the players rolled the first."""
    return roll_dice(1, seed_of(who, battle, key))[0]


def roll_here(who: Who, battle: Battle, snapshot: TrackerSnapshot, kind: str, key: str, fight: str) -> forms.RolledHere:
    """Roll dice on the server. They depend on the key, so a request sent twice rolls the same."""
    seed = seed_of(who, battle, key)
    if kind == "dice":
        told_fight = snapshot.tracker.fights().get(fight)
        if told_fight is None:
            raise Refusal("This fight is over.", status=409)
        ask = progress_of(snapshot.tracker, terms_of(battle), told_fight).ask
        return forms.RolledHere(faces=tuple(roll_dice(ask.count if ask else 0, seed)))
    if kind in ("begin", "round_over"):
        sides = snapshot.tracker.sides
        faces = roll_dice(40, seed)
        # Ties re-roll: take the first rolls with a single winner.
        pairs = [faces[at : at + len(sides)] for at in range(0, len(faces) - len(sides), len(sides))]
        clear = next((pair for pair in pairs if pair.count(max(pair)) == 1), pairs[0])
        return forms.RolledHere(rolls=dict(zip(sides, clear, strict=True)))
    if kind == "solo_die":
        first, second = roll_dice(2, seed)
        return forms.RolledHere(roll=first, second=second)
    if kind == "event":
        first, second = roll_dice(2, seed)
        return forms.RolledHere(roll=first, second=second if has_event(first) else None)
    face = roll_dice(1, seed)[0]
    return forms.RolledHere(face=face) if kind == "rerolled" else forms.RolledHere(roll=face)
