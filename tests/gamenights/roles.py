"""Who may do what under /nights/: rows for tests/site/test_roles.py, and pages for tests/site/test_every_page.py."""

from __future__ import annotations

from typing import Any

# The master hosts a night that is on; player and guest are members of its group. Anyone with the code sees who, when
# and the way in.
# route                                        method    nobody stranger guest player master owner
TABLE = """
/nights/<table:code>/                          GET       200    200    200    200    200    200
/nights/<table:code>/part/                     GET       200    200    200    200    200    200
/nights/<table:code>/calendar.ics              GET       200    200    200    200    200    200
/nights/<table:code>/answer/                   POST      422    422    422    422    422    422
/nights/<table:code>/here/                     POST      422    422    422    422    422    422
/nights/<table:code>/leave/                    POST      403    422    422    422    422    422
/nights/<table:code>/run/                      POST      403    403    403    403    422    403
/nights/<table:code>/bring/                    POST      403    403    422    422    422    403
/nights/<table:code>/dates/                    POST      422    422    422    422    422    422
/nights/<table:code>/change/                   GET       302    403    403    403    200    403
/nights/<table:code>/start-table/              GET       302    403    200    200    200    403
/nights/<table:code>/votes/                    POST      403    403    404    404    404    403
/nights/<table:code>/recap/                    GET       302    302    200    200    200    302
/nights/<table:code>/recap.png                 GET       403    403    200    200    200    403
/nights/<table:code>/tv/                       GET       200    200    200    200    200    200
/nights/<table:code>/tv/part/                  GET       200    200    200    200    200    200
/nights/<table:code>/log/                      GET       302    403    200    200    200    403
/api/v1/nights/<table:code>/                   GET       200    200    200    200    200    200
/api/v1/nights/<table:code>/votes/             GET       403    403    200    200    200    403
/api/v1/nights/<table:code>/                   PATCH     403    403    403    403    422    403
/api/v1/nights/<table:code>/answer/            POST      422    422    422    422    422    422
/api/v1/nights/<table:code>/here/              POST      403    422    422    422    422    422
/api/v1/nights/<table:code>/leave/             POST      403    422    422    422    422    422
/api/v1/nights/<table:code>/acts/              POST      403    403    403    403    422    403
/api/v1/nights/<table:code>/bring/             POST      403    403    422    422    422    403
/api/v1/nights/<table:code>/bring/<int:pk>/    POST      403    403    404    404    404    403
/api/v1/nights/<table:code>/dates/             PUT       422    422    422    422    422    422
/api/v1/nights/<table:code>/dates/             POST      403    403    403    403    422    403
/api/v1/nights/<table:code>/tables/            POST      403    403    422    422    422    403
/api/v1/nights/<table:code>/votes/             POST      403    403    422    422    422    403
/api/v1/nights/<table:code>/recap/             GET       403    403    200    200    200    403
"""

NOT_PAGES: tuple[str, ...] = (
    "/nights/<table:code>/part/",
    "/nights/<table:code>/calendar.ics",
    "/nights/<table:code>/recap.png",
    "/nights/<table:code>/tv/part/",
)


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    from gamenights.nights import services
    from groups import services as groups_services
    from groups.entries import FoundGroup
    from people.requester import Who

    host = Who.of(cast["master"])
    group = groups_services.found_group(host, "a-group-of-nights", FoundGroup(name="The Other Table"))
    for name in ("player", "guest"):
        groups_services.add_member(group, cast[name])
    night = services.start_tonight(group, host, key="a-night-of-roles")
    return {"code": night.code, "pk": 0}


def demo_addresses(hall: Any) -> list[str]:
    past, coming = hall.site.shell(
        "from gamenights.models import Night;"
        "rows = Night.objects.filter(group__founding_key__endswith='/demo-group').order_by('day');"
        "print(rows.first().code, rows.last().code)"
    ).split()
    inside = ("", "change/", "start-table/", "log/", "recap/", "tv/")
    return [f"/nights/{code}/{rest}" for code in (past, coming) for rest in inside]
