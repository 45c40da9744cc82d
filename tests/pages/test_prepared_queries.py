"""Prepared queries give what Django gives, for whoever asks, and refuse what they could not do right."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import DatabaseError, connection
from django.db.models import F, Q, Value
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.founding import services as founding_services
from campaign.models import Campaign, Member
from cardgames.models import Seat
from log.models import Entry, Log
from people.models import LogIn, Pass, Person
from people.passes import services as passes_services
from people.requester import Who, WhoWithPasses
from prepared_queries import insert_row, prepared_query, update_row

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
        found = visible.first(Who.of(owner), campaign.code)
        assert found.log.version == campaign.log.version
    assert len(asked) == 1 + 1  # campaign.log above is the second


@prepared_query
def since(ids, moment, day, word):
    rows = Person.objects.filter(pk__in=ids, created_at__gt=moment)
    return rows.filter(~Q(name=word) | Q(created_at__date=day)).order_by("pk").values_list("pk", "name")


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
    assert since(ids, now - dt.timedelta(1), now.date(), "Guest 0") == [(one.pk, one.name) for one in more[:count]]
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
        lambda who: Pass.objects.filter(pk__in=[one.pk for one in who.passes if one.kind == Seat.PASS])
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
        lambda number: Person.objects.filter(pk=number).prefetch_related("log_ins"),
        lambda number: Person.objects.filter(name__contains=str(number)),
        lambda number: Person.objects.all(),
    ],
    ids=["slice", "arithmetic", "clock", "other query", "prefetch", "part of a text", "unused"],
)
def test_what_cannot_be_prepared_is_refused_at_once(build):
    with pytest.raises(TypeError):
        prepared_query(build)(3)


def test_a_requesters_other_details_cannot_be_used(people):
    with pytest.raises((TypeError, AttributeError)):
        prepared_query(lambda who: Person.objects.filter(name=who.person.name))(Who.of(people[0]))
    with pytest.raises((TypeError, AttributeError)):
        prepared_query(lambda who: Person.objects.filter(account=who.user.pk))(Who.of(people[0]))


def test_rows_are_stored_as_by_save(db):
    log = Log(kind="x")
    insert_row(log)
    entry = Entry(log=log, number=1, act="tap", body={"n": [1, None]}, played_on=dt.date(2026, 1, 2))
    insert_row(entry)
    again = Entry.objects.get(pk=entry.pk)
    assert (again.body, again.effects, again.played_on) == ({"n": [1, None]}, [], dt.date(2026, 1, 2))
    assert (again.actor, again.entered_at) == (None, entry.entered_at)
    log.version, log.kind = 4, "y"
    update_row(log, "version")
    assert Log.objects.filter(pk=log.pk, version=4, kind="x").exists()
    log.delete()
    with pytest.raises(DatabaseError):
        update_row(Log(pk=entry.log_id, version=5), "version")


def test_value_that_the_database_works_out_is_stored_as_by_save(db):
    """A column that is added with ``db_default`` has one in every new object."""
    log = Log(kind="x", version=Value(3) + Value(4))
    insert_row(log)
    log.version = F("version") + 1
    update_row(log, "version")
    assert Log.objects.get(pk=log.pk).version == 8


def test_model_that_does_more_on_save_is_saved_by_itself(db):
    """A pass works out the hash of its token."""
    one = Pass(kind="seat")
    insert_row(one)
    assert one.token_hash
    assert Pass.objects.get(pk=one.pk).token == one.token
    one.label = "late"
    update_row(one, "label")
    assert Pass.objects.get(pk=one.pk).label == "late"


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


PLANNED_AS_BY_A_CURSOR = """
import os
import socket
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Value
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
import postgres_plans
from config.outages import is_outage
from log.models import Entry, Log
from people.models import Person
from prepared_queries import insert_row, prepared_query, update_row

@prepared_query
def named(name, before):
    rows = Person.objects.filter(name=name, created_at__lt=before).order_by("pk")
    return rows.annotate(share=Value("100%")).select_related("merged_into")

def as_fields(people):
    names = [field.attname for field in Person._meta.concrete_fields] + ["share"]
    return [[getattr(one, name) for name in names] for one in people]

connection.ensure_connection()
ann = Person.objects.create(name="Ann", blazon={"field": "or"})
Person.objects.create(name="Ann", merged_into=ann, joined_to=ann, joined_at=timezone.now())
now = timezone.now()
for _ in range(3):
    found = named("Ann", now)
    with CaptureQueriesContext(connection):
        by_cursor = named("Ann", now)
    assert as_fields(found) == as_fields(by_cursor) and len(found) == 2, found
    assert found[0].created_at.tzinfo is by_cursor[0].created_at.tzinfo
    assert found[1].merged_into == ann and found[0].share == "100%"

