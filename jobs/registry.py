"""Which kinds of work there are: an app registers its own in its job_kinds.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from jobs.models import Job


class Progress(Protocol):
    """How the work says where it stands: a stage in words for a person, k of n (0 of 0 where nobody can know)."""

    def __call__(self, stage: str, k: int = 0, n: int = 0) -> None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the work gives back: facts as JSON, and at most one file, with the name a person saves it under."""

    facts: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    saved_as: str = ""


@dataclass(frozen=True, slots=True)
class Errand:
    """What the work is given: its arguments, where to say how far it is, a folder of its own to write in."""

    args: Mapping[str, Any]
    progress: Progress
    folder: Path


Work = Callable[[Errand], Outcome]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of work.

    ``work`` is "package.module:function", a ``Work``; it is imported and run in a process of its own, so it may hang,
    crash or eat memory without hurting the site. It must not write rows, because it may run more than once:
    ``landed`` does, called once and in the very transaction that marks the job done. ``page`` names the address where its
    result is looked at, given the number of the job.
    """

    name: str
    title: str | Callable[[Mapping[str, Any]], str]
    work: str
    landed: Callable[[Job], None] | None = None
    seconds: int = 300
    megabytes: int = 512
    tries: int = 3
    page: str = ""

    def title_of(self, args: Mapping[str, Any]) -> str:
        return self.title if isinstance(self.title, str) else self.title(args)


KIND: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    KIND[kind.name] = kind
