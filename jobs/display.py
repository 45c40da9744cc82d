"""A job ready to draw, for page and JSON."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.urls import reverse

from dataclass_json import Ask, PageOnly
from jobs.models import Job, State
from jobs.permissions import can_have_result
from jobs.turns_and_leases import count_jobs_ahead
from pages.fields.columns_and_rows import take
from people.requester import Who


@dataclass(frozen=True, slots=True)
class JobDisplay:
    """A piece of work in the background. Its progress is what the work itself said last."""

    api_name = "Job"

    id: int
    token: Annotated[str, Ask("Token", "Names the job in addresses.")]
    kind: str
    title: str
    state: State
    state_words: PageOnly[str]
    is_open: PageOnly[bool]
    stage: Annotated[str, Ask("Stage", "The current stage, in words.")]
    done: Annotated[int, Ask("Done", "How many of `total` are done in this stage.")]
    total: Annotated[int, Ask("Total", "0 if unknown.")]
    before_it: Annotated[int, Ask("Before it", "Number of jobs ahead in the queue.")]
    error: Annotated[str, Ask("Error", "Why it failed, as a sentence for people.")]
    result: Annotated[Mapping[str, Any], Ask("Result", "Each kind of job has its own.")]
    asked_at: dt.datetime
    started_at: dt.datetime | None
    finished_at: dt.datetime | None
    seconds: PageOnly[float | None]
    saved_as: str
    file_size: int | None
    file_url: Annotated[str, Ask("File", "URL of the file, while it is kept.")]
    page_url: Annotated[str, Ask("Page", "URL of the page that shows the result, if there is one.")]
    may_cancel: bool
    may_retry: bool


def display_job(job: Job, who: Who) -> JobDisplay:
    """Its progress; its result and file only for those who may have them."""
    has_result = job.state == State.DONE and can_have_result(who, job)
    path = job.path if has_result else None
    return take(
        JobDisplay,
        job,
        state=State(job.state),
        state_words=job.get_state_display(),
        done=min(job.done, job.total) if job.total else job.done,
        before_it=count_jobs_ahead(job) if job.state == State.QUEUED else 0,
        result=job.result if has_result else {},
        asked_at=job.created_at,
        seconds=_seconds(job),
        saved_as=job.saved_as if path else "",
        file_size=path.stat().st_size if path else None,
        file_url=reverse("jobs:file", args=[job.token]) if path else "",
        page_url=_page(job) if has_result else "",
        may_cancel=job.is_open,
        may_retry=job.state in (State.FAILED, State.CANCELLED) and job.its_kind is not None,
    )


def display_jobs(jobs: Iterable[Job], who: Who) -> list[JobDisplay]:
    return [display_job(job, who) for job in jobs]


def _page(job: Job) -> str:
    kind = job.its_kind
    return reverse(kind.page, args=[job.token]) if kind and kind.page and job.state == State.DONE else ""


def _seconds(job: Job) -> float | None:
    if job.started_at is None or job.finished_at is None:
        return None
    return max(0.0, (job.finished_at - job.started_at).total_seconds())
