"""Give each request an id and send it back, so that a player can quote it and an owner can find it in the log."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.request_ids import HEADER, begin_request


class RequestIdMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = begin_request(request.headers.get(HEADER, "") if _from_our_proxy(request) else "")
        response = self.get_response(request)
        response.headers[HEADER] = request_id
        return response


def _from_our_proxy(request: HttpRequest) -> bool:
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return any(address in network for network in settings.TRUSTED_PROXIES)
