"""Two who turn out to be one. Only a pointer is set, so nothing is lost and undoing it leaves no trace.

Who may: whoever looks after both. That is oneself together with people one keeps, two people one keeps, and an owner
of the site. Everybody else needs the word of the other: that is what a claim link is for, which the one who is claimed
opens themselves. Someone with an account is always the one the other is merged into, and two accounts stay two.
"""

from __future__ import annotations

from django.db import connection, transaction
from django.utils import timezone

from people import links
from people.models import Person
from people.names import said
from people.who import Who
from refusal import Refusal


def against(one: Person, into: Person, by: Who) -> Refusal | None:
    """What speaks against this one merging these two, or nothing."""
    if one.pk == into.pk:
        return Refusal("They are one already.")
    if one.is_forgotten or into.is_forgotten:
        return Refusal("Someone who was forgotten cannot be merged.")
    if one.has_account and into.has_account:
        return Refusal(
            "Both have an account. One account has to be given up first: its owner can be forgotten on their page."
        )
    if one.has_account:
        return Refusal(f"{said(one.name)} has the account. Merge {said(into.name)} into them, not the other way round.")
    if by.is_owner:
        return None
    mine = set(Person.objects.editable_by(by).filter(pk__in=[one.pk, into.pk]).values_list("pk", flat=True))
    if one.pk not in mine:
        return Refusal(f"You do not keep {said(one.name)}. Whoever does can give out a claim link.", status=403)
    if into.pk not in mine:
        sentence = f"{said(into.name)} decides this themselves. Give them a claim link for {said(one.name)}."
        return Refusal(sentence, status=403)
    return None


def merge(one: Person, *, into: Person, by: Who) -> Person:
    """Merge one into the other; gives the root."""
    with transaction.atomic():
        one, into = _held(one, into)
        if refusal := against(one, into, by):
            raise refusal
        return _join(one, into, by)


def claim(one: Person, *, by: Who) -> Person:
    """The Person one has been written down as becomes oneself. The claim link is the keeper's word for it."""
    if by.person is None:
        raise Refusal("Log in first.", status=403)
    with transaction.atomic():
        one, into = _held(one, by.person)
        if one.pk == into.pk:
            raise Refusal("This is you already.", status=409)
        if one.has_account or one.is_forgotten:
            raise Refusal(f"{said(one.name)} cannot be claimed any more.", status=409)
        return _join(one, into, by)


def _held(one: Person, into: Person) -> tuple[Person, Person]:
    """Both roots as they are now, with nobody else merging meanwhile: two merges that cross must not make a ring."""
    _one_at_a_time()
    rows = {row.pk: row for row in Person.objects.filter(pk__in=[one.root.pk, into.root.pk])}
    found = rows[one.root.pk], rows[into.root.pk]
    if any(row.merged_into_id for row in found):
        raise Refusal("One of them was merged meanwhile. Load the page again.", status=409)
    return found


def _one_at_a_time() -> None:
    """Merging is rare and touches whole families of rows, so all of it waits in one line (SQLite does so anyway)."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [0x4D657267])


def _join(one: Person, into: Person, by: Who) -> Person:
    Person.objects.filter(pk=one.pk).update(
        merged_into=into, joined_to=into, joined_by=by.person, joined_at=timezone.now()
    )
    # Whoever had been merged into this one before points at the new root as well.
    Person.objects.filter(merged_into=one).update(merged_into=into)
    into = Person.objects.get(pk=into.pk)
    if into.has_account:
        links.end_log_ins_by_others(into)
    return into


def may_unmerge(one: Person, who: Who) -> bool:
    """The one they are now, whoever merged them, whoever keeps them, an owner."""
    if who.person is None or one.merged_into_id is None:
        return False
    me = set(who.person.all_ids())
    return who.is_owner or bool(me & {one.merged_into_id, one.joined_by_id, one.keeper_id})


def unmerge(one: Person, *, by: Who) -> Person:
    """Undo exactly this one merge: those who had come along with it go along again."""
    if not may_unmerge(one, by):
        raise Refusal("Only who merged them, who keeps them, or they themselves can undo this.", status=403)
    with transaction.atomic():
        _one_at_a_time()
        root = Person.objects.filter(merged_from=one.pk).first()
        rows = dict(Person.objects.filter(merged_into=root).values_list("pk", "joined_to_id")) if root else {}
        if one.pk not in rows:
            raise Refusal("This was undone meanwhile.", status=409)
        along = {pk for pk in rows if one.pk in _steps_up(pk, rows)}
        Person.objects.filter(pk=one.pk).update(merged_into=None, joined_to=None, joined_by=None, joined_at=None)
        Person.objects.filter(pk__in=along).update(merged_into=one.pk)
    return Person.objects.get(pk=one.pk)


def _steps_up(pk: int, joined_to: dict[int, int | None]) -> list[int]:
    steps: list[int] = []
    above = joined_to.get(pk)
    while above is not None and above not in steps:
        steps.append(above)
        above = joined_to.get(above)
    return steps
