from django.apps import AppConfig


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
