from django.apps import AppConfig


class MustersConfig(AppConfig):
    name = "musters"

    def ready(self) -> None:
        from log import registry as log_registry
        from musters import chronicle_acts, home_items, live_access, vp_payments

        chronicle_acts.register_acts()
        vp_payments.register()
        home_items.register()
        log_registry.register_kind("muster", live_access.can_watch, secret=True)
        live_access.register()
