"""Follows the links of the demo world, and draws each page also as Django would."""

from __future__ import annotations

import json
import re
from html import unescape

import django

MOST_PAGES = 150
NOT_FOLLOWED = ("/static/", "/api/", "/log-out", "/live/", "/jobs/", "/media/")


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    call_command("demo", verbosity=0)
    drawn, differences = compare_drawings()
    client = Client()
    client.force_login(get_user_model().objects.get(username__iexact="wren"))
    todo, seen = ["/"], {"/"}
    shapes: dict[str, int] = {}
    pages = 0
    while todo and pages < MOST_PAGES:
        answer = client.get(todo.pop(0))
        if answer.status_code != 200 or not answer.get("Content-Type", "").startswith("text/html"):
            continue
        pages += 1
        for link in re.findall(r'href="(/[^"#]*)"', answer.content.decode()):
            link = unescape(link)
            shape = re.sub(r"[0-9a-f]{8,}|\d+|[A-Z]{4}", "*", link.split("?")[0])
            # A few of each kind: most of them differ only in their numbers.
            if link not in seen and not link.startswith(NOT_FOLLOWED) and shapes.setdefault(shape, 0) < 2:
                shapes[shape] += 1
                seen.add(link)
                todo.append(link)
    print(json.dumps({"pages": pages, "templates": sorted(drawn), "differences": differences}))


def compare_drawings() -> tuple[set[str], list[str]]:
    """From now on every template is drawn both ways. The names of those drawn, and of those that differ."""
    from pages.compiled_templates.loader import CompiledNodeList

    drawn: set[str] = set()
    differences: list[str] = []
    compiled_render = CompiledNodeList.render
    by_django = False

    def render(self, context):
        nonlocal by_django
        if by_django or self.compiled is None:
            return self.render_by_django(context)
        # Terms are numbered through a page, however often it is drawn.
        holder = context["request"].__dict__ if context.get("request") is not None else context.dicts[0]
        before, state = holder.get("_look_count", 0), dict(context.render_context.dicts[-1])
        by_django = True
        try:
            wanted = self.render_by_django(context)
        finally:
            by_django = False
        holder["_look_count"] = before
        context.render_context.dicts[-1] = state
        found = compiled_render(self, context)
        drawn.add(self._template.name)
        if found != wanted:
            differences.append(self._template.name)
        return found

    CompiledNodeList.render = render
    return drawn, differences


if __name__ == "__main__":
    main()
