"""Who asks: a Person, an account, passes; looked up once, and only when asked."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory

from people import keeping, links, merging, passes
from people.log_ins import introduce
from people.models import LogIn
from people.who import Who
from tests.people.conftest import open_pass, who_is


def asked(client: Client):
    """The request of this browser as a view sees it."""
    request = RequestFactory().get("/")
    request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
    request.session = client.session
    introduce(request)
    return request


def test_a_stranger_costs_no_query(nobody, django_assert_num_queries):
    request = asked(nobody)
    with django_assert_num_queries(0):
        assert request.who.person is None
        assert request.who.user is None
        assert request.who.passes == ()
        assert not request.who.is_known
        assert request.who.display == "Guest"
        assert isinstance(request.user, AnonymousUser) or not request.user.is_authenticated


def test_nothing_is_looked_up_before_it_is_asked_for(master, django_assert_num_queries):
    session = master.client.session
    session.get("log_in")  # the session itself is loaded
    request = RequestFactory().get("/")
    request.session = session
    with django_assert_num_queries(0):
        introduce(request)
        assert request.who is not None


def test_who_costs_at_most_two_queries_whatever_is_asked(master, seat, django_assert_num_queries):
    row = passes.make(seat, 7, by=Who.of(master))
    master.client.post(open_pass(master.client, row))
    request = asked(master.client)
    request.session.get("log_in")
    with django_assert_num_queries(2):
        assert request.who.person == master
        assert request.who.person.all_ids() == (master.pk,)
        assert request.who.user == master.account
        assert request.user == master.account
        assert request.who.passes == (row,)
        assert request.who.ref == f"person:{master.pk}"
        assert request.who.display == "Wren"


def test_by_a_personal_link_the_person_is_known_and_no_account_proven(owner):
    client = Client()
    link = links.issue(owner, by=Who.of(owner))
    client.get(link.get_absolute_url())
    client.post("/p/")
    who = asked(client).who
    assert who.person == owner
    assert who.user is None
    assert not who.is_owner, "an owner's lost phone does not open the admin"


def test_somebody_who_was_several_costs_no_more(master, friend, by_link, django_assert_num_queries):
    others = [friend, keeping.add(Who.of(master), "Pippin")]
    link = by_link(friend, by=master)
    for one in others:
        merging.merge(one, into=master, by=Who.of(master))
    for client in (master.client, link):
        request = asked(client)
        request.session.get("log_in")
        with django_assert_num_queries(1):
            assert request.who.person == master
            assert request.who.person.all_ids() == (master.pk, *sorted(one.pk for one in others))


def test_a_merged_person_is_their_root(master, friend, by_link):
    client = by_link(friend, by=master)
    merging.merge(friend, into=master, by=Who.of(master))
    # The friend's link was the master's own doing, so it still opens, and opens as the master.
    who = asked(client).who
    assert who.person == master
    assert set(who.person.all_ids()) == {master.pk, friend.pk}
    assert who.ref == f"person:{master.pk}"


def test_the_ref_is_the_person_then_the_pass_then_the_browser(nobody, master, seat):
    nobody.get("/log-in/")
    browser = asked(nobody).who.ref
    assert browser.startswith("browser:")
    assert asked(nobody).who.ref == browser, "the same browser is the same again"
    row = passes.make(seat, 7, by=Who.of(master), label="Seat 3")
    nobody.post(open_pass(nobody, row))
    assert asked(nobody).who.ref == f"pass:{row.pk}"
    assert asked(nobody).who.display == "Seat 3"
    nobody.force_login(master.account)
    assert asked(nobody).who.ref == f"person:{master.pk}"
    assert asked(nobody).who.passes == (row,), "logging in does not lose the seat"


def test_without_its_row_a_session_counts_for_nothing_anywhere(owner):
    assert owner.client.get("/admin/").status_code == 200
    LogIn.objects.all().delete()
    assert who_is(owner.client) is None
    assert owner.client.get("/admin/").status_code == 302


def test_an_account_switched_off_is_out_at_once(master):
    master.account.is_active = False
    master.account.save()
    assert who_is(master.client) is None


def test_an_account_made_on_the_command_line_gets_its_person_at_the_first_log_in(nobody, django_user_model):
    user = django_user_model.objects.create_superuser("Reeve", password="cheese-and-thyme")
    assert nobody.post("/log-in/", {"name": "Reeve", "password": "cheese-and-thyme"}).status_code == 302
    user.refresh_from_db()
    assert user.person.name == "Reeve"
    assert who_is(nobody) == "Reeve"


def test_last_seen_is_written_at_most_every_few_minutes(master, time_passes):
    first = LogIn.objects.get().last_seen
    master.client.get("/api/v1/me/")
    assert LogIn.objects.get().last_seen == first
    time_passes(minutes=6)
    master.client.get("/api/v1/me/")
    assert LogIn.objects.get().last_seen > first
