from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "ops"
    verbose_name = "Operations"

    def ready(self) -> None:
        from django.db.backends.signals import connection_created

        from ops import health  # noqa: F401  (it counts the minute for a worker to come from the start of the process)
        from ops.metrics_endpoint import watch_connection

        connection_created.connect(watch_connection, dispatch_uid="ops.metrics_endpoint")
