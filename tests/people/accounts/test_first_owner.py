"""The first visitor becomes the owner, exactly once."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from people.accounts import first_owner
from people.models import FirstOwner, Person
from refusal import Refusal
from tests.people.conftest import PASSWORD, get_known_name


@pytest.mark.parametrize("path", ["/", "/log-in/", "/sign-up/"])
def test_first_visit_leads_to_owner_page(nobody, path):
    assert nobody.get(path)["Location"] == "/first/"


def test_first_account_is_the_owner(nobody):
    assert nobody.get("/first/").status_code == 200
    assert nobody.post("/first/", {"name": "Maud", "password": PASSWORD}).status_code == 302
    owner = get_user_model().objects.get()
    assert owner.is_superuser
    assert owner.is_staff
    assert get_known_name(nobody) == "Maud"
    assert nobody.get("/admin/").status_code == 200


def test_second_account_is_not_the_owner(master, nobody):
    assert nobody.get("/first/").status_code == 404
    response = nobody.post("/first/", {"name": "Stoat", "password": PASSWORD})
    assert response.status_code == 409
    assert "already has an owner" in response.text
    assert not get_user_model().objects.filter(is_superuser=True).exists()


def test_guests_do_not_count_as_owner(nobody, guest):
    assert first_owner.has_no_owner()


def test_refused_password_creates_no_owner(nobody):
    assert nobody.post("/first/", {"name": "Maud", "password": "short"}).status_code == 422
    assert not Person.objects.exists()
    assert first_owner.has_no_owner()


def test_database_allows_one_first_owner(owner, player):
    FirstOwner.objects.create(account=owner.account)
    with pytest.raises(IntegrityError), transaction.atomic():
        FirstOwner.objects.create(account=player.account)


def test_site_without_accounts_gets_a_new_owner(nobody):
    first_owner.create_owner("Maud", PASSWORD)
    with pytest.raises(Refusal):
        first_owner.create_owner("Stoat", PASSWORD)
    get_user_model().objects.all().delete()
    assert first_owner.create_owner("Stoat", PASSWORD).account.is_superuser
