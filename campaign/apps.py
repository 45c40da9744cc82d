from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        from campaign import home_items, permissions
        from campaign.approvals import services as approvals_services
        from campaign.invitations import services as invitations_services

        permissions.register()
        invitations_services.register()
        home_items.register()
        approvals_services.register()
