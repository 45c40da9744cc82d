from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        from jobs import personal_data, sending, timers, worker_signals, worker_watch
        from jobs.registry import KIND
        from jobs.tasks import task_of

        worker_signals.connect_signals()
        personal_data.register()
        worker_watch.register()
        timers.register_heartbeat(sending.SWEEP_EVERY, sending.sweep)
        # Every app may have a job_kinds.py that registers its jobs and timers.
        autodiscover_modules("job_kinds")
        for kind in KIND.values():
            task_of(kind)
