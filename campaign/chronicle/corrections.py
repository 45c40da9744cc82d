"""Striking and amending any past line: what would change, what would no longer be legal, what would come out differently.

Nothing later is ever recomputed in silence. Each later line that is touched is shown with a choice: keep it as the table
agreed, recompute it, or strike it too. A correction and its choices are one bundle, and restoring switches it off whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    owing: tuple[str, ...] = ()  # kingdoms that would stand below 0 VP, or further below, if it is kept
    is_debt: bool = False  # kept before although nobody could pay for it; what had made it good is corrected away

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
    flags = []
    for later in order[at:]:
        if flag := _flag(later, old, new, KEEP):
            flags.append(flag)
        apply(old, later.effects)
        apply(new, later.effects)
    changes = differences(old, new)
    bundle: dict[str, Any] = {"strike": [], "amend": {}}
    return Preview(LATE, line.number, tuple(flags), changes, bundle, False, touched(changes))


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
    debts = _Debts()
    old = _fold(debts, [before[number] for _, number in places[:first]])
    new = old.copy()
    flags: dict[int, Flag] = {}
    for _, number in places[first:]:
        then, line = before.get(number), after.get(number)
        was_effects, effects = (one.effects if one is not None else [] for one in (then, line))
        if line is not None:
            refused = _judge(line, new)[0] if _is_judged(line) else ""
            refused_before = _judge(line, old)[0] if refused and line == then else ""
            owing, below = _below_nought(effects, new, was_effects, old)
            if sentence := _said(refused if refused != refused_before else "", below):
                flags[number] = Flag(number, sentence, tuple(effects), None, KEEP, is_fixed=True, owing=owing)
            debts.apply(new, line, effects)
        apply(old, was_effects)
        if was_effects != effects:
            for flag in debts.laid_bare(old, new, effects, flags):
                flags[flag.number] = replace(flag, is_fixed=True)
    return tuple(flags.values()), old, new


def _is_judged(line: Line) -> bool:
    return bool(line.effects) and line.act not in (*CORRECTIONS, RESTORE, STRUCK)


def _said(refused: str, below: str) -> str:
    return " ".join(sentence for sentence in (refused, below) if sentence)


# --- VP below 0 ---------------------------------------------------------------------------------------------------------


class _Debts:
    """Lines by which kingdoms came to stand below 0 VP. The table agreed to each of them when it was kept; if a gain that
    had made them good is corrected away, they are laid before it again.
    """

    def __init__(self) -> None:
        self.lines: dict[str, list[Line]] = {}

    def apply(self, state: State, line: Line, effects: Sequence[Effect]) -> None:
        apply(state, effects)
        for effect in effects:
            if effect["do"] == "war":
                self.lines.clear()
            elif effect["do"] in ("vp", "joined"):
                self._note(state, effect["kingdom"], line, effects)

    def _note(self, state: State, key: str, line: Line, effects: Sequence[Effect]) -> None:
        realm = state.kingdoms.get(key)
        if realm is None or realm.vp >= 0:
            self.lines.pop(key, None)
        elif _vp(effects, key) < 0 and self.lines.setdefault(key, [])[-1:] != [line]:
            self.lines[key].append(line)

    def laid_bare(self, old: State, new: State, effects: Sequence[Effect], known: Mapping[int, Flag]) -> Iterator[Flag]:
        """The debts of kingdoms that stand lower than before at this point, and not by what happened just now."""
        for key, lines in self.lines.items():
            realm, was = new.kingdoms[key], old.kingdoms[key].vp if key in old.kingdoms else 0
            if realm.vp >= was or _vp(effects, key) < 0:
                continue
            for line in lines:
                if line.number not in known:
                    said = f"The points that made it good go, and {realm.name} would stand at −{-realm.vp} VP."
                    yield Flag(line.number, said, tuple(line.effects), None, KEEP, owing=(key,), is_debt=True)


def _fold(debts: _Debts, lines: Sequence[Line]) -> State:
    state = State()
    for line in lines:
        if line.effects:
            debts.apply(state, line, line.effects)
    return state


def _below_nought(
    effects: Sequence[Effect], new: State, then: Sequence[Effect], old: State
) -> tuple[tuple[str, ...], str]:
    """VP stand below 0 only where the table agreed to it: a line that pushes them there is shown, whatever its rule says."""
    owing, said = [], []
    for key in dict.fromkeys(effect["kingdom"] for effect in effects if effect["do"] == "vp" and effect["by"] < 0):
        realm, known = new.kingdoms.get(key), old.kingdoms.get(key)
        by = _vp(effects, key)
        if realm and by < 0 and realm.vp + by < 0 and (not known or realm.vp + by < known.vp + _vp(then, key)):
            owing.append(key)
            said.append(f"{realm.name} would stand at −{-realm.vp - by} VP.")
    return tuple(owing), " ".join(said)


def _vp(effects: Sequence[Effect], kingdom: str) -> int:
    return sum(effect["by"] for effect in effects if effect["do"] == "vp" and effect["kingdom"] == kingdom)


# --- strike and amend ---------------------------------------------------------------------------------------------------


def _preview(lines: Sequence[Line], target: int, body: Body | None, choices: Mapping[int, Choice]) -> Preview:
    line = _find(lines, target)
    _may_be_corrected(lines, line)
    order = effective(lines)
    debts: dict[int, Flag] = {}  # earlier entries that the table now strikes too
    while True:
        walk = _Walk(order, target, body, choices, set(debts))
        more = [flag for flag in walk.flags.values() if flag.is_debt and flag.choice == STRIKE_TOO]
        if not any(flag.number not in debts for flag in more):
            break
        debts |= {flag.number: flag for flag in more}
    flags = sorted(({**walk.flags, **debts}).values(), key=lambda flag: not flag.is_debt)
    changes = differences(walk.old, walk.new)
    written = line.body.get("in_force", {}).get("rules", RULES_VERSION)
    kind = STRIKE if body is None else AMEND
    return Preview(kind, target, tuple(flags), changes, walk.bundle, written != RULES_VERSION, touched(changes))


class _Walk:
    """The lines as they stand and as they would, side by side from the first that is corrected."""

    def __init__(
        self,
        order: Sequence[Line],
        target: int,
        body: Body | None,
        choices: Mapping[int, Choice],
        struck: set[int],
    ) -> None:
        self.target, self.body, self.choices, self.struck = target, body, choices, struck
        self.bundle: dict[str, Any] = {"strike": [], "amend": {}}
        self.flags: dict[int, Flag] = {}
        self.debts = _Debts()
        at = next(i for i, line in enumerate(order) if line.number in {target, *struck})
        self.old = _fold(self.debts, order[:at])
        self.new = self.old.copy()
        for line in order[at:]:
            self._step(line)

    def _step(self, line: Line) -> None:
        effects = self._effects(line)
        apply(self.old, line.effects)
        self.debts.apply(self.new, line, effects)
        if effects != line.effects:
            for flag in self.debts.laid_bare(self.old, self.new, effects, self.flags):
                choice = self.choices.get(flag.number, KEEP)
                self.flags[flag.number] = replace(flag, choice=choice if choice in flag.choices else KEEP)

    def _effects(self, line: Line) -> Sequence[Effect]:
        """What the line does after the correction."""
        if line.number in self.struck or (line.number == self.target and self.body is None):
            self.bundle["strike"].append(line.number)
            return []
        if line.number == self.target and self.body is not None:
            body = {**self.body, "in_force": line.body.get("in_force", {})}
            effects = act_of(line.act).effects(self.new, body, in_force(body))
            self.bundle["amend"][str(line.number)] = {"effects": effects, "body": body}
            return effects
        flag = _flag(line, self.old, self.new, self.choices.get(line.number, KEEP))
        if flag is None:
            return line.effects
        self.flags[line.number] = flag
        if flag.choice == RECOMPUTE and flag.recomputed is not None:
            self.bundle["amend"][str(line.number)] = {"effects": list(flag.recomputed)}
            return flag.recomputed
        if flag.choice == STRIKE_TOO:
            self.bundle["strike"].append(line.number)
            return []
        return line.effects


def _flag(later: Line, old: State, new: State, choice: Choice) -> Flag | None:
    """Whether a later line is touched. What was so before the correction is not laid at its door."""
    if later.act in (*CORRECTIONS, RESTORE) or not later.effects:
        return None
    was_refused, was = _judge(later, old)
    refused, now = _judge(later, new)
    owing, below = _below_nought(later.effects, new, later.effects, old)
    if refused:
        if was_refused == refused and not below:
            return None
        chosen = choice if choice in (KEEP, STRIKE_TOO) else KEEP
        said = _said("" if was_refused == refused else refused, below)
        return Flag(later.number, said, tuple(later.effects), None, chosen, owing=owing)
    if below:
        return Flag(later.number, below, tuple(later.effects), tuple(now or ()), choice, owing=owing)
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
