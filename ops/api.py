"""The owner's page as JSON: health, backups, clean-up, storage. Everybody else gets a 404."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from django.conf import settings
from django.http import Http404, HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from jobs.display import JobDisplay, display_job, display_jobs
from jobs.files import file_response
from jobs.models import Job
from ops import backup, health
from ops.health import Health, StoragePart
from ops.job_kinds import BACKUP, TIDY, request_once
from pages.api.operations import operation
from people.accounts.my_account import require_owner
from people.api_tokens.scopes import RUN


@dataclass(frozen=True)
class SiteAnswer:
    api_name = "Site"

    health: Health
    copies: list[backup.BackupCopy]
    keep: Annotated[int, "how many backups are kept"]
    jobs: list[JobDisplay]
    parts: list[StoragePart]
    room_left: Annotated[int, "bytes"]
    versions: Mapping[str, str]


class Site(APIView):
    @operation("site_show")
    def get(self, request: Request) -> SiteAnswer:
        """How the site is: for its owner."""
        require_owner(request.who)
        return SiteAnswer(
            health=health.check_health(),
            copies=backup.list_copies(),
            keep=settings.KEEP_COPIES,
            jobs=display_jobs(Job.objects.filter(kind__in=(BACKUP, TIDY))[:5], request.who),
            parts=health.storage_parts(),
            room_left=health.free_space(),
            versions=dict(health.versions()),
        )


class MakeBackup(APIView):
    scopes = {"POST": RUN}

    @operation("site_backup", status=202)
    def post(self, request: Request) -> JobDisplay:
        """Make a backup. Asking twice makes one."""
        require_owner(request.who)
        return display_job(request_once(BACKUP, request.who.require_person()), request.who)


class CleanUp(APIView):
    scopes = {"POST": RUN}

    @operation("site_tidy", status=202)
    def post(self, request: Request) -> JobDisplay:
        """Delete what nobody needs any more."""
        require_owner(request.who)
        return display_job(request_once(TIDY, request.who.require_person()), request.who)


class Copy(APIView):
    scopes = {"GET": RUN}

    @operation("site_copy", file="application/zip")
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Download a backup: everything the site knows."""
        require_owner(request.who)
        path = backup.find_copy(name)
        if path is None:
            raise Http404
        return file_response(path, name)
