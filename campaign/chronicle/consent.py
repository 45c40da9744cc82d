"""Whose word a report or a correction needs before it stands, by the terms of the campaign and as kingdoms are ruled now.

A vote is a row under the kingdom it was given for, or under MASTER: which version, by whom, on whose phone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from campaign.annals.corrections import Preview
from campaign.annals.effects import Effect
from campaign.annals.fought import fought, is_battle
from campaign.annals.lines import Line
from campaign.annals.state import FROZEN, GONE, SOLO, State
from campaign.annals.terms import term_of

MASTER = "master"

Votes = Mapping[str, Mapping[str, Any]]

# Added by the door to what was reported, and no part of the report.
_OURS = ("in_force", "line", "confirmed")

# Why an effect came about is no part of what it comes to.
_REASONS = ("why", "battle", "was")

# What a correction changes for the whole table and not for one kingdom: the game master answers for it.
_OF_ALL = ("option", "term", "season", "masters", "campaign", "winner")


def sides_of(act: str, body: dict[str, Any], effects: list[Effect], kingdoms: Iterable[str]) -> tuple[str, ...]:
    """Whom a report is about: the two who fought, or whoever its act names."""
    line = Line(0, act, body, effects, "")
    if not is_battle(line):
        return tuple(kingdoms)
    battle = fought(line)
    return battle.attacker, battle.defender


def askable(state: State, key: str, *, away: bool = False) -> bool:
    """Whether there is somebody to ask. With ``away`` the ruler of a frozen kingdom is asked as well."""
    realm = state.kingdoms.get(key)
    if realm is None or realm.acting is None or realm.status in (SOLO, GONE):
        return False
    return away or realm.status != FROZEN


def speaks_for(state: State, key: str, persons: set[int]) -> bool:
    realm = state.kingdoms.get(key)
    return realm is not None and bool({realm.ruler, realm.regent} & persons)


def asks_of_report(state: State, sides: Sequence[str]) -> list[str]:
    """Everyone whose word it takes, the reporter's own among them; nobody where one report is enough."""
    confirm = term_of(state.terms, "confirm")
    if confirm == "master":
        return [MASTER]
    return [key for key in dict.fromkeys(sides) if askable(state, key)] if confirm == "both" else []


def asks_of_correction(state: State, preview: Preview, author_asks: bool) -> list[str]:
    """The rulers of all it touches; the game master for what concerns everybody, and for an entry of somebody else that
    touches nobody.
    """
    asks = [key for key in preview.touches if askable(state, key, away=True)]
    for_all = any(change.what in _OF_ALL for change in preview.changes)
    if for_all or (not preview.touches and not author_asks):
        asks.append(MASTER)
    return asks


def still_asked(state: State, asks: Iterable[str]) -> list[str]:
    """Those of whom an answer can still be had: a kingdom left by its ruler meanwhile holds nothing up."""
    return [key for key in asks if key == MASTER or askable(state, key, away=True)]


def missing(state: State, asks: Iterable[str], votes: Votes, version: int) -> list[str]:
    """Who has not said yes to this version. What a game master has decided is decided."""
    if votes.get(MASTER, {}).get("version") == version:
        return []
    return [key for key in still_asked(state, asks) if votes.get(key, {}).get("version") != version]


def voices(state: State, kingdoms: Iterable[str], persons: set[int]) -> list[str]:
    """The votes these ids may cast: of the kingdoms they rule or act for, and the master's."""
    found = [key for key in dict.fromkeys(kingdoms) if speaks_for(state, key, persons)]
    return [*found, MASTER] if set(state.masters) & persons else found


def master_alone(state: State, asks: Iterable[str], votes: Votes, version: int) -> bool:
    """Whether it stands by the word of a game master only: others who are asked have not said yes to it."""
    if votes.get(MASTER, {}).get("version") != version:
        return False
    return any(key == MASTER or votes.get(key, {}).get("version") != version for key in still_asked(state, asks))


def side_of(state: State, sides: Iterable[str], persons: set[int]) -> str | None:
    """The side in it for which these ids speak: a game master with such a side decides a matter of their own."""
    return next((key for key in sides if speaks_for(state, key, persons)), None)


def digest(body: Mapping[str, Any]) -> str:
    """A report as it was seen: what is empty, nought or unsaid makes no difference."""
    told = {key: value for key, value in body.items() if key not in _OURS}
    return sha256(json.dumps(_bare(told), sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()


def comes_to(body: Mapping[str, Any], effects: Iterable[Effect]) -> tuple[Any, ...]:
    """What a report comes to. Two that come to the same agree, however much of the battle each of them tells."""
    sums: Counter[tuple[str, str]] = Counter()
    rest = set()
    for effect in effects:
        if effect["do"] in ("vp", "loyalty"):
            sums[effect["do"], effect["kingdom"]] += effect["by"]
        elif effect["do"] != "closed":
            rest.add(json.dumps({key: value for key, value in effect.items() if key not in _REASONS}, sort_keys=True))
    told = {key: by for key, by in sums.items() if by}
    return body.get("outcome"), tuple(sorted(told.items())), tuple(sorted(rest))


def _bare(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            str(key): bare for key, one in value.items() if (bare := _bare(one)) not in (None, "", 0, False, [], {})
        }
    if isinstance(value, (list, tuple)):
        return [_bare(one) for one in value]
    return value
