from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "live"

    def ready(self) -> None:
        from live import hub, stream_schema, viewer_mark
        from log import version_listeners
        from people.accounts import services

        stream_schema.register()
        viewer_mark.register()
        version_listeners.add_listener(hub.publish)
        services.add_revocation_listener(hub.end_streams_of)
