"""Addresses for calendar programs and feed readers, which cannot log in.

An address names a group and a member. It works as long as that person is a member, and shows what members see. It ends
when the person is claimed, merged or handed over, gets an account or a new password, like everything else before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.core import signing
from django.http import Http404
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from dataclass_json import Ask
from groups.models import Group, Member
from pages.site_address_for_guests import base_url
from people.models import Person

SALT = "gamenights.calendar"


def make_token(group: Group, person: Person) -> str:
    return signing.dumps([group.pk, person.pk, _proof(person)], salt=SALT, compress=True)


@dataclass(frozen=True)
class Addresses:
    calendar: Annotated[str, Ask("Calendar", "iCalendar, to subscribe to.")]
    feed: Annotated[str, Ask("Feed", "Atom.")]


def list_addresses(group: Group, person: Person) -> Addresses:
    """The calendar and the feed, made for this member alone."""
    token = make_token(group, person)
    return Addresses(
        base_url() + reverse("gamenights:group_calendar", args=[token]),
        base_url() + reverse("gamenights:group_feed", args=[token]),
    )


def _proof(person: Person) -> str:
    """Changes with the root, the account and its password, for a guest with whoever looks after them, and whenever
    credentials end: an address from before a merge must not work again once the merge is undone."""
    account = person.root.account
    log_in = f"{account.pk}/{account.password}" if account else f"kept by {person.root.keeper_id}"
    ended = [f"/{row.credentials_ended_at.isoformat()}" for row in (person, person.root) if row.credentials_ended_at]
    return salted_hmac(SALT, f"{person.root.pk}/{log_in}{''.join(ended)}").hexdigest()[:16]


def find_group(token: str) -> Group:
    """The group of a member's address, or 404."""
    try:
        group, person, proof = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise Http404 from None
    row = Person.objects.filter(pk=person, forgotten_at=None).select_related("account", "merged_into__account").first()
    if row is None or not constant_time_compare(proof, _proof(row)):
        raise Http404
    roles = (Member.Role.HOST, Member.Role.MEMBER)
    found = Member.objects.filter(group=group, person__in=row.root.all_ids(), role__in=roles)
    member = found.select_related("group__log").first()
    if member is None:
        raise Http404
    return member.group
