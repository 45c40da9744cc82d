"""Striking and amending any past line: what would change, what would no longer be legal, what would come out differently.

Nothing later is ever recomputed in silence. Each later line that is touched is shown with a choice: keep it as the table
agreed, recompute it, or strike it too. A correction and its choices are one bundle, and restoring switches it off whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from campaign.annals.acts import RULES_VERSION, Body, act_of, in_force
from campaign.annals.effects import Effect, apply
from campaign.annals.lines import AMEND, CORRECTIONS, RESTORE, STRIKE, STRUCK, Line, effective, fold, standing
from campaign.annals.state import State
from refusal import Refusal

Choice = Literal["keep", "recompute", "strike"]
KEEP: Choice = "keep"
RECOMPUTE: Choice = "recompute"
STRIKE_TOO: Choice = "strike"

# A line entered after others that were played later.
LATE = "late"

# The beginning of everything cannot be struck: without it nobody would be left who may restore it.
FIXED = ("founded",)


@dataclass(frozen=True, slots=True)
class Flag:
    """A later line that the correction touches. ``refusal`` is the sentence against it, or empty if it is still legal."""

    number: int
    refusal: str
    effects: tuple[Effect, ...]
    recomputed: tuple[Effect, ...] | None
    choice: Choice
    is_fixed: bool = False  # a restore is exact: what it touches is kept, by agreement of the table

    @property
    def choices(self) -> tuple[Choice, ...]:
        if self.is_fixed:
            return (KEEP,)
        return (KEEP, STRIKE_TOO) if self.recomputed is None else (KEEP, RECOMPUTE, STRIKE_TOO)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is otherwise after the correction."""

    what: str  # loyalty, vp, territory, house, winner …
    subject: str  # the kingdom, the territory, "k1/2" for a house
    was: Any
    now: Any


@dataclass(frozen=True, slots=True)
class Preview:
    kind: str
    target: int
    flags: tuple[Flag, ...]
    changes: tuple[Change, ...]
    bundle: dict[str, Any]
    other_rules: bool  # the line was written under another version of our rules
    touches: tuple[str, ...]  # kingdoms that come out otherwise

    @property
    def digest(self) -> str:
        """What was seen. If it is no longer so when the correction is confirmed, the fresh preview is shown instead."""
        seen = [self.kind, self.target, self.bundle, [(f.number, f.refusal, f.choice) for f in self.flags]]
        seen.append([(c.what, c.subject, c.was, c.now) for c in self.changes])
        return sha256(json.dumps(seen, sort_keys=True, default=str).encode()).hexdigest()


def preview_strike(lines: Sequence[Line], target: int, choices: Mapping[int, Choice] | None = None) -> Preview:
    return _preview(lines, target, None, choices or {})


def preview_amend(
    lines: Sequence[Line], target: int, body: Body, choices: Mapping[int, Choice] | None = None
) -> Preview:
    """The line with another body in its place. Its own check is asked as things stood then."""
    return _preview(lines, target, body, choices or {})


def preview_late(lines: Sequence[Line], line: Line) -> Preview:
    """A line played before others that already stand: what it does to them. They stay as they are, until corrected."""
    order = effective(lines)
    at = next((i for i, one in enumerate(order) if one.place > line.place), len(order))
    old = fold(order[:at])
    new = old.copy()
    apply(new, line.effects)
    bundle: dict[str, Any] = {"strike": [], "amend": {}}
    flags = _walk(order[at:], old, new, {}, bundle)
    changes = differences(old, new)
    return Preview(LATE, line.number, flags, changes, bundle, False, touched(changes))


def state_before(lines: Sequence[Line], place: tuple[str, int]) -> State:
    """Where the campaign stood when a line at this place was played."""
    return fold(line for line in effective(lines) if line.place < place)


def preview_restore(lines: Sequence[Line], bundle: int) -> Preview:
    """Switch a correction off again, exactly."""
    line = _find(lines, bundle)
    if line.act not in CORRECTIONS:
        raise Refusal(f"Entry {bundle} corrects nothing, so there is nothing to restore.", field="entry")
    if bundle in standing(lines).restored:
        raise Refusal(f"Entry {bundle} is restored already.", status=409)
    undone = Line(max(line.number for line in lines) + 1, RESTORE, {"restores": bundle}, [], line.played_on)
    flags, before, after = _walk_both(effective(lines), effective([*lines, undone]))
    changes = differences(before, after)
    return Preview(RESTORE, bundle, flags, changes, {}, False, touched(changes))


