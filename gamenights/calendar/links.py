"""Addresses for calendar programs and feed readers, which cannot log in.

An address names a group and a member. It works as long as that person is a member, and shows what members see.
"""

from __future__ import annotations

from django.core import signing
from django.http import Http404

from groups.models import Group, Member
from people.models import Person

SALT = "gamenights.calendar"


def make_token(group: Group, person: Person) -> str:
    return signing.dumps([group.pk, person.pk], salt=SALT, compress=True)


def find_group(token: str) -> Group:
    """The group of a member's address, or 404."""
    try:
        group, person = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise Http404 from None
    row = Person.objects.filter(pk=person, forgotten_at=None).first()
    if row is None:
        raise Http404
    roles = (Member.Role.HOST, Member.Role.MEMBER)
    found = Member.objects.filter(group=group, person__in=row.root.all_ids(), role__in=roles)
    member = found.select_related("group__log").first()
    if member is None:
        raise Http404
    return member.group
