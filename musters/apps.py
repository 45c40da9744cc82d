from django.apps import AppConfig


class MustersConfig(AppConfig):
    name = "musters"

    def ready(self) -> None:
        from log import kinds
        from musters import annals, moves, paying, watching

        annals.register_acts()
        paying.register()
        moves.register()
        kinds.register("muster", watching.may_watch, secret=True)
        watching.register()
