"""Prepared queries give what Django gives, for whoever asks, and refuse what they could not do right."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.founding import services as founding_services
from campaign.models import Campaign, Member
from cardgames.models import Seat
from people.models import LogIn, Pass, Person
from people.passes import services as passes_services
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(django_user_model):
    made = [
        Person.objects.create(name=name, account=django_user_model.objects.create_user(name)) for name in ("Ann", "Ben")
    ]
    for number, person in enumerate(made):
        founding_services.found_campaign(Who.of(person), key=f"founds-{number:06d}", name=f"War of {person.name}")
    return made


@prepared_query
def visible(who, code):
    return Campaign.objects.visible_to(who).filter(code=code).select_related("log")


def test_each_requester_gets_their_own_rows(people):
    """The SQL is shared; whose rows they are is not."""
    for person in people * 2:
        for campaign in Campaign.objects.all():
            mine = campaign.name == f"War of {person.name}"
            assert visible(Who.of(person), campaign.code) == ([campaign] if mine else [])
            assert visible(Who(), campaign.code) == []
    assert visible.first(Who.of(people[0]), "nothing") is None


def test_rows_have_what_was_selected_with_them(people):
    campaign = Campaign.objects.first()
    owner = Member.objects.get(campaign=campaign).person
    visible(Who.of(owner), "warm")
    with CaptureQueriesContext(connection) as asked:
        result = visible.first(Who.of(owner), campaign.code)
        assert result.log.version == campaign.log.version
    assert len(asked) == 1 + 1  # campaign.log above is the second


@prepared_query
def since(ids, moment, day, word):
    rows = Person.objects.filter(pk__in=ids, created_at__gt=moment)
    return rows.filter(~Q(name=word) | Q(created_at__date=day)).order_by("pk").values_list("pk", "name")


def test_every_statement_is_seen_by_whoever_watches(people):
    """By the log of queries and by wrappers, with its values; the cursor is Django's, so debug tools see it too."""
    campaign = Campaign.objects.first()
    visible(Who.of(people[0]), "warm")
    seen = []

    def watch(execute, sql, params, many, context):
        seen.append((sql, params))
        return execute(sql, params, many, context)

    with CaptureQueriesContext(connection) as asked, connection.execute_wrapper(watch):
        visible(Who.of(people[0]), campaign.code)
    assert len(asked) == len(seen) == 1
    assert campaign.code in asked[0]["sql"]
    assert campaign.code in seen[0][1]


def test_nothing_is_kept_when_plain(people, settings):
    """The queryset is described anew with the arguments themselves, and may then do what it likes."""
    described = []

    @prepared_query
    def campaigns(who, code, *, state=None):
        described.append((who, code))
        return Campaign.objects.visible_to(who).filter(code=code)

    settings.PLAIN = True
    who, campaign = Who.of(people[0]), Campaign.objects.get(name="War of Ann")
    for _ in range(2):
        assert campaigns(who, campaign.code) == [campaign]
        assert campaigns.first(WhoWithPasses(who), campaign.code) == campaign
    assert described == [(who, campaign.code)] * 4


def test_set_of_the_size_that_a_database_just_allows(people):
    ids = tuple(range(10**9, 10**9 + 30_000)) + tuple(person.pk for person in people)
    result = since(ids, timezone.now() - dt.timedelta(days=1), timezone.localdate(), "nobody")
    assert result == [(person.pk, person.name) for person in people]


def test_what_is_prefetched_is_left_to_be_asked_for(people):
    people_rows = prepared_query(lambda pk: Person.objects.filter(pk=pk).prefetch_related("log_ins"))(people[0].pk)
    assert list(people_rows[0].log_ins.all()) == []


@pytest.mark.parametrize("count", [129, 201, 700])
def test_large_sets_have_no_limit(people, count):
    made = Person.objects.bulk_create(Person(name=f"Guest {n}") for n in range(count))
    ids = tuple(person.pk for person in made)
    assert len(since(ids, timezone.now() - dt.timedelta(days=1), timezone.localdate(), "nobody")) == count


def test_account_with_hundreds_of_merged_people_opens_every_page(master):
    """Anybody can make guests and have them merged with themselves."""
    Person.objects.bulk_create(Person(name=f"Guest {n}", merged_into=master, joined_to=master) for n in range(300))
    founding_services.found_campaign(Who.of(master), key="founds-it-now", name="War of many")
    campaign = Campaign.objects.get(name="War of many")
    for page in (
        "/",
        "/campaigns/",
        "/battles/",
        "/tables/",
        "/nights/",
        "/jobs/",
        "/me/",
        campaign.get_absolute_url(),
    ):
        assert master.client.get(page, follow=True).status_code == 200, page


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_sets_of_any_size_moments_days_and_texts(people, count):
    more = [Person.objects.create(name=f"Guest {n}") for n in range(5)]
    ids = tuple(person.pk for person in more[:count])
    now = timezone.now()
    assert since(ids, now - dt.timedelta(1), now.date(), "Guest 0") == [(row.pk, row.name) for row in more[:count]]
    assert since(ids, now + dt.timedelta(1), now.date(), "Guest 0") == []


