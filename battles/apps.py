from django.apps import AppConfig
from django.db.models.signals import post_migrate


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from battles import battle_stage, home_items, permissions, photos_and_written_reports
        from battles.new_battle import services as new_battle_services
        from battles.slip import access_codes

        permissions.register()
        battle_stage.register()
        new_battle_services.register()
        access_codes.register()
        home_items.register()
        photos_and_written_reports.register()
        post_migrate.connect(battle_stage.mend_after_migration, sender=self)
