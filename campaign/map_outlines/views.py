"""The outlines of a campaign's map, as a file that browsers keep."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import selectors
from campaign.map.svg import draw_lands

YEAR = 365 * 24 * 3600


@require_safe
def lands(request: HttpRequest, code: str, kingdoms: str) -> HttpResponse:
    """``kingdoms``: whose lands are on the map; a map of the past may have fewer."""
    campaign = selectors.get_visible_campaign(request.who, code)
    wanted = tuple(kingdoms.split("."))
    if not kingdoms or wanted != tuple(key for key in selectors.state_of(campaign).kingdoms if key in set(wanted)):
        raise Http404
    response = HttpResponse(draw_lands(wanted, campaign.code), content_type="image/svg+xml")
    response["Cache-Control"] = "no-store" if settings.PLAIN else f"private, max-age={YEAR}, immutable"
    return response
