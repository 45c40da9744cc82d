"""Game nights: ratings against a bare openskill loop, an edit in the middle against a whole recomputation, and the
pages of a large group against those of a small one."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from openskill.models import PlackettLuce

from bench._site_of_its_own import run_in_own_site
from gamenights.plays.values import PlayerResult, PlayFacts, complete_play
from gamenights.standings.core.ratings import rate_days, rate_plays
from gamenights.standings.core.tally import Slot, add_up, tally_plays
from gamenights.standings.core.tally_blocks import month_of

if TYPE_CHECKING:
    from people.models import Person

PLAYS, PEOPLE, YEARS = 10_000, 500, 4


def run() -> list[tuple]:
    plays = make_plays()
    bare, ours = measure_pairs(lambda: bare_loop(plays), lambda: rate_plays(plays))
    pool = Slot("1")
    rated = [play for play in plays if play.game == pool.game]
    checkpoints = dict(rate_days(rated, {}))
    middle = month_of(rated[len(rated) * 3 // 4].day)
    whole, edit = measure_pairs(lambda: dict(rate_days(rated, {})), lambda: redo_from(rated, checkpoints, middle))
    months = [tally_plays(result) for result in by_month(plays).values()]
    count, merge = measure_pairs(lambda: tally_plays(plays), lambda: add_up(months))
    return [
        *run_in_own_site("bench.gamenights"),
        ("ratings of 10,000 plays / bare openskill loop", ours / bare, f"{ours:.2f} s / {bare:.2f} s", ("<=", 1.5)),
        (
            "rating after an edit three quarters in / all again",
            edit / whole,
            f"{edit * 1000:.0f} ms / {whole * 1000:.0f} ms",
            ("<=", 0.5),
        ),
        (
            "adding up 48 months / counting 10,000 plays",
            merge / count,
            f"{merge * 1000:.0f} ms / {count * 1000:.0f} ms",
        ),
    ]


def main() -> None:
    """Print the rows of the pages: a group of 10,000 plays and 500 people beside one of 100 plays and 20 people."""
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.test import Client

    from people.models import Person

    settings.ALLOWED_HOSTS = ["*"]
    account = get_user_model().objects.create_user("wren")
    wren = Person.objects.create(name="Wren", account=account)
    client = Client()
    client.force_login(account)
    small, large = fill_group(wren, 100, 20), fill_group(wren, PLAYS, PEOPLE)

    def visit(place: tuple[str, int, int], page: str, query: str) -> None:
        code, person, game = place
        rest = f"{person}/" if page == "person" else ""
        query = query.replace("GAME", f"game={game}&variant=")
        assert client.get(f"/groups/{code}/standings/{rest}?{query}").status_code == 200

    for name, query, limit in (
        ("all time", "season=all", 2),
        ("all time, one game", "season=all&GAME", 2),
        ("season", "", 2),
        ("a free period", "from=2022-01-10&to=2025-11-20", 10),
        ("a free period, one game", "from=2022-01-10&to=2025-11-20&GAME", 10),
    ):
        for page in ("standings", "person"):
            if page == "person" and "game" in name:
                continue
            visit(small, page, query)
            forget_counts()
            cold = count_queries(lambda page=page, query=query: visit(large, page, query))
            count_ordered()
            warm = count_queries(lambda page=page, query=query: visit(large, page, query))
            few, many = measure_pairs(
                lambda page=page, query=query: visit(small, page, query),
                lambda page=page, query=query: visit(large, page, query),
                rounds=5,
            )
            note = f"{many * 1000:.0f} ms / {few * 1000:.0f} ms"
            print(f"{page} of 10,000 plays / of 100, {name}\t{many / few}\t{note}\t{limit}")
            print(f"queries of {page} of 10,000 plays, {name}\t{max(cold, warm)}\t{cold} cold, {warm} warm\t12")
    measure_edit(large[0], wren, lambda: visit(large, "standings", "season=all"))
    measure_import(wren)


def count_queries(work: Callable[[], object]) -> int:
    """What is asked or written; opening a transaction is neither."""
    from django.db import connection

    asked: list[str] = []
    with connection.execute_wrapper(lambda execute, sql, *rest: (asked.append(sql), execute(sql, *rest))[1]):
        work()
    return sum(not sql.startswith(("BEGIN", "SAVEPOINT", "RELEASE")) for sql in asked)


def count_ordered() -> None:
    """What a running site does right after a visit: the pages that were ordered are counted in the background."""
    from gamenights.standings import background_count, services
    from jobs.models import Due
    from jobs.registry import JobContext

    for due in Due.objects.filter(kind=background_count.COUNT_TIMER):
        services.count_in_background(JobContext({"what": due.ref}, lambda *_: None, Path()))
        due.delete()


def forget_counts() -> None:
    """Of the large group; the small one stays as it is after a visit."""
    from gamenights.models import RatingMonth, StoredStandings, TallyBlock

    count_ordered()
    for model in (TallyBlock, RatingMonth, StoredStandings):
        model.objects.filter(group__name=f"Group of {PLAYS}").delete()


def measure_edit(code: str, host: Person, visit: Callable[[], None]) -> None:
    """The first visit after an edit in the middle of four years, beside the first one of all: both count and rate."""
    from gamenights.models import Play
    from gamenights.plays import services
    from groups.models import Group
    from people.requester import Who

    group = Group.objects.get(code=code)
    times: list[float] = []
    queries = 0
    for number in range(3):
        forget_counts()
        whole = timed(visit)
        count_ordered()
        middle = Play.objects.filter(group=group, removed_at=None).order_by("day")[PLAYS * 3 // 4]
        services.remove_play(middle, Who.of(host), key=f"an-edit-in-the-middle-{number}")
        times.append(timed(visit) / whole)
        queries = max(queries, count_queries(visit))
    print(f"standings after an edit three quarters in / all again\t{median(times)}\tfirst visit\t0.6")
    print(f"queries of standings of 10,000 plays after an edit\t{queries}\tcold\t12")


def measure_import(host: Person) -> None:
    """A BG Stats file of 600 plays and 70 people: read twice, for the preview and for the import, and written."""
    from gamenights.transfer import services
    from gamenights.transfer.preview import compare_with_group
    from groups import services as groups_services
    from groups.entries import FoundGroup
    from people.requester import Who
    from tests.gamenights.transfer.import_jobs import import_file
    from tests.gamenights.transfer.sample_files import make_large_export, to_bytes

    group = groups_services.found_group(Who.of(host), "bench-import", FoundGroup(name="A group that imports"))
    raw = to_bytes(make_large_export())
    preview = timed(lambda: compare_with_group(group, services.read_file(group, raw)))
    start = process_time()
    answer = import_file(group, host, services.read_file(group, raw))
    took = process_time() - start
    note = f"preview {preview:.2f} s, import {took:.2f} s of processor time"
    print(f"importing {answer['plays']} plays and {answer['people']} people, seconds\t{preview + took}\t{note}\t10")


def timed(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def fill_group(host: Person, plays: int, people: int) -> tuple[str, int, int]:
    """A group with a running season; its code, one of its people, one of its games."""
    from gamenights.models import Season
    from gamenights.plays import services
    from groups import services as groups_services
    from groups.entries import FoundGroup
    from log import services as log_services
    from people.models import Person
    from people.requester import Who

    group = groups_services.found_group(Who.of(host), f"bench-{plays}", FoundGroup(name=f"Group of {plays}"))
    Season.objects.create(group=group, name="The long season", first_day=dt.date(2023, 1, 1))
    names = [Person(name=f"Player {number}") for number in range(people)]
    ids = [str(person.pk) for person in Person.objects.bulk_create(names)]
    games = [services.find_or_add_game(group, f"Game {number}") for number in range(20)]
    rows = [
        replace(
            services.with_game(play, games[int(play.game)]),
            players=tuple(replace(person, person=ids[int(person.person)]) for person in play.players),
        )
        for play in make_plays(plays, people)
    ]
    for at in range(0, len(rows), 1000):
        part = rows[at : at + 1000]

        def work(writer: log_services.LogWriter, part: list[PlayFacts] = part) -> dict[str, int]:
            services.append_plays(group, writer, host.pk, services.prepare_many(part, "imported"))
            return {"plays": len(part)}

        log_services.write(group.log_id, who="bench", key=f"plays-{plays}-{at}", body={"at": at}, act=work)
    return group.code, int(ids[0]), games[0].pk


def make_plays(plays: int = PLAYS, people: int = PEOPLE) -> list[PlayFacts]:
    """Contests of two to five people over four years, twenty games."""
    dice = random.Random(11)
    first = dt.date(2022, 1, 1)
    return [
        complete_play(
            PlayFacts(
                uuid=f"{number:08}",
                game=str(dice.randrange(20)),
                game_name="Game",
                day=first + dt.timedelta(days=number * 365 * YEARS // plays),
                players=tuple(
                    PlayerResult(f"{person}", f"Player {person}", score_text=str(dice.randrange(80)))
                    for person in dice.sample(range(people), dice.randint(2, 5))
                ),
            )
        )
        for number in range(plays)
    ]


def bare_loop(plays: list[PlayFacts]) -> None:
    """The least one can do with openskill for the same plays."""
    model = PlackettLuce()
    ratings: dict[tuple[str, str], object] = {}
    for play in plays:
        keys = [(play.game, player.person) for player in play.players]
        before = [[ratings.get(key) or model.rating()] for key in keys]
        after = model.rate(before, ranks=[float(player.place) for player in play.players])
        for key, (rating,) in zip(keys, after, strict=True):
            ratings[key] = rating


def redo_from(plays: list[PlayFacts], checkpoints: dict, middle: dt.date) -> None:
    before: dict = {}
    for day, changed in checkpoints.items():
        if day < middle:
            before |= changed
    later = [play for play in plays if play.day >= middle]
    dict(rate_days(later, before))


def by_month(plays: list[PlayFacts]) -> dict[dt.date, list[PlayFacts]]:
    values: dict[dt.date, list[PlayFacts]] = {}
    for play in plays:
        values.setdefault(month_of(play.day), []).append(play)
    return values


def measure_pairs(one: Callable[[], object], other: Callable[[], object], rounds: int = 3) -> tuple[float, float]:
    """Both in turn, so that a busy moment hits both; the median of each, in seconds of this process alone."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for work, into in zip((one, other), times, strict=True):
            start = process_time()
            work()
            into.append(process_time() - start)
    return median(times[0]), median(times[1])


if __name__ == "__main__":
    main()
