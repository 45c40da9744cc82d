from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "people"

    def ready(self) -> None:
        from people import kinds, log_ins, masking, moves

        log_ins.connect()
        masking.connect()
        kinds.register()
        moves.register()
