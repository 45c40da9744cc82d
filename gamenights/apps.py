from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamenightsConfig(AppConfig):
    name = "gamenights"
    verbose_name = "Game nights"

    def ready(self) -> None:
        from battles.display import BATTLE_PAGE
        from cardgames import registry as cardgames_registry
        from gamenights import backfill_after_migration, campaigns, feeds_and_webhooks_schema
        from gamenights.nights import (
            display as nights_display,
            entries as nights_entries,
            selectors as nights_selectors,
        )
        from gamenights.notices import occasions, services as notices_services
        from gamenights.plays import (
            display as plays_display,
            entries as plays_entries,
            filing,
            permissions as play_permissions,
            selectors as plays_selectors,
        )
        from gamenights.shelf import services as shelf_services
        from gamenights.standings import services as standings_services
        from groups.display import GROUP_PAGE
        from groups.entries import register_acts
        from pages import home_items
        from people import merging, privacy

        for room in (nights_entries, shelf_services, plays_entries, campaigns, standings_services):
            register_acts(room.ACTS)
        cardgames_registry.register_code_holder(nights_selectors.find_by_code, nights_selectors.count_open_codes)
        GROUP_PAGE.register(nights_display.nights_part, order=10)
        GROUP_PAGE.register(plays_display.plays_part, order=20)
        GROUP_PAGE.register(campaigns.campaigns_part, order=40)
        BATTLE_PAGE.register(nights_display.dates_part)
        filing.register()
        home_items.register_source(nights_display.night_items, tonight=True)
        home_items.register_source(plays_display.proposal_items, rows=plays_display.plays_with_proposals)
        feeds_and_webhooks_schema.register_feeds()
        privacy.register_part("nights", nights_selectors.nights_of)
        privacy.register_part("plays", plays_selectors.plays_of)
        privacy.register_part("notices", notices_services.notices_of)
        privacy.register_hook(notices_services.forget_notices)
        play_permissions.register_photos()
        occasions.register()
        post_migrate.connect(backfill_after_migration.file_after_migration, sender=self)
        merging.register_follow_up(standings_services.forget_people)
