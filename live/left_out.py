"""Leaves out of a live part what its page shows already, as on a chronicle with one new entry.

A page names what it has by the digests of ``pages.drawn_once.kept_parts``. Nobody learns anything by naming others:
only what the answer holds anyway can be left out of it.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from pages.drawn_once.kept_parts import leave_out

HEADER = "X-Live-Drawn"
MOST = 100  # digests


def leave_out_drawn(request: HttpRequest, response: HttpResponse) -> None:
    if (named := request.headers.get(HEADER)) and response.content:
        response.content = leave_out(response.content.decode(), named.split()[:MOST]).encode()
