"""The first visitor becomes the owner, exactly once."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from people import first
from people.models import FirstOwner, Person
from refusal import Refusal
from tests.people.conftest import PASSWORD, who_is


@pytest.mark.parametrize("path", ["/", "/log-in/", "/sign-up/"])
def test_without_an_account_every_door_leads_there(nobody, path):
    assert nobody.get(path)["Location"] == "/first/"


def test_the_first_one_owns_the_site(nobody):
    assert nobody.get("/first/").status_code == 200
    assert nobody.post("/first/", {"name": "Maud", "password": PASSWORD}).status_code == 302
    owner = get_user_model().objects.get()
    assert owner.is_superuser
    assert owner.is_staff
    assert who_is(nobody) == "Maud"
    assert nobody.get("/admin/").status_code == 200


def test_the_second_one_does_not(master, nobody):
    assert nobody.get("/first/").status_code == 404
    response = nobody.post("/first/", {"name": "Stoat", "password": PASSWORD})
    assert response.status_code == 409
    assert "has just been made" in response.text
    assert not get_user_model().objects.filter(is_superuser=True).exists()


def test_people_without_accounts_do_not_count(nobody, guest):
    assert first.no_owner_yet()


def test_a_refused_password_leaves_no_half_owner(nobody):
    assert nobody.post("/first/", {"name": "Maud", "password": "short"}).status_code == 422
    assert not Person.objects.exists()
    assert first.no_owner_yet()


def test_the_database_itself_knows_only_one(owner, player):
    FirstOwner.objects.create(account=owner.account)
    with pytest.raises(IntegrityError), transaction.atomic():
        FirstOwner.objects.create(account=player.account)


def test_when_the_last_account_is_gone_the_site_is_new_again(nobody):
    first.make_owner("Maud", PASSWORD)
    with pytest.raises(Refusal):
        first.make_owner("Stoat", PASSWORD)
    get_user_model().objects.all().delete()
    assert first.make_owner("Stoat", PASSWORD).account.is_superuser
