from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamenightsConfig(AppConfig):
    name = "gamenights"
    verbose_name = "Game nights"

    def ready(self) -> None:
        from cardgames import hooks_for_other_apps as cardgames_registry
        from gamenights import api_schema, backfill_after_migration, campaigns, group_parts, home_items, personal_data
        from gamenights.nights import battle_dates
        from gamenights.nights import entries as nights_entries
        from gamenights.nights import selectors as nights_selectors
        from gamenights.notices.personal import occasions
        from gamenights.plays import entries as plays_entries
        from gamenights.plays import filing, photo_subject
        from gamenights.shelf import entries as shelf_entries
        from gamenights.standings import services as standings_services
        from groups.entries import register_acts
        from people import merging

        for room in (nights_entries, shelf_entries, plays_entries, campaigns, standings_services):
            register_acts(room.ACTS)
        cardgames_registry.register_code_holder(nights_selectors.find_by_code, nights_selectors.count_open_codes)
        group_parts.register()
        battle_dates.register()
        filing.register()
        home_items.register()
        api_schema.register_feeds()
        personal_data.register()
        photo_subject.register()
        occasions.register()
        post_migrate.connect(backfill_after_migration.file_after_migration, sender=self)
        merging.register_follow_up(standings_services.forget_people)
