"""The wall in front of pages that need to know who asks: the way in, and back to the page afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from refusal import Refusal

View = Callable[..., HttpResponse]


def known_only(view: View) -> View:
    """Anyone with a Person, by password or personal link. Others are shown the way in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.who.is_known:
            return view(request, *args, **kwargs)
        return _to_the_door(request)

    return guarded


def password_only(view: View) -> View:
    """Only who has proven a password in this browser: a personal link passes through too many hands for this."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.who.user is not None:
            return view(request, *args, **kwargs)
        if request.who.is_known:
            raise Refusal("You came in by a personal link. Log in with your password to do this.", status=403)
        return _to_the_door(request)

    return guarded


def _to_the_door(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        return redirect(f"{reverse('people:log_in')}?{urlencode({'next': request.get_full_path()})}")
    raise Refusal("Log in first, or open your personal link.", status=403)


def next_page(request: HttpRequest, otherwise: str = "/") -> str:
    """Where the form wants to go on to, if it is a page of ours."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return wanted if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, None) else otherwise
