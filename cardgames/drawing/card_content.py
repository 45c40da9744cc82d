"""What stands on a card, ready to draw: for the screen, for paper, and in words for those who do not see it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign with its figure: a hand and +2. After a slash it counts in scoring only."""

    charge: str
    figure: str = ""
    after_slash: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """One card. ``shape`` goes with the tincture, so that no colour stands alone; ``label`` says everything in words."""

    game: str
    id: str
    kind: str
    name: str
    charge: str
    tincture: str
    label: str
    shape: str = ""
    corner: str = ""
    corner_means: str = ""
    role: str = ""
    text: str = ""
    marks: tuple[Mark, ...] = ()
    strip: tuple[tuple[str, str], ...] = ()
