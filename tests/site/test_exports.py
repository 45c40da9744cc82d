"""A file made for one viewer reaches another only if their own order would make the same bytes.

Every address that answers with a file is found by itself, so a new one is covered too.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from battles.slip import access_codes
from gamenights.nights import services as nights_services
from gamenights.nights.calendar_feeds import make_token
from groups import services as groups_services
from groups.entries import FoundGroup
from pages import cached_parts
from people.models import PersonalLink
from people.requester import Who
from tests.gamenights.plays.sample_plays import log_sample_play
from tests.site.routes import every_route
from tests.site.viewers import World, make_world

pytestmark = pytest.mark.django_db

VIEWERS = ("master", "ruler", "member", "guest", "slip_holder", "stranger", "nobody")
MOMENTS = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.]*|\b\d{8}T\d{6}Z?")
# Prints have tests/printing/test_other_viewers.py; the rulebook is the same for everyone; backups are the owner's.
OTHER_TESTS = ("/live/", "/ops/", "/print", "/rules", "/api/v1/rules", "/tables")
KINDS = ("text/csv", "text/calendar", "application/atom+xml")


@pytest.fixture
def hall(make_person) -> World:
    return make_world(make_person)


def addresses(hall: World) -> list[str]:
    """Every address without further choices, and those of a campaign, a battle, a group and a night."""
    host = Who.of(hall.people["master"])
    group = groups_services.found_group(host, "a-group-that-exports", FoundGroup(name="The Burdock Table"))
    groups_services.add_member(group, hall.people["ruler"])
    log_sample_play(group, host, [(hall.people["master"], "3")], key="a-play-that-is-exported")
    night = nights_services.start_tonight(group, host, key="a-night-that-is-exported")
    values = {"code": hall.code, "season": "1", "kingdom": "k1", "campaign": hall.code}
    values |= {"token": make_token(group, hall.people["ruler"])}
    codes = {"groups": group.code, "nights": night.code, "battles": hall.battle.code, "musters": hall.musters[0].code}
    rows = []
    for route in ("/" + row for row in every_route()):
        app = route.removeprefix("/api/v1").split("/")[1]
        for form in ("csv", "bgstats") if "<slug:form>" in route else ("",):
            names = values | {"code": codes.get(app, hall.code), "form": form}
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda match, names=names: names.get(match[1], "?"), route)
            if "?" not in path and not path.startswith(OTHER_TESTS):
                rows.append(path)
    return rows


def is_file(answer: Any) -> bool:
    kind = answer.headers.get("Content-Type", "")
    return answer.status_code == 200 and ("Content-Disposition" in answer.headers or kind.startswith(KINDS))


def look(client: Client, path: str, **validators: str) -> tuple[int, bytes]:
    answer = client.get(path, headers=validators)
    if answer.status_code != 200:
        return answer.status_code, b""  # a refusal: its page has a key of its own each time
    return answer.status_code, MOMENTS.sub(b"", b"".join(answer) if answer.streaming else answer.content)


def test_export_of_one_viewer_reaches_another_only_if_it_is_theirs_too(hall):
    files = [path for path in addresses(hall) if is_file(hall.clients["master"].get(path))]
    named = " ".join(files)
    assert all(word in named for word in ("campaign.json", "standings.csv", "entries.csv", "/me/data/file/"))
    assert all(word in named for word in ("/plays/export/csv/", "calendar.ics", "/groups/calendar/"))
    secrets = secrets_of(hall)
    wrong = []
    for path in files:
        alone = {}
        for viewer in VIEWERS:
            cached_parts.forget_all()
            alone[viewer] = look(hall.clients[viewer], path)
            read = [name for name, secret in secrets.items() if secret in alone[viewer][1]]
            wrong += [f"{path}: {viewer} reads {name}" for name in read]
        for first in ("master", "ruler"):
            made = hall.clients[first].get(path)
            known = {"if-none-match": made.headers.get("ETag", '"x"')}
            known |= {"if-modified-since": made.headers["Last-Modified"]} if "Last-Modified" in made.headers else {}
            for viewer in VIEWERS:
                status, content = look(hall.clients[viewer], path, **known)
                same = alone[viewer][1] == alone[first][1]
                if (status, content) != alone[viewer] and not (status == 304 and same):
                    wrong.append(f"{path}: after {first}, {viewer} gets {status}, not their own")
    assert not wrong, "\n" + "\n".join(wrong)


def secrets_of(hall: World) -> dict[str, bytes]:
    """What no file holds, whoever orders it."""
    slip = access_codes.find_slip(hall.battle).link
    values = {"the slip": slip.token.encode(), "its words": "-".join(access_codes.words_of(slip)).encode()}
    values["its spoken words"] = " ".join(access_codes.words_of(slip)).encode()
    for name, person in hall.people.items():
        if person.account:
            values[f"the password of {name}"] = person.account.password.encode()
    values |= {f"a personal link {row.pk}": row.token.encode() for row in PersonalLink.objects.all()}
    return values


def test_uploaded_file_is_seen_by_nobody_else(hall):
    """What one person sent to be imported waits for them alone."""
    file = hall.clients["master"].get(f"/api/v1/campaigns/{hall.code}/export/").content
    for viewer, status in (("master", 404), ("ruler", 404)):
        assert hall.clients[viewer].get("/api/v1/campaigns/arrival/").status_code == status
    sent = hall.clients["master"].post("/api/v1/campaigns/arrival/", file, content_type="application/json")
    assert sent.status_code in (200, 201, 202), sent.content[:200]
    assert hall.clients["ruler"].get("/api/v1/campaigns/arrival/").status_code == 404
    assert hall.clients["owner"].get("/api/v1/campaigns/arrival/").status_code == 404
