from django.apps import AppConfig


class GroupsConfig(AppConfig):
    name = "groups"

    def ready(self) -> None:
        from groups import hooks, invitations

        hooks.register()
        invitations.register()
