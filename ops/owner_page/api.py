"""The owner's page as JSON: health, backups, clean-up, storage. Everybody else gets a 404."""

from __future__ import annotations

from dataclasses import asdict

from django.conf import settings
from django.http import Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs.api import JobSerializer
from jobs.display import display_job, display_jobs
from jobs.file_responses import file_response
from jobs.models import Job
from ops import health, stored_backups, system_info
from ops.job_kinds import BACKUP, TIDY
from ops.owner_page.permissions import require_owner
from ops.owner_page.services import request_once
from people.api_tokens.scopes import RUN


class StoredCopySerializer(serializers.Serializer):
    name = serializers.CharField()
    size = serializers.IntegerField()
    made_at = serializers.DateTimeField()


class StoragePartSerializer(serializers.Serializer):
    name = serializers.CharField()
    words = serializers.CharField()
    size = serializers.IntegerField(help_text="bytes")
    files = serializers.IntegerField()


class SiteSerializer(serializers.Serializer):
    health = serializers.DictField(child=serializers.CharField())
    copies = StoredCopySerializer(many=True)
    keep = serializers.IntegerField(help_text="how many backups are kept")
    jobs = JobSerializer(many=True)
    parts = StoragePartSerializer(many=True)
    room_left = serializers.IntegerField(help_text="bytes")
    versions = serializers.DictField(child=serializers.CharField())


class Site(APIView):
    @extend_schema(responses=SiteSerializer, operation_id="site_show")
    def get(self, request: Request) -> Response:
        """How the site is: for its owner."""
        require_owner(request.who)
        jobs = Job.objects.filter(kind__in=(BACKUP, TIDY))[:5]
        return Response(
            {
                "health": asdict(health.check_health()),
                "copies": StoredCopySerializer(stored_backups.list_copies(), many=True).data,
                "keep": settings.KEEP_COPIES,
                "jobs": JobSerializer(display_jobs(jobs, request.who), many=True).data,
                "parts": StoragePartSerializer(system_info.storage_parts(), many=True).data,
                "room_left": system_info.free_space(),
                "versions": dict(system_info.versions()),
            }
        )


class MakeBackup(APIView):
    scopes = {"POST": RUN}

    @extend_schema(request=None, responses={202: JobSerializer}, operation_id="site_backup")
    def post(self, request: Request) -> Response:
        """Make a backup. Asking twice makes one."""
        require_owner(request.who)
        return _job(request, BACKUP)


class CleanUp(APIView):
    scopes = {"POST": RUN}

    @extend_schema(request=None, responses={202: JobSerializer}, operation_id="site_tidy")
    def post(self, request: Request) -> Response:
        """Delete what nobody needs any more."""
        require_owner(request.who)
        return _job(request, TIDY)


class Copy(APIView):
    scopes = {"GET": RUN}

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY}, operation_id="site_copy")
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Download a backup: everything the site knows."""
        require_owner(request.who)
        path = stored_backups.find_copy(name)
        if path is None:
            raise Http404
        return file_response(path, name)


def _job(request: Request, kind: str) -> Response:
    job = request_once(kind, request.who.require_person())
    return Response(JobSerializer(display_job(job, request.who)).data, status=202)
