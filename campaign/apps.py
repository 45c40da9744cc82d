from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        from campaign import acquaintances, home_items, live_access, personal_data
        from campaign.approvals import services as approvals_services
        from campaign.invitations import services as invitations_services
        from campaign.seasons import saved_pages as seasons_services

        live_access.register()
        personal_data.register()
        acquaintances.register()
        invitations_services.register()
        home_items.register()
        approvals_services.register()
        seasons_services.register()
