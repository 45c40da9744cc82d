from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        from jobs import personal_data, timers, worker_watch
        from jobs.execution import celery_worker_signals, sweeper

        celery_worker_signals.connect_signals()
        personal_data.register()
        worker_watch.register()
        timers.register_heartbeat(sweeper.EVERY, sweeper.sweep)
        # Every app may have a job_kinds.py that registers its jobs and timers.
        autodiscover_modules("job_kinds")
