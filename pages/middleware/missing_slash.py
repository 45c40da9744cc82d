"""An address without its slash at the end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware


class MissingSlashMiddleware(CommonMiddleware):
    """In the API 308, with which a program sends a write again as it was. Elsewhere as Django does it."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        in_api = response.status_code == 404 and request.path.startswith("/api/")
        if in_api and self.should_redirect_with_slash(request):
            address = request.get_full_path(force_append_slash=True)
            return HttpResponsePermanentRedirect(address, preserve_request=True)
        return super().process_response(request, response)
