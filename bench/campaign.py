"""A campaign of many years: the fold, a past map, an append and the page, each compared with a small one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from bench._site_of_its_own import Row, run_in_own_site

SMALL, MANY, MOST = 20, 1_000, 10_000
ROUNDS = 7


def run() -> list[Row]:
    return run_in_own_site("bench.campaign")


def pair(one: Callable[[], object], other: Callable[[], object], rounds: int = ROUNDS) -> tuple[float, float]:
    """The best time of each, in milliseconds of this process alone, measured alternately."""
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for at, work in enumerate((one, other)):
            begin = time.process_time()
            work()
            best[at] = min(best[at], (time.process_time() - begin) * 1000)
    return best[0], best[1]


def main() -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.test import Client

    from campaign import selectors as campaign_selectors, services as campaign_services
    from campaign.chronicle.codec import read_sent
    from campaign.chronicle.entries_and_fold import effective_entries, fold
    from campaign.founding import services as founding_services, suggestions
    from campaign.models import Campaign, Checkpoint
    from log.models import Entry, Log
    from people.models import Person
    from people.requester import Who

    settings.ALLOWED_HOSTS = ["*"]
    account = get_user_model().objects.create_user("wren")
    wren = Person.objects.create(name="Wren", account=account)
    who = Who.of(wren)
    client = Client()
    client.force_login(account)

    def war(length: int, kingdoms: int = 4) -> Campaign:
        """The first battles are really fought; then the same few repeat, written in bulk with their effects."""
        campaign = founding_services.found_campaign(who, key=f"bench-{length}-{kingdoms}", name=f"War of {length}")
        for number, joins in enumerate(suggestions.suggest_kingdoms(campaign.code, kingdoms)):
            campaign_services.write(campaign, who, replace(joins, ruler=wren.pk), key=f"joins-{number:04d}")
        for number, (attacker, target) in enumerate((("k1", "k2.border_1"), ("k2", "k2.border_1"))):
            body = {"attacker": attacker, "target": target, "outcome": "attacker", "points": {attacker: 3}}
            campaign_services.write(campaign, who, key=f"fights-{number:04d}", act=read_sent("result", body))
        fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
        fought = list(Entry.objects.filter(log=fresh.log_id, act="result").order_by("number"))
        begin = fresh.log.length
        rows = []
        for number in range(begin + 1, length + 1):
            like = fought[number % 2]
            rows.append(
                Entry(
                    log=fresh.log,
                    number=number,
                    act=like.act,
                    actor=wren,
                    body=like.body,
                    effects=like.effects,
                    played_on=like.played_on,
                )
            )
        Entry.objects.bulk_create(rows, batch_size=1000)
        Log.objects.filter(pk=fresh.log_id).update(length=max(length, begin), version=max(length, begin) + 1)
        fresh = Campaign.objects.select_related("log").get(pk=campaign.pk)
        campaign_selectors.refold(fresh)
        return fresh

    wars = {length: war(length) for length in (SMALL, 100, MANY, MOST)}
    entries = {length: campaign_selectors.entries_of(wars[length]) for length in (MANY, MOST)}
    many, most = pair(lambda: fold(effective_entries(entries[MANY])), lambda: fold(effective_entries(entries[MOST])))
    show("Fold of 10,000 entries against 1,000", most, many, 12)
    show("Fold of 10,000 entries against its target", most, 200, 1, what="target")

    def past(length: int) -> Callable[[], object]:
        campaign_selectors.state_at(wars[length], length)  # creates the checkpoints, once
        return lambda: campaign_selectors.state_at(wars[length], length * 2 // 3)

    many, most = pair(past(MANY), past(MOST))
    assert Checkpoint.objects.filter(campaign=wars[MOST]).exists()
    show("A past map among 10,000 entries against 1,000", most, many, 12)
    show("A past map among 10,000 entries against its target", most, 100, 1, what="target")

    keys = iter(range(10**6))

    def append(length: int) -> Callable[[], object]:
        body = {"text": "A quiet evening."}
        return lambda: campaign_services.write(
            wars[length], who, key=f"append-{next(keys):06d}", act=read_sent("note", body)
        )

    few, most = pair(append(100), append(MOST), 41)
    show("An append to 10,000 entries against 100", most, few, 1.5)

    def page(length: int) -> Callable[[], object]:
        path = wars[length].get_absolute_url()
        return lambda: client.get(path).content

    assert client.get(wars[MOST].get_absolute_url()).status_code == 200
    few, most = pair(page(SMALL), page(MOST), 21)
    show("Campaign page with 10,000 entries against 20", most, few, 1.3)

    # With 100 kingdoms the page draws ten times the territories of 10: it may take at most ten times as long.
    realms = {kingdoms: war(kingdoms + 20, kingdoms).get_absolute_url() for kingdoms in (10, 100)}
    few, most = pair(lambda: client.get(realms[10]).content, lambda: client.get(realms[100]).content, 5)
    show("Campaign page with 100 kingdoms against 10, for each territory", most / 10, few, 1)


def show(name: str, one: float, other: float, limit: float, what: str = "") -> None:
    note = f"{one:.1f} ms against {'a target of ' if what else ''}{other:.1f} ms"
    print(f"{name}\t{one / other:.3f}\t{note}\t{limit}")


if __name__ == "__main__":
    main()
