"""Who may do what under /photos/: rows for tests/site/test_roles.py."""

from __future__ import annotations

from typing import Any

# A photo of a play; the master hosts the group and added it, player and guest are members.
# route                                        method    nobody stranger guest player master owner
TABLE = """
/photos/<slug:code>.jpg                        GET       404    404    200    200    200    404
/photos/<slug:code>/small.jpg                  GET       404    404    200    200    200    404
/photos/<slug:code>/status/                    GET       404    404    200    200    200    404
/photos/<slug:code>/run/                       POST      404    404    422    422    422    404
/api/v1/photos/<slug:code>/                    GET     404    404    200    200    200    404
/api/v1/photos/<slug:code>/                    POST    404    404    422    422    422    404
/api/v1/photos/<slug:code>/                    DELETE  404    404    403    403    204    404
"""

NOT_PAGES: tuple[str, ...] = ("/photos/<slug:code>.jpg", "/photos/<slug:code>/small.jpg", "/photos/<slug:code>/status/")


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    from groups import services as groups_services
    from groups.entries import FoundGroup
    from people.requester import Who
    from tests.gamenights.plays.sample_plays import log_sample_play
    from tests.photos.sample_photos import add_drawn_photo

    host = Who.of(cast["master"])
    group = groups_services.found_group(host, "a-group-with-photos", FoundGroup(name="The Painted Table"))
    for name in ("player", "guest"):
        groups_services.add_member(group, cast[name])
    play = log_sample_play(group, host, [(cast["master"], "3")], key="a-play-with-photos")
    return {"code": add_drawn_photo(play, host, key="a-photo-of-roles").code}


def demo_addresses(hall: Any) -> list[str]:
    return []
