"""Decorators for pages that need a log-in: to the log-in page, and back afterwards."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from refusal import Refusal

View = Callable[..., HttpResponse]


def person_required(view: View) -> View:
    """Needs a log-in by password or personal link. Others go to the log-in page."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.who.is_known:
            return view(request, *args, **kwargs)
        return redirect_to_login(request)

    return guarded


def person_page(view: View) -> View:
    """A page with a form, for whoever is logged in; no cache keeps it."""
    return never_cache(person_required(require_http_methods(["GET", "POST"])(view)))


def password_required(view: View) -> View:
    """Needs a log-in by password, because other people may hold a personal link."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.who.user is not None:
            return view(request, *args, **kwargs)
        if request.who.is_known:
            raise Refusal("You used a personal link. Log in with your password to do this.", status=403)
        return redirect_to_login(request)

    return guarded


def redirect_to_login(request: HttpRequest) -> HttpResponse:
    """To the log-in page and back; a form that was sent is refused."""
    if request.method == "GET":
        return redirect(f"{reverse('people:log_in')}?{urlencode({'next': request.get_full_path()})}")
    raise Refusal("Log in first, or open your personal link.", status=403)


def get_next_url(request: HttpRequest, otherwise: str = "/") -> str:
    """The page given as ``next``, if it is on this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    return wanted if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, None) else otherwise
