"""The army of each side of a new standalone battle: from its code, or rolled here."""

from __future__ import annotations

from typing import Literal

from django.utils.crypto import salted_hmac

from musters.core.army_code import army_of_code
from musters.core.auto_roll import roll_army
from refusal import Refusal
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import is_siege
from rulebook.muster.army import Army

MAX_CODE_LENGTH = 600
SIEGE_SIDES: dict[int, Literal["attacker", "defender"]] = {1: "attacker", 2: "defender"}


def choose_army(code: str, number: int, *, key: str, scenario: str, muster: bool, field: str) -> Army | None:
    """The army of the code; without one, an army rolled here if ``muster``. ``field`` is named if the code is wrong."""
    if not code.strip():
        return _roll_army(number, key, scenario) if muster else None
    try:
        return army_of_code(code)
    except Refusal as refusal:
        raise Refusal(refusal.sentence, field=field) from refusal


def _roll_army(number: int, key: str, scenario: str) -> Army:
    """Rolled from the key, so that what is sent twice gives the same army."""
    siege = SIEGE_SIDES.get(number) if is_siege(scenario) else None
    return roll_army(MusterCall(siege=siege), (salted_hmac("battle-muster", key).hexdigest(),), f"army {number}")
