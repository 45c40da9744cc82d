from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "live"

    def ready(self) -> None:
        from live import hub
        from log import news
        from people.accounts import credential_revocation

        news.add_listener(hub.publish)
        credential_revocation.add_listener(hub.end_streams_of)
