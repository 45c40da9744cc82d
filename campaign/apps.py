from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        from campaign import circle, invitations, moves, petition_views, petitions, seasons
        from campaign.chronicle import may_watch
        from log import kinds
        from people import my_data

        kinds.register("campaign", may_watch)
        circle.register()
        invitations.register()
        moves.register()
        petition_views.register()
        my_data.register("petitions", petitions.told_by)
        seasons.register()
