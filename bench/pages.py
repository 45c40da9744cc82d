"""Pages of the demo world beside a bare view with one query: processor time, queries, and bytes on the wire.

Warm: every page was asked for before. After a change: a battle of the campaign was struck or restored, which changes
land, points and standings; of the other pages all that is kept of drawings is forgotten. The bare view goes through
the same middleware in the same process, a few requests of each in turn: right after a large page it would itself be
slow.
"""

from __future__ import annotations

import os.path
import re
import statistics
import time
from collections.abc import Callable
from typing import Any

from bench._site_of_its_own import Row, run_in_own_site

ROUNDS, IN_A_ROW = 4, 5
MAX_TIMES, MAX_TIMES_CAMPAIGN, MAX_TIMES_AFTER_A_CHANGE = 12, 16, 20
MAX_BYTES, MAX_BYTES_CAMPAIGN = 8_000, 12_000
MAX_BYTES_OF_SCRIPT_AND_STYLE, MAX_BYTES_OF_A_CHANGE = 60_000, 4_000
MAX_MS_OF_A_TRACKER = 10
LIST_OF = 50


def run() -> list[Row]:
    return run_in_own_site("bench.pages", demo=True)


def main() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.db import connection
    from django.http import HttpRequest, HttpResponse
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import path
    from rest_framework import generics, serializers

    import config.urls
    from battles.new_battle.services import create_standalone_battle
    from campaign.founding.services import found_campaign
    from campaign.models import Campaign
    from people.guests import add_guest
    from people.models import Person
    from people.requester import Who

    settings.ALLOWED_HOSTS = ["*"]

    def bare(request: HttpRequest) -> HttpResponse:
        return HttpResponse(str(Person.objects.count()))

    class BareList(generics.ListAPIView):
        queryset = Campaign.objects.order_by("-pk")[:LIST_OF]
        serializer_class = type(
            "Bare",
            (serializers.ModelSerializer,),
            {"Meta": type("Meta", (), {"model": Campaign, "fields": ["code", "name", "visibility", "founded_at"]})},
        )

    config.urls.urlpatterns += [path("bare/", bare), path("bare-list/", BareList.as_view())]
    client = Client()
    client.force_login(get_user_model().objects.get(username__iexact="wren"))

    def took(address: str) -> float:
        begin = time.process_time()
        answer = client.get(address)
        assert answer.status_code == 200, address
        return time.process_time() - begin

    def measure(address: str, bare: str, before: Callable[[], None] = lambda: None) -> tuple[float, float]:
        """Milliseconds of an address and of the bare one, in turn."""
        for _ in range(3):
            took(address), took(bare)
        pages, bares = [], []
        for _ in range(ROUNDS):
            for _ in range(IN_A_ROW):
                before()
                pages.append(took(address))
            bares += [took(bare) for _ in range(IN_A_ROW)]
        return statistics.median(pages) * 1000, statistics.median(bares) * 1000

    changes: dict[str, int] = {}
    for name, (address, most) in find_pages(client).items():
        page, one = measure(address, "/bare/")
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        note = f"{page:.1f} ms against {one:.2f} ms of a view with one query; {len(asked)} queries"
        print(f"{name}: processor time against a bare view\t{page / one:.2f}\t{note}\t{most}")
        sent = len(client.get(address, headers={"Accept-Encoding": "gzip"}).content)
        size = MAX_BYTES_CAMPAIGN if name == "Campaign" else MAX_BYTES
        html = client.get(address).content.decode()
        print(f"{name}: HTML on the wire against its limit\t{sent / size:.2f}\t{sent:,} of {len(html):,} bytes\t1")
        change = strike_and_restore(address) if name == "Campaign" else forget_drawings
        page, one = measure(address, "/bare/", change)
        note = f"{page:.1f} ms against {one:.2f} ms"
        print(
            f"{name}: first drawing after a change against a bare view\t{page / one:.2f}\t{note}"
            f"\t{MAX_TIMES_AFTER_A_CHANGE}"
        )
        files = sum(map(size_of_file, scripts_and_styles(html)))
        print(
            f"{name}: script and style against their limit\t{files / MAX_BYTES_OF_SCRIPT_AND_STYLE:.2f}"
            f"\t{files:,} bytes, compressed\t1"
        )
        for part in set(re.findall(r'data-live-get="([^"]+)"', html)):
            write_something(client, name, address, html)
            changes[name] = len(client.get(part.replace("&amp;", "&"), headers={"Accept-Encoding": "gzip"}).content)
            if name == "Tracker":
                page, _ = measure(part, "/bare/", forget_drawings)
                shared, _ = measure(part, "/bare/")
                note = f"{page:.1f} ms for the first viewer, {shared:.1f} for each other"
                print(f"{name}: live part against 10 ms\t{page / MAX_MS_OF_A_TRACKER:.2f}\t{note}\t1")
    mean = statistics.mean(changes.values())
    note = f"{mean:,.0f} bytes on average; " + ", ".join(f"{name} {size:,}" for name, size in changes.items())
    print(f"A live change on the wire against its limit\t{mean / MAX_BYTES_OF_A_CHANGE:.2f}\t{note}\t1")
    wren = Person.objects.get(account__username__iexact="wren")
    for number in range(LIST_OF):
        found_campaign(Who.of(wren), key=f"bench-campaign-{number}", name=f"War {number}")
        add_guest(Who.of(wren), f"Guest {number}", key=f"bench-guest-{number:04}")
        names = ["Oakhold", "Fenwick"]
        create_standalone_battle(Who.of(wren), key=f"bench-battle-{number:04}", scenario="", names=names)
    for what in ("campaigns", "people", "battles"):
        ours, bare_list = measure(f"/api/v1/{what}/?limit={LIST_OF}", "/bare-list/")
        note = f"{bare_list:.1f} ms of a bare DRF list of {LIST_OF}, ours {ours:.1f} ms"
        of = "" if what == "campaigns" else f" {what}"
        print(f"API list of {LIST_OF}{of}: ours against a bare DRF list\t{ours / bare_list:.2f}\t{note}\t{1 / 0.7:.2f}")


