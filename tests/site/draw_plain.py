"""Follows the links of the demo world as several people, and draws each page from what is kept and with PLAIN."""

from __future__ import annotations

import json
import re
from html import unescape

import django

MAX_PAGES = 120  # for each viewer
NOT_FOLLOWED = ("/static/", "/api/", "/log-out", "/live/", "/jobs/", "/media/")
# New in every drawing, whoever draws it.
_NEW = re.compile(
    r'(?<=name="key" value=")[^"]*|(?<=name="csrfmiddlewaretoken" value=")[^"]*|data-token="[^"]*"|[-\w]+:1\w{5}:[-\w]+'
)


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    call_command("demo", verbosity=0)
    different: list[str] = []
    pages: dict[str, int] = {}
    for name in ("", "wren", "tam"):
        client = Client()
        if name:
            client.force_login(get_user_model().objects.get(username__iexact=name))
        todo, seen = ["/"], {"/"}
        shapes: dict[str, int] = {}
        pages[name] = 0
        while todo and pages[name] < MAX_PAGES:
            path = todo.pop(0)
            if client.get(path).headers.get("Content-Type", "").partition(";")[0] != "text/html":
                continue
            kept = client.get(path)
            settings.PLAIN = True
            plain = client.get(path)
            settings.PLAIN = False
            pages[name] += 1
            if (kept.status_code, same_parts(kept.text)) != (plain.status_code, same_parts(plain.text)):
                different.append(f"{name} {path}")
            for link in re.findall(r'(?:href|data-live-get)="(/[^"#]*)"', kept.text):
                link = unescape(link)
                shape = re.sub(r"[0-9a-f]{8,}|\d+|[A-Z]{4}", "*", link.split("?")[0])
                # A few of each kind: most of them differ only in their numbers.
                if link not in seen and not link.startswith(NOT_FOLLOWED) and shapes.setdefault(shape, 0) < 2:
                    shapes[shape] += 1
                    seen.add(link)
                    todo.append(link)
    print(json.dumps({"pages": pages, "different": different}))


def same_parts(page: str) -> str:
    return _NEW.sub("", page)


if __name__ == "__main__":
    main()
