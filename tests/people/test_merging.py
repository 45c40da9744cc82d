"""Two who turn out to be one: a pointer, nothing lost, undone exactly."""

from __future__ import annotations

import itertools

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction

from log import door
from log.models import Entry
from people import forgetting, keeping, merging
from people.models import Person
from people.who import Who
from refusal import Refusal


@pytest.fixture
def keep(master):
    return lambda name: keeping.add(Who.of(master), name)


def everything() -> list[dict]:
    return list(Person.objects.order_by("pk").values())


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


def test_there_are_foreign_keys_to_walk():
    names = {f"{field.model.__name__}.{field.name}" for field in foreign_keys_to_person()}
    assert {"Entry.actor", "Entry.on_behalf_of", "LogIn.person", "Pass.made_by", "Person.keeper"} <= names
    assert names >= OF_THE_PERSON_ITSELF


@pytest.mark.parametrize(
    "field",
    [one for one in foreign_keys_to_person() if f"{one.model.__name__}.{one.name}" not in OF_THE_PERSON_ITSELF],
    ids=lambda field: f"{field.model._meta.app_label}.{field.model.__name__}.{field.name}",
)
def test_what_any_foreign_key_holds_is_reached_through_the_root(field, master, keep):
    """A row that points at the merged one is found by ``all_ids`` of the root, and after undoing by their own."""
    one, root = keep("Pip"), keep("Pippin")
    row = a_row_pointing_at(field, one)
    merging.merge(one, into=root, by=Who.of(master))
    root, one = Person.objects.get(pk=root.pk), Person.objects.get(pk=one.pk)
    found = field.model._default_manager.filter(**{f"{field.name}__in": root.all_ids()})
    assert row.pk in found.values_list("pk", flat=True)
    assert row.pk in field.model._default_manager.filter(**{f"{field.name}__in": one.all_ids()}).values_list(
        "pk", flat=True
    )
    merging.unmerge(one, by=Who.of(master))
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
    for other in model._meta.concrete_fields:
        if other.primary_key or other.has_default() or other.null or other.name in values:
            continue
        if isinstance(other, models.CharField | models.TextField):
            values[other.name] = f"{model.__name__}{depth}"[: other.max_length or 20]
        elif isinstance(other, models.IntegerField):
            values[other.name] = 4711
    return model._default_manager.create(**values)


# ── The pointer ──────────────────────────────────────────────────────────────────────────────────────────


def test_only_a_pointer_is_set(master, keep):
    one, root = keep("Pip"), keep("Pippin")
    before = {row["id"]: row for row in everything()}
    merging.merge(one, into=root, by=Who.of(master))
    changed = {name for row in everything() for name, value in row.items() if value != before[row["id"]][name]}
    assert changed == {"merged_into_id", "joined_to_id", "joined_by_id", "joined_at"}


def test_undoing_restores_every_row_exactly(master, keep):
    people = [keep(name) for name in ("Pip", "Pippin", "Pipkin", "Pipit")]
    before = everything()
    a, b, c, d = people
    by = Who.of(master)
    merging.merge(a, into=b, by=by)
    merging.merge(c, into=d, by=by)
    after_two = everything()
    merging.merge(b, into=d, by=by)
    for person in people:
        person.refresh_from_db()
        assert person.root == d
    assert set(d.all_ids()) == {person.pk for person in people}
    b.refresh_from_db()
    merging.unmerge(b, by=by)
    assert everything() == after_two, "those who had come along have gone along again"
    for one in (a, c):
        one.refresh_from_db()
        merging.unmerge(one, by=by)
    assert everything() == before


def test_undoing_in_the_other_order_is_exact_too(master, keep):
    a, b, c = keep("Pip"), keep("Pippin"), keep("Pipkin")
    by = Who.of(master)
    merging.merge(a, into=b, by=by)
    merging.merge(b, into=c, by=by)
    a.refresh_from_db()
    merging.unmerge(a, by=by)
    a.refresh_from_db()
    b.refresh_from_db()
    assert (a.root, b.root) == (a, c)
    merging.unmerge(b, by=by)
    b.refresh_from_db()
    assert b.root == b
    assert b.all_ids() == (b.pk,)


def test_one_step_leads_to_the_root_however_long_the_story(master, keep, django_assert_num_queries):
    chain = [keep(f"Pip {number}") for number in range(6)]
    for one, into in itertools.pairwise(chain):
        merging.merge(one, into=into, by=Who.of(master))
    first = Person.objects.select_related("merged_into").get(pk=chain[0].pk)
    with django_assert_num_queries(0):
        assert first.root == chain[-1]
    with django_assert_num_queries(1):
        assert len(first.all_ids()) == len(first.all_ids()) == 6


