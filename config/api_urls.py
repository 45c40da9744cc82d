"""Every app's api_urls under /api/v1/."""

from django.urls import include, path

urlpatterns = [
    path("", include("people.api_urls")),
    path("", include("home.api_urls")),
    path("campaigns/", include("campaign.api_urls")),
    path("musters/", include("musters.api_urls")),
    path("battles/", include("battles.api_urls")),
    path("tables/", include("cardgames.api_urls")),
    path("", include("groups.api_urls")),
    path("", include("gamenights.api_urls")),
    path("photos/", include("photos.api_urls")),
    path("print/", include("printing.api_urls")),
    path("site/", include("ops.api_urls")),
    path("jobs/", include("jobs.api_urls")),
    path("rules/", include("reference.api_urls")),
]
