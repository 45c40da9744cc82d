"""Pages of the demo world beside a bare view with one query: processor time, queries, and bytes on the wire.

Warm: every page was asked for before. The bare view goes through the same middleware in the same process, a few
requests of each in turn: right after a large page it would itself be slow.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from bench._site_of_its_own import Row, run_in_own_site

ROUNDS, IN_A_ROW = 4, 5
MOST_TIMES, MOST_TIMES_CAMPAIGN = 8, 14
MOST_BYTES, MOST_BYTES_CAMPAIGN = 8_000, 12_000


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

    import config.urls
    from people.models import Person

    settings.ALLOWED_HOSTS = ["*"]

    def bare(request: HttpRequest) -> HttpResponse:
        return HttpResponse(str(Person.objects.count()))

    config.urls.urlpatterns.append(path("bare/", bare))
    client = Client()
    client.force_login(get_user_model().objects.get(username__iexact="wren"))

    def took(address: str) -> float:
        begin = time.process_time()
        answer = client.get(address)
        assert answer.status_code == 200, address
        return time.process_time() - begin

    for name, (address, most) in find_pages(client).items():
        for _ in range(3):
            took(address)
        pages, bares = [], []
        for _ in range(ROUNDS):
            pages += [took(address) for _ in range(IN_A_ROW)]
            bares += [took("/bare/") for _ in range(IN_A_ROW)]
        page, one = statistics.median(pages) * 1000, statistics.median(bares) * 1000
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        note = f"{page:.1f} ms against {one:.2f} ms of a view with one query; {len(asked)} queries"
        print(f"{name}: processor time against a bare view\t{page / one:.2f}\t{note}\t{most}")
        sent = len(client.get(address, headers={"Accept-Encoding": "gzip"}).content)
        size = MOST_BYTES_CAMPAIGN if name == "Campaign" else MOST_BYTES
        whole = len(client.get(address).content)
        print(f"{name}: HTML on the wire against its limit\t{sent / size:.2f}\t{sent:,} of {whole:,} bytes\t1")


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
        "Home": ("/", MOST_TIMES),
        "Campaign": (first(Campaign.objects.all()), MOST_TIMES_CAMPAIGN),
        "Battle": (first(Battle.objects.exclude(campaign=None)), MOST_TIMES),
        "Tracker": (f"{tracked}table/", MOST_TIMES),
        "Card table": (f"{table}seats/0/", MOST_TIMES),
        "Muster": (first(Muster.objects.all()), MOST_TIMES),
        "Nights": ("/nights/", MOST_TIMES),
    }


if __name__ == "__main__":
    main()
