"""Strike or amend a past entry: what would change, what would no longer be legal, what would turn out differently.

Later entries are never changed silently. Each affected one is shown with a choice: keep it as agreed, recompute it, or
strike it too. A correction and its choices are one bundle; restoring undoes it as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Annotated, Any, Literal

from campaign.chronicle import codec
from campaign.chronicle.acts.registry import RULES_VERSION
from campaign.chronicle.codec import Body, house_rules_in_force
from campaign.chronicle.effects import Effect, KingdomJoined, VpChanged, WarStarted, apply_effects
from campaign.chronicle.entries_and_fold import (
    AMEND,
    CORRECTIONS,
    RESTORE,
    STRIKE,
    STRUCK,
    ChronicleEntry,
    effective_entries,
    fold,
    index_corrections,
)
from campaign.chronicle.state import State
from dataclass_json import Shape
from refusal import Refusal

Choice = Literal["keep", "recompute", "strike"]
KEEP: Choice = "keep"
RECOMPUTE: Choice = "recompute"
STRIKE_TOO: Choice = "strike"

# An entry entered after others that were played later.
LATE = "late"

# The beginning of everything cannot be struck: without it nobody would be left who may restore it.
FIXED = ("founded",)

# Which entries a correction strikes, and the bodies and effects of those it amends, as they are stored.
Bundle = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AffectedEntry:
    """A later entry that the correction affects. ``refusal`` says why it is no longer legal, or is empty."""

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
class StateChange:
    """One difference that the correction makes."""

    what: Annotated[str, "loyalty, vp, territory, house, winner …"]
    subject: Annotated[str, "The kingdom, the territory, or k1/2 for a house."]
    was: Annotated[Any, Shape(str | int | bool | list[str] | None)]
    now: Annotated[Any, Shape(str | int | bool | list[str] | None)]


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    kind: str
    target: int
    flags: tuple[AffectedEntry, ...]
    changes: tuple[StateChange, ...]
    bundle: Bundle
    other_rules: bool  # the entry was written under another version of our rules
    touches: tuple[str, ...]  # kingdoms that come out otherwise

    @property
    def digest(self) -> str:
        """What was seen. If it is no longer so when the correction is confirmed, the fresh preview is shown instead."""
        seen = [self.kind, self.target, self.bundle, [(f.number, f.refusal, f.choice) for f in self.flags]]
        seen.append([(c.what, c.subject, c.was, c.now) for c in self.changes])
        return sha256(json.dumps(seen, sort_keys=True, default=str).encode()).hexdigest()


def preview_strike(
    entries: Sequence[ChronicleEntry], target: int, choices: Mapping[int, Choice] | None = None
) -> CorrectionPreview:
    return _preview(entries, target, None, choices or {})


def preview_amend(
    entries: Sequence[ChronicleEntry], target: int, body: Body, choices: Mapping[int, Choice] | None = None
) -> CorrectionPreview:
    """Replace the entry's body. It is checked against the state at that time."""
    return _preview(entries, target, body, choices or {})


def preview_late_entry(entries: Sequence[ChronicleEntry], entry: ChronicleEntry) -> CorrectionPreview:
    """How an entry that was played earlier than others affects them. They stay as they are until corrected."""
    order = effective_entries(entries)
    at = next((i for i, one in enumerate(order) if one.sort_key > entry.sort_key), len(order))
    old = fold(order[:at])
    new = old.copy()
    apply_effects(new, entry.effects)
    flags = []
    for later in order[at:]:
        if flag := _find_effect_on(later, old, new, KEEP):
            flags.append(flag)
        apply_effects(old, later.effects)
        apply_effects(new, later.effects)
    changes = diff_states(old, new)
    bundle: Bundle = {"strike": [], "amend": {}}
    return CorrectionPreview(LATE, entry.number, tuple(flags), changes, bundle, False, find_touched_kingdoms(changes))


def state_before(entries: Sequence[ChronicleEntry], place: tuple[str, int]) -> State:
    """The state before an entry with this sort key."""
    return fold(entry for entry in effective_entries(entries) if entry.sort_key < place)


