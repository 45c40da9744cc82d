"""A campaign as a file: one JSON text with its digest, read back and checked entry by entry before it is accepted."""

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from campaign.chronicle import codec
from campaign.chronicle.acts.registry import RULES_VERSION, list_acts, require_text
from campaign.chronicle.battles_from_entries import is_battle, read_battle
from campaign.chronicle.codec import (
    Body,
    house_rules_in_force,
    load_effects,
    person_keys,
    replace_person,
    write_effects,
)
from campaign.chronicle.effects import MAX_RULES_TEXT, Effect, apply_effects
from campaign.chronicle.entries_and_fold import CORRECTIONS, RESTORE, STRUCK, ChronicleEntry, effective_entries, fold
from campaign.chronicle.fields import KINGDOM, MAX_COUNT
from campaign.chronicle.sentences import Names, capitalise, describe_effect, describe_entry
from campaign.chronicle.state import State
from dataclass_json import stored_as
from json_input import FILE, read_json
from refusal import Refusal
from rulebook.campaign.campaign_map import MAX_KINGDOMS, parse_territory
from rulebook.data.scenarios import SCENARIO

FORMAT = "mice-at-arms campaign"
VERSION = 1
MAX_MB = 20
MAX_FILE = MAX_MB * 1024 * 1024
MAX_WITH_FORM = MAX_FILE + 1024 * 1024  # a slightly larger file is still refused with its own sentence


# A campaign as a file. Files of other releases have other keys, so that each is read with a check.
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ExportFile:
    contents: Json
    rules: int  # the version of our reading of the rules it was written under
    is_edited: bool  # the digest is not that of the contents


