from django.apps import AppConfig


class CardgamesConfig(AppConfig):
    name = "cardgames"
    verbose_name = "Card tables"

    def ready(self) -> None:
        from cardgames import links, moves, of_a_person, side
        from log import kinds

        kinds.register("table", links.may_watch, secret=True)
        kinds.register("table-sealed", lambda who, log_id: False, secret=True)
        links.register()
        moves.register()
        of_a_person.register()
        side.register()
