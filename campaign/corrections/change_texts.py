"""What a correction changes, in words."""

from __future__ import annotations

from campaign.chronicle.campaign_terms import describe_term_value, term_title
from campaign.chronicle.corrections import StateChange
from campaign.chronicle.sentences import Names
from rulebook.data.house_rules import OPTION
from text import format_signed, join_list

STATUS = {"playing": "in play", "frozen": "frozen", "solo": "played by the solo rules", "gone": "dissolved"}


def change_text(change: StateChange, names: Names) -> tuple[str, str, str] | None:
    """What changes, its old value and its new value."""
    if change.what in ("loyalty", "vp"):
        label = "Loyalty" if change.what == "loyalty" else "VP"
        sign = format_signed if change.what == "loyalty" else str
        return f"{label} of {names.kingdom(change.subject)}", sign(change.was), sign(change.now)
    if change.what in ("ruler", "regent"):
        who = f"{change.what.capitalize()} of {names.kingdom(change.subject)}"
        return who, names.person(change.was), names.person(change.now)
    if change.what == "masters":
        return "Game masters", *(join_list([names.person(one) for one in ids]) for ids in (change.was, change.now))
    if change.what == "option" and change.subject in OPTION:
        row = OPTION[change.subject]
        return row.title, *(
            row.format_value(row.default if value is None else value) for value in (change.was, change.now)
        )
    if change.what == "term":
        return term_title(change.subject), *(
            describe_term_value(change.subject, value) for value in (change.was, change.now)
        )
    if change.what == "season":
        return "Season", *(f"season {number} open" if number else "none open" for number in (change.was, change.now))
    if change.what == "territory":
        held = (names.kingdom(by) if by else "off the map" for by in (change.was, change.now))
        return names.place(change.subject), *held
    if change.what == "house":
        realm, _, number = change.subject.partition("/")
        word = {True: "lost", False: "sworn"}
        return names.house(realm, int(number)), word[change.was], word[change.now]
    if change.what == "winner":
        return "The war", *(f"won by {names.kingdom(k)}" if k else "not won" for k in (change.was, change.now))
    if change.what == "battle":
        return f"Battle {change.subject}", *("open" if is_open else "not open" for is_open in (change.was, change.now))
    if change.what == "status":
        return names.kingdom(change.subject), *(STATUS.get(to, "not in the war") for to in (change.was, change.now))
    if change.what in ("name", "kingdom"):
        return names.kingdom(change.subject), str(change.was or "not in the war"), str(change.now or "not in the war")
    return change.what.replace("_", " ").capitalize(), str(change.was), str(change.now)
