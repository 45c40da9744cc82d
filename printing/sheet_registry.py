"""What a printable sheet is: paper, ink, and the registry that ``printing/sheets/`` fills; and how figures are set."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import segno
from django.http import Http404

from dataclass_json import stored_as
from jobs.registry import Progress
from people.requester import Who
from refusal import Refusal

COLOUR, SAVE = "colour", "save"
INKS = {COLOUR: "Colour", SAVE: "Ink-saving"}


@dataclass(frozen=True, slots=True)
class Paper:
    key: str
    name: str
    typst: str


PAPERS = {
    paper.key: paper
    for paper in (
        Paper("a4", "A4", "a4"),
        Paper("letter", "US Letter", "us-letter"),
        Paper("a3", "A3", "a3"),
        Paper("a2", "A2", "a2"),
        # Pictures of single cards; their template sets its own page.
        Paper("cards", "Cards of 63 × 88 mm", "a4"),
    )
}
USUAL_PAPERS = ("a4", "letter")
CARDS_ALONE = ("cards",)


@dataclass(frozen=True, slots=True)
class PaperSetting:
    paper: str = "a4"
    ink: str = COLOUR

    @classmethod
    def read(cls, asked: Mapping[str, object], papers: tuple[str, ...] = USUAL_PAPERS) -> "PaperSetting":
        """Read a query, form or JSON, with defaults."""
        paper = asked.get("paper") or papers[0]
        ink = asked.get("ink") or COLOUR
        if paper not in papers:
            names = " or ".join(PAPERS[key].name for key in papers)
            raise Refusal(f"Choose {names} for this sheet.", field="paper")
        if ink not in INKS:
            raise Refusal("Choose colour or save (black only).", field="ink")
        return cls(str(paper), str(ink))

    @property
    def saves_ink(self) -> bool:
        return self.ink == SAVE

    def inputs(self) -> dict[str, str]:
        """The values for the templates."""
        return {"paper": PAPERS[self.paper].typst, "ink": "save" if self.saves_ink else "full"}

    @property
    def query(self) -> str:
        return f"paper={self.paper}&ink={self.ink}"

    @property
    def words(self) -> str:
        return f"{PAPERS[self.paper].name}, {INKS[self.ink].lower()}"


# ── The sheets ───────────────────────────────────────────────────────────────────────────────────────────

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


def pick(thing: object, *names: str) -> Content:
    """These attributes under their own names."""
    return {name: getattr(thing, name) for name in names}


def get_row_or_404(rows: Mapping[str, Any], key: str) -> Any:
    """A row by its key, or 404."""
    if key not in rows:
        raise Http404
    return rows[key]


# ── Figures and rule texts for paper: proper minus, inch and apostrophe characters, ranges as in the book ──

NONE = "–"
_INCHES = re.compile(r'(?<=\d)"')


def typeset(text: str) -> str:
    """Rule text with typographic inch marks and apostrophes."""
    return _INCHES.sub("″", text).replace("'", "’")


def format_range(low: int | None, high: int | None) -> str:
    """1–2, 10, 0 or less, 9 +."""
    if low is None:
        return f"{high} or less"
    if high is None:
        return f"{low} +"
    return str(low) if low == high else f"{low}–{high}"


def qr_matrix(text: str) -> list[str]:
    """A QR code as rows of 0 and 1, for the templates to draw."""
    return ["".join("1" if dark else "0" for dark in row) for row in segno.make(text, error="m", micro=False).matrix]
