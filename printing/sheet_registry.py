"""The printable sheets; each is registered in ``printing/sheets/``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404

from dataclass_json import stored_as
from jobs.registry import Progress
from people.requester import Who
from printing.paper_and_ink import USUAL_PAPERS

Content = dict[str, Any]

# The newest battles and armies in a list of what can be printed.
MAX_SUBJECTS = 50

# Sections of /print/.
RULES, CAMPAIGN, CARDS, BATTLE, NIGHTS = "rules", "campaign", "cards", "battle", "nights"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sheet is about: its key in the URL, and its name."""

    key: str = field(metadata=stored_as("subject"))
    name: str = field(metadata=stored_as("title"))


def find_nothing(who: Who, subject: str) -> None:
    """For sheets without a subject."""
    if subject:
        raise Http404


@dataclass(frozen=True, slots=True)
class PicturePackage:
    """Pictures in a ZIP in place of a PDF, for where no paper is printed at home.

    ``pack`` gets the content, the template's pages as PNG at ``ppi`` and the fingerprint; it gives the ZIP and its
    previews. The same content makes the same bytes.
    """

    ppi: float
    pack: Callable[[Content, Sequence[bytes], str, Progress], tuple[bytes, list[bytes]]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One kind of printable sheet.

    ``find`` looks up the subject and raises 404 for people who cannot see it: this is the permission check.
    ``gather`` makes the content: plain values, ``Arms`` and ``MapDisplay``s, and no figure that does not
    come from a rulebook row or a sheet object.
    """

    key: str
    title: str
    description: str
    group: str
    template: str
    gather: Callable[[Any], Content]
    find: Callable[[Who, str], Any] = find_nothing
    name: Callable[[Any], str] | None = None
    # Choices on /print/ and in the API: scenarios, decks, the person's campaigns.
    subjects: Callable[[Who], Iterable[Subject]] | None = None
    from_its_page: bool = False  # people print it from its subject's page, so /print/ leaves it out
    papers: tuple[str, ...] = USUAL_PAPERS
    hint: str = ""
    origin: Callable[[Any], str] | None = None  # source of its values, if not the rulebook
    back: Callable[[Any], tuple[str, str]] | None = None  # the page it belongs to: URL and name
    package: PicturePackage | None = None
    # What an API token needs to fetch the paper: "run" if it has slips, with which anybody can report.
    scope: str = "read"

    def title_of(self, thing: Any) -> str:
        return self.name(thing) if self.name else self.title


SHEETS: dict[str, Sheet] = {}


def register_sheets(*sheets: Sheet) -> None:
    for sheet in sheets:
        SHEETS[sheet.key] = sheet


def sheet_of(key: str) -> Sheet:
    if key not in SHEETS:
        raise Http404("There is no such sheet.")
    return SHEETS[key]


def get_row_or_404(rows: Mapping[str, Any], key: str) -> Any:
    """A row by its key, or 404."""
    if key not in rows:
        raise Http404
    return rows[key]
