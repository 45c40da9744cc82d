"""The URLs of the site."""

from importlib import import_module

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from pages.api.views import SchemaView

handler400 = "pages.refusal_handling.bad_request"
handler404 = "pages.refusal_handling.not_found"
handler403 = "pages.refusal_handling.forbidden"
handler500 = "pages.refusal_handling.server_error"


def api_urls_of(app: str) -> list[URLPattern | URLResolver]:
    patterns: list[URLPattern | URLResolver] = import_module(f"{app}.urls").api_urlpatterns
    return patterns


# Under /api/v1/.
api_urlpatterns = [
    path("", include(api_urls_of("people"))),
    path("", include(api_urls_of("home"))),
    path("campaigns/", include(api_urls_of("campaign"))),
    path("musters/", include(api_urls_of("musters"))),
    path("battles/", include("battles.api_urls")),
    path("tables/", include(api_urls_of("cardgames"))),
    path("", include(api_urls_of("groups"))),
    path("", include("gamenights.api_urls")),
    path("photos/", include(api_urls_of("photos"))),
    path("print/", include(api_urls_of("printing"))),
    path("site/", include(api_urls_of("ops"))),
    path("jobs/", include(api_urls_of("jobs"))),
    path("rules/", include(api_urls_of("reference"))),
]
urlpatterns = [
    # What begins with a word of its own comes first: a request goes down this list.
    path("photos/", include("photos.urls")),
    path("groups/", include("groups.urls")),
    path("campaigns/", include("campaign.urls")),
    path("musters/", include("musters.urls")),
    path("battles/", include("battles.urls")),
    path("tables/", include("cardgames.urls")),
    path("print/", include("printing.urls")),
    path("live/", include("live.urls")),
    path("jobs/", include("jobs.urls")),
    path("rules/", include("reference.urls")),
    path("api/v1/", include(api_urlpatterns)),
    path("api/", RedirectView.as_view(pattern_name="docs")),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("admin/", admin.site.urls),
    path("", include("home.urls")),
    path("", include("gamenights.urls")),
    path("", include("pages.urls")),
    path("", include("people.urls")),
    path("", include("ops.urls")),
]
