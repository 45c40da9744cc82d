"""Who may do what in a group."""

from django.db.models import QuerySet

from groups.models import Group, Member
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal


@prepared_query
def _roles(group: int, people: tuple[int, ...]) -> QuerySet[Member]:
    return Member.objects.filter(group=group, person__in=people).order_by().values_list("role", flat=True)


def role_in(group: Group, who: Who) -> str:
    """Their highest role in the group, or ""."""
    if who.person is None:
        return ""
    roles = set(_roles(group.pk, who.person.all_ids()))
    role = next((role for role in Member.Role.values if role in roles), "")
    return role if role != Member.Role.HOST or who.in_office(True) else Member.Role.MEMBER


def is_host(group: Group, who: Who) -> bool:
    return role_in(group, who) == Member.Role.HOST


def is_member(group: Group, who: Who) -> bool:
    return role_in(group, who) in (Member.Role.HOST, Member.Role.MEMBER)


def require_host(group: Group, who: Who) -> None:
    if not is_host(group, who):
        raise Refusal("Only the hosts of this group can do this.", status=403)


def require_member(group: Group, who: Who) -> None:
    if not is_member(group, who):
        raise Refusal("Only members of this group can do this.", status=403)


def can_watch(who: Who, log_id: int) -> bool:
    """A group's log. Guests too: the stream carries only version numbers."""
    groups = Group.objects.filter(log_id=log_id)
    return groups.known_to(who).exists() or groups.visible_to(who).exists()