def forget_drawings() -> None:
    """As after a change of everything that is on any page."""
    from campaign.map.svg import draw_map_with_key
    from pages import cached_parts

    cached_parts.forget_all()
    draw_map_with_key.cache_clear()


def strike_and_restore(address: str) -> Callable[[], None]:
    """A function that strikes the newest battle of this campaign, and restores it at the next call."""
    from campaign import selectors, services
    from campaign.chronicle.acts.war import ReportResult
    from campaign.models import Campaign
    from log.services import new_key
    from people.models import Person
    from people.requester import Who

    campaign = Campaign.objects.select_related("log").get(code=address.strip("/").split("/")[-1])
    master = Who.of(Person.objects.get(account__username__iexact="wren"))
    target = max(entry.number for entry in selectors.entries_of(campaign) if entry.act == ReportResult.key)
    struck: list[int] = []

    def change() -> None:
        kind, number = ("restore", struck.pop()) if struck else ("strike", target)
        campaign.refresh_from_db()
        seen = services.preview_correction(selectors.entries_of(campaign), kind, number)
        written = services.write_correction(
            campaign, master, key=new_key(), kind=kind, target=number, why="A bench", digest=seen.digest
        )
        if kind == "strike":
            struck.append(int(str(written["entry"])))

    return change


def write_something(client: Any, name: str, address: str, html: str) -> bool:
    """Whether there was something to write on this page: a note, or a card."""
    from log.services import new_key

    if name == "Campaign":
        client.post(f"{address}note/", {"key": new_key(), "text": "We meet on Friday."})
    elif name == "Card table":
        stamp = re.findall(r'name="stamp" value="(\d+)"', html)
        keys = re.findall(r'name="pick" value="([^"+|]+)"', html)
        if not keys:
            return False
        client.post(f"{address}choose/", {"key": new_key(), "choice": keys[0], "stamp": stamp[0]})
    else:
        return False
    return True


def scripts_and_styles(html: str) -> set[str]:
    """The files a page links, with the modules that its scripts import."""
    seen: set[str] = set()
    todo = re.findall(r'(?:href|src)="/static/([^"#]+\.(?:css|js))"', html)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            if name.endswith(".js"):
                imported = re.findall(r'(?:from|import)\s*"(\./[^"]+)"', read_file(name).decode())
                todo += [os.path.normpath(os.path.join(os.path.dirname(name), other)) for other in imported]
    return seen


def read_file(name: str) -> bytes:
    from django.contrib.staticfiles import finders

    with open(finders.find(name), "rb") as file:
        return file.read()


def size_of_file(name: str) -> int:
    """As ``deploy`` compresses it."""
    from pages.answer_middleware import compress

    return len(compress(read_file(name)))


def find_pages(client: Any) -> dict[str, tuple[str, float]]:
    """The pages of the demo world that have limits, by name."""
    from battles.models import Battle
    from campaign.models import Campaign
    from musters.models import Muster

    def first(rows: Any, suits: Callable[[Any], bool] = bool) -> str:
        return next(row.get_absolute_url() for row in rows if suits(row))

    table = client.post("/tables/host/menagerie/", {"key": "bench-table-1", "deck": "house"}).headers["Location"]
    for act in ("fill", "start"):
        assert client.post(f"{table}run/", {"key": f"bench-{act}-1", "act": act}).status_code == 302
    tracked = first(Battle.objects.filter(stage=Battle.Stage.ON_THE_TABLE))
    return {
        "Home": ("/", MAX_TIMES),
        "Campaign": (first(Campaign.objects.all()), MAX_TIMES_CAMPAIGN),
        "Battle": (first(Battle.objects.exclude(campaign=None)), MAX_TIMES),
        "Tracker": (f"{tracked}table/", MAX_TIMES),
        "Card table": (f"{table}seats/0/", MAX_TIMES),
        "Muster": (first(Muster.objects.all()), MAX_TIMES),
        "Nights": ("/nights/", MAX_TIMES),
    }


if __name__ == "__main__":
    main()
