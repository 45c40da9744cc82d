from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from gamenights.transfer import services
from jobs.models import Job
from tests.gamenights.transfer.import_jobs import run_check
from tests.gamenights.transfer.sample_files import to_bytes


@pytest.fixture
def upload(group, master):
    """Upload a file and let the job check it."""

    def upload(body, client=None):
        data = body if isinstance(body, bytes) else to_bytes(body)
        sent = SimpleUploadedFile("plays.json", data)
        response = (client or master.client).post(f"/groups/{group.code}/plays/import/", {"file": sent})
        for job in Job.objects.filter(kind=services.CHECK_JOB).exclude(state="done"):
            run_check(job)
        return response

    return upload
