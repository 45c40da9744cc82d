"""The first visitor becomes the owner, exactly once."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client

from home.management.commands import serve
from people.accounts import services
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
    assert services.has_no_owner()


def test_refused_password_creates_no_owner(nobody):
    assert nobody.post("/first/", {"name": "Maud", "password": "short"}).status_code == 422
    assert not Person.objects.exists()
    assert services.has_no_owner()


def test_database_allows_one_first_owner(owner, player):
    FirstOwner.objects.create(account=owner.account)
    with pytest.raises(IntegrityError), transaction.atomic():
        FirstOwner.objects.create(account=player.account)


def test_site_without_accounts_gets_a_new_owner(nobody):
    services.create_owner("Maud", PASSWORD)
    with pytest.raises(Refusal):
        services.create_owner("Stoat", PASSWORD)
    get_user_model().objects.all().delete()
    assert services.create_owner("Stoat", PASSWORD).account.is_superuser


# ── With DEBUG=0 ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def on_the_internet(settings):
    settings.AT_HOME = False


def become_owner(client, code: str):
    return client.post("/first/", {"name": "Maud", "password": PASSWORD, "code": code})


@pytest.mark.parametrize("code", ["", "bcdf-ghjk-mnpq", "x" * 500])
def test_owner_needs_the_code_on_the_internet(on_the_internet, nobody, code):
    assert 'name="code"' in nobody.get("/first/").text
    assert become_owner(nobody, code).status_code == 422
    assert services.has_no_owner()


def test_printed_code_makes_the_owner_once(on_the_internet, nobody, capsys):
    call_command("owner_code")
    code = capsys.readouterr().out.split()[-1]
    assert code in serve.banner_text()
    assert become_owner(nobody, f" {code.upper()} ").status_code == 302
    assert get_user_model().objects.get().is_superuser
    assert become_owner(Client(), code).status_code == 409
    call_command("owner_code")
    assert "already has an owner" in capsys.readouterr().out
    assert code not in serve.banner_text()


def test_owner_codes_cannot_be_guessed_without_end(on_the_internet, nobody):
    nobody.get("/first/")
    assert [become_owner(nobody, "bcdf-ghjk-mnpq").status_code for _ in range(11)][-1] == 429


def test_at_home_no_code_is_asked(nobody):
    assert 'name="code"' not in nobody.get("/first/").text
