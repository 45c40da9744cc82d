"""Paper and ink of a print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
    def read(cls, asked: Mapping[str, object], papers: tuple[str, ...] = USUAL_PAPERS) -> PaperSetting:
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
