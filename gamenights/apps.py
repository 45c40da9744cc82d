from django.apps import AppConfig


class GamenightsConfig(AppConfig):
    name = "gamenights"
    verbose_name = "Game nights"

    def ready(self) -> None:
        from cardgames import registry as cardgames_registry
        from gamenights import group_parts, home_items, personal_data
        from gamenights.nights import selectors as nights_selectors
        from gamenights.plays import filing

        cardgames_registry.register_code_holder(nights_selectors.find_by_code)
        group_parts.register()
        filing.register()
        home_items.register()
        personal_data.register()
