"""Point the icons of a page at the file of symbols, which a browser keeps, instead of writing them all into the page.

Drawings are made by code that knows nothing of addresses: they say ``#c-mouse``. The address of the file, with its
hash, is put before that here, in whole pages and in live parts alike. A page that stands alone carries its own symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static

MARK = b'href="#c-'
STANDS_ALONE = b'<symbol id="c-'


@cache
def _address() -> bytes:
    return f'href="{static("img/symbols.svg")}#c-'.encode()


class SymbolFileMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        body = response.content
        if MARK in body and STANDS_ALONE not in body:
            response.content = body.replace(MARK, _address())
            if "Content-Length" in response.headers:  # Django has counted already
                response.headers["Content-Length"] = str(len(response.content))
        return response
