"""What a correction changes, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from campaign.chronicle.corrections import StateChange
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import describe_term_value, term_title
from rulebook.data.house_rules import OPTION
from text import format_signed, join_list

STATUS = {"playing": "in play", "frozen": "frozen", "solo": "played by the solo rules", "gone": "dissolved"}


def change_text(change: StateChange, names: Names) -> tuple[str, str, str] | None:
    """What changes, its old value and its new value."""

    def both(what: str, describe: Callable[[Any], str]) -> tuple[str, str, str]:
        return what, describe(change.was), describe(change.now)

    if change.what in ("loyalty", "vp"):
        label = "Loyalty" if change.what == "loyalty" else "VP"
        sign = format_signed if change.what == "loyalty" else str
        return f"{label} of {names.kingdom(change.subject)}", sign(change.was), sign(change.now)
    if change.what in ("ruler", "regent"):
        who = f"{change.what.capitalize()} of {names.kingdom(change.subject)}"
        return who, names.person(change.was), names.person(change.now)
    if change.what == "masters":
        return both("Game masters", lambda ids: join_list([names.person(one) for one in ids]))
    if change.what == "option" and change.subject in OPTION:
        row = OPTION[change.subject]
        return both(row.title, lambda value: row.format_value(row.default if value is None else value))
    if change.what == "term":
        return both(term_title(change.subject), lambda value: describe_term_value(change.subject, value))
    if change.what == "season":
        return both("Season", lambda number: f"season {number} open" if number else "none open")
    if change.what == "territory":
        return both(names.place(change.subject), lambda by: names.kingdom(by) if by else "off the map")
    if change.what == "house":
        kingdom, _, number = change.subject.partition("/")
        word = {True: "lost", False: "sworn"}
        return names.house(kingdom, int(number)), word[change.was], word[change.now]
    if change.what == "winner":
        return both("The war", lambda by: f"won by {names.kingdom(by)}" if by else "not won")
    if change.what == "battle":
        return both(f"Battle {change.subject}", lambda is_open: "open" if is_open else "not open")
    if change.what == "status":
        return both(names.kingdom(change.subject), lambda to: STATUS.get(to, "not in the war"))
    if change.what in ("name", "kingdom"):
        return names.kingdom(change.subject), str(change.was or "not in the war"), str(change.now or "not in the war")
    return change.what.replace("_", " ").capitalize(), str(change.was), str(change.now)
