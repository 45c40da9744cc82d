"""Forget me, and my data before that."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client

from log import services as log_services
from log.models import Entry
from people import guests as guests_services, merging, privacy
from people.models import LogIn, Pass, Person, PersonalLink
from people.passes import services, services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import get_known_name, open_pass, open_personal_link


def rows_that_say(text: str) -> list[str]:
    """Every table and column of the database that contains this text."""
    rows = []
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = [column.name for column in connection.introspection.get_table_description(cursor, table)]
            looks = ", ".join(
                f"MAX(CASE WHEN LOWER(CAST({quoted(name)} AS TEXT)) LIKE %s THEN 1 ELSE 0 END)" for name in columns
            )
            cursor.execute(f"SELECT {looks} FROM {quoted(table)}", [f"%{text.lower()}%"] * len(columns))
            rows += [f"{table}.{name}" for name, says in zip(columns, cursor.fetchone(), strict=True) if says]
    return rows


@pytest.fixture
def known(make_person):
    """Someone with everything the site can hold about them."""
    person = make_person("Xanthippe")
    person.account.email = "xanthippe@example.org"
    person.account.save()
    who = Who.of(person)
    log = log_services.create_log("test")
    Entry.objects.create(log=log, number=9, act="note", actor=person, body={"text": "won"}, played_on="2026-05-01")
    services.issue_link(person, by=who)
    sign_up_claim_and_reset_links.create_invitation(who, "for a guest")
    kept = guests_services.add_guest(who, "Pip")
    sign_up_claim_and_reset_links.create_claim_link(who, kept)
    merging.merge_people(guests_services.add_guest(who, "Xanthippe at the club"), into=person, by=who)
    return Person.objects.get(pk=person.pk)


def test_forget_page_explains_and_asks_for_the_name(known):
    client = Client()
    client.force_login(known.account)
    page = client.get("/me/forget/").text
    assert "replaced by <b>Someone</b>" in page
    assert "Your 1 guest will have nobody to look after them" in page
    response = client.post("/me/forget/", {"name": "Xan"})
    assert response.status_code == 422
    assert "Nothing was changed." in response.text
    known.refresh_from_db()
    assert known.name == "Xanthippe"


def test_name_is_gone_from_the_database(known):
    assert "people_person.name" in rows_that_say("xanthippe")
    client = Client()
    client.force_login(known.account)
    response = client.post("/me/forget/", {"name": "xanthippe"})
    assert response.status_code == 200
    assert "You are forgotten" in response.text
    assert rows_that_say("xanthippe") == []
    assert get_known_name(client) is None


def test_games_stay_credited_to_someone(known):
    privacy.forget_person(known, by=Who.of(known))
    entry = Entry.objects.select_related("actor__merged_into").get(number=9)
    assert entry.actor_id == known.pk
    assert entry.actor.root.name == "Someone"
    assert entry.body == {"text": "won"}


def test_forgotten_person_cannot_log_in(known):
    link = PersonalLink.objects.get(person=known)
    row = Pass.objects.get(kind="sign_up")
    phone = Client()
    open_personal_link(phone, link)
    account = known.account
    privacy.forget_person(known, by=Who.of(known))
    assert get_known_name(phone) is None
    assert Client().get(link.get_absolute_url()).status_code == 404
    assert Client().get(row.get_absolute_url()).status_code == 404
    assert not get_user_model().objects.filter(pk=account.pk).exists()
    assert not LogIn.objects.exists()
    assert not Pass.objects.exists()


def test_guests_of_a_forgotten_person_have_no_keeper(known):
    pip = Person.objects.get(name="Pip")
    privacy.forget_person(known, by=Who.of(known))
    pip.refresh_from_db()
    assert pip.name == "Pip"
    assert pip.keeper is None


def test_forgetting_changes_nobody_else(known, player):
    before = Person.objects.filter(pk=player.pk).values().get()
    privacy.forget_person(known, by=Who.of(known))
    assert Person.objects.filter(pk=player.pk).values().get() == before
    assert get_known_name(player.client) == "Tam"


def test_last_owner_cannot_be_forgotten(owner, player):
    with pytest.raises(Refusal, match="only owner"):
        privacy.forget_person(owner, by=Who.of(owner))
    page = owner.client.get("/me/forget/")
    assert "You are the only owner" in page.text
    player.account.is_superuser = True
    player.account.save()
    privacy.forget_person(owner, by=Who.of(owner))
    owner.refresh_from_db()
    assert owner.is_forgotten


def test_owner_without_other_accounts_can_be_forgotten(owner):
    privacy.forget_person(owner, by=Who.of(owner))
    assert Client().get("/")["Location"] == "/first/"


def test_keeper_can_forget_a_guest(master, wrens_guest):
    assert master.client.post(f"/people/{wrens_guest.code}/forget/", {"name": "Pip"}).status_code == 302
    wrens_guest.refresh_from_db()
    assert (wrens_guest.name, wrens_guest.is_forgotten) == ("Someone", True)
    assert master.client.get("/people/").text.count("Someone") == 0


def test_others_cannot_forget_someone(player, wrens_guest, master, stranger):
    for person in (wrens_guest, master):
        with pytest.raises(Refusal):
            privacy.forget_person(person, by=Who.of(player))
        assert stranger.client.post(f"/people/{person.code}/forget/", {"name": person.name}).status_code == 404


def test_guest_can_forget_themselves(master, wrens_guest, by_link):
    phone = by_link(wrens_guest, by=master)
    assert phone.post("/me/forget/", {"name": "Pip"}).status_code == 200
    wrens_guest.refresh_from_db()
    assert wrens_guest.is_forgotten


def test_forget_hooks_are_called(known, monkeypatch):
    asked = []
    monkeypatch.setattr(privacy, "_hooks", [asked.append])
    ids = known.all_ids()
    privacy.forget_person(known, by=Who.of(known))
    assert asked == [ids]


def test_failing_hook_undoes_everything(known, monkeypatch):
    def broken(ids):
        raise RuntimeError

    monkeypatch.setattr(privacy, "_hooks", [broken])
    with pytest.raises(RuntimeError):
        privacy.forget_person(known, by=Who.of(known))
    known.refresh_from_db()
    assert known.name == "Xanthippe"
    assert get_user_model().objects.filter(pk=known.account_id).exists()


# ── My data ──────────────────────────────────────────────────────────────────────────────────────────────


def test_my_data_contains_everything(known, seat):
    client = Client(headers={"user-agent": "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"})
    client.force_login(known.account)
    assert client.get("/me/data/").status_code == 200
    response = client.get("/me/data/file/")
    assert "attachment" in response["Content-Disposition"]
    data = json.loads(response.content)
    assert [row["name"] for row in data["person"]] == ["Xanthippe", "Xanthippe at the club"]
    assert data["account"]["mail"] == "xanthippe@example.org"
    assert [row["act"] for row in data["entries"]] == ["note"]
    assert [row["kind"] for row in data["passes_made"]] == ["claim", "sign_up"]
    assert {row["name"] for row in data["people_kept"]} == {"Pip", "Xanthippe at the club"}
    assert len(data["personal_links"]) == 1
    assert len(data["log_ins"]) == 2


def test_my_data_contains_no_secrets(known):
    client = Client()
    client.force_login(known.account)
    text = client.get("/me/data/file/").text
    secrets = [known.account.password]
    for row in [*Pass.objects.all(), *PersonalLink.objects.all()]:
        secrets += [row.token, row.seed, row.token_hash]
    assert [secret for secret in secrets if secret in text] == []


def test_my_data_contains_nothing_of_others(known, player, master):
    guest = guests_services.add_guest(Who.of(master), "Quintilla")
    client = Client()
    client.force_login(known.account)
    text = client.get("/me/data/file/").text
    assert guest.name not in text
    assert "Tam" not in text


def test_my_data_contains_registered_parts(known, monkeypatch):
    monkeypatch.setattr(privacy, "_parts", {"campaigns": lambda ids: sorted(ids)})
    assert privacy.export_my_data(known)["campaigns"] == sorted(known.all_ids())


def test_my_data_keeps_any_name(make_person):
    name = 'מלך "העכברים" 🐭 \u0000'
    person = make_person("x")
    person.client.post("/me/name/", {"name": name})
    person.refresh_from_db()
    data = json.loads(person.client.get("/me/data/file/").content)
    assert data["person"][0]["name"] == person.name


def test_guest_gets_their_data(master, wrens_guest, by_link):
    phone = by_link(wrens_guest, by=master)
    data = json.loads(phone.get("/me/data/file/").content)
    assert data["person"][0]["kept_by"] == "Wren"
    assert data["account"] is None


def test_passes_of_a_forgotten_person_do_not_work(master, wrens_guest, by_link, seat):
    phone = by_link(wrens_guest, by=master)
    row = passes_services.create_pass(seat, 1, by=Who.of(master))
    phone.post(open_pass(phone, row))
    privacy.forget_person(wrens_guest, by=Who.of(master))
    assert get_known_name(phone) is None