def test_numbers_no_database_has(people):
    lower = prepared_query(lambda number: Person.objects.filter(pk__lt=number).order_by("pk"))
    assert lower(2**70) == list(Person.objects.order_by("pk"))
    assert lower(-(2**70)) == []


def test_values_and_single_values(people):
    names = prepared_query(lambda pk: Person.objects.filter(pk=pk).values_list("name", flat=True))
    fields = prepared_query(lambda pk: Person.objects.filter(pk=pk).values("pk", "name"))
    for person in people:
        assert names(person.pk) == [person.name]
        assert fields(person.pk) == [{"pk": person.pk, "name": person.name}]


def test_passes_are_each_browsers_own():
    """One browser's passes never stand in the SQL of another."""
    held = prepared_query(
        lambda who: Pass.objects.filter(pk__in=[each.pk for each in who.passes if each.kind == Seat.PASS])
    )
    rows = [passes_services.create_pass(Seat.PASS, target, by=None, lasts=None, uses=0) for target in (7, 7, 8)]
    for row in rows:
        assert held(WhoWithPasses(Who.of(None, (row,)))) == [row]
    assert held(WhoWithPasses(Who())) == []
    with pytest.raises(TypeError, match="passes"):
        held(Who())


@pytest.mark.parametrize(
    "build",
    [
        lambda number: Person.objects.all()[:number],
        lambda number: Person.objects.filter(pk__gt=number + 1),
        lambda number: Person.objects.filter(pk=number, created_at__lt=timezone.now()),
        lambda number: Person.objects.filter(pk__in=list(LogIn.objects.values_list("pk", flat=True)), keeper=number),
        lambda number: Person.objects.filter(name__contains=str(number)),
        lambda number: Person.objects.all(),
    ],
    ids=["slice", "arithmetic", "clock", "other query", "part of a text", "unused"],
)
def test_what_cannot_be_prepared_is_refused_at_once(build):
    with pytest.raises(TypeError):
        prepared_query(build)(3)


def test_a_requesters_other_details_cannot_be_used(people):
    with pytest.raises((TypeError, AttributeError)):
        prepared_query(lambda who: Person.objects.filter(name=who.person.name))(Who.of(people[0]))
    with pytest.raises((TypeError, AttributeError)):
        prepared_query(lambda who: Person.objects.filter(account=who.user.pk))(Who.of(people[0]))


ON_POSTGRESQL = """
from django.db import connection
from campaign.founding import services
from campaign.models import Campaign
from people.models import Person
from people.requester import Who
from prepared_queries import prepared_query

@prepared_query
def visible(who, code):
    return Campaign.objects.visible_to(who).filter(code=code).select_related("log")

people = [Person.objects.create(name=name) for name in ("Ann", "Ben")]
for number, person in enumerate(people):
    services.found_campaign(Who.of(person), key=f"founds-{number:06d}", name=f"War of {person.name}")
for person in people * 3:
    for campaign in Campaign.objects.all():
        found = visible(Who.of(person), campaign.code)
        assert found == list(Campaign.objects.visible_to(Who.of(person)).filter(code=campaign.code))
        assert len(found) == (campaign.name == f"War of {person.name}")
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%campaign_campaign%%'")
    print("PLANS", cursor.fetchone()[0])
"""


@pytest.mark.parametrize(("seconds", "plans"), [("60", True), ("0", False)])
def test_postgresql_plans_a_query_once_on_a_kept_connection(make_site, migrated_postgres_url, seconds, plans):
    """It gives each requester their own rows all the same. Behind PgBouncer no connection is kept, and no plan."""
    site = make_site(start=False, DATABASE_URL=migrated_postgres_url, KEEP_CONNECTIONS=seconds)
    assert (int(site.shell(ON_POSTGRESQL).rpartition("PLANS ")[2]) > 0) == plans


TABLES_CHANGE = """
from django.db import DatabaseError, connection, transaction
from config.outages import is_outage
from log.models import Log
from pages.refusal_handling import server_error
from prepared_queries import prepared_query
from django.test import RequestFactory

@prepared_query
def kinds(version):
    return Log.objects.filter(version=version).values_list("kind", flat=True)

def widen(size):
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute(f"ALTER TABLE log_log ALTER COLUMN kind TYPE varchar({size})")
    other.close()

def read():
    for _ in range(8):
        assert kinds(3) == ["x"]

Log.objects.create(kind="x", version=3)
read()
# A migration widens a column, which the older release need not stop for: one request says "try again", the next works.
widen(40)
try:
    read()
except DatabaseError as error:
    assert is_outage(error)
    assert server_error(RequestFactory().get("/")).status_code == 503
else:
    raise AssertionError
read()
# So does a transaction.
widen(41)
try:
    with transaction.atomic():
        read()
except DatabaseError as error:
    assert is_outage(error)
else:
    raise AssertionError
read()
print("FINE")
"""


def test_connection_is_replaced_when_tables_change_under_its_prepared_statements(make_site, migrated_postgres_url):
    site = make_site(start=False, DATABASE_URL=migrated_postgres_url)
    assert "FINE" in site.shell(TABLES_CHANGE)
