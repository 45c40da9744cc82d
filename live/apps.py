from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "live"

    def ready(self) -> None:
        from live import etag, hub, views
        from log import registry
        from people.accounts import services

        views.register_stream_schema()
        etag.register_viewer_mark()
        registry.add_listener(hub.publish)
        services.add_revocation_listener(hub.end_streams_of)
