from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        from jobs import heartbeat, personal_data
        from jobs.execution import celery_worker

        celery_worker.connect_signals()
        personal_data.register()
        heartbeat.register()
        # Every app may have a job_kinds.py that says which work it gives away and what it wants to be woken for.
        autodiscover_modules("job_kinds")
