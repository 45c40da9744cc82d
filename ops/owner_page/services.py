"""Jobs that the owner asks for."""

from __future__ import annotations

from jobs import services as jobs_services
from jobs.models import Job
from people.models import Person


def request_once(kind: str, person: Person) -> Job:
    """Asking twice requests the job once."""
    running = Job.objects.open().filter(kind=kind).first()
    return running or jobs_services.request_job(kind, {}, person)
