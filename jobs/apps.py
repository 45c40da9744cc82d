from django.apps import AppConfig
from django.urls import register_converter
from django.utils.module_loading import autodiscover_modules


class JobRefConverter:
    """A job in an address: its token, which nobody can guess, or its number as it was before there were tokens."""

    regex = "[A-Za-z0-9_-]{22}|[0-9]{1,18}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        from jobs import services, timers, turns_and_leases, worker_process
        from jobs.registry import KIND
        from jobs.tasks import task_of

        register_converter(JobRefConverter, "job")
        worker_process.connect_signals()
        services.register_personal_data()
        turns_and_leases.register_worker_watch()
        timers.register_heartbeat(turns_and_leases.SWEEP_EVERY, turns_and_leases.sweep)
        # Every app may have a job_kinds.py that registers its jobs and timers.
        autodiscover_modules("job_kinds")
        for kind in KIND.values():
            task_of(kind)
