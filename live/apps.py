from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "live"

    def ready(self) -> None:
        from live import hub, shared_parts, streams
        from log import registry
        from people.accounts import services

        streams.register_stream_schema()
        shared_parts.register_viewer_mark()
        registry.add_listener(hub.publish)
        services.add_revocation_listener(hub.end_streams_of)
