from django.apps import AppConfig


class WorldConfig(AppConfig):
    name = "tests.live.world"

    def ready(self) -> None:
        from log import kinds

        kinds.register("world", lambda who, log_id: who.user is not None)