def preview_restore(entries: Sequence[ChronicleEntry], bundle: int) -> CorrectionPreview:
    """Switch a correction off again, exactly."""
    entry = _find_entry(entries, bundle)
    if entry.act not in CORRECTIONS:
        raise Refusal(f"Entry {bundle} is not a correction, so there is nothing to restore.", field="entry")
    if bundle in index_corrections(entries).restored:
        raise Refusal(f"Entry {bundle} is already restored.", status=409)
    undone = ChronicleEntry(
        max(entry.number for entry in entries) + 1, RESTORE, {"restores": bundle}, [], entry.played_on
    )
    flags, before, after = _compare_readings(effective_entries(entries), effective_entries([*entries, undone]))
    changes = diff_states(before, after)
    return CorrectionPreview(RESTORE, bundle, flags, changes, {}, False, find_touched_kingdoms(changes))


def _compare_readings(
    was: Sequence[ChronicleEntry], now: Sequence[ChronicleEntry]
) -> tuple[tuple[AffectedEntry, ...], State, State]:
    """Compare two versions of the same entries; flag what is no longer legal in the second."""
    before, after = ({entry.number: entry for entry in entries} for entries in (was, now))
    places = sorted({entry.sort_key for entry in (*was, *now)})
    first = next((n for n, (_, number) in enumerate(places) if before.get(number) != after.get(number)), len(places))
    debts = _Debts()
    old = _fold_with_debts(debts, [before[number] for _, number in places[:first]])
    new = old.copy()
    flags: dict[int, AffectedEntry] = {}
    for _, number in places[first:]:
        then, entry = before.get(number), after.get(number)
        was_effects, effects = (one.effects if one is not None else [] for one in (then, entry))
        if entry is not None:
            refused = _judge_entry(entry, new)[0] if _is_judged(entry) else ""
            refused_before = _judge_entry(entry, old)[0] if refused and entry == then else ""
            owing, below = _find_overspending(effects, new, was_effects, old)
            if sentence := _join_sentences(refused if refused != refused_before else "", below):
                flags[number] = AffectedEntry(number, sentence, tuple(effects), None, KEEP, is_fixed=True, owing=owing)
            debts.apply(new, entry, effects)
        apply_effects(old, was_effects)
        if was_effects != effects:
            for flag in debts.laid_bare(old, new, effects, flags):
                flags[flag.number] = replace(flag, is_fixed=True)
    return tuple(flags.values()), old, new


def _is_judged(entry: ChronicleEntry) -> bool:
    return bool(entry.effects) and entry.act not in (*CORRECTIONS, RESTORE, STRUCK)


def _join_sentences(refused: str, below: str) -> str:
    return " ".join(sentence for sentence in (refused, below) if sentence)


# --- VP below 0 -----------------------------------------------------------------------------------


class _Debts:
    """Entries that took kingdoms below 0 VP. The players agreed to each; they are asked again if a correction removes
    the gain that had made up for it.
    """

    def __init__(self) -> None:
        self.entries: dict[str, list[ChronicleEntry]] = {}

    def apply(self, state: State, entry: ChronicleEntry, effects: Sequence[Effect]) -> None:
        apply_effects(state, effects)
        for effect in effects:
            if isinstance(effect, WarStarted):
                self.entries.clear()
            elif isinstance(effect, VpChanged | KingdomJoined):
                self._note(state, effect.kingdom, entry, effects)

    def _note(self, state: State, key: str, entry: ChronicleEntry, effects: Sequence[Effect]) -> None:
        realm = state.kingdoms.get(key)
        if realm is None or realm.vp >= 0:
            self.entries.pop(key, None)
        elif _sum_vp(effects, key) < 0 and self.entries.setdefault(key, [])[-1:] != [entry]:
            self.entries[key].append(entry)

    def laid_bare(
        self, old: State, new: State, effects: Sequence[Effect], known: Mapping[int, AffectedEntry]
    ) -> Iterator[AffectedEntry]:
        """Debts of kingdoms that now have fewer VP than before, unless this entry is the cause."""
        for key, entries in self.entries.items():
            realm, was = new.kingdoms[key], old.kingdoms[key].vp if key in old.kingdoms else 0
            if realm.vp >= was or _sum_vp(effects, key) < 0:
                continue
            for entry in entries:
                if entry.number not in known:
                    sentence = f"The VP that paid for it would go, leaving {realm.name} at −{-realm.vp} VP."
                    yield AffectedEntry(
                        entry.number, sentence, tuple(entry.effects), None, KEEP, owing=(key,), is_debt=True
                    )


