"""Every address of the site, from the URL configuration itself."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver

# Django's own pages carry their own permission checks and tests.
NOT_OURS = ("admin/",)


def every_route(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[str]:
    for pattern in (resolver or get_resolver()).url_patterns:
        address = prefix + str(pattern.pattern)
        if address.startswith(NOT_OURS):
            continue
        if isinstance(pattern, URLPattern):
            yield address
        else:
            yield from every_route(pattern, address)
