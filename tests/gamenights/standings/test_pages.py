"""The standings of a group: counted from its plays, stored by month, and right again after every change."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils.html import strip_tags

from gamenights.models import Play, RatingMonth, Season, StoredStandings, TallyBlock
from gamenights.plays import services as plays_services
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import PlayerResult, PlayFacts, Variant
from gamenights.standings import background_count, counts, selectors, services
from gamenights.standings.core.ratings import ALL_GAMES, RatingBook, rate_plays
from gamenights.standings.core.summary import build_person_summary, build_summary
from gamenights.standings.core.tally import Slot, tally_plays
from jobs.models import Due
from jobs.registry import JobContext, Outcome
from log import services as log_services
from people import merging
from people.models import Person
from people.requester import Who
from refusal import Refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def log(group, master):
    """``log("2026-01-10", ("Azul", variant), (person, score), …)`` logs a play."""
    numbers = iter(range(10_000))

    def log(day, game, *scores, **more):
        name, variant = game if isinstance(game, tuple) else (game, Variant())
        row = plays_services.find_or_add_game(group, name)
        facts = PlayFacts(
            uuid=f"play-{next(numbers)}",
            game=str(row.pk),
            game_name=name,
            day=dt.date.fromisoformat(day),
            players=tuple(PlayerResult(str(one.pk), one.name, score_text=str(score)) for one, score in scores),
            variant=variant,
            **more,
        )
        return plays_services.log_play(group, Who.of(master), key=f"a-key-of-{facts.uuid}", facts=facts)

    return log


@pytest.fixture
def plays(log, master, player, guest):
    """Fifteen plays of Azul over five months, and one brisk one."""
    found = []
    for month in range(1, 6):
        for day in (3, 10, 17):
            found.append(log(f"2026-{month:02}-{day:02}", "Azul", (master, 10 + day), (player, 20), (guest, 5 * month)))
    found.append(log("2026-03-03", ("Azul", Variant(brisk=True)), (master, 1), (player, 2)))
    return found


def facts_of(group):
    return load_facts(plays_of_group(group))


def url(group, rest=""):
    return f"/groups/{group.code}/standings/{rest}"


def test_stored_months_add_up_to_what_the_plays_say(group, plays):
    assert counts.load_tally(group) == tally_plays(facts_of(group))
    assert TallyBlock.objects.filter(group=group, months=1).count() == 5
    assert counts.load_tally(group) == tally_plays(facts_of(group))


def test_a_period_that_cuts_months_counts_only_its_days(group, plays):
    counts.load_tally(group)
    start, end = dt.date(2026, 1, 10), dt.date(2026, 4, 9)
    inside = [play for play in facts_of(group) if start <= play.day <= end]
    assert counts.load_tally(group, counts.Period(start, end, is_kept=False)) == tally_plays(inside)
    assert TallyBlock.objects.filter(group=group, months=1).count() == 5


def test_blocks_of_months_follow_every_change(group, log, master, player):
    """Three years of plays: any period equals a whole count, before and after plays change anywhere."""
    dice = random.Random(3)
    games = [plays_services.find_or_add_game(group, name) for name in ("Azul", "Calico")]
    rows = [
        PlayFacts(
            uuid=f"old-{number}",
            game=str(games[number % 2].pk),
            game_name=games[number % 2].name,
            day=dt.date(2023, 1, 1) + dt.timedelta(days=number * 18),
            players=tuple(
                PlayerResult(str(one.pk), one.name, score_text=str(dice.randrange(20))) for one in (master, player)
            ),
        )
        for number in range(60)
    ]
    prepared = plays_services.prepare_many(rows, "imported")
    log_services.write(
        group.log_id,
        who="a-test",
        key="three-years-of-it",
        body={},
        act=lambda writer: plays_services.append_plays(group, writer, master.pk, prepared) or {},
    )
    periods = [
        counts.Period(dt.date(2023, 2, 11), dt.date(2025, 10, 3), is_kept=False),
        counts.Period(dt.date(2024, 1, 1), dt.date(2024, 12, 31), is_kept=False),
        counts.Period(dt.date(2024, 5, 3), dt.date(2024, 5, 20), is_kept=False),
        counts.Period(None, dt.date(2025, 3, 9), is_kept=False),
        counts.Period(dt.date(2030, 1, 1), None, is_kept=False),
        counts.ALL_TIME,
    ]

    def check():
        facts = facts_of(group)
        slot = Slot(facts[0].game)
        for period in periods:
            first, last = period.start or dt.date.min, period.end or dt.date.max
            inside = [play for play in facts if first <= play.day <= last]
            tally = tally_plays(inside)
            assert counts.load_tally(group, period) == tally
            for one in (slot, None):
                book = RatingBook()
                for play in facts:
                    if play.day <= last and (one is None or play.game == slot.game):
                        book.add(play)
                expected = build_summary(tally, one, book.ratings())
                assert selectors.get_summary(group, period, one) == expected  # as counted now
                assert selectors.get_summary(group, period, one) == expected  # as stored
            for person in (master, player):
                key = str(person.pk)
                assert selectors.get_person_summary(group, key, period) == build_person_summary(tally, key)

    check()
    stored = TallyBlock.objects.count()
    check()
    assert TallyBlock.objects.count() == stored
    plays = list(Play.objects.order_by("day"))
    plays_services.remove_play(plays[30], Who.of(master), key="out-of-the-middle")
    check()
    log("2022-06-05", "Calico", (master, 3), (player, 1))  # before everything else
    log("2026-02-05", "Azul", (master, 3), (player, 1))  # after everything else
    check()


def test_ratings_are_stored_by_month_and_equal_a_whole_recomputation(group, plays):
    slot = Slot(str(plays[0].game_id))
    assert counts.load_pool(group, slot) == rate_plays(facts_of(group))[slot]
    assert RatingMonth.objects.filter(group=group, variant="").count() == 5
    until = [play for play in facts_of(group) if play.day <= dt.date(2026, 3, 12)]
    assert counts.load_pool(group, slot, dt.date(2026, 3, 12)) == rate_plays(until)[slot]


def test_an_edit_in_the_middle_keeps_what_came_before_it(group, plays, master, monkeypatch):
    slot = Slot(str(plays[0].game_id))
    counts.load_pool(group, slot)
    selectors.get_summary(group, slot=slot)
    play = plays[6]  # 3 March
    facts = next(one for one in facts_of(group) if one.uuid == play.uuid)
    lower = replace(facts.players[0], score=None, score_text="99", won=False, place=None)
    rest = tuple(replace(one, won=False, place=None) for one in facts.players[1:])
    plays_services.change_play(
        play, Who.of(master), key="an-edit-in-the-middle", facts=replace(facts, players=(lower, *rest))
    )
    assert set(RatingMonth.objects.values_list("month", flat=True)) == {dt.date(2026, 1, 1), dt.date(2026, 2, 1)}
    assert dt.date(2026, 3, 1) not in set(TallyBlock.objects.filter(months=1).values_list("start", flat=True))
    assert not StoredStandings.objects.exists()
    rated = []
    add = RatingBook.add
    monkeypatch.setattr(RatingBook, "add", lambda book, one: (rated.append(one.day), add(book, one)))
    pool = counts.load_pool(group, slot)
    assert min(rated) == dt.date(2026, 3, 3)
    assert pool == rate_plays(facts_of(group))[slot]


def test_a_removed_play_counts_nowhere_and_a_restored_one_again(group, plays, master):
    before = selectors.get_summary(group)
    plays_services.remove_play(plays[0], Who.of(master), key="a-removal-of-one")
    assert selectors.get_summary(group).plays == before.plays - 1
    plays_services.restore_play(Play.objects.get(pk=plays[0].pk), Who.of(master), key="a-restore-of-one")
    assert selectors.get_summary(group) == before


def test_a_merged_person_has_one_row(group, plays, guest, other_player, master, log):
    log("2026-05-20", "Azul", (other_player, 50), (master, 1))
    rows = {row.person for row in selectors.get_summary(group).board}
    assert str(guest.pk) in rows
    merging._merge_roots(guest, other_player, Who.of(master))
    board = {row.person: row for row in selectors.get_summary(group).board}
    assert str(guest.pk) not in board
    assert board[str(other_player.pk)].plays == 16


def test_the_page_names_people_ratings_and_titles(group, plays, master, player):
    slot = f"?season=all&game={plays[0].game_id}&variant="
    page = master.client.get(url(group) + slot).content.decode()
    assert "spanbar" in page
    assert "Head to head" in page
    assert "Cheese of Honour" in page
    everything = master.client.get(url(group)).content.decode()
    assert "Azul (brisk)" in everything
    assert "every rated play counts the same" in everything


def test_ratings_are_hidden_below_ten_plays(group, plays, master, player):
    slot = f"?season=all&game={plays[0].game_id}&variant=brisk"
    page = master.client.get(url(group) + slot).content.decode()
    assert "9 more plays" in page
    assert "±" not in page


def test_a_free_period_and_a_bad_one(group, plays, master):
    page = master.client.get(url(group) + "?from=2026-01-01&to=2026-01-31").content.decode()
    assert "3 plays" in page
    assert master.client.get(url(group) + "?from=2026-02-30").status_code == 422
    assert master.client.get(url(group) + "?from=2026-02-02&to=2026-01-01").status_code == 422
    assert master.client.get(url(group) + "?season=x&game=99999999999999999999&variant=%00").status_code in (200, 422)


def test_a_season_lasts_until_the_next_begins(group, plays, master, player):
    who = Who.of(master)
    services.start_season(group, who, "winter-is-first", services.StartSeason("Winter", dt.date(2026, 1, 1)))
    services.start_season(group, who, "spring-is-next", services.StartSeason("Spring", dt.date(2026, 3, 1)))
    assert Season.objects.get(name="Winter").last_day == dt.date(2026, 2, 28)
    page = master.client.get(url(group)).content.decode()
    assert "10 plays" in page  # Spring is running: nine plays and the brisk one
    winter = Season.objects.get(name="Winter")
    assert "6 plays" in master.client.get(url(group) + f"?season={winter.pk}").content.decode()
    with pytest.raises(Refusal, match="starts later"):
        services.start_season(group, who, "too-early-season", services.StartSeason("Old", dt.date(2026, 2, 1)))
    with pytest.raises(Refusal, match="Only the hosts"):
        services.start_season(
            group, Who.of(player), "not-a-host-here", services.StartSeason("Mine", dt.date(2026, 9, 1))
        )


def test_hosts_start_a_season_on_its_page(group, master, player):
    sent = {"key": "season-by-a-form", "name": "Autumn", "first_day": "2026-09-01"}
    assert player.client.post(url(group, "season/"), sent).status_code == 403
    assert master.client.post(url(group, "season/"), {**sent, "first_day": "soon"}).status_code == 422
    assert master.client.post(url(group, "season/"), sent).status_code == 302
    assert Season.objects.get().name == "Autumn"


def test_the_page_of_a_person(group, plays, master, player):
    page = player.client.get(url(group, f"{master.pk}/")).content.decode()
    assert "Favourite game" in page
    assert "15 of 15 (100%)" in page
    assert "Azul (brisk)" in page
    assert master.client.get(url(group, "999999/")).status_code == 404


def test_strangers_see_nothing(group, plays, stranger):
    assert stranger.client.get(url(group)).status_code == 404


def count_ordered():
    """What the timers and jobs of a running site do."""
    for due in Due.objects.filter(kind=background_count.COUNT_TIMER):
        services.count_in_background(JobContext({"what": due.ref}, lambda *_: None, Path()))
        due.delete()


def test_pages_take_at_most_twelve_queries_cold_warm_and_after_an_edit(
    group, plays, master, monkeypatch, django_assert_max_num_queries
):
    monkeypatch.setattr(background_count, "FEWEST_PLAYS", 1)
    master.client.get("/nights/")  # when somebody was last here is noted once
    game = f"game={plays[0].game_id}&variant="
    queries = ("season=all", f"season=all&{game}", "", "from=2026-01-05&to=2026-05-12", f"from=2026-01-05&{game}")
    pages = [f"{page}?{query}" for query in queries for page in (url(group), url(group, f"{master.pk}/"))]
    start_first_season(group)

    def visit_all():
        found = []
        for page in pages:
            with django_assert_max_num_queries(12):
                found.append(master.client.get(page))
        return [strip_tags(one.text.partition("<main")[2]) for one in found]

    cold = visit_all()
    assert not StoredStandings.objects.exists(), "pages store nothing"
    count_ordered()
    assert StoredStandings.objects.count() == 5  # all time, one game and a season; a person in both times
    assert visit_all() == cold
    for model in (TallyBlock, RatingMonth, StoredStandings):
        before = model.objects.count()
        count_ordered()
        assert model.objects.count() == before, "nothing is ordered twice"
    plays_services.remove_play(plays[6], Who.of(master), key="out-of-the-middle")
    after = visit_all()
    assert after != cold
    count_ordered()
    assert visit_all() == after


def test_a_person_with_few_plays_of_many_nights_is_counted_in_the_background(group, plays, master, monkeypatch):
    monkeypatch.setattr(background_count, "FEWEST_PLAYS", 15)
    newcomer = Person.objects.create(name="Pip")
    facts = replace(facts_of(group)[0], uuid="of-pip", players=(PlayerResult(str(newcomer.pk), "Pip", score_text="3"),))
    plays_services.log_play(group, Who.of(master), key="a-key-of-pip", facts=facts)
    master.client.get(url(group, f"{newcomer.pk}/?season=all"))
    assert Due.objects.get(kind=background_count.COUNT_TIMER).ref.endswith(f"person/{newcomer.pk}")


def start_first_season(group):
    Season.objects.create(group=group, name="Spring", first_day=dt.date(2026, 2, 1))


def test_few_plays_are_counted_without_a_job(group, plays, master):
    master.client.get(url(group))
    assert not Due.objects.filter(kind=background_count.COUNT_TIMER).exists()


def test_counting_for_a_group_that_is_gone_does_nothing():
    job = JobContext({"what": "999999///page/7/0123456789abcdef"}, lambda *_: None, Path())
    assert services.count_in_background(job) == Outcome({})


def test_rating_over_all_games_is_rated_in_one_pool_and_follows_an_edit(group, plays, master, player, log):
    other = log("2026-02-01", "Calico", (master, 1), (player, 2))
    found = counts.load_pool(group, ALL_GAMES)
    book = RatingBook()
    for play in facts_of(group):
        book.add(play)
    assert found == book.ratings()
    assert found[str(player.pk)].plays == 17
    rows = {row.person: row.plays for row in selectors.get_summary(group).ratings}
    assert rows[str(master.pk)] == 17
    plays_services.remove_play(other, Who.of(master), key="not-calico-after-all")
    months = set(RatingMonth.objects.filter(game="*").values_list("month", flat=True))
    assert months == {dt.date(2026, 1, 1)}  # what came before the edit stays
    assert counts.load_pool(group, ALL_GAMES)[str(player.pk)].plays == 16