def _fold_with_debts(debts: _Debts, entries: Sequence[ChronicleEntry]) -> State:
    state = State()
    for entry in entries:
        if entry.effects:
            debts.apply(state, entry, entry.effects)
    return state


def _find_overspending(
    effects: Sequence[Effect], new: State, then: Sequence[Effect], old: State
) -> tuple[tuple[str, ...], str]:
    """VP go below 0 only if the players agreed: an entry that causes it is shown, whatever its rule says."""
    owing, sentences = [], []
    for key in dict.fromkeys(e.kingdom for e in effects if isinstance(e, VpChanged) and e.by < 0):
        realm, known = new.kingdoms.get(key), old.kingdoms.get(key)
        by = _sum_vp(effects, key)
        if realm and by < 0 and realm.vp + by < 0 and (not known or realm.vp + by < known.vp + _sum_vp(then, key)):
            owing.append(key)
            sentences.append(f"{realm.name} would be at −{-realm.vp - by} VP.")
    return tuple(owing), " ".join(sentences)


def _sum_vp(effects: Sequence[Effect], kingdom: str) -> int:
    return sum(e.by for e in effects if isinstance(e, VpChanged) and e.kingdom == kingdom)


# --- strike and amend -----------------------------------------------------------------------------


def _preview(
    entries: Sequence[ChronicleEntry], target: int, body: Body | None, choices: Mapping[int, Choice]
) -> CorrectionPreview:
    entry = _find_entry(entries, target)
    _require_correctable(entries, entry)
    order = effective_entries(entries)
    debts: dict[int, AffectedEntry] = {}  # earlier entries that the table now strikes too
    while True:
        walk = _CorrectionWalk(order, target, body, choices, set(debts))
        more = [flag for flag in walk.flags.values() if flag.is_debt and flag.choice == STRIKE_TOO]
        if not any(flag.number not in debts for flag in more):
            break
        debts |= {flag.number: flag for flag in more}
    flags = sorted(({**walk.flags, **debts}).values(), key=lambda flag: not flag.is_debt)
    changes = diff_states(walk.old, walk.new)
    written = entry.body.get("in_force", {}).get("rules", RULES_VERSION)
    kind = STRIKE if body is None else AMEND
    return CorrectionPreview(
        kind, target, tuple(flags), changes, walk.bundle, written != RULES_VERSION, find_touched_kingdoms(changes)
    )


