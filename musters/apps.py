from django.apps import AppConfig


class MustersConfig(AppConfig):
    name = "musters"

    def ready(self) -> None:
        from musters import chronicle_acts, home_items, permissions, vp_payments
        from musters.core.battlefield_svg import format_half_inches, piece_svg
        from pages import jinja

        jinja.add_functions({"piece_svg": piece_svg})
        jinja.add_filters({"format_half_inches": format_half_inches})
        chronicle_acts.register_sentences()
        vp_payments.register()
        home_items.register()
        permissions.register()