def _walk_both(was: Sequence[Line], now: Sequence[Line]) -> tuple[tuple[Flag, ...], State, State]:
    """Carry two readings of the same lines side by side: what is not lawful any more in the second is flagged."""
    before, after = ({line.number: line for line in lines} for lines in (was, now))
    places = sorted({line.place for line in (*was, *now)})
    first = next((n for n, (_, number) in enumerate(places) if before.get(number) != after.get(number)), len(places))
    old = fold(before[number] for _, number in places[:first])
    new = old.copy()
    flags = []
    for _, number in places[first:]:
        then, line = before.get(number), after.get(number)
        refused = _judge(line, new)[0] if line is not None and _is_judged(line) else ""
        refused_before = _judge(line, old)[0] if refused and line is not None and line == then else ""
        before_it = then.effects if then is not None else []
        if line is not None:
            below = _below_nought(line.effects, new, before_it, old)
            if sentence := refused if refused != refused_before else below:
                flags.append(Flag(number, sentence, tuple(line.effects), None, KEEP, is_fixed=True))
            apply(new, line.effects)
        apply(old, before_it)
    return tuple(flags), old, new


def _is_judged(line: Line) -> bool:
    return bool(line.effects) and line.act not in (*CORRECTIONS, RESTORE, STRUCK)


def _below_nought(effects: Sequence[Effect], new: State, then: Sequence[Effect], old: State) -> str:
    """VP stand below 0 only where the table agreed to it: a line that pushes them there is shown, whatever its rule says."""
    for key in dict.fromkeys(effect["kingdom"] for effect in effects if effect["do"] == "vp" and effect["by"] < 0):
        realm, known = new.kingdoms.get(key), old.kingdoms.get(key)
        by = _vp(effects, key)
        if realm and by < 0 and realm.vp + by < 0 and (not known or realm.vp + by < known.vp + _vp(then, key)):
            return f"{realm.name} would stand at −{-realm.vp - by} VP."
    return ""


def _vp(effects: Sequence[Effect], kingdom: str) -> int:
    return sum(effect["by"] for effect in effects if effect["do"] == "vp" and effect["kingdom"] == kingdom)


def _preview(lines: Sequence[Line], target: int, body: Body | None, choices: Mapping[int, Choice]) -> Preview:
    line = _find(lines, target)
    _may_be_corrected(lines, line)
    order = effective(lines)
    at = next(i for i, one in enumerate(order) if one.number == target)
    line = order[at]
    old = fold(order[:at])
    new = old.copy()
    bundle: dict[str, Any] = {"strike": [], "amend": {}}
    if body is None:
        bundle["strike"].append(target)
    else:
        body = {**body, "in_force": line.body.get("in_force", {})}
        effects = act_of(line.act).effects(old, body, in_force(body))
        apply(new, effects)
        bundle["amend"][str(target)] = {"effects": effects, "body": body}
    apply(old, line.effects)
    flags = _walk(order[at + 1 :], old, new, choices, bundle)
    changes = differences(old, new)
    written = line.body.get("in_force", {}).get("rules", RULES_VERSION)
    kind = STRIKE if body is None else AMEND
    return Preview(kind, target, flags, changes, bundle, written != RULES_VERSION, touched(changes))


def _walk(
    later_lines: Sequence[Line], old: State, new: State, choices: Mapping[int, Choice], bundle: dict[str, Any]
) -> tuple[Flag, ...]:
    """Carry both states through the lines that follow, asking for a choice where they part."""
    flags = []
    for later in later_lines:
        flag = _flag(later, old, new, choices.get(later.number, KEEP))
        apply(old, later.effects)
        if flag is None or flag.choice == KEEP:
            apply(new, later.effects)
        elif flag.choice == RECOMPUTE and flag.recomputed is not None:
            apply(new, flag.recomputed)
            bundle["amend"][str(later.number)] = {"effects": list(flag.recomputed)}
        elif flag.choice == STRIKE_TOO:
            bundle["strike"].append(later.number)
        if flag is not None:
            flags.append(flag)
    return tuple(flags)


