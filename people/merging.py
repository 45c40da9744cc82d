"""Merge two Person rows that are the same player. Only a pointer is set, so it can be undone completely.

You can merge yourself with a guest of yours, or two of your guests; an owner of the site can merge anyone. For others
there are claim links, which the player opens themselves. A person with an account is always the one that stays, and two
accounts cannot be merged.
"""

from collections.abc import Callable

from django.db import connection, transaction
from django.utils import timezone

from people.accounts import services
from people.models import Person
from people.name_validation import inline_name
from people.requester import Who
from refusal import Refusal


def find_merge_refusal(one: Person, into: Person, by: Who) -> Refusal | None:
    """Why ``by`` cannot merge these two, or None."""
    if one.pk == into.pk:
        return Refusal("They are already the same person.")
    if one.is_forgotten or into.is_forgotten:
        return Refusal("A forgotten person cannot be merged.")
    if one.has_account and into.has_account:
        return Refusal(
            "Both have an account. One of them has to be deleted first, with “Forget me” on its owner’s page."
        )
    if one.has_account:
        return Refusal(f"{inline_name(one.name)} has an account. Merge {inline_name(into.name)} into them instead.")
    if by.is_owner:
        return None
    mine = set(Person.objects.editable_by(by).filter(pk__in=[one.pk, into.pk]).values_list("pk", flat=True))
    if one.pk not in mine:
        return Refusal(
            f"{inline_name(one.name)} is not your guest. Ask whoever looks after them for a claim link.", status=403
        )
    if into.pk not in mine:
        sentence = f"{inline_name(into.name)} has to agree. Give them a claim link for {inline_name(one.name)}."
        return Refusal(sentence, status=403)
    return None


def merge_people(one: Person, *, into: Person, by: Who) -> Person:
    """Merge one into the other and return the root."""
    with transaction.atomic():
        one, into = _lock_roots(one, into)
        if refusal := find_merge_refusal(one, into, by):
            raise refusal
        return _merge_roots(one, into, by)


def claim_person(one: Person, *, by: Who) -> Person:
    """Merge a guest into the person who opened their claim link."""
    if by.person is None:
        raise Refusal("Log in first.", status=403, code="log-in-required")
    with transaction.atomic():
        one, into = _lock_roots(one, by.person)
        if one.pk == into.pk:
            raise Refusal("This is already you.", status=409)
        if one.has_account or one.is_forgotten:
            raise Refusal(f"{inline_name(one.name)} can no longer be claimed.", status=409)
        return _merge_roots(one, into, by)


def _lock_roots(one: Person, into: Person) -> tuple[Person, Person]:
    """Both roots as they are now. The lock keeps two simultaneous merges from making a loop."""
    _lock_merging()
    rows = {row.pk: row for row in Person.objects.filter(pk__in=[one.root.pk, into.root.pk])}
    roots = rows[one.root.pk], rows[into.root.pk]
    if any(row.merged_into_id for row in roots):
        raise Refusal("One of them has just been merged. Reload the page.", status=409)
    return roots


def _lock_merging() -> None:
    """Merges are rare and touch many rows, so they run one at a time (SQLite does so anyway)."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [0x4D657267])


def guest_logged_out_text(person: Person) -> str:
    """For whoever looks after a guest whose credentials have just ended."""
    name = inline_name(person.name)
    return f"Phones that were logged in as {name} are logged out. Make {name} a new personal link."


# Apps above are notified of merges and of undone merges, with the people concerned.
_follow_ups: list[Callable[[list[int]], None]] = []


def register_follow_up(work: Callable[[list[int]], None]) -> None:
    _follow_ups.append(work)


def _tell_followers(ids: list[int]) -> None:
    for work in _follow_ups:
        work(ids)


def _merge_roots(one: Person, into: Person, by: Who) -> Person:
    # Whoever could act as one of two guests could now act as the other. With an account, only its owner can.
    changed_hands = [*one.all_ids()]
    if not into.has_account and into != by.person:
        changed_hands += into.all_ids()
    services.end_credentials(changed_hands, by=by)
    Person.objects.filter(pk=one.pk).update(
        merged_into=into, joined_to=into, joined_by=by.person, joined_at=timezone.now()
    )
    # People merged into this one before now point at the new root too.
    Person.objects.filter(merged_into=one).update(merged_into=into)
    _tell_followers([*one.all_ids(), *into.all_ids()])
    return Person.objects.get(pk=into.pk)


def can_unmerge(one: Person, who: Who) -> bool:
    """True for the root, whoever merged them, their keeper, and an owner of the site."""
    if who.person is None or one.merged_into_id is None:
        return False
    me = set(who.person.all_ids())
    return who.is_owner or bool(me & {one.merged_into_id, one.joined_by_id, one.keeper_id})


def unmerge_person(one: Person, *, by: Who) -> Person:
    """Undo this one merge. People merged into ``one`` before it stay with ``one``."""
    if not can_unmerge(one, by):
        raise Refusal("Only they, whoever merged them and whoever looks after them can undo this.", status=403)
    with transaction.atomic():
        _lock_merging()
        root = Person.objects.filter(merged_from=one.pk).first()
        rows = dict(Person.objects.filter(merged_into=root).values_list("pk", "joined_to_id")) if root else {}
        if one.pk not in rows:
            raise Refusal("This has already been undone.", status=409)
        along = {pk for pk in rows if one.pk in _ancestors_of(pk, rows)}
        Person.objects.filter(pk=one.pk).update(merged_into=None, joined_to=None, joined_by=None, joined_at=None)
        Person.objects.filter(pk__in=along).update(merged_into=one.pk)
        services.end_credentials([one.pk, *along], by=None)  # the root could act as them
        _tell_followers([one.pk, *along])
    return Person.objects.get(pk=one.pk)


def _ancestors_of(pk: int, joined_to: dict[int, int | None]) -> list[int]:
    steps: list[int] = []
    above = joined_to.get(pk)
    while above is not None and above not in steps:
        steps.append(above)
        above = joined_to.get(above)
    return steps
