"""What can be printed: one ``Sheet`` for each, written in ``printing/sheets/``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from people.who import Who
from printing.setting import USUAL

Content = dict[str, Any]

# Where a sheet stands on /print/.
RULES, CAMPAIGN, CARDS, BATTLE = "rules", "campaign", "cards", "battle"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sheet is about: the short form in its address, and its name."""

    key: str
    name: str


def nothing(who: Who, subject: str) -> None:
    """For sheets of the rules, which are about nobody's things."""
    if subject:
        raise Http404


@dataclass(frozen=True, slots=True)
class Sheet:
    """One thing to print.

    ``find`` looks up what the sheet is about and raises 404 for whoever may not see it: the look-up is the permission.
    ``gather`` makes the content of what was found: plain values, ``Arms`` and ``MapSheet``s, and no figure that does not
    come from a rulebook row or a sheet object.
    """

    key: str
    title: str
    words: str
    group: str
    template: str
    gather: Callable[[Any], Content]
    find: Callable[[Who, str], Any] = nothing
    name: Callable[[Any], str] | None = None
    # What may be chosen on /print/, where there is a list: scenarios, decks, one's campaigns.
    subjects: Callable[[Who], Iterable[Subject]] | None = None
    papers: tuple[str, ...] = USUAL
    hint: str = ""
    origin: Callable[[Any], str] | None = None  # where its values come from, if not from the rulebook
    back: Callable[[Any], tuple[str, str]] | None = None  # the page it belongs to: address and name

    def title_of(self, thing: Any) -> str:
        return self.name(thing) if self.name else self.title


SHEETS: dict[str, Sheet] = {}


def register(*sheets: Sheet) -> None:
    for sheet in sheets:
        SHEETS[sheet.key] = sheet


def sheet_of(key: str) -> Sheet:
    if key not in SHEETS:
        raise Http404("There is no such sheet.")
    return SHEETS[key]


def by_key(rows: Mapping[str, Any], key: str) -> Any:
    """A row of ours by its key, or 404."""
    if key not in rows:
        raise Http404
    return rows[key]
