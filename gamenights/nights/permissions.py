"""Who can do what in a night."""

from django.db.models import F

from gamenights.nights.models import Attendance, Night
from groups.models import Group, Member
from groups.permissions import role_in
from people.requester import Who
from refusal import Refusal

CHECK_IN_FIRST = "Check in first: enter your name on the night's page."


def attendance_of(night: Night, who: Who) -> Attendance | None:
    if who.person is None:
        return None
    rows = night.attendances.filter(person__in=who.person.all_ids())
    return rows.order_by(F("here_at").desc(nulls_last=True)).first()


def can_run(night: Night, who: Who) -> bool:
    """Its host, its co-hosts and the hosts of the group."""
    if who.person is None:
        return False
    if who.in_office(night.host_id in who.person.all_ids()) or role_in(night.group, who) == Member.Role.HOST:
        return True
    return who.in_office(night.attendances.filter(person__in=who.person.all_ids(), co_host=True).exists())


def can_take_part(night: Night, who: Who) -> bool:
    """Members of the group, and whoever answered or checked in."""
    if who.person is None:
        return False
    return role_in(night.group, who) in (Member.Role.HOST, Member.Role.MEMBER) or attendance_of(night, who) is not None


def can_see_evening(night: Night, who: Who) -> bool:
    """Where it is, its plan and its plays. A private group's code alone shows only who, when and the way in."""
    return night.group.visibility == Group.Visibility.PUBLIC or can_take_part(night, who)


def require_evening(night: Night, who: Who) -> None:
    if not can_see_evening(night, who):
        raise Refusal(CHECK_IN_FIRST, status=403)


def require_run(night: Night, who: Who) -> None:
    if not can_run(night, who):
        raise Refusal("Only the host and co-hosts of this night can do this.", status=403)


def require_part(night: Night, who: Who) -> None:
    if not can_take_part(night, who):
        raise Refusal(CHECK_IN_FIRST, status=403)
