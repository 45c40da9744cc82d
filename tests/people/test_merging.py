"""Merging two people, and undoing it exactly."""

from __future__ import annotations

import itertools

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction

from log import services as log_services
from log.models import Entry
from people import guests as guests_services, merging, privacy
from people.models import Person
from people.requester import Who
from refusal import Refusal


@pytest.fixture
def keep(master):
    return lambda name: guests_services.add_guest(Who.of(master), name)


def everything() -> list[dict]:
    """Every person as stored, but for the moment that ends older links: an unmerge does not bring those back."""
    names = [field.attname for field in Person._meta.concrete_fields if field.name != "credentials_ended_at"]
    return list(Person.objects.order_by("pk").values(*names))


def foreign_keys_to_person() -> list[models.Field]:
    """Of every installed model, those of later issues too."""
    return [
        field
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey | models.ManyToManyField) and field.related_model is Person
    ]


# These point at Persons as such, not at what someone did: who someone is and was, and who looks after the row.
OF_THE_PERSON_ITSELF = {"Person.merged_into", "Person.joined_to", "Person.joined_by"}


def test_foreign_keys_to_person_exist():
    names = {f"{field.model.__name__}.{field.name}" for field in foreign_keys_to_person()}
    assert {"Entry.actor", "Entry.on_behalf_of", "LogIn.person", "Pass.made_by", "Person.keeper"} <= names
    assert names >= OF_THE_PERSON_ITSELF


@pytest.mark.parametrize(
    "field",
    [
        one
        for one in foreign_keys_to_person()
        if f"{one.model.__name__}.{one.name}" not in {*OF_THE_PERSON_ITSELF, "LogIn.person"}  # log-ins end
    ],
    ids=lambda field: f"{field.model._meta.app_label}.{field.model.__name__}.{field.name}",
)
def test_every_foreign_key_is_found_through_the_root(field, master, keep):
    """Rows of the merged person are found by ``all_ids`` of the root, and by their own after undoing."""
    one, root = keep("Pip"), keep("Pippin")
    row = a_row_pointing_at(field, one)
    merging.merge_people(one, into=root, by=Who.of(master))
    root, one = Person.objects.get(pk=root.pk), Person.objects.get(pk=one.pk)
    result = field.model._default_manager.filter(**{f"{field.name}__in": root.all_ids()})
    assert row.pk in result.values_list("pk", flat=True)
    assert row.pk in field.model._default_manager.filter(**{f"{field.name}__in": one.all_ids()}).values_list(
        "pk", flat=True
    )
    merging.unmerge_person(one, by=Who.of(master))
    root, one = Person.objects.get(pk=root.pk), Person.objects.get(pk=one.pk)
    assert row.pk not in field.model._default_manager.filter(**{f"{field.name}__in": root.all_ids()}).values_list(
        "pk", flat=True
    )
    assert row.pk in field.model._default_manager.filter(**{f"{field.name}__in": one.all_ids()}).values_list(
        "pk", flat=True
    )


def a_row_pointing_at(field: models.Field, person: Person, depth: int = 0) -> models.Model:
    """A row of the model with this field set: every other required field gets something that fits."""
    values: dict = {}
    for other in field.model._meta.concrete_fields:
        if other is field or other.primary_key or other.has_default() or other.null:
            continue
        if isinstance(other, models.ForeignKey):
            values[other.name] = a_related_row(other, depth)
        elif isinstance(other, models.DateTimeField):
            values[other.name] = "2026-05-01T12:00:00Z"
        elif isinstance(other, models.DateField):
            values[other.name] = "2026-05-01"
        elif isinstance(other, models.IntegerField):
            values[other.name] = 4711
        elif isinstance(other, models.CharField | models.TextField):
            values[other.name] = f"{field.name}-{depth}-x"[: other.max_length or 20]
        elif isinstance(other, models.JSONField):
            values[other.name] = {}
    if isinstance(field, models.ManyToManyField):
        row = field.model._default_manager.create(**values)
        getattr(row, field.name).add(person)
        return row
    return field.model._default_manager.create(**{**values, field.name: person})