def compute_digest(contents: dict[str, object]) -> str:
    text = json.dumps(contents, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def write_export(contents: dict[str, object]) -> str:
    frame = {"format": FORMAT, "version": VERSION, "rules": RULES_VERSION}
    frame |= {"digest": compute_digest(contents), "campaign": contents}
    # Without spaces: a full log must stay below MAX_FILE (log.services.MAX_LOG).
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


def read_export(raw: bytes) -> ExportFile:
    """The contents of a file, or a refusal that names the first problem."""
    if len(raw) > MAX_FILE:
        raise Refusal(f"The file is {len(raw) / 1024 / 1024:.1f} MB. The limit is {MAX_MB} MB.", field="file")
    frame = _parse_json(raw)
    if not isinstance(frame, dict) or frame.get("format") != FORMAT:
        raise Refusal("This is not a campaign file.", field="file")
    version = frame.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise Refusal("The file has no version number.", field="file")
    if version > VERSION:
        sentence = f"The file has version {version}; this site reads up to {VERSION}. Import it on a newer site."
        raise Refusal(sentence, field="file")
    contents = frame.get("campaign")
    if not isinstance(contents, dict):
        raise Refusal("The file contains no campaign.", field="file")
    is_edited = compute_digest(contents) != frame.get("digest")
    rules = frame.get("rules")
    return ExportFile(contents, rules if isinstance(rules, int) else 0, is_edited)


def _parse_json(raw: bytes) -> Any:
    try:
        return read_json(raw, FILE)
    except Refusal as refusal:
        error = refusal.__cause__
        if isinstance(error, UnicodeDecodeError):
            raise Refusal("The file is not text in UTF-8.", field="file") from error
        if isinstance(error, json.JSONDecodeError):
            cut = error.pos >= len(error.doc.rstrip()) - 1 or error.msg.startswith("Unterminated")
            problem = "ends too early: it was cut off" if cut else "is not valid JSON. The first error is"
            raise Refusal(f"The file {problem} at line {error.lineno}, column {error.colno}.", field="file") from error
        raise Refusal(f"The file cannot be read. {refusal.sentence}", field="file") from refusal


# ── A chronicle checked ──────────────────────────────────────────────────────────────────────────────────


EARLIEST = "1970-01-01"


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """An entry whose effects are not what the rules make of it today."""

    number: int
    entry_sentence: str = field(metadata=stored_as("tale"))
    sentence: str


def validate_chronicle(
    entries: Sequence[ChronicleEntry], *, today: dt.date, progress: Callable[[int], object] = lambda k: None
) -> tuple[State, tuple[RuleDifference, ...]]:
    """The final state and the differences from the rulebook; or a refusal with the first problem.

    ``progress`` is called with the number of entries checked.
    """
    acts: dict[int, str] = {}
    for at, entry in enumerate(entries, 1):
        if entry.number != at:
            raise Refusal(f"Entry {at} is missing: the one in its place has the number {entry.number}.")
        acts[entry.number] = entry.act
        try:
            _check_entry(entry, acts, today)
        except Refusal as refusal:
            raise Refusal(f"Entry {entry.number} is invalid: {refusal.sentence}") from refusal
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise _damaged_entry(entry, error) from error
    if not entries or entries[0].act != "founded":
        raise Refusal("The first entry must be the founding of the campaign.")
    order = effective_entries(entries)
    state = fold(order)
    if not state.masters:
        raise Refusal("This chronicle ends without a game master.")
    if len(state.in_play()) > MAX_KINGDOMS:
        raise Refusal(f"A campaign has at most {MAX_KINGDOMS} kingdoms.")
    return state, _find_differences(order, state, progress)


def _damaged_entry(entry: ChronicleEntry, error: Exception) -> Refusal:
    """A refusal for an entry that the code of its act cannot read."""
    if isinstance(error, KeyError):
        return Refusal(f"Entry {entry.number} is invalid: “{error.args[0]}” is missing or unknown.")
    return Refusal(f"Entry {entry.number} is invalid: part of it is missing or has the wrong type.")


def drop_unknown_keys(entries: Sequence[ChronicleEntry]) -> tuple[tuple[ChronicleEntry, ...], tuple[str, ...]]:
    """The entries without what no act knows, and where that was: "entry 7: mood"."""
    acts = {entry.number: entry.act for entry in entries}
    known: list[ChronicleEntry] = []
    dropped: list[str] = []
    for entry in entries:
        try:
            body, paths = _without_unknown(entry.act, entry.body, acts)
        except Refusal as refusal:
            raise Refusal(f"Entry {entry.number} is invalid: {refusal.sentence}", field=refusal.field) from refusal
        known.append(entry._replace(body=body) if paths else entry)
        dropped += [f"entry {entry.number}: {path}" for path in paths]
    return tuple(known), tuple(dropped)


def _without_unknown(act: str, body: Body, acts: Mapping[int, str]) -> tuple[Body, list[str]]:
    paths: list[str] = []
    if act in list_acts():
        codec.read_imported(act, body, paths.append)
        return (codec.without_paths(body, paths) if paths else body), paths
    if act in CORRECTIONS:
        for number, changed in _amended_bodies(body).items():
            of = acts.get(int(number), "")
            inner: list[str] = []
            if of in list_acts():
                codec.read_imported(of, changed, inner.append)
            paths += [f"bundle.amend.{number}.body.{path}" for path in inner]
    return (codec.without_paths(body, paths) if paths else body), paths


def _amended_bodies(body: Body) -> Body:
    bundle = body.get("bundle")
    amended = bundle.get("amend") if isinstance(bundle, dict) else None
    rows = amended.items() if isinstance(amended, dict) else ()
    return {
        number: changed["body"]
        for number, changed in rows
        if number.isdigit() and isinstance(changed, dict) and isinstance(changed.get("body"), dict)
    }


def _find_differences(
    order: Sequence[ChronicleEntry], end: State, progress: Callable[[int], object]
) -> tuple[RuleDifference, ...]:
    """Check each entry again in the state before it. Entries kept by agreement show up too."""
    differences: list[RuleDifference] = []
    names = Names(end)
    state = State()
    for done, entry in enumerate(order):
        if done % 500 == 0:
            progress(done)
        if entry.act not in (*CORRECTIONS, RESTORE, STRUCK) and (sentence := _compare_with_rules(entry, state)):
            differences.append(RuleDifference(entry.number, _describe_entry(entry, names), sentence))
        apply_effects(state, entry.effects)
    return tuple(differences)


def _compare_with_rules(entry: ChronicleEntry, state: State) -> str:
    try:
        effects = codec.read_stored(entry.act, entry.body).decide(state, house_rules_in_force(entry.body))
    except Refusal as refusal:
        return refusal.sentence
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise _damaged_entry(entry, error) from error
    if effects == entry.effects:
        return ""
    names = Names(state)
    ours = [_describe_effect(effect, names) for effect in effects if effect not in entry.effects]
    theirs = [_describe_effect(effect, names) for effect in entry.effects if effect not in effects]
    parts = [f"the rulebook has {', '.join(ours)}"] if any(ours) else []
    parts += [f"the file has {', '.join(theirs)}"] if any(theirs) else []
    return capitalise("; ".join(parts) or "its effects in the file differ") + "."


def _describe_effect(effect: Effect, names: Names) -> str:
    text, kingdom = describe_effect(effect, names)
    return f"{names.kingdom(kingdom)} {text}" if text else effect.do


def _describe_entry(entry: ChronicleEntry, names: Names) -> str:
    sentence = describe_entry(entry, names)
    if not isinstance(sentence, str):
        raise Refusal("it has no readable text.")
    return sentence


def _check_entry(entry: ChronicleEntry, acts: dict[int, str], today: dt.date) -> None:
    if entry.act not in list_acts() and entry.act not in (*CORRECTIONS, RESTORE):
        raise Refusal(f"there is no act called {entry.act!r}.")
    day = dt.date.fromisoformat(entry.played_on)
    if entry.played_on < EARLIEST or day > today + dt.timedelta(days=1):
        raise Refusal(f"its date cannot be {entry.played_on}.")
    if entry.act in CORRECTIONS:
        _check_correction(entry, acts)
    elif entry.act == RESTORE:
        if acts.get(entry.body["restores"]) not in CORRECTIONS or entry.body["restores"] >= entry.number:
            raise Refusal("it restores an entry that is not a correction.")
    else:
        _check_body(entry)
    require_text(entry.body.get("why", ""), "The reason", most=MAX_RULES_TEXT, empty=True)
    _check_confirmed(entry.body.get("confirmed", []))
    _describe_entry(entry, Names(State()))


def _check_confirmed(rows: object) -> None:
    """Who agreed to it before it was written, and on whose phone."""
    if not isinstance(rows, list):
        raise Refusal("its confirmations are not a list.")
    for row in rows:
        if "stood" in _require_dict(row):
            _check_count(row["stood"])
        else:
            _check_count(row.get("person"))
            if row.get("phone") is not None:
                _check_count(row["phone"])
            if row.get("side") is not None:
                _check_kingdom(row["side"])


def _check_body(entry: ChronicleEntry) -> None:
    house_rules_in_force(entry.body)
    _describe_entry(entry, Names(State()))
    if is_battle(entry):
        battle = read_battle(entry)
        if battle.outcome not in ("attacker", "defender", "draw"):
            raise Refusal(f"the outcome must be attacker, defender or draw, not {battle.outcome!r}.")
        _check_kingdom(battle.attacker)
        _check_kingdom(battle.defender)
        if not isinstance(battle.target, str):
            raise Refusal(f"{battle.target!r} is not a territory.")
        _check_kingdom(parse_territory(battle.target).kingdom)
        if battle.scenario is not None and battle.scenario not in SCENARIO:
            raise Refusal(f"there is no scenario called {battle.scenario!r}.")
        for count in battle.removed.values():
            _check_count(count)


def _check_correction(entry: ChronicleEntry, acts: dict[int, str]) -> None:
    bundle = entry.body["bundle"]
    numbers = [*bundle["strike"], *(int(number) for number in bundle["amend"])]
    for number in [*numbers, entry.body["target"]]:
        kind = acts.get(number, "")
        if number >= entry.number or kind in ("", "founded", RESTORE, *CORRECTIONS):
            raise Refusal(f"it corrects entry {number}, which cannot be corrected.")
    for number, changed in bundle["amend"].items():
        codec.read_effects(changed["effects"], lambda path: None)
        if "body" in changed:
            act, body, effects = acts[int(number)], changed["body"], codec.load_effects(changed["effects"])
            _check_body(ChronicleEntry(int(number), act, _require_dict(body), effects, entry.played_on))


def _require_dict(value: Any) -> Body:
    if not isinstance(value, dict):
        raise Refusal("a JSON object is missing.")
    return value


def _check_kingdom(value: object) -> None:
    if not isinstance(value, str) or not KINGDOM.fullmatch(value):
        raise Refusal(f"{value!r} is not a kingdom.")


def _check_count(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_COUNT:
        raise Refusal(f"{value!r} is not a valid number.")


# ── Ids of people ────────────────────────────────────────────────────────────────────────────────────────


# Who agreed to a report or a correction before it was written, and on whose phone: in the body of any act.
_IN_CONFIRMED = ("person", "phone")


def find_person_ids(entry: ChronicleEntry, acts: Mapping[int, str]) -> Iterator[int]:
    """Every id an entry names, in a fixed order. ``acts`` says what kind of entry each number is."""
    ids: list[int] = []

    def note(person: int) -> int:
        ids.append(person)
        return person

    replace_person_ids(entry, note, acts)
    yield from ids


def replace_person_ids(entry: ChronicleEntry, to: Callable[[int], int], acts: Mapping[int, str]) -> ChronicleEntry:
    """The same entry with other ids in the places of people."""
    actor = to(entry.actor) if entry.actor is not None else None
    behalf = to(entry.on_behalf_of) if entry.on_behalf_of is not None else None
    body = _replace_in_body(entry.body, entry.act, to)
    if entry.act in CORRECTIONS:
        body = body | {"bundle": _replace_in_bundle(entry.body["bundle"], to, acts)}
    effects = [replace_person(effect, to) for effect in entry.effects]
    return entry._replace(actor=actor, on_behalf_of=behalf, body=body, effects=effects)


def _replace_in_body(body: Body, act: str, to: Callable[[int], int]) -> Body:
    body = _replace_in_row(body, person_keys(act) if act in list_acts() else (), to)
    if isinstance(body.get("confirmed"), list):
        rows = [_replace_in_row(row, _IN_CONFIRMED, to) for row in body["confirmed"] if isinstance(row, dict)]
        body = body | {"confirmed": rows}
    return body


def _replace_in_row(row: Body, fields: tuple[str, ...], to: Callable[[int], int]) -> Body:
    return row | {field: to(row[field]) for field in fields if isinstance(row.get(field), int)}


def _replace_in_bundle(bundle: Body, to: Callable[[int], int], acts: Mapping[int, str]) -> Body:
    amended = {}
    for number, changed in bundle["amend"].items():
        effects = (replace_person(effect, to) for effect in load_effects(changed["effects"]))
        amended[number] = {**changed, "effects": write_effects(effects)}
        if "body" in changed:
            amended[number]["body"] = _replace_in_body(changed["body"], acts.get(int(number), ""), to)
    return {**bundle, "amend": amended}
