"""Requests of one viewer, without a site."""

from __future__ import annotations

from types import SimpleNamespace

from django.test import RequestFactory


def ask(path: str = "/ledger/", who: str = "person:1", *, tag: str = "", zone: str = ""):
    request = RequestFactory().get(path, headers={"If-None-Match": tag} if tag else {})
    request.who = SimpleNamespace(ref=who)
    if zone:
        request.COOKIES["zone"] = zone
    return request
