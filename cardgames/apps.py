from importlib import import_module

from django.apps import AppConfig
from django.conf import settings


class CardgamesConfig(AppConfig):
    name = "cardgames"
    verbose_name = "Card tables"

    def ready(self) -> None:
        # Before what asks each game for its companion.
        for module in settings.CARD_GAMES:
            import_module(module)
        from cardgames import home_items, passes_and_personal_data, template_functions
        from cardgames.tables.seats import seat_and_watch_passes

        seat_and_watch_passes.register()
        home_items.register()
        template_functions.register()
        passes_and_personal_data.register()