def a_related_row(field: models.ForeignKey, depth: int) -> models.Model:
    model = field.related_model
    if model is Person:
        return Person.objects.create(name="Somebody else")
    if depth > 3:
        raise AssertionError(f"{field} leads too deep for this test")
    required = [f for f in model._meta.concrete_fields if isinstance(f, models.ForeignKey) and not f.null]
    values = {f.name: a_related_row(f, depth + 1) for f in required}
    number = model._default_manager.count()
    for other in model._meta.concrete_fields:
        if other.primary_key or other.has_default() or other.null or other.name in values:
            continue
        if isinstance(other, models.CharField | models.TextField):
            values[other.name] = f"{model.__name__}{depth}{number}"[: other.max_length or 20]
        elif isinstance(other, models.DateTimeField):
            values[other.name] = "2026-05-01T12:00:00Z"
        elif isinstance(other, models.DateField):
            values[other.name] = "2026-05-01"
        elif isinstance(other, models.IntegerField):
            values[other.name] = 4711
    return model._default_manager.create(**values)


# ── The pointer ──────────────────────────────────────────────────────────────────────────────────────────


def test_merging_only_sets_a_pointer(master, keep):
    one, root = keep("Pip"), keep("Pippin")
    before = {row["id"]: row for row in everything()}
    merging.merge_people(one, into=root, by=Who.of(master))
    changed = {name for row in everything() for name, value in row.items() if value != before[row["id"]][name]}
    assert changed == {"merged_into_id", "joined_to_id", "joined_by_id", "joined_at"}


def test_unmerging_restores_every_row(master, keep):
    people = [keep(name) for name in ("Pip", "Pippin", "Pipkin", "Pipit")]
    before = everything()
    a, b, c, d = people
    by = Who.of(master)
    merging.merge_people(a, into=b, by=by)
    merging.merge_people(c, into=d, by=by)
    after_two = everything()
    merging.merge_people(b, into=d, by=by)
    for person in people:
        person.refresh_from_db()
        assert person.root == d
    assert set(d.all_ids()) == {person.pk for person in people}
    b.refresh_from_db()
    merging.unmerge_person(b, by=by)
    assert everything() == after_two, "those who had come along have gone along again"
    for row in (a, c):
        row.refresh_from_db()
        merging.unmerge_person(row, by=by)
    assert everything() == before


def test_unmerging_in_another_order_restores_every_row(master, keep):
    a, b, c = keep("Pip"), keep("Pippin"), keep("Pipkin")
    by = Who.of(master)
    merging.merge_people(a, into=b, by=by)
    merging.merge_people(b, into=c, by=by)
    a.refresh_from_db()
    merging.unmerge_person(a, by=by)
    a.refresh_from_db()
    b.refresh_from_db()
    assert (a.root, b.root) == (a, c)
    merging.unmerge_person(b, by=by)
    b.refresh_from_db()
    assert b.root == b
    assert b.all_ids() == (b.pk,)


def test_one_step_leads_to_the_root_after_many_merges(master, keep, django_assert_num_queries):
    chain = [keep(f"Pip {number}") for number in range(6)]
    for one, into in itertools.pairwise(chain):
        merging.merge_people(one, into=into, by=Who.of(master))
    first = Person.objects.select_related("merged_into").get(pk=chain[0].pk)
    with django_assert_num_queries(0):
        assert first.root == chain[-1]
    with django_assert_num_queries(1):
        assert len(first.all_ids()) == len(first.all_ids()) == 6


def test_merging_a_merged_person_merges_the_root(master, keep):
    a, b, c = keep("Pip"), keep("Pippin"), keep("Pipkin")
    by = Who.of(master)
    merging.merge_people(a, into=b, by=by)
    a.refresh_from_db()
    assert merging.merge_people(c, into=a, by=by) == b
    assert set(Person.objects.get(pk=b.pk).all_ids()) == {a.pk, b.pk, c.pk}


def test_merge_loops_are_refused(master, keep):
    a, b = keep("Pip"), keep("Pippin")
    by = Who.of(master)
    merging.merge_people(a, into=b, by=by)
    a.refresh_from_db()
    for one, into in ((b, a), (a, b), (b, b)):
        with pytest.raises(Refusal, match="They are already the same person"):
            merging.merge_people(one, into=into, by=by)


