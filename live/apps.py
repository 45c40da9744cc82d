from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "live"

    def ready(self) -> None:
        from live import hub
        from log import news

        news.add_listener(hub.publish)