def _flag(later: Line, old: State, new: State, choice: Choice) -> Flag | None:
    """Whether a later line is touched. What was so before the correction is not laid at its door."""
    if later.act in (*CORRECTIONS, RESTORE) or not later.effects:
        return None
    was_refused, was = _judge(later, old)
    refused, now = _judge(later, new)
    below = _below_nought(later.effects, new, later.effects, old)
    if refused:
        if was_refused == refused and not below:
            return None
        chosen = choice if choice in (KEEP, STRIKE_TOO) else KEEP
        return Flag(later.number, below if was_refused == refused else refused, tuple(later.effects), None, chosen)
    if below:
        return Flag(later.number, below, tuple(later.effects), tuple(now or ()), choice)
    if was_refused or now == was:
        return None
    return Flag(later.number, "", tuple(later.effects), tuple(now or ()), choice)


def _judge(line: Line, state: State) -> tuple[str, list[Effect] | None]:
    try:
        return "", act_of(line.act).effects(state, line.body, in_force(line.body))
    except Refusal as refusal:
        return refusal.sentence, None


def _find(lines: Sequence[Line], number: int) -> Line:
    line = next((line for line in lines if line.number == number), None)
    if line is None:
        raise Refusal(f"There is no entry {number}.", field="entry")
    return line


def _may_be_corrected(lines: Sequence[Line], line: Line) -> None:
    if line.act in (*CORRECTIONS, RESTORE):
        raise Refusal(f"Entry {line.number} is itself a correction. Restore it instead.", field="entry")
    if line.act in FIXED:
        raise Refusal("The founding of the campaign cannot be struck.", field="entry")
    by = standing(lines).struck.get(line.number)
    if by:
        raise Refusal(f"Entry {line.number} is struck already, by entry {by}. Restore it first.", status=409)


# --- what is otherwise --------------------------------------------------------------------------------------------------


def differences(old: State, new: State) -> tuple[Change, ...]:
    """Everything a player would notice, kingdom by kingdom, then the map."""
    found: list[Change] = []

    def note(what: str, subject: str, was: Any, now: Any) -> None:
        if was != now:
            found.append(Change(what, subject, was, now))

    for key in dict.fromkeys([*old.kingdoms, *new.kingdoms]):
        a, b = old.kingdoms.get(key), new.kingdoms.get(key)
        if a is None or b is None:
            note("kingdom", key, a and a.status, b and b.status)
            continue
        for what in ("status", "name", "ruler", "regent", "loyalty", "vp"):
            note(what, key, getattr(a, what), getattr(b, what))
        for number, (one, other) in enumerate(zip(a.houses, b.houses, strict=True), 1):
            note("house", f"{key}/{number}", one.lost, other.lost)
    for key in dict.fromkeys([*old.holders, *new.holders]):
        note("territory", key, old.holders.get(key), new.holders.get(key))
    note("winner", "", old.winner, new.winner)
    for number in dict.fromkeys([*old.battles, *new.battles]):
        note("battle", str(number), number in old.battles, number in new.battles)
    for key in dict.fromkeys([*old.options, *new.options]):
        note("option", key, old.options.get(key), new.options.get(key))
    for key in dict.fromkeys([*old.terms, *new.terms]):
        note("term", key, old.terms.get(key), new.terms.get(key))
    note("season", "", old.season if old.season_open else None, new.season if new.season_open else None)
    note("masters", "", sorted(old.masters), sorted(new.masters))
    note("campaign", "", old.name, new.name)
    return tuple(found)


def touched(changes: Sequence[Change]) -> tuple[str, ...]:
    found: list[str] = []
    for change in changes:
        if change.what == "territory":
            found += [key for key in (change.was, change.now) if key]
        elif change.what in ("status", "name", "ruler", "regent", "loyalty", "vp", "house", "kingdom"):
            found.append(change.subject.partition("/")[0])
    return tuple(dict.fromkeys(found))
