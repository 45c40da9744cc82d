from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from battles import moves, of_a_person, opening, slips, watching

        watching.register()
        opening.register()
        slips.register()
        moves.register()
        of_a_person.register()
