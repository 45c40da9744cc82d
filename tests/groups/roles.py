"""Who may do what under /groups/: rows for tests/site/test_roles.py, and pages for tests/site/test_every_page.py."""

from __future__ import annotations

from typing import Any

# The master hosts the group; player and guest are members.
# route                                        method    nobody stranger guest player master owner
TABLE = """
/groups/new/                                   GET       302    200    200    200    200    200
/groups/<slug:code>/                           GET       404    404    200    200    200    404
/groups/<slug:code>/members/                   GET       404    404    200    200    200    404
/groups/<slug:code>/members/<int:pk>/          POST      404    404    403    403    422    404
/groups/<slug:code>/settings/                  GET       404    404    403    403    200    404
/groups/<slug:code>/games/                     GET       404    404    200    200    200    404
/groups/<slug:code>/games/<int:pk>/            GET       404    404    200    200    200    404
/groups/<slug:code>/campaigns/                 POST      404    404    404    404    404    404
/groups/<slug:code>/nights/plan/               GET       302    404    200    200    200    404
/groups/<slug:code>/nights/tonight/            POST      403    404    422    422    422    404
/groups/<slug:code>/webhooks/                  GET       404    404    403    403    200    404
/groups/<slug:code>/calendar/                  GET       302    404    200    200    200    404
/groups/calendar/<str:token>.ics               GET       200    200    200    200    200    200
/groups/calendar/<str:token>.atom              GET       200    200    200    200    200    200
/groups/<slug:code>/standings/                 GET       404    404    200    200    200    404
/groups/<slug:code>/standings/season/          GET       404    404    403    403    200    404
/groups/<slug:code>/standings/<int:person>/    GET       404    404    200    200    200    404
/groups/<slug:code>/plays/import/              GET       302    404    200    200    200    404
/groups/<slug:code>/plays/import/preview/      GET       302    404    302    302    302    404
/groups/imports/<job:ref>/                     GET       302    404    404    404    200    404
/groups/<slug:code>/plays/export/<slug:form>/  GET       404    404    200    200    200    404
/groups/<slug:code>/plays/log/                 GET       302    404    200    200    200    404
/groups/<slug:code>/plays/<slug:uuid>/         GET       404    404    200    200    200    404
/groups/<slug:code>/plays/<slug:uuid>/change/  GET       302    404    200    200    200    404
/groups/<slug:code>/plays/<slug:uuid>/run/     POST      404    404    422    422    422    404
/groups/<slug:code>/plays/<slug:uuid>/photos/  POST      404    404    422    422    422    404
/api/v1/groups/                                GET       200    200    200    200    200    200
/api/v1/groups/<slug:code>/                    GET       404    404    200    200    200    404
/api/v1/groups/                                POST      403    422    422    422    422    422
/api/v1/groups/<slug:code>/                    PATCH     404    404    403    403    422    404
/api/v1/groups/<slug:code>/members/            POST      404    404    403    403    422    404
/api/v1/groups/<slug:code>/members/<slug:person>/ PATCH  404    404    403    403    422    404
/api/v1/groups/<slug:code>/members/<slug:person>/ DELETE 404    404    404    404    404    404
/api/v1/groups/<slug:code>/invitation/         POST      404    404    403    403    201    404
/api/v1/groups/<slug:code>/nights/             GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/nights/             POST      404    404    422    422    422    404
/api/v1/groups/<slug:code>/nights/tonight/     POST      404    404    422    422    422    404
/api/v1/groups/<slug:code>/plays/              POST      404    404    422    422    422    404
/api/v1/groups/<slug:code>/plays/upload/       GET       404    404    404    404    404    404
/api/v1/groups/<slug:code>/plays/upload/       POST      404    404    202    202    202    404
/api/v1/groups/<slug:code>/plays/import/       POST      404    404    422    422    422    404
/api/v1/groups/<slug:code>/plays/export/<slug:form>/ GET 404    404    200    200    200    404
/api/v1/groups/<slug:code>/plays/<slug:uuid>/acts/ POST  404    404    422    422    422    404
/api/v1/groups/<slug:code>/games/<int:pk>/     PUT       404    404    422    422    422    404
/api/v1/groups/<slug:code>/standings/<slug:person>/ GET  404    404    404    404    404    404
/api/v1/groups/<slug:code>/seasons/            GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/seasons/            POST      404    404    403    403    422    404
/api/v1/groups/<slug:code>/campaigns/          GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/campaigns/          POST      404    404    422    422    422    404
/api/v1/groups/<slug:code>/calendar/           GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/webhooks/           GET       404    404    403    403    200    404
/api/v1/groups/<slug:code>/webhooks/           POST      404    404    403    403    422    404
/api/v1/groups/<slug:code>/webhooks/log/       GET       404    404    403    403    200    404
/api/v1/groups/<slug:code>/webhooks/<int:pk>/  DELETE    404    404    403    403    404    404
/api/v1/groups/<slug:code>/webhooks/<int:pk>/test/ POST  404    404    403    403    404    404
/api/v1/groups/<slug:code>/games/              GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/games/              POST      404    404    422    422    422    404
/api/v1/groups/<slug:code>/standings/          GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/plays/              GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/plays/<slug:uuid>/  GET       404    404    200    200    200    404
/api/v1/groups/<slug:code>/plays/<slug:uuid>/  PUT       404    404    422    422    422    404
/api/v1/groups/<slug:code>/plays/<slug:uuid>/  DELETE    404    404    204    204    204    404
/api/v1/groups/<slug:code>/plays/<slug:uuid>/photos/ GET     404    404    200    200    200    404
/api/v1/groups/<slug:code>/plays/<slug:uuid>/photos/ POST    404    404    422    422    422    404
"""

