"""Django's ``reverse``, worked out once for each address. A page has dozens, and they were a tenth of its time."""

from functools import lru_cache

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse


def cached_reverse(view_name: str, *args: str | int) -> str:
    if settings.PLAIN:
        return str(reverse(view_name, args=args))
    return _find(get_script_prefix(), get_urlconf(), view_name, *args)


@lru_cache(maxsize=8192, typed=True)
def _find(prefix: str, urlconf: str | None, view_name: str, *args: str | int) -> str:
    return str(reverse(view_name, urlconf=urlconf, args=args))