class _CorrectionWalk:
    """Replays the entries with and without the correction, from the first corrected one."""

    def __init__(
        self,
        order: Sequence[ChronicleEntry],
        target: int,
        body: Body | None,
        choices: Mapping[int, Choice],
        struck: set[int],
    ) -> None:
        self.target, self.body, self.choices, self.struck = target, body, choices, struck
        self.bundle: Bundle = {"strike": [], "amend": {}}
        self.flags: dict[int, AffectedEntry] = {}
        self.debts = _Debts()
        at = next(i for i, entry in enumerate(order) if entry.number in {target, *struck})
        self.old = _fold_with_debts(self.debts, order[:at])
        self.new = self.old.copy()
        for entry in order[at:]:
            self._step(entry)

    def _step(self, entry: ChronicleEntry) -> None:
        effects = self._effects(entry)
        apply_effects(self.old, entry.effects)
        self.debts.apply(self.new, entry, effects)
        if effects != entry.effects:
            for flag in self.debts.laid_bare(self.old, self.new, effects, self.flags):
                choice = self.choices.get(flag.number, KEEP)
                self.flags[flag.number] = replace(flag, choice=choice if choice in flag.choices else KEEP)

    def _effects(self, entry: ChronicleEntry) -> Sequence[Effect]:
        """What the entry does after the correction."""
        if entry.number in self.struck or (entry.number == self.target and self.body is None):
            self.bundle["strike"].append(entry.number)
            return []
        if entry.number == self.target and self.body is not None:
            act, body = codec.amend_body(entry.act, entry.body, self.body)
            effects = act.decide(self.new, house_rules_in_force(body))
            self.bundle["amend"][str(entry.number)] = {"effects": codec.write_effects(effects), "body": body}
            return effects
        flag = _find_effect_on(entry, self.old, self.new, self.choices.get(entry.number, KEEP))
        if flag is None:
            return entry.effects
        self.flags[entry.number] = flag
        if flag.choice == RECOMPUTE and flag.recomputed is not None:
            self.bundle["amend"][str(entry.number)] = {"effects": codec.write_effects(flag.recomputed)}
            return flag.recomputed
        if flag.choice == STRIKE_TOO:
            self.bundle["strike"].append(entry.number)
            return []
        return entry.effects


def _find_effect_on(later: ChronicleEntry, old: State, new: State, choice: Choice) -> AffectedEntry | None:
    """How the correction affects a later entry, if at all. Earlier problems are ignored."""
    if later.act in (*CORRECTIONS, RESTORE) or not later.effects:
        return None
    was_refused, was = _judge_entry(later, old)
    refused, now = _judge_entry(later, new)
    owing, below = _find_overspending(later.effects, new, later.effects, old)
    if refused:
        if was_refused == refused and not below:
            return None
        chosen = choice if choice in (KEEP, STRIKE_TOO) else KEEP
        reason = _join_sentences("" if was_refused == refused else refused, below)
        return AffectedEntry(later.number, reason, tuple(later.effects), None, chosen, owing=owing)
    if below:
        return AffectedEntry(later.number, below, tuple(later.effects), tuple(now or ()), choice, owing=owing)
    if was_refused or now == was:
        return None
    return AffectedEntry(later.number, "", tuple(later.effects), tuple(now or ()), choice)


def _judge_entry(entry: ChronicleEntry, state: State) -> tuple[str, list[Effect] | None]:
    try:
        return "", codec.read_stored(entry.act, entry.body).decide(state, house_rules_in_force(entry.body))
    except Refusal as refusal:
        return refusal.sentence, None


def _find_entry(entries: Sequence[ChronicleEntry], number: int) -> ChronicleEntry:
    entry = next((entry for entry in entries if entry.number == number), None)
    if entry is None:
        raise Refusal(f"There is no entry {number}.", field="entry")
    return entry


def _require_correctable(entries: Sequence[ChronicleEntry], entry: ChronicleEntry) -> None:
    if entry.act in (*CORRECTIONS, RESTORE):
        raise Refusal(f"Entry {entry.number} is itself a correction. Restore it instead.", field="entry")
    if entry.act in FIXED:
        raise Refusal("The founding of the campaign cannot be struck.", field="entry")
    by = index_corrections(entries).struck.get(entry.number)
    if by:
        raise Refusal(f"Entry {entry.number} is already struck by entry {by}. Restore it first.", status=409)


# --- differences ----------------------------------------------------------------------------


def diff_states(old: State, new: State) -> tuple[StateChange, ...]:
    """Everything a player would notice, kingdom by kingdom, then the map."""
    found: list[StateChange] = []

    def note(what: str, subject: str, was: Any, now: Any) -> None:
        if was != now:
            found.append(StateChange(what, subject, was, now))

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


def find_touched_kingdoms(changes: Sequence[StateChange]) -> tuple[str, ...]:
    found: list[str] = []
    for change in changes:
        if change.what == "territory":
            found += [key for key in (change.was, change.now) if key]
        elif change.what in ("status", "name", "ruler", "regent", "loyalty", "vp", "house", "kingdom"):
            found.append(change.subject.partition("/")[0])
    return tuple(dict.fromkeys(found))
