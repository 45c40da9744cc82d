"""Groups: founding, members, roles, who sees what."""

from __future__ import annotations

import pytest
from django.test import Client

import dataclass_json
from groups import services
from groups.entries import ChangeMember, FoundGroup
from groups.models import Group, Member
from people import guests as guests_services
from people.models import Person
from people.requester import Who
from refusal import Refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def group(master):
    return services.found_group(
        Who.of(master), "a-group-we-found", FoundGroup(name="The Burdock Table", zone="Europe/Berlin")
    )


def test_founder_is_the_host_and_a_second_tap_founds_nothing_more(group, master):
    again = services.found_group(Who.of(master), "a-group-we-found", FoundGroup(name="The Burdock Table"))
    assert again == group
    assert Member.objects.get().role == "host"


def test_unknown_zone_is_refused_at_the_field():
    with pytest.raises(Refusal) as refused:
        dataclass_json.read(FoundGroup, {"name": "Moon", "zone": "Moon/Base"})
    assert refused.value.field == "zone"


def test_only_members_see_a_group_unless_it_is_public(group, master, stranger):
    assert master.client.get(group.get_absolute_url()).status_code == 200
    assert stranger.client.get(group.get_absolute_url()).status_code == 404
    Group.objects.update(visibility="public")
    assert Client().get(group.get_absolute_url()).status_code == 200


def test_join_by_link_without_an_account(group, master):
    link = services.create_invitation(group, Who.of(master))
    phone = Client()
    offer = phone.get(link.get_absolute_url()).url
    joined = phone.post(f"{offer}by-name/", {"name": "Bryony"})
    assert joined.url == group.get_absolute_url()
    assert Member.objects.get(person__name="Bryony").role == "member"
    assert phone.get(group.get_absolute_url()).status_code == 200


def test_a_members_name_is_not_taken_twice(group, master):
    link = services.create_invitation(group, Who.of(master))
    phone = Client()
    offer = phone.get(link.get_absolute_url()).url
    assert phone.post(f"{offer}by-name/", {"name": "wren"}).status_code == 422


def test_last_host_cannot_leave(group, master):
    row = Member.objects.get()
    answer = master.client.post(f"{group.get_absolute_url()}members/{row.pk}/", {"key": "i-leave-now", "role": "gone"})
    assert answer.status_code == 409
    assert Member.objects.exists()


def test_member_cannot_change_roles(group, master, player):
    services.add_member(group, player)
    row = Member.objects.get(person=master)
    with pytest.raises(Refusal) as refused:
        services.set_role(group, Who.of(player), "down-with-wren", ChangeMember(Member.Role.GUEST), member=row)
    assert refused.value.status == 403


def test_adding_someone_twice_never_lowers_their_role(group, master):
    services.add_member(group, master, Member.Role.GUEST)
    assert Member.objects.get().role == "host"


# ── Adding by name ───────────────────────────────────────────────────────────────────────────────────────


def add(master, group, **more):
    return master.client.post(
        f"{group.get_absolute_url()}members/", {"key": "add-bryony-now", "name": "Bryony", **more}
    )


def test_adding_a_name_i_know_asks_who_is_meant_and_adds_nobody_yet(group, master, guest):
    known = guests_services.add_guest(Who.of(master), "Bryony")
    asked = add(master, group, name="bryony")
    assert asked.status_code == 422
    page = asked.content.decode()
    assert "Who is it?" in page
    assert f'value="{known.pk}"' in page
    assert 'value="new"' in page
    assert Member.objects.count() == 1
    assert add(master, group, which=str(known.pk)).status_code == 302
    assert Member.objects.get(person__name="Bryony").person == known


def test_another_person_of_a_known_name_is_a_new_guest(group, master):
    known = guests_services.add_guest(Who.of(master), "Bryony")
    for _ in range(2):  # a double tap
        assert add(master, group, which="new").status_code == 302
    added = Member.objects.get(person__name="Bryony").person
    assert added != known
    assert added.keeper == master
    assert Person.objects.filter(name="Bryony").count() == 2


def test_new_name_is_added_without_a_question_and_a_second_tap_adds_nobody(group, master):
    for _ in range(2):
        assert add(master, group).status_code == 302
    assert Person.objects.filter(name="Bryony").count() == 1


def test_somebody_the_host_does_not_know_cannot_be_chosen(group, master, stranger):
    guests_services.add_guest(Who.of(master), "Bryony")
    assert add(master, group, which=str(stranger.pk)).status_code == 422
    assert Member.objects.count() == 1