def test_merging_someone_merged_means_their_root(master, keep):
    a, b, c = keep("Pip"), keep("Pippin"), keep("Pipkin")
    by = Who.of(master)
    merging.merge(a, into=b, by=by)
    a.refresh_from_db()
    assert merging.merge(c, into=a, by=by) == b
    assert set(Person.objects.get(pk=b.pk).all_ids()) == {a.pk, b.pk, c.pk}


def test_rings_are_refused(master, keep):
    a, b = keep("Pip"), keep("Pippin")
    by = Who.of(master)
    merging.merge(a, into=b, by=by)
    a.refresh_from_db()
    for one, into in ((b, a), (a, b), (b, b)):
        with pytest.raises(Refusal, match="one already"):
            merging.merge(one, into=into, by=by)


def test_the_database_itself_refuses_someone_merged_into_themselves(friend):
    with pytest.raises(IntegrityError), transaction.atomic():
        Person.objects.filter(pk=friend.pk).update(merged_into=friend, joined_to=friend)
    with pytest.raises(IntegrityError), transaction.atomic():
        Person.objects.filter(pk=friend.pk).update(joined_to=friend)


def test_the_chronicle_shows_the_root_and_keeps_the_one(master, keep):
    one, root = keep("Pip"), keep("Pippin")
    log = door.open_log("test")
    entry = Entry.objects.create(log=log, number=9, act="note", actor=one, played_on="2026-05-01")
    merging.merge(one, into=root, by=Who.of(master))
    entry = Entry.objects.select_related("actor__merged_into").get(pk=entry.pk)
    assert (entry.actor_id, entry.actor.root.name) == (one.pk, "Pippin")


# ── Who may ──────────────────────────────────────────────────────────────────────────────────────────────


def test_oneself_and_someone_one_keeps(master, keep):
    merging.merge(keep("Me at the club"), into=master, by=Who.of(master))
    assert len(Person.objects.get(pk=master.pk).all_ids()) == 2


def test_someone_elses_people_are_not_ones_own(player, friend, master, keep):
    mine = keeping.add(Who.of(player), "Mine")
    for one, into in ((friend, mine), (mine, friend), (friend, player)):
        with pytest.raises(Refusal) as refused:
            merging.merge(one, into=into, by=Who.of(player))
        assert refused.value.status == 403


def test_someone_with_an_account_decides_themselves(master, player, friend):
    with pytest.raises(Refusal, match="decides this themselves"):
        merging.merge(friend, into=player, by=Who.of(master))
    with pytest.raises(Refusal, match="has the account"):
        merging.merge(player, into=friend, by=Who.of(master))


def test_two_accounts_stay_two_even_for_an_owner(owner, master, player):
    for by in (owner, master):
        with pytest.raises(Refusal, match="Both have an account"):
            merging.merge(player, into=master, by=Who.of(by))


def test_an_owner_may_join_anybody_without_an_account(owner, player, friend):
    assert merging.merge(friend, into=player, by=Who.of(owner)) == player


def test_the_forgotten_stay_forgotten(master, keep):
    one, other = keep("Pip"), keep("Pippin")
    forgetting.forget(one, by=Who.of(master))
    one.refresh_from_db()
    with pytest.raises(Refusal, match="forgotten"):
        merging.merge(one, into=other, by=Who.of(master))


def test_a_stranger_undoes_nothing(master, keep, stranger):
    one, root = keep("Pip"), keep("Pippin")
    merging.merge(one, into=root, by=Who.of(master))
    one.refresh_from_db()
    with pytest.raises(Refusal):
        merging.unmerge(one, by=Who.of(stranger))
    assert stranger.client.post(f"/people/{one.code}/unmerge/").status_code == 404
    one.refresh_from_db()
    assert one.root == root


# ── The pages ────────────────────────────────────────────────────────────────────────────────────────────


def test_merging_and_undoing_on_the_pages(master, keep):
    one, root = keep("Pip"), keep("Pippin")
    page = master.client.get(f"/people/{one.code}/merge/").text
    assert "Pippin" in page
    assert master.client.post(f"/people/{one.code}/merge/", {"into": root.code}).status_code == 302
    assert "Also written down as" in master.client.get(f"/people/{root.code}/").text
    assert "Turned out to be" in master.client.get(f"/people/{one.code}/").text
    listed = master.client.get("/people/").text
    assert listed.count('class="list-row"') == 1
    assert master.client.post(f"/people/{one.code}/unmerge/").status_code == 302
    assert master.client.post(f"/people/{one.code}/unmerge/").status_code == 404
    assert "Turned out to be" not in master.client.get(f"/people/{one.code}/").text


def test_the_page_offers_nobody_one_does_not_keep(master, friend, player):
    assert "Tam" not in master.client.get(f"/people/{friend.code}/merge/").text
    assert master.client.post(f"/people/{friend.code}/merge/", {"into": player.code}).status_code == 404
    assert master.client.post(f"/people/{friend.code}/merge/", {"into": "\x00"}).status_code == 404
