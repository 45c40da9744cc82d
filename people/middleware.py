"""Sets ``request.who``, which is looked up only when it is used."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from people.accounts import log_ins
from people.accounts.log_ins import attach_requester


class WhoMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        attach_requester(request)
        response = self.get_response(request)
        log_ins.set_cookie(request, response)
        return response
