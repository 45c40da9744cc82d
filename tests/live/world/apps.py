from django.apps import AppConfig


class WorldConfig(AppConfig):
    name = "tests.live.world"

    def ready(self) -> None:
        from log import registry as log_registry

        log_registry.register_kind("world", lambda who, log_id: who.user is not None)