NOT_PAGES: tuple[str, ...] = (
    "/groups/<slug:code>/plays/export/<slug:form>/",
    "/groups/imports/<job:ref>/",
    "/groups/calendar/<str:token>.ics",
    "/groups/calendar/<str:token>.atom",
)


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    from gamenights.nights.calendar_feeds import make_token
    from gamenights.plays import services as plays_services
    from gamenights.plays.values import PlayerResult, PlayFacts
    from gamenights.transfer.services import IMPORT_JOB
    from groups import services
    from groups.entries import FoundGroup
    from jobs.models import Job
    from people.requester import Who

    host = Who.of(cast["master"])
    group = services.found_group(host, "a-group-of-roles", FoundGroup(name="The Burdock Table"))
    for name in ("player", "guest"):
        services.add_member(group, cast[name])
    game = plays_services.find_or_add_game(group, "Cascadia")
    players = (PlayerResult(str(cast["master"].pk), "Master", score_text="3"),)
    day = group.founded_at.date()
    facts = PlayFacts("a-play-of-roles", str(game.pk), "Cascadia", day, players)
    plays_services.log_play(group, host, key="a-play-of-roles", facts=facts)
    job = Job.objects.create(kind=IMPORT_JOB, args={"group": group.code}, owner=cast["master"])
    return {
        "code": group.code,
        "pk": _same_number(group, game),
        "uuid": "a-play-of-roles",
        "person": cast["master"].pk,
        "form": "csv",
        "ref": job.token,
        "token": make_token(group, cast["player"]),
    }


def _same_number(group: Any, game: Any) -> int:
    """Routes share the parameter's name: give the host's membership the number of the game."""
    member = group.members.first()
    group.members.filter(pk=member.pk).delete()
    member.pk = game.pk
    member.save(force_insert=True)
    return game.pk


def demo_addresses(hall: Any) -> list[str]:
    code, play, game, person = hall.site.shell(
        "from gamenights.models import Play;"
        "play = Play.objects.get(uuid='demo-play-0');"
        "print(play.group.code, play.uuid, play.game_id, play.players.exclude(person=None).first().person_id)"
    ).split()
    inside = (
        "",
        "members/",
        "settings/",
        "games/",
        f"games/{game}/",
        "nights/plan/",
        "calendar/",
        "webhooks/",
        "standings/",
        "standings/season/",
        f"standings/{person}/",
        "plays/import/",
        "plays/log/",
        f"plays/{play}/",
        f"plays/{play}/change/",
    )
    return [f"/groups/{code}/{rest}" for rest in inside]
