from django.apps import AppConfig


class MustersConfig(AppConfig):
    name = "musters"

    def ready(self) -> None:
        from musters import chronicle_acts, home_items, live_access, vp_payments

        chronicle_acts.register_sentences()
        vp_payments.register()
        home_items.register()
        live_access.register()