# A transaction that is rolled back takes what was read in it along.
try:
    with transaction.atomic():
        Person.objects.create(name="Ben")
        assert len(named("Ben", timezone.now())) == 1
        raise LookupError
except LookupError:
    assert named("Ben", timezone.now()) == []

# Also one that a planned statement begins.
with transaction.atomic():
    assert len(named("Ann", now)) == 2
    Person.objects.create(name="Cid")
    transaction.set_rollback(True)
assert named("Cid", timezone.now()) == []

# An error has Django's class, breaks the transaction and is over with it.
insert = 'INSERT INTO people_person (id, code, name) VALUES (%s, %s, %s)'
try:
    with transaction.atomic():
        assert len(named("Ann", now)) == 2
        postgres_plans.run_planned(connection, insert, [ann.pk, "x", "Twice"])
except IntegrityError:
    assert len(named("Ann", now)) == 2
else:
    raise AssertionError

# Objects are stored as Model.save stores them.
log = Log(kind="x", version=3)
insert_row(log)
entry = Entry(log=log, number=1, act="tap", body={"name": "Ä%s", "n": [1, None]}, played_on=now.date(), entered_at=now)
insert_row(entry)
again = Entry.objects.get(pk=entry.pk)
assert [getattr(again, field.attname) for field in Entry._meta.concrete_fields] == [
    getattr(entry, field.attname) for field in Entry._meta.concrete_fields
]
log.version, log.kind = 4, "y"
update_row(log, "version")
assert Log.objects.filter(pk=log.pk, version=4, kind="x").exists()
try:
    with transaction.atomic():
        insert_row(Entry(log=log, number=1, act="tap", played_on=now.date()))
except IntegrityError:
    assert Entry.objects.filter(log=log).count() == 1
else:
    raise AssertionError

# Old plans make room for new ones.
postgres_plans.MOST_PLANS = 5
for number in range(12):
    assert postgres_plans.run_planned(connection, f"SELECT {number} + %s", [number]) == [(2 * number,)]
assert len(named("Ann", now)) == 2
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM pg_prepared_statements")
    assert cursor.fetchone()[0] <= 5

# A new connection begins with no plans.
connection.close()
assert len(named("Ann", now)) == 2

# A server that goes away is an outage, whether the statement was planned before or not.
for sql in ("SELECT 1 + %s", "SELECT 2 + %s"):
    assert postgres_plans.run_planned(connection, "SELECT 1 + %s", [1]) == [(2,)]
    with socket.socket(fileno=os.dup(connection.connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)
    try:
        postgres_plans.run_planned(connection, sql, [1])
    except OperationalError as error:
        assert is_outage(error) and str(error).strip(), error
    else:
        raise AssertionError
    connection.close_if_unusable_or_obsolete()
    assert len(named("Ann", now)) == 2
print("FINE")
"""


def test_planned_statement_reads_and_fails_as_a_cursor_does(make_site, migrated_postgres_url):
    site = make_site(start=False, DATABASE_URL=migrated_postgres_url)
    assert "FINE" in site.shell(PLANNED_AS_BY_A_CURSOR)


PLANNED_DURING_CHANGES = """
from django.db import OperationalError, connection, transaction
from config.outages import is_outage
from log.models import Log
from prepared_queries import insert_row, prepared_query

@prepared_query
def kinds(version):
    return Log.objects.filter(version=version).values_list("kind", flat=True)

@prepared_query
def versions(kind):
    return Log.objects.filter(kind=kind).values_list("version", flat=True)

def elsewhere(sql):
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute(sql)
    other.close()

def read_both():
    assert kinds(3) == ["x"] and versions("x") == [3]

connection.ensure_connection()
insert_row(Log(kind="x", version=3))
read_both()

# A migration widens a column, which the older release need not stop for.
elsewhere("ALTER TABLE log_log ALTER COLUMN kind TYPE varchar(40)")
read_both()

# In a transaction that has failed already it is an outage, which passes with it.
elsewhere("ALTER TABLE log_log ALTER COLUMN kind TYPE varchar(41)")
try:
    with transaction.atomic():
        Log.objects.count()
        kinds(3)
except OperationalError as error:
    assert is_outage(error)
else:
    raise AssertionError
with transaction.atomic():
    Log.objects.count()
    read_both()

# Somebody throws away what a connection has prepared.
with connection.cursor() as cursor:
    cursor.execute("DEALLOCATE ALL")
read_both()
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM pg_prepared_statements")
    assert cursor.fetchone()[0] == 2

print("FINE")
"""


def test_plans_are_made_again_when_tables_change(make_site, migrated_postgres_url):
    site = make_site(start=False, DATABASE_URL=migrated_postgres_url)
    assert "FINE" in site.shell(PLANNED_DURING_CHANGES)
