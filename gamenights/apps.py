from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamenightsConfig(AppConfig):
    name = "gamenights"
    verbose_name = "Game nights"

    def ready(self) -> None:
        from cardgames import registry as cardgames_registry
        from gamenights import group_parts, home_items, past_games, personal_data
        from gamenights.nights import battle_dates
        from gamenights.nights import selectors as nights_selectors
        from gamenights.notices.personal import occasions
        from gamenights.plays import filing, photos
        from gamenights.standings import services as standings_services
        from people import merging

        cardgames_registry.register_code_holder(nights_selectors.find_by_code, nights_selectors.count_open_codes)
        group_parts.register()
        battle_dates.register()
        filing.register()
        home_items.register()
        personal_data.register()
        photos.register()
        occasions.register()
        post_migrate.connect(past_games.file_after_migration, sender=self)
        merging.register_follow_up(standings_services.forget_people)
