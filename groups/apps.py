from django.apps import AppConfig


class GroupsConfig(AppConfig):
    name = "groups"

    def ready(self) -> None:
        from groups import permissions, selectors, services
        from log import registry
        from people import acquaintances, privacy

        registry.register_kind(services.KIND, permissions.can_watch)
        acquaintances.register_source(selectors.find_fellow_members)
        privacy.register_part("groups", selectors.groups_of)
        services.register_invitations()
