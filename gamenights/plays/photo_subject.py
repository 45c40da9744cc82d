"""Photos of a play: who sees them, who adds them, who decides."""

from __future__ import annotations

from collections.abc import Iterable

from gamenights.plays.models import Play
from gamenights.plays.permissions import can_edit, can_see
from gamenights.plays.values import format_day
from groups.models import Group
from groups.permissions import is_host
from people.name_validation import inline_name
from people.requester import Who
from photos.models import SubjectKind, register_subject


def register() -> None:
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
