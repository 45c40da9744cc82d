"""Whose consent a report or correction needs, by the terms of the campaign and the current rulers.

A vote is stored under its kingdom or under MASTER: which version, by whom, on whose phone.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from campaign.chronicle.battles_from_entries import is_battle, read_battle
from campaign.chronicle.codec import OURS, write_effects
from campaign.chronicle.corrections import CorrectionPreview
from campaign.chronicle.effects import BattleClosed, Effect, LoyaltyChanged, VpChanged
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.state import FROZEN, GONE, SOLO, State, get_term

MASTER = "master"

Votes = Mapping[str, Mapping[str, Any]]

# The reason for an effect does not count when two reports are compared.
_REASONS = ("why", "battle", "was")

# Changes that concern everyone: the game master approves them.
_OF_ALL = ("option", "term", "season", "masters", "campaign", "winner")


def find_sides(act: str, body: dict[str, object], effects: list[Effect], kingdoms: Iterable[str]) -> tuple[str, ...]:
    """The two sides of a battle, or the kingdoms the act names."""
    entry = ChronicleEntry(0, act, body, effects, "")
    if not is_battle(entry):
        return tuple(kingdoms)
    battle = read_battle(entry)
    return battle.attacker, battle.defender


def can_be_asked(state: State, key: str, *, away: bool = False) -> bool:
    """Whether there is someone to ask. ``away`` includes rulers of frozen kingdoms."""
    kingdom = state.kingdoms.get(key)
    if kingdom is None or kingdom.acting is None or kingdom.status in (SOLO, GONE):
        return False
    return away or kingdom.status != FROZEN


def can_speak_for(state: State, key: str, persons: set[int]) -> bool:
    kingdom = state.kingdoms.get(key)
    return kingdom is not None and bool({kingdom.ruler, kingdom.regent} & persons)


def find_report_approvers(state: State, sides: Sequence[str]) -> list[str]:
    """Who must confirm, including the reporter; nobody if one report is enough."""
    confirm = get_term(state.terms, "confirm")
    if confirm == "master":
        return [MASTER]
    return [key for key in dict.fromkeys(sides) if can_be_asked(state, key)] if confirm == "both" else []


def find_correction_approvers(state: State, preview: CorrectionPreview, author_asks: bool) -> list[str]:
    """The rulers of all it touches; the game master for what concerns everybody, and for an entry of somebody else that
    touches nobody.
    """
    asks = [key for key in preview.touches if can_be_asked(state, key, away=True)]
    for_all = any(change.what in _OF_ALL for change in preview.changes)
    if for_all or (not preview.touches and not author_asks):
        asks.append(MASTER)
    return asks


def filter_reachable(state: State, asks: Iterable[str]) -> list[str]:
    """Those who can still answer: a kingdom without a ruler does not block an approval."""
    return [key for key in asks if key == MASTER or can_be_asked(state, key, away=True)]


def find_missing_votes(state: State, asks: Iterable[str], votes: Votes, version: int) -> list[str]:
    """Who has not confirmed this version. A game master's decision is final."""
    if votes.get(MASTER, {}).get("version") == version:
        return []
    return [key for key in filter_reachable(state, asks) if votes.get(key, {}).get("version") != version]


def list_castable_votes(state: State, kingdoms: Iterable[str], persons: set[int]) -> list[str]:
    """The votes these ids may cast: of the kingdoms they rule or act for, and the master's."""
    votes = [key for key in dict.fromkeys(kingdoms) if can_speak_for(state, key, persons)]
    return [*votes, MASTER] if set(state.masters) & persons else votes


def is_decided_by_master_alone(state: State, asks: Iterable[str], votes: Votes, version: int) -> bool:
    """Whether only a game master confirmed it and others who were asked did not."""
    if votes.get(MASTER, {}).get("version") != version:
        return False
    return any(key == MASTER or votes.get(key, {}).get("version") != version for key in filter_reachable(state, asks))


def find_own_side(state: State, sides: Iterable[str], persons: set[int]) -> str | None:
    """The side these ids speak for, if any: such a game master is deciding their own case."""
    return next((key for key in sides if can_speak_for(state, key, persons)), None)


def digest_report(body: Mapping[str, Any]) -> str:
    """A fingerprint of a report. Empty and zero values make no difference."""
    entered = _strip_empty({key: value for key, value in body.items() if key not in OURS})
    return sha256(json.dumps(entered, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()


def summarise_outcome(body: Mapping[str, Any], effects: Iterable[Effect]) -> tuple[Any, ...]:
    """The outcome of a report. Two reports agree if this is equal, whatever their detail."""
    sums: Counter[tuple[str, str]] = Counter()
    rest = set()
    for effect in effects:
        if isinstance(effect, VpChanged | LoyaltyChanged):
            sums[effect.do, effect.kingdom] += effect.by
        elif not isinstance(effect, BattleClosed):
            (row,) = write_effects([effect])
            rest.add(json.dumps({key: value for key, value in row.items() if key not in _REASONS}, sort_keys=True))
    totals = {key: by for key, by in sums.items() if by}
    return body.get("outcome"), tuple(sorted(totals.items())), tuple(sorted(rest))


def _strip_empty(value: Any) -> Any:
    if isinstance(value, Mapping):
        rest = {str(key): _strip_empty(inner) for key, inner in value.items()}
        return {key: inner for key, inner in rest.items() if inner not in (None, "", 0, False, [], {})}
    if isinstance(value, (list, tuple)):
        return [_strip_empty(inner) for inner in value]
    return value
