"""Where entries contain person ids: only in the fields listed here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from campaign.chronicle.acts.registry import list_acts
from campaign.chronicle.codec import Body, load_effects, person_keys, replace_person, write_effects
from campaign.chronicle.entries_and_fold import CORRECTIONS, ChronicleEntry

# Who agreed to a report or a correction before it was written, and on whose phone: in the body of any act.
_IN_CONFIRMED = ("person", "phone")


def find_person_ids(entry: ChronicleEntry, acts: Mapping[int, str]) -> Iterator[int]:
    """Every id an entry names, in a fixed order. ``acts`` says what kind of entry each number is."""
    found: list[int] = []

    def note(person: int) -> int:
        found.append(person)
        return person

    replace_person_ids(entry, note, acts)
    yield from found


def replace_person_ids(entry: ChronicleEntry, to: Callable[[int], int], acts: Mapping[int, str]) -> ChronicleEntry:
    """The same entry with other ids in the places of people."""
    actor = to(entry.actor) if entry.actor is not None else None
    behalf = to(entry.on_behalf_of) if entry.on_behalf_of is not None else None
    body = _replace_in_body(entry.body, entry.act, to)
    if entry.act in CORRECTIONS:
        body = body | {"bundle": _replace_in_bundle(entry.body["bundle"], to, acts)}
    return entry._replace(
        actor=actor, on_behalf_of=behalf, body=body, effects=[replace_person(effect, to) for effect in entry.effects]
    )


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
        amended[number] = {
            **changed,
            "effects": write_effects(replace_person(effect, to) for effect in load_effects(changed["effects"])),
        }
        if "body" in changed:
            amended[number]["body"] = _replace_in_body(changed["body"], acts.get(int(number), ""), to)
    return {**bundle, "amend": amended}
