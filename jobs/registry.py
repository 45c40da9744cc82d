"""The kinds of job; each app registers its own in its job_kinds.py."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from jobs.models import Job
    from people.requester import Who


class Progress(Protocol):
    """How a job reports progress: a stage in words, and k of n (0 of 0 if unknown)."""

    def __call__(self, stage: str, k: int = 0, n: int = 0) -> None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a job returns: facts as JSON, and at most one file with its download name."""

    facts: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    saved_as: str = ""


@dataclass(frozen=True, slots=True)
class JobContext:
    """What a job gets: its arguments, a progress callback, and its own folder to write to."""

    args: Mapping[str, Any]
    progress: Progress
    folder: Path


Work = Callable[[JobContext], Outcome]

# Jobs let pages go first.
NICENESS = 10

# Celery's queues.
QUICK = "quick"
SLOW = "slow"
QUEUES = (QUICK, SLOW)


@dataclass(frozen=True, slots=True)
class JobKind:
    """One kind of work: a row's ``kind`` is its ``name``, and ``task`` is its Celery task ("printing.render").

    ``work`` is "package.module:function", a ``Work``; it is imported and run in a process of a worker, so it may hang,
    crash or eat memory without hurting the site. It may run more than once, also beside itself: it writes no rows,
    or only so that a second run finds them and goes on. ``landed`` is called once, in the transaction that marks the
    job done. ``is_slow`` for what may take minutes: of these one runs at a time, so nobody's print waits for them.
    ``page`` gives the URL of the result
    of a job by its token. ``same_for`` says whether this viewer's own order would make the same bytes; without it a
    result is only for whoever requested it. ``scope`` is what an API token needs to fetch the file.
    """

    name: str
    title: str | Callable[[Mapping[str, Any]], str]
    task: str
    work: str
    is_slow: bool = False
    landed: "Callable[[Job], object] | None" = None
    seconds: int = 300
    megabytes: int = 512
    tries: int = 3
    page: str = ""
    same_for: "Callable[[Job, Who], bool] | None" = None
    scope: "Callable[[Job], str]" = lambda job: "read"

    @property
    def queue(self) -> str:
        return SLOW if self.is_slow else QUICK

    def title_of(self, args: Mapping[str, Any]) -> str:
        return self.title if isinstance(self.title, str) else self.title(args)


KIND: dict[str, JobKind] = {}


def register_kind(kind: JobKind) -> None:
    KIND[kind.name] = kind


def kinds_in(queue: str) -> list[str]:
    return [kind.name for kind in KIND.values() if kind.queue == queue]