def test_database_refuses_merging_into_oneself(wrens_guest):
    with pytest.raises(IntegrityError), transaction.atomic():
        Person.objects.filter(pk=wrens_guest.pk).update(merged_into=wrens_guest, joined_to=wrens_guest)
    with pytest.raises(IntegrityError), transaction.atomic():
        Person.objects.filter(pk=wrens_guest.pk).update(joined_to=wrens_guest)


def test_chronicle_shows_the_root_and_stores_the_person(master, keep):
    one, root = keep("Pip"), keep("Pippin")
    log = log_services.create_log("test")
    entry = Entry.objects.create(log=log, number=9, act="note", actor=one, played_on="2026-05-01")
    merging.merge_people(one, into=root, by=Who.of(master))
    entry = Entry.objects.select_related("actor__merged_into").get(pk=entry.pk)
    assert (entry.actor_id, entry.actor.root.name) == (one.pk, "Pippin")


# ── Who may ──────────────────────────────────────────────────────────────────────────────────────────────


def test_you_can_merge_a_guest_into_yourself(master, keep):
    merging.merge_people(keep("Me at the club"), into=master, by=Who.of(master))
    assert len(Person.objects.get(pk=master.pk).all_ids()) == 2


def test_other_peoples_guests_cannot_be_merged(player, wrens_guest, master, keep):
    mine = guests_services.add_guest(Who.of(player), "Mine")
    for one, into in ((wrens_guest, mine), (mine, wrens_guest), (wrens_guest, player)):
        with pytest.raises(Refusal) as refused:
            merging.merge_people(one, into=into, by=Who.of(player))
        assert refused.value.status == 403


def test_account_holder_has_to_agree(master, player, wrens_guest):
    with pytest.raises(Refusal, match=r"has to agree\. Give them a claim link for"):
        merging.merge_people(wrens_guest, into=player, by=Who.of(master))
    with pytest.raises(Refusal, match="has an account"):
        merging.merge_people(player, into=wrens_guest, by=Who.of(master))


def test_two_accounts_cannot_be_merged(owner, master, player):
    for by in (owner, master):
        with pytest.raises(Refusal, match="Both have an account"):
            merging.merge_people(player, into=master, by=Who.of(by))


def test_owner_can_merge_anyone_without_an_account(owner, player, wrens_guest):
    assert merging.merge_people(wrens_guest, into=player, by=Who.of(owner)) == player


def test_forgotten_people_cannot_be_merged(master, keep):
    one, other = keep("Pip"), keep("Pippin")
    privacy.forget_person(one, by=Who.of(master))
    one.refresh_from_db()
    with pytest.raises(Refusal, match="forgotten"):
        merging.merge_people(one, into=other, by=Who.of(master))


def test_stranger_cannot_unmerge(master, keep, stranger):
    one, root = keep("Pip"), keep("Pippin")
    merging.merge_people(one, into=root, by=Who.of(master))
    one.refresh_from_db()
    with pytest.raises(Refusal):
        merging.unmerge_person(one, by=Who.of(stranger))
    assert stranger.client.post(f"/people/{one.code}/unmerge/").status_code == 404
    one.refresh_from_db()
    assert one.root == root


# ── The pages ────────────────────────────────────────────────────────────────────────────────────────────


def test_merging_and_undoing_on_the_pages(master, keep):
    one, root = keep("Pip"), keep("Pippin")
    page = master.client.get(f"/people/{one.code}/merge/").text
    assert "Pippin" in page
    assert master.client.post(f"/people/{one.code}/merge/", {"into": root.code}).status_code == 302
    assert "Also known as" in master.client.get(f"/people/{root.code}/").text
    assert "Merged into" in master.client.get(f"/people/{one.code}/").text
    listed = master.client.get("/people/").text
    assert listed.count('class="list-row"') == 1
    assert master.client.post(f"/people/{one.code}/unmerge/").status_code == 302
    assert master.client.post(f"/people/{one.code}/unmerge/").status_code == 404
    assert "Merged into" not in master.client.get(f"/people/{one.code}/").text


def test_merge_page_lists_only_your_guests(master, wrens_guest, player):
    assert "Tam" not in master.client.get(f"/people/{wrens_guest.code}/merge/").text
    assert master.client.post(f"/people/{wrens_guest.code}/merge/", {"into": player.code}).status_code == 404
    assert master.client.post(f"/people/{wrens_guest.code}/merge/", {"into": "\x00"}).status_code == 422
