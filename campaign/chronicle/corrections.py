"""Strike or amend a past entry: what would change, what would no longer be legal, what would turn out differently.

Later entries are never changed silently. Each affected one is shown with a choice: keep it as agreed, recompute it, or
strike it too. A correction and its choices are one bundle; restoring undoes it as a whole.

The entries are replayed side by side, as they read now and as they would read (``_TwoReadings``). An example: entry 5
gave Oakhold (k1) 3 VP, and entry 7 bought loyalty with them. ``preview_strike(entries, 5)`` does this:

1. Both readings begin with the state before entry 5. Entry 5 counts in the first and not in the second.
2. Entry 7 is judged in both. It was legal and is not any more, so it is flagged (``AffectedEntry``): "Loyalty +1 costs
   3 VP; you have 0. Oakhold would be at −3 VP." Nothing can be recomputed: it can be kept, or struck too.
3. The states at the end differ by ``StateChange("vp", "k1", 0, -3)`` while entry 7 is kept.
4. The bundle to store is ``{"strike": [5], "amend": {}}``; with ``choices={7: "strike"}`` it strikes 5 and 7, and the
   states differ by loyalty instead.

If entry 7 came first, kept by agreement with VP that nobody had, and entry 9 made up for it later, striking 9 shows
the debt again. ``_Debts`` remembers such entries, and the players are asked about entry 7 once more.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    recomputed: tuple[Effect, ...] | None = None
    choice: Choice = KEEP
    is_fixed: bool = False  # a restore is exact: what it touches is kept, as the players agreed
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
    other_rules: bool = False  # the entry was written under another version of our rules

    @property
    def touches(self) -> tuple[str, ...]:
        """Kingdoms that come out otherwise."""
        kingdoms: list[str] = []
        for change in self.changes:
            if change.what == "territory":
                kingdoms += [key for key in (change.was, change.now) if key]
            elif change.what in ("status", "name", "ruler", "regent", "loyalty", "vp", "house", "kingdom"):
                kingdoms.append(change.subject.partition("/")[0])
        return tuple(dict.fromkeys(kingdoms))

    @property
    def digest(self) -> str:
        """What was seen. If it is no longer so when the correction is confirmed, the fresh preview is shown instead."""
        seen = [self.kind, self.target, self.bundle, [(f.number, f.refusal, f.choice) for f in self.flags]]
        seen.append([(c.what, c.subject, c.was, c.now) for c in self.changes])
        return sha256(json.dumps(seen, sort_keys=True, default=str).encode()).hexdigest()

    def require_digest(self, digest: str) -> None:
        """Refuse what was confirmed from another preview."""
        if self.digest != digest:
            raise Refusal("The chronicle has changed since then. Check the new preview.", status=409)


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
    at = next((i for i, later in enumerate(order) if later.sort_key > entry.sort_key), len(order))
    readings = _TwoReadings.start(order[:at])
    apply_effects(readings.now, entry.effects)
    for later in order[at:]:
        readings.flag_if_affected(later)
        readings.apply(later, later.effects, later.effects)
    return CorrectionPreview(LATE, entry.number, tuple(readings.flags.values()), readings.diff(), _new_bundle())


def state_before(entries: Sequence[ChronicleEntry], place: tuple[str, int]) -> State:
    """The state before an entry with this sort key."""
    return fold(entry for entry in effective_entries(entries) if entry.sort_key < place)


def preview_restore(entries: Sequence[ChronicleEntry], correction: int) -> CorrectionPreview:
    """Switch a correction off again, exactly."""
    entry = _find_entry(entries, correction)
    if entry.act not in CORRECTIONS:
        raise Refusal(f"Entry {correction} is not a correction, so there is nothing to restore.", field="entry")
    if correction in index_corrections(entries).restored:
        raise Refusal(f"Entry {correction} is already restored.", status=409)
    number = max(entry.number for entry in entries) + 1
    restore = ChronicleEntry(number, RESTORE, {"restores": correction}, [], entry.played_on)
    readings = _replay_restored(effective_entries(entries), effective_entries([*entries, restore]))
    flags = tuple(replace(flag, is_fixed=True) for flag in readings.flags.values())
    return CorrectionPreview(RESTORE, correction, flags, readings.diff(), {})


# --- two readings ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judgement:
    """What the rules make of an entry in one state: its effects, or a refusal."""

    refusal: str
    effects: list[Effect] | None


def _judge(entry: ChronicleEntry, state: State) -> _Judgement:
    try:
        return _Judgement("", codec.read_stored(entry.act, entry.body).decide(state, house_rules_in_force(entry.body)))
    except Refusal as refusal:
        return _Judgement(refusal.sentence, None)


def _is_judged(entry: ChronicleEntry) -> bool:
    return bool(entry.effects) and entry.act not in (*CORRECTIONS, RESTORE, STRUCK)


@dataclass(frozen=True, slots=True)
class _Overspending:
    """Kingdoms that an entry would bring below 0 VP, and the sentence about them."""

    kingdoms: tuple[str, ...]
    sentence: str


@dataclass(slots=True)
class _TwoReadings:
    """The same entries replayed side by side, as they read now and as they would read after the correction."""

    was: State
    now: State
    debts: "_Debts"  # in the second reading
    choices: Mapping[int, Choice]  # what the players want done with affected entries; the others are kept
    flags: dict[int, AffectedEntry] = field(default_factory=dict)

    @classmethod
    def start(cls, entries: Sequence[ChronicleEntry], choices: Mapping[int, Choice] | None = None) -> "_TwoReadings":
        """After these entries, which read alike."""
        debts, state = _Debts(), State()
        for entry in entries:
            if entry.effects:
                debts.apply(state, entry, entry.effects)
        return cls(state, state.copy(), debts, choices or {})

    def apply(self, entry: ChronicleEntry, was: Sequence[Effect], now: Sequence[Effect]) -> None:
        """One entry with its effects in each reading. Debts that it lays bare are flagged."""
        apply_effects(self.was, was)
        self.debts.apply(self.now, entry, now)
        if was != now:
            self._flag_debts(now)

    def diff(self) -> tuple[StateChange, ...]:
        return diff_states(self.was, self.now)

    def flag_if_affected(self, later: ChronicleEntry) -> AffectedEntry | None:
        """Flag an entry that is no longer legal, or would do something else now. Earlier problems are ignored."""
        if not _is_judged(later):
            return None
        was, now = _judge(later, self.was), _judge(later, self.now)
        spent = self.find_overspending(later.effects, later.effects)
        refusal = now.refusal if now.refusal != was.refusal else ""
        is_same = bool(now.refusal or was.refusal) or now.effects == was.effects
        if is_same and not refusal and not spent.sentence:
            return None
        recomputed = None if now.effects is None else tuple(now.effects)
        choice = self.choices.get(later.number, KEEP)
        if recomputed is None and choice not in (KEEP, STRIKE_TOO):
            choice = KEEP
        sentence = _join_sentences(refusal, spent.sentence)
        flag = AffectedEntry(later.number, sentence, tuple(later.effects), recomputed, choice, owing=spent.kingdoms)
        self.flags[later.number] = flag
        return flag

    def find_overspending(self, was: Sequence[Effect], now: Sequence[Effect]) -> _Overspending:
        """VP go below 0 only if the players agreed: an entry that causes it is shown, whatever its rule says."""
        owing, sentences = [], []
        for key in dict.fromkeys(e.kingdom for e in now if isinstance(e, VpChanged) and e.by < 0):
            before, kingdom = self.was.kingdoms.get(key), self.now.kingdoms.get(key)
            by = _sum_vp(now, key)
            if kingdom is None or by >= 0 or kingdom.vp + by >= 0:
                continue
            if before is None or kingdom.vp + by < before.vp + _sum_vp(was, key):
                owing.append(key)
                sentences.append(f"{kingdom.name} would be at −{-kingdom.vp - by} VP.")
        return _Overspending(tuple(owing), " ".join(sentences))

    def _flag_debts(self, now: Sequence[Effect]) -> None:
        """Debts of kingdoms that now have fewer VP than before, unless these effects are the cause."""
        for key, entries in self.debts.entries.items():
            kingdom = self.now.kingdoms[key]
            before = self.was.kingdoms[key].vp if key in self.was.kingdoms else 0
            if kingdom.vp >= before or _sum_vp(now, key) < 0:
                continue
            sentence = f"The VP that paid for it would go, leaving {kingdom.name} at −{-kingdom.vp} VP."
            for entry in entries:
                if entry.number not in self.flags:
                    choice = STRIKE_TOO if self.choices.get(entry.number) == STRIKE_TOO else KEEP
                    self.flags[entry.number] = AffectedEntry(
                        entry.number, sentence, tuple(entry.effects), choice=choice, owing=(key,), is_debt=True
                    )


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
        kingdom = state.kingdoms.get(key)
        if kingdom is None or kingdom.vp >= 0:
            self.entries.pop(key, None)
        elif _sum_vp(effects, key) < 0 and self.entries.setdefault(key, [])[-1:] != [entry]:
            self.entries[key].append(entry)


def _sum_vp(effects: Sequence[Effect], kingdom: str) -> int:
    return sum(e.by for e in effects if isinstance(e, VpChanged) and e.kingdom == kingdom)


def _join_sentences(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _replay_restored(was: Sequence[ChronicleEntry], now: Sequence[ChronicleEntry]) -> _TwoReadings:
    """Replay two versions of the same entries; flag what is no longer legal in the second."""
    before, after = ({entry.number: entry for entry in entries} for entries in (was, now))
    places = sorted({entry.sort_key for entry in (*was, *now)})
    first = next((n for n, (_, number) in enumerate(places) if before.get(number) != after.get(number)), len(places))
    readings = _TwoReadings.start([before[number] for _, number in places[:first]])
    for _, number in places[first:]:
        then, entry = before.get(number), after.get(number)
        if entry:
            _flag_if_refused(readings, entry, then)
        readings.apply(entry or before[number], then.effects if then else [], entry.effects if entry else [])
    return readings


def _flag_if_refused(readings: _TwoReadings, entry: ChronicleEntry, then: ChronicleEntry | None) -> None:
    refusal = _judge(entry, readings.now).refusal if _is_judged(entry) else ""
    if refusal and entry == then and _judge(entry, readings.was).refusal == refusal:
        refusal = ""  # so it was before
    spent = readings.find_overspending(then.effects if then else [], entry.effects)
    if sentence := _join_sentences(refusal, spent.sentence):
        flag = AffectedEntry(entry.number, sentence, tuple(entry.effects), owing=spent.kingdoms)
        readings.flags[entry.number] = flag


# --- strike and amend -----------------------------------------------------------------------------


def _preview(
    entries: Sequence[ChronicleEntry], target: int, body: Body | None, choices: Mapping[int, Choice]
) -> CorrectionPreview:
    entry = _find_entry(entries, target)
    _require_correctable(entries, entry)
    order = effective_entries(entries)
    debts: dict[int, AffectedEntry] = {}  # earlier entries that the players now strike too
    while True:
        replay = _CorrectionReplay(target, body, choices, struck=set(debts))
        readings = replay.run(order)
        more = {n: flag for n, flag in readings.flags.items() if flag.is_debt and flag.choice == STRIKE_TOO}
        if more.keys() <= debts.keys():
            break
        debts |= more
    flags = sorted({**readings.flags, **debts}.values(), key=lambda flag: not flag.is_debt)
    return CorrectionPreview(
        STRIKE if body is None else AMEND,
        target,
        tuple(flags),
        readings.diff(),
        replay.bundle,
        other_rules=entry.body.get("in_force", {}).get("rules", RULES_VERSION) != RULES_VERSION,
    )


def _new_bundle() -> Bundle:
    return {"strike": [], "amend": {}}


@dataclass(slots=True)
class _CorrectionReplay:
    """The entries replayed with and without the correction. Each one that changes goes into the bundle."""

    target: int
    body: Body | None  # None: the target is struck
    choices: Mapping[int, Choice]
    struck: set[int]  # debts that the players strike too
    bundle: Bundle = field(default_factory=_new_bundle)

    def run(self, order: Sequence[ChronicleEntry]) -> _TwoReadings:
        first = next(i for i, entry in enumerate(order) if entry.number in {self.target, *self.struck})
        readings = _TwoReadings.start(order[:first], self.choices)
        for entry in order[first:]:
            readings.apply(entry, entry.effects, self._decide_effects(entry, readings))
        return readings

    def _decide_effects(self, entry: ChronicleEntry, readings: _TwoReadings) -> Sequence[Effect]:
        """What the entry does after the correction."""
        if entry.number in self.struck or (entry.number == self.target and self.body is None):
            return self._strike(entry)
        if entry.number == self.target and self.body is not None:
            act, body = codec.amend_body(entry.act, entry.body, self.body)
            return self._amend(entry, act.decide(readings.now, house_rules_in_force(body)), body=body)
        flag = readings.flag_if_affected(entry)
        if flag and flag.choice == RECOMPUTE and flag.recomputed is not None:
            return self._amend(entry, flag.recomputed)
        if flag and flag.choice == STRIKE_TOO:
            return self._strike(entry)
        return entry.effects

    def _strike(self, entry: ChronicleEntry) -> Sequence[Effect]:
        self.bundle["strike"].append(entry.number)
        return []

    def _amend(self, entry: ChronicleEntry, effects: Sequence[Effect], **changed: Body) -> Sequence[Effect]:
        self.bundle["amend"][str(entry.number)] = {"effects": codec.write_effects(effects), **changed}
        return effects


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


def diff_states(old: State, new: State) -> tuple[StateChange, ...]:
    """Everything a player would notice, kingdom by kingdom, then the map."""
    changes: list[StateChange] = []

    def note(what: str, subject: str, was: Any, now: Any) -> None:
        if was != now:
            changes.append(StateChange(what, subject, was, now))

    for key in dict.fromkeys([*old.kingdoms, *new.kingdoms]):
        was, now = old.kingdoms.get(key), new.kingdoms.get(key)
        if was is None or now is None:
            note("kingdom", key, was and was.status, now and now.status)
            continue
        for what in ("status", "name", "ruler", "regent", "loyalty", "vp"):
            note(what, key, getattr(was, what), getattr(now, what))
        for number, (house, after) in enumerate(zip(was.houses, now.houses, strict=True), 1):
            note("house", f"{key}/{number}", house.lost, after.lost)
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
    return tuple(changes)
