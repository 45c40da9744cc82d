from django.apps import AppConfig


class GroupsConfig(AppConfig):
    name = "groups"

    def ready(self) -> None:
        from groups import acquaintances, invitations, live_access, personal_data

        live_access.register()
        acquaintances.register()
        personal_data.register()
        invitations.register()
