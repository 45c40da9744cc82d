from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "people"

    def ready(self) -> None:
        from pages import home_items
        from people import requester
        from people.accounts import log_ins
        from people.passes import services, sign_up_claim_and_reset_links, tokens

        log_ins.connect_signals()
        tokens.install_filters()
        sign_up_claim_and_reset_links.register()
        home_items.register_source(services.find_home_items)
        requester.register()
