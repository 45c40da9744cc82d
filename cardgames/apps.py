from importlib import import_module

from django.apps import AppConfig
from django.conf import settings


class CardgamesConfig(AppConfig):
    name = "cardgames"
    verbose_name = "Card tables"

    def ready(self) -> None:
        from cardgames import home_items, personal_data
        from cardgames.companion import startup_hooks
        from cardgames.tables.seats import passes

        passes.register()
        home_items.register()
        personal_data.register()
        startup_hooks.register()
        for module in settings.CARD_GAMES:
            import_module(module)
