"""Finds the view of an address once. Phones ask for the same few addresses again and again, among 600 of the site."""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest
from django.urls import ResolverMatch, get_resolver


class MatchesAddressesOnce:
    """For Django's handlers. What is at no address is not kept."""

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        request.resolver_match = find_match(request.path_info)
        return request.resolver_match


@lru_cache(maxsize=4096)
def find_match(path: str) -> ResolverMatch:
    return get_resolver().resolve(path)
