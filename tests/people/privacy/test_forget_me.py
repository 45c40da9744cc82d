"""Forget me, and my data before that."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client

from log import door
from log.models import Entry
from people import forgetting, keeping, kinds, links, merging, my_data, passes
from people.models import LogIn, Pass, Person, PersonalLink
from people.who import Who
from refusal import Refusal
from tests.people.conftest import open_link, open_pass, who_is


def rows_that_say(text: str) -> list[str]:
    """Every table and column of the whole database in which this text stands."""
    found = []
    quoted = connection.ops.quote_name
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = [column.name for column in connection.introspection.get_table_description(cursor, table)]
            looks = ", ".join(
                f"MAX(CASE WHEN LOWER(CAST({quoted(name)} AS TEXT)) LIKE %s THEN 1 ELSE 0 END)" for name in columns
            )
            cursor.execute(f"SELECT {looks} FROM {quoted(table)}", [f"%{text.lower()}%"] * len(columns))
            found += [f"{table}.{name}" for name, says in zip(columns, cursor.fetchone(), strict=True) if says]
    return found


@pytest.fixture
def known(make_person):
    """Someone with everything the site can hold about them."""
    person = make_person("Xanthippe")
    person.account.email = "xanthippe@example.org"
    person.account.save()
    who = Who.of(person)
    log = door.open_log("test")
    Entry.objects.create(log=log, number=9, act="note", actor=person, body={"text": "won"}, played_on="2026-05-01")
    links.issue(person, by=who)
    kinds.invite(who, "for a friend")
    kept = keeping.add(who, "Pip")
    kinds.claim_link(who, kept)
    merging.merge(keeping.add(who, "Xanthippe at the club"), into=person, by=who)
    return Person.objects.get(pk=person.pk)


def test_the_page_says_what_will_happen_and_wants_the_name_typed(known):
    client = Client()
    client.force_login(known.account)
    page = client.get("/me/forget/").text
    assert "replaced by <b>Someone</b>" in page
    assert "The 1 person you keep stays" in page
    response = client.post("/me/forget/", {"name": "Xan"})
    assert response.status_code == 422
    assert "Nothing was changed." in response.text
    known.refresh_from_db()
    assert known.name == "Xanthippe"


def test_nothing_in_the_database_says_the_name_any_more(known):
    assert "people_person.name" in rows_that_say("xanthippe")
    client = Client()
    client.force_login(known.account)
    response = client.post("/me/forget/", {"name": "xanthippe"})
    assert response.status_code == 200
    assert "You are forgotten" in response.text
    assert rows_that_say("xanthippe") == []
    assert who_is(client) is None


def test_what_was_played_stays_as_played_by_someone(known):
    forgetting.forget(known, by=Who.of(known))
    entry = Entry.objects.select_related("actor__merged_into").get(number=9)
    assert entry.actor_id == known.pk
    assert entry.actor.root.name == "Someone"
    assert entry.body == {"text": "won"}


def test_every_way_in_is_gone(known):
    link = PersonalLink.objects.get(person=known)
    row = Pass.objects.get(kind="sign_up")
    phone = Client()
    open_link(phone, link)
    account = known.account
    forgetting.forget(known, by=Who.of(known))
    assert who_is(phone) is None
    assert Client().get(link.get_absolute_url()).status_code == 404
    assert Client().get(row.get_absolute_url()).status_code == 404
    assert not get_user_model().objects.filter(pk=account.pk).exists()
    assert not LogIn.objects.exists()
    assert not Pass.objects.exists()


def test_whom_they_kept_stays_and_nobody_keeps_them(known):
    pip = Person.objects.get(name="Pip")
    forgetting.forget(known, by=Who.of(known))
    pip.refresh_from_db()
    assert pip.name == "Pip"
    assert pip.keeper is None


def test_other_people_do_not_notice(known, player):
    before = Person.objects.filter(pk=player.pk).values().get()
    forgetting.forget(known, by=Who.of(known))
    assert Person.objects.filter(pk=player.pk).values().get() == before
    assert who_is(player.client) == "Tam"


def test_the_last_owner_hands_over_first(owner, player):
    with pytest.raises(Refusal, match="only owner"):
        forgetting.forget(owner, by=Who.of(owner))
    page = owner.client.get("/me/forget/")
    assert "You are the only owner" in page.text
    player.account.is_superuser = True
    player.account.save()
    forgetting.forget(owner, by=Who.of(owner))
    owner.refresh_from_db()
    assert owner.is_forgotten


def test_an_owner_who_is_alone_may_go(owner):
    forgetting.forget(owner, by=Who.of(owner))
    assert Client().get("/")["Location"] == "/first/"


def test_who_keeps_someone_may_forget_them(master, friend):
    assert master.client.post(f"/people/{friend.code}/forget/", {"name": "Pip"}).status_code == 302
    friend.refresh_from_db()
    assert (friend.name, friend.is_forgotten) == ("Someone", True)
    assert master.client.get("/people/").text.count("Someone") == 0


def test_nobody_else_may(player, friend, master, stranger):
    for person in (friend, master):
        with pytest.raises(Refusal):
            forgetting.forget(person, by=Who.of(player))
        assert stranger.client.post(f"/people/{person.code}/forget/", {"name": person.name}).status_code == 404


def test_someone_without_an_account_forgets_themselves_by_their_link(master, friend, by_link):
    phone = by_link(friend, by=master)
    assert phone.post("/me/forget/", {"name": "Pip"}).status_code == 200
    friend.refresh_from_db()
    assert friend.is_forgotten


def test_apps_are_asked_to_forget_too(known, monkeypatch):
    asked = []
    monkeypatch.setattr(forgetting, "_hooks", [asked.append])
    ids = known.all_ids()
    forgetting.forget(known, by=Who.of(known))
    assert asked == [ids]


def test_a_hook_that_fails_undoes_everything(known, monkeypatch):
    def broken(ids):
        raise RuntimeError

    monkeypatch.setattr(forgetting, "_hooks", [broken])
    with pytest.raises(RuntimeError):
        forgetting.forget(known, by=Who.of(known))
    known.refresh_from_db()
    assert known.name == "Xanthippe"
    assert get_user_model().objects.filter(pk=known.account_id).exists()


# ── My data ──────────────────────────────────────────────────────────────────────────────────────────────


def test_my_data_is_all_of_it_in_one_file(known, seat):
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


def test_no_token_password_seed_or_hash_stands_in_it(known):
    client = Client()
    client.force_login(known.account)
    text = client.get("/me/data/file/").text
    secrets = [known.account.password]
    for row in [*Pass.objects.all(), *PersonalLink.objects.all()]:
        secrets += [row.token, row.seed, row.token_hash]
    assert [secret for secret in secrets if secret in text] == []


def test_it_holds_nothing_of_others(known, player, master):
    friend = keeping.add(Who.of(master), "Quintilla")
    client = Client()
    client.force_login(known.account)
    text = client.get("/me/data/file/").text
    assert friend.name not in text
    assert "Tam" not in text


def test_apps_add_their_parts(known, monkeypatch):
    monkeypatch.setattr(my_data, "_parts", {"campaigns": lambda ids: sorted(ids)})
    assert my_data.export(known)["campaigns"] == sorted(known.all_ids())


def test_any_name_survives_the_file(make_person):
    name = 'מלך "העכברים" 🐭 \u0000'
    person = make_person("x")
    person.client.post("/me/name/", {"name": name})
    person.refresh_from_db()
    data = json.loads(person.client.get("/me/data/file/").content)
    assert data["person"][0]["name"] == person.name


def test_someone_by_link_without_an_account_gets_their_data(master, friend, by_link):
    phone = by_link(friend, by=master)
    data = json.loads(phone.get("/me/data/file/").content)
    assert data["person"][0]["kept_by"] == "Wren"
    assert data["account"] is None


def test_passes_held_open_nothing_for_the_forgotten(master, friend, by_link, seat):
    phone = by_link(friend, by=master)
    row = passes.make(seat, 1, by=Who.of(master))
    phone.post(open_pass(phone, row))
    forgetting.forget(friend, by=Who.of(master))
    assert who_is(phone) is None
