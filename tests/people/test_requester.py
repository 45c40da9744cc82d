"""Who asks: a Person, an account, passes; looked up once, and only when asked."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory

from people import guests as guests_services, merging
from people.accounts.log_ins import attach_requester
from people.models import LogIn, Person
from people.passes import services, services as passes_services
from people.requester import Who
from tests.people.conftest import get_known_name, open_pass


def asked(client: Client):
    """The request of this browser as a view sees it."""
    request = RequestFactory().get("/")
    request.COOKIES = {name: morsel.value for name, morsel in client.cookies.items()}
    request.session = client.session
    attach_requester(request)
    return request


def test_a_stranger_costs_no_query(nobody, django_assert_num_queries):
    request = asked(nobody)
    with django_assert_num_queries(0):
        assert request.who.person is None
        assert request.who.user is None
        assert request.who.passes == ()
        assert not request.who.is_known
        assert request.who.display_name == "Guest"
        assert isinstance(request.user, AnonymousUser) or not request.user.is_authenticated


def test_requester_is_looked_up_lazily(master, django_assert_num_queries):
    session = master.client.session
    session.get("log_in")  # the session itself is loaded
    request = RequestFactory().get("/")
    request.session = session
    with django_assert_num_queries(0):
        attach_requester(request)
        assert request.who is not None


def test_requester_costs_at_most_two_queries(master, seat, django_assert_num_queries):
    row = passes_services.create_pass(seat, 7, by=Who.of(master))
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
        assert request.who.display_name == "Wren"


def test_personal_link_gives_a_person_but_no_account(owner):
    client = Client()
    link = services.issue_link(owner, by=Who.of(owner))
    client.get(link.get_absolute_url())
    client.post("/p/")
    who = asked(client).who
    assert who.person == owner
    assert who.user is None
    assert not who.is_owner, "an owner's lost phone does not open the admin"


def test_merged_person_costs_no_more_queries(master, wrens_guest, by_link, django_assert_num_queries):
    others = [wrens_guest, guests_services.add_guest(Who.of(master), "Pippin")]
    for other in others:
        merging.merge_people(other, into=master, by=Who.of(master))
    link = by_link(master, by=master)
    for client in (master.client, link):
        request = asked(client)
        request.session.get("log_in")
        with django_assert_num_queries(1):
            assert request.who.person == master
            assert request.who.person.all_ids() == (master.pk, *sorted(other.pk for other in others))


def test_merged_person_is_replaced_by_root(master, wrens_guest, by_link):
    client = by_link(wrens_guest, by=master)
    # Merged by an older version of the site, which did not end the log-in.
    Person.objects.filter(pk=wrens_guest.pk).update(merged_into=master, joined_to=master)
    who = asked(client).who
    assert who.person == master
    assert set(who.person.all_ids()) == {master.pk, wrens_guest.pk}
    assert who.ref == f"person:{master.pk}"


def test_the_ref_is_the_person_then_the_pass_then_the_browser(nobody, master, seat):
    nobody.get("/log-in/")
    browser = asked(nobody).who.ref
    assert browser.startswith("browser:")
    assert asked(nobody).who.ref == browser, "the same browser is the same again"
    row = passes_services.create_pass(seat, 7, by=Who.of(master), label="Seat 3")
    nobody.post(open_pass(nobody, row))
    assert asked(nobody).who.ref == f"pass:{row.pk}"
    assert asked(nobody).who.display_name == "Seat 3"
    nobody.force_login(master.account)
    assert asked(nobody).who.ref == f"person:{master.pk}"
    assert asked(nobody).who.passes == (row,), "logging in does not lose the seat"


def test_session_without_log_in_row_is_not_valid(owner):
    assert owner.client.get("/admin/").status_code == 200
    LogIn.objects.all().delete()
    assert get_known_name(owner.client) is None
    assert owner.client.get("/admin/").status_code == 302


def test_inactive_account_is_logged_out_at_once(master):
    master.account.is_active = False
    master.account.save()
    assert get_known_name(master.client) is None


def test_command_line_account_gets_a_person_at_first_log_in(nobody, django_user_model):
    user = django_user_model.objects.create_superuser("Reeve", password="cheese-and-thyme")
    assert nobody.post("/log-in/", {"name": "Reeve", "password": "cheese-and-thyme"}).status_code == 302
    user.refresh_from_db()
    assert user.person.name == "Reeve"
    assert get_known_name(nobody) == "Reeve"


def test_last_seen_is_updated_at_most_every_few_minutes(master, time_passes):
    first = LogIn.objects.get().last_seen
    master.client.get("/api/v1/me/")
    assert LogIn.objects.get().last_seen == first
    time_passes(minutes=6)
    master.client.get("/api/v1/me/")
    assert LogIn.objects.get().last_seen > first
