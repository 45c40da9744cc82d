"""How a sheet is printed: on which paper, with how much ink."""

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
    )
}
USUAL = ("a4", "letter")


@dataclass(frozen=True, slots=True)
class Setting:
    paper: str = "a4"
    ink: str = COLOUR

    @classmethod
    def read(cls, asked: Mapping[str, object], papers: tuple[str, ...] = USUAL) -> Setting:
        """From an address, a form or JSON; what is left out is as usual."""
        paper = asked.get("paper") or papers[0]
        ink = asked.get("ink") or COLOUR
        if paper not in papers:
            names = " or ".join(PAPERS[key].name for key in papers)
            raise Refusal(f"This sheet is printed on {names}.", field="paper")
        if ink not in INKS:
            raise Refusal("The ink is colour, or save for black only.", field="ink")
        return cls(str(paper), str(ink))

    @property
    def saves_ink(self) -> bool:
        return self.ink == SAVE

    def inputs(self) -> dict[str, str]:
        """What the templates know of it."""
        return {"paper": PAPERS[self.paper].typst, "ink": "save" if self.saves_ink else "full"}

    @property
    def query(self) -> str:
        return f"paper={self.paper}&ink={self.ink}"

    @property
    def words(self) -> str:
        return f"{PAPERS[self.paper].name}, {INKS[self.ink].lower()}"
