from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "people"

    def ready(self) -> None:
        from people import home_items
        from people.accounts import log_ins
        from people.passes import account_links, log_masking

        log_ins.connect_signals()
        log_masking.install_filters()
        account_links.register()
        home_items.register()
