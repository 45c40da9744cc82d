"""Every request is told who asks: ``request.who``, looked up only if something wants to know."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse

from people import browser
from people.log_ins import introduce


class WhoMiddleware:
    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse | Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest):
        introduce(request)
        if self.is_async:
            return self._acall(request)
        response = self.get_response(request)
        browser.set_cookie(request, response)
        return response

    async def _acall(self, request: HttpRequest) -> HttpResponse:
        response = await self.get_response(request)
        browser.set_cookie(request, response)
        return response
