"""Who can see, log and change plays."""

from collections.abc import Iterable

from gamenights.nights.models import Attendance
from gamenights.plays.models import Play
from gamenights.plays.values import format_day
from groups.models import Group, Member
from groups.permissions import is_host, role_in
from people.name_validation import inline_name
from people.requester import Who
from photos.models import SubjectKind, register_subject
from refusal import Refusal

WHO_EDITS = {
    Group.Edits.ANYONE: "Only members of this group and its players can change this play.",
    Group.Edits.PLAYERS: "Only its players and the hosts can change this play.",
    Group.Edits.HOSTS: "Only the hosts of this group can change a play.",
}
WHO_AGREES = {
    Group.Consent.NONE: "Only a host or another player of this play can settle this change.",
    Group.Consent.PLAYER: "Only a host or another player of this play can settle this change.",
    Group.Consent.HOST: "Only a host of this group can settle this change.",
}


def can_see(play: Play, who: Who) -> bool:
    if play.group.visibility == Group.Visibility.PUBLIC:
        return True
    if role_in(play.group, who) in (Member.Role.HOST, Member.Role.MEMBER):
        return True
    return _is_player(play, who) or _was_there(play, who)


def can_edit(play: Play, who: Who) -> bool:
    role, edits = role_in(play.group, who), play.group.edits
    if role == Member.Role.HOST:
        return True
    if edits == Group.Edits.HOSTS or who.person is None:
        return False
    if _is_player(play, who) or play.logged_by_id in who.person.all_ids():
        return True
    # A guest came by a code that anyone in the room can read out, so having been there is not enough.
    return edits == Group.Edits.ANYONE and role == Member.Role.MEMBER


def require_edit(play: Play, who: Who) -> None:
    if not can_edit(play, who):
        raise Refusal(WHO_EDITS[Group.Edits(play.group.edits)], status=403)


# ── Consent ──────────────────────────────────────────────────────────────────────────────────────────────


def needs_consent(play: Play, who: Who) -> bool:
    """Somebody else has to agree before this person's change counts."""
    consent = play.group.consent
    if consent == Group.Consent.NONE:
        return False
    if consent == Group.Consent.HOST:
        return role_in(play.group, who) != Member.Role.HOST
    mine = who.person.all_ids() if who.person else []
    others = play.players.exclude(person=None).exclude(person__in=mine)
    return others.exists()


def can_agree(play: Play, who: Who, proposed_by: int | None) -> bool:
    """Someone other than whoever proposed the change, as the group chose."""
    if who.person is None or proposed_by in who.person.all_ids():
        return False
    if role_in(play.group, who) == Member.Role.HOST:
        return True
    return play.group.consent != Group.Consent.HOST and _is_player(play, who)


def _is_player(play: Play, who: Who) -> bool:
    return who.person is not None and play.players.filter(person__in=who.person.all_ids()).exists()


def _was_there(play: Play, who: Who) -> bool:
    if who.person is None or play.night_id is None:
        return False
    return Attendance.objects.filter(night=play.night_id, person__in=who.person.all_ids()).exists()


# ── Photos of a play ───────────────────────────────────────────────────────────────────────────────────


def register_photos() -> None:
    register_subject(
        SubjectKind(
            key="play",
            model=Play,
            find=find_play,
            can_see=can_see,
            can_add=can_edit,
            can_manage=lambda play, who: is_host(play.group, who),
            managed=managed_plays,
            describe=lambda play: f"{inline_name(play.game.name)}, {format_day(play.day)}",
            url=Play.get_absolute_url,
        )
    )


def find_play(pk: int) -> Play | None:
    return Play.objects.select_related("group", "game").filter(pk=pk).first()


def managed_plays(ids: Iterable[int], who: Who) -> Iterable[int]:
    return Play.objects.filter(pk__in=ids, group__in=Group.objects.hosted_by(who)).values_list("pk", flat=True)
