"""Every role on every route: 404 for what they cannot see, 403 with a reason for what they cannot do.

The table names every route of the site. A new route without a row fails the test, so nobody forgets to decide.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.client import MULTIPART_CONTENT

from battles.models import Battle
from battles.slip import access_codes
from campaign import services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from campaign.models import Approval, Campaign
from groups import services as groups_services
from groups.models import Group
from jobs.models import Job
from pages.answer_middleware import CONTENT_SECURITY_POLICY
from people import guests as guests_services
from people.accounts import services
from people.models import ApiToken, LogIn, Person
from people.passes import services as passes_services, services as personal_links
from people.requester import Who
from tests.battles import roles as battles
from tests.campaign.chronicle.sample_wars import joining
from tests.cardgames import roles as cardgames
from tests.gamenights import roles as gamenights
from tests.groups import roles as groups
from tests.musters import roles as musters
from tests.photos import roles as photos
from tests.printing import roles as printing
from tests.read_once import Reads
from tests.site.routes import every_route

# nobody: no log-in; stranger: an account, nothing shared; player and master: of the campaign; guest: a player without
# an account, in by the personal link; owner: of the site, not of the campaign.
ROLES = ("nobody", "stranger", "guest", "player", "master", "owner")
# Roles that must get what another gets. rival: runs a campaign of their own; revoked: a browser whose personal link and
# slip have ended; spectator: a browser that watches the card table and the night; opponent: plays in the same campaigns
# and groups as the player, another viewer of everything they see.
LIKE = {"rival": "stranger", "revoked": "nobody", "spectator": "nobody", "opponent": "player"}
EVERYBODY = (*ROLES, *LIKE)

# route                                        method    nobody stranger guest player master owner
TABLE = """
/                                              GET       200    200    200    200    200    200
/how-it-goes/                                  GET       200    200    200    200    200    200
/nights/                                       GET       200    200    200    200    200    200
/n/                                            GET       200    200    200    200    200    200
/tables/<table:code>/picture.png               GET       409    409    409    409    409    409
/arms/                                         GET       302    302    302    302    302    302
/theme/                                        POST      302    302    302    302    302    302
/log-in/                                       GET       200    302    200    302    302    302
/log-in/forgotten/                             GET       200    200    200    200    200    200
/log-out/                                      POST      302    302    302    302    302    302
/sign-up/                                      GET       200    200    200    200    200    200
/first/                                        GET       404    404    404    404    404    404
/first/                                        POST      422    422    422    422    422    422
/me/                                           GET       302    200    200    200    200    200
/me/name/                                      GET       302    200    200    200    200    200
/me/arms/                                      GET       302    200    200    200    200    200
/me/account/                                   GET       302    302    200    302    302    302
/me/password/                                  GET       302    200    403    200    200    200
/me/mail/                                      GET       302    404    403    404    404    404
/me/notices/                                   GET       302    200    200    200    200    200
/me/trust/                                     POST      403    302    403    302    302    302
/me/link/                                      GET       302    200    200    200    200    200
/me/log-ins/end-others/                        POST      403    302    403    302    302    302
/me/log-ins/<int:pk>/end/                      POST      403    404    404    404    302    404
/me/data/                                      GET       302    200    200    200    200    200
/me/data/file/                                 GET       302    200    200    200    200    200
/me/forget/                                    GET       302    200    200    200    200    200
/people/                                       GET       302    200    200    200    200    200
/people/<slug:code>/                           GET       302    404    302    200    200    200
/people/<slug:code>/rename/                    POST      403    404    200    403    200    403
/people/<slug:code>/arms/                      POST      403    404    422    403    422    403
/people/<slug:code>/link/                      POST      403    404    302    403    302    403
/people/<slug:code>/claim/                     POST      403    404    422    403    302    403
/people/<slug:code>/hand-on/                   POST      403    404    422    403    302    403
/people/<slug:code>/reset/                     POST      403    404    403    403    403    403
/people/<slug:code>/merge/                     GET       302    404    404    403    200    403
/people/<slug:code>/unmerge/                   POST      403    404    404    404    404    404
/people/<slug:code>/forget/                    GET       302    404    200    403    200    403
/invitations/                                  GET       302    200    200    200    200    200
/invitations/<int:pk>/                         GET       302    404    404    404    200    404
/invitations/<int:pk>/revoke/                  POST      403    404    404    404    302    404
/p/<str:token>                                 GET       302    302    302    302    302    302
/p/                                            GET       404    302    302    302    302    302
/i/<str:token>                                 GET       302    302    302    302    302    302
/invitation/<int:pk>/                          GET       404    404    404    404    404    404
/invitation/<int:pk>/by-name/                  POST      404    404    404    404    404    404
/campaigns/                                    GET       200    200    200    200    200    200
/campaigns/found/                              GET       302    200    200    200    200    200
/campaigns/take-in/                            GET       302    200    200    200    200    200
/campaigns/take-in/look/                       GET       302    302    302    302    302    302
/campaigns/<slug:code>/                        GET       404    404    200    200    200    404
/rules/                                        GET       200    200    200    200    200    200
/rules/odds/                                   GET       200    200    200    200    200    200
/rules/scenarios/<slug:key>/                   GET       200    200    200    200    200    200
/rules/<slug:key>/                             GET       200    200    200    200    200    200
/campaigns/<slug:code>/parts/                  GET       404    404    200    200    200    404
/campaigns/<slug:code>/join/<int:count>/       GET       404    404    403    403    200    404
/campaigns/<slug:code>/standing/               GET       404    404    403    403    200    404
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/ GET      404    404    200    200    200    404
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/spend/ POST 404  404    422    422    422    404
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/looks/ GET 404   404    200    403    200    404
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/arms/ GET 404    404    200    403    200    404
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/arms/<int:house>/ GET 404 404 200 403 200 404
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/rule/ GET 404    404    200    403    200    404
/campaigns/<slug:code>/masters/                GET       404    404    403    403    200    404
/campaigns/<slug:code>/house-rules/            GET       404    404    200    200    200    404
/campaigns/<slug:code>/roll-off/               GET       404    404    200    200    200    404
/campaigns/<slug:code>/targets/                GET       404    404    200    200    200    404
/campaigns/<slug:code>/declare/                POST      404    404    422    422    422    404
/campaigns/<slug:code>/battles/<int:battle>/call-off/ POST 404  404    422    422    422    404
/campaigns/<slug:code>/log-battle/             GET       404    404    404    404    404    404
/campaigns/<slug:code>/result/                 GET       404    404    404    404    404    404
/campaigns/<slug:code>/petitions/<int:pk>/     GET       404    404    200    200    200    404
/campaigns/<slug:code>/petitions/<int:pk>/other/ GET     404    404    200    200    200    404
/campaigns/<slug:code>/agreed/                 GET       404    404    403    403    200    404
/campaigns/<slug:code>/won/                    GET       404    404    403    403    200    404
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/take/ POST 404   404    422    422    422    404
/campaigns/<slug:code>/wars/<int:war>/         GET       404    404    404    404    404    404
/campaigns/<slug:code>/season/                 GET       404    404    403    403    200    404
/campaigns/<slug:code>/seasons/                GET       404    404    200    200    200    404
/campaigns/<slug:code>/seasons/<int:season>/   GET       404    404    200    200    200    404
/campaigns/<slug:code>/charts/                 GET       404    404    200    200    200    404
/campaigns/<slug:code>/export/                 GET       404    404    200    200    200    404
/campaigns/<slug:code>/export/campaign.json    GET       404    404    200    200    200    404
/campaigns/<slug:code>/export/standings.csv    GET       404    404    200    200    200    404
/campaigns/<slug:code>/export/entries.csv      GET       404    404    200    200    200    404
/campaigns/<slug:code>/archive/                POST      404    404    403    403    302    404
/campaigns/<slug:code>/delete/                 GET       404    404    403    403    200    404
/campaigns/<slug:code>/atlas/                  GET       404    404    200    200    200    404
/campaigns/<slug:code>/entries/<int:number>/strike/ GET  404    404    200    200    200    404
/campaigns/<slug:code>/entries/<int:number>/amend/ GET   404    404    200    200    200    404
/campaigns/<slug:code>/entries/<int:number>/restore/ GET 404    404    422    422    422    404
/campaigns/<slug:code>/note/                   POST      404    404    422    422    422    404
/campaigns/<slug:code>/rename/                 POST      404    404    403    403    422    404
/campaigns/<slug:code>/card.png                GET       404    404    200    200    200    404
/campaigns/<slug:code>/lands/<str:kingdoms>.svg GET      404    404    200    200    200    404
/campaigns/<slug:code>/invite/                 GET       404    404    403    403    200    404
/live/token/                                   GET       200    200    200    200    200    200
/live/<logs:logs>/                             GET       404    404    503    503    503    404
/jobs/                                         GET       302    200    200    200    200    200
/jobs/<job:ref>/                                GET       404    404    404    404    200    200
/jobs/<job:ref>/row/                            GET       404    404    404    404    200    200
/jobs/<job:ref>/cancel/                         POST      404    404    404    404    409    409
/jobs/<job:ref>/retry/                          POST      404    404    404    404    409    409
/jobs/<job:ref>/file/                           GET       404    404    404    404    404    404
/healthz                                       GET       200    200    200    200    200    200
/readyz                                        GET       200    200    200    200    200    200
/metrics                                       GET       404    404    404    404    404    404
/ops/                                          GET       302    404    403    404    404    200
/ops/backup/                                   POST      403    404    403    404    404    302
/ops/tidy/                                     POST      403    404    403    404    404    302
/ops/copies/<str:name>                         GET       302    404    403    404    404    404
/api/v1/me/                                    GET       403    200    200    200    200    200
/api/v1/me/notices/                            GET       403    200    200    200    200    200
/api/v1/me/notices/                            PUT       403    422    422    422    422    422
/api/v1/people/                                GET       403    200    200    200    200    200
/api/v1/people/<slug:code>/                    GET       403    404    200    200    200    200
/api/v1/passes/                                GET       403    200    200    200    200    200
/api/v1/passes/<int:pk>/revoke/                POST      403    404    404    404    200    404
/api/v1/log-in/                                POST    201    201    201    201    201    201
/api/v1/log-out/                               POST    204    204    204    204    204    204
/api/v1/sign-up/                               POST    422    422    422    422    422    422
/api/v1/first-owner/                           POST    422    422    422    422    422    422
/api/v1/forgotten-password/                    POST    422    422    422    422    422    422
/api/v1/tokens/                                GET     403    200    200    200    200    200
/api/v1/tokens/                                POST    403    201    201    201    201    201
/api/v1/tokens/<int:pk>/                       DELETE  403    404    404    404    204    404
/api/v1/me/account/                            POST    403    409    422    409    409    409
/api/v1/me/password/                           POST    403    422    403    422    422    422
/api/v1/me/mail/                               GET     403    404    403    404    404    404
/api/v1/me/mail/                               PUT     403    404    403    404    404    404
/api/v1/me/help/                               GET     403    200    403    200    200    200
/api/v1/me/help/                               PUT     403    200    403    200    200    200
/api/v1/me/link/                               GET     403    404    200    404    404    404
/api/v1/me/link/                               POST    403    201    201    201    201    201
/api/v1/me/log-ins/                            GET     403    200    200    200    200    200
/api/v1/me/log-ins/                            DELETE  403    204    403    204    204    204
/api/v1/me/log-ins/<int:pk>/                   DELETE  403    404    404    404    204    404
/api/v1/me/data/                               GET     403    200    200    200    200    200
/api/v1/me/forget/                             POST    403    422    422    422    422    422
/api/v1/people/<slug:code>/link/               GET     403    404    200    403    200    403
/api/v1/people/<slug:code>/link/               POST    403    404    201    403    201    403
/api/v1/people/<slug:code>/claim/              POST    403    404    422    403    201    403
/api/v1/people/<slug:code>/hand-on/            POST    403    404    422    403    201    403
/api/v1/people/<slug:code>/reset/              POST    403    404    403    403    403    403
/api/v1/people/<slug:code>/merge/              POST    403    404    404    403    422    403
/api/v1/people/<slug:code>/unmerge/            POST    403    404    404    404    404    404
/api/v1/people/<slug:code>/forget/             POST    403    404    422    403    422    403
/api/v1/passes/<int:pk>/                       GET     403    404    404    404    200    404
/api/v1/links/look/                            POST    422    422    422    422    422    422
/api/v1/links/accept/                          POST    422    422    422    422    422    422
/me/tokens/                                    GET     302    200    200    200    200    200
/me/tokens/                                    POST    403    422    422    422    422    422
/me/tokens/<int:pk>/end/                       POST    403    404    404    404    302    404
/api/v1/campaigns/                             GET       200    200    200    200    200    200
/api/v1/campaigns/<slug:code>/                 GET       404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/at/<int:number>/ GET       404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/acts/            POST      404    404    422    422    422    404
/api/v1/campaigns/<slug:code>/petitions/       GET       404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/petitions/<int:pk>/ GET    404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/corrections/     POST      404    404    422    422    422    404
/api/v1/campaigns/<slug:code>/notes/           POST      404    404    422    422    422    404
/api/v1/campaigns/<slug:code>/standings/       GET       404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/seasons/         GET       404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/seasons/<int:season>/ GET  404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/courses/         GET       404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/export/          GET       404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/entries/         GET     404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/targets/         GET     404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/roll-off/        GET     404    404    422    422    422    404
/api/v1/campaigns/<slug:code>/roll-off/        POST    404    404    422    422    422    404
/api/v1/campaigns/<slug:code>/suggestions/     GET     404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/kingdoms/<slug:kingdom>/ GET     404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/wars/<int:war>/  GET     404    404    404    404    404    404
/api/v1/campaigns/<slug:code>/house-rules/     GET     404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/invitations/     GET     404    404    403    403    200    404
/api/v1/campaigns/<slug:code>/invitations/     POST    404    404    403    403    201    404
/api/v1/campaigns/<slug:code>/invitations/<int:invitation>/ DELETE  404    404    403    403    204    404
/api/v1/campaigns/<slug:code>/guest-links/     GET     404    404    403    403    200    404
/api/v1/campaigns/<slug:code>/guest-links/     POST    404    404    403    403    201    404
/api/v1/campaigns/<slug:code>/archive/         PUT     404    404    403    403    422    404
/api/v1/campaigns/<slug:code>/export/<slug:table>.csv GET     404    404    200    200    200    404
/api/v1/campaigns/<slug:code>/                 DELETE    404    404    403    403    422    404
/api/v1/campaigns/arrival/                     GET       403    404    404    404    404    404
/api/v1/campaigns/arrival/                     POST      403    422    422    422    422    422
/api/v1/campaigns/arrival/take-in/             POST      403    404    404    404    404    404
/api/v1/jobs/                                  GET       200    200    200    200    200    200
/api/v1/jobs/<job:ref>/                         GET       404    404    404    404    200    200
/api/v1/jobs/<job:ref>/cancel/                  POST      404    404    404    404    409    409
/api/v1/jobs/<job:ref>/retry/                   POST      404    404    404    404    409    409
/api/schema/                                   GET       200    200    200    200    200    200
/api/docs/                                     GET       200    200    200    200    200    200
/api/                                          GET       302    302    302    302    302    302
/api/v1/site/                                  GET     403    404    403    404    404    200
/api/v1/site/backup/                           POST    403    404    403    404    404    202
/api/v1/site/tidy/                             POST    403    404    403    404    404    202
/api/v1/site/copies/<str:name>                 GET     403    404    403    404    404    404
/api/v1/jobs/<job:ref>/file/                   GET     404    404    404    404    404    404
/api/v1/your-move/                             GET     403    200    200    200    200    200
/api/v1/evenings/                              GET     200    200    200    200    200    200
"""

# Apps whose rows live beside their own tests: the start of their addresses, and the module.
APPS = {
    "musters": musters,
    "battles": battles,
    "tables": cardgames,
    "print": printing,
    "groups": groups,
    "nights": gamenights,
    "photos": photos,
}

# The rulebook is open to everyone; tests/reference asks each of its tables.
OPEN = ("/api/v1/rules/",)


@dataclass(frozen=True)
class Row:
    route: str
    method: str
    expected: dict[str, int]


def rows() -> list[Row]:
    result = []
    tables = [TABLE, *(app.TABLE for app in APPS.values())]
    for line in (line for table in tables for line in table.strip().splitlines()):
        route, method, *statuses = line.split()
        expected = dict(zip(ROLES, map(int, statuses), strict=True))
        result.append(Row(route, method, expected | {role: expected[other] for role, other in LIKE.items()}))
    return result


@pytest.fixture
def everyone(make_person):
    """A campaign with its people, and one of everything that has an address."""
    cast = {name: make_person(name.capitalize()) for name in ("stranger", "player", "master", "owner")}
    cast["owner"].account.is_superuser = cast["owner"].account.is_staff = True
    cast["owner"].account.save()
    master = Who.of(cast["master"])
    guest = guests_services.add_guest(master, "Guest", key="guest-of-the-table")
    campaign = founding_services.found_campaign(master, key="one-campaign", name="The War of the Hedges")
    for person in (cast["player"], guest):
        invitations_services.join_campaign(campaign, Who.of(person), key=f"join-{person.pk}-x")
    joined = campaign_services.write(
        campaign, master, key="k1-joins-in", act=read_sent("kingdom_joins", joining("Oakhold", ruler=guest.pk))
    )["entry"]
    link = personal_links.issue_link(guest, by=master)
    clients = {name: person.client for name, person in cast.items()} | {"nobody": Client(), "guest": Client()}
    clients["guest"].get(link.get_absolute_url())
    clients["guest"].post("/p/")
    assert clients["guest"].get("/me/").status_code == 200
    cast["master"].client.get("/me/")
    invitation = invitations_services.create_invitation(campaign, master, label="")
    job = Job.objects.create(kind="backup", owner=cast["master"], state="done")
    names = {
        "campaigns": {
            "code": campaign.code,
            "count": 2,
            "kingdom": "k1",
            "kingdoms": "k1",
            "house": 1,
            "number": joined,
            "battle": 7,
            "season": 1,
            "war": 1,
            "table": "standings",
            "invitation": invitation.pk,
            "pk": _approval(campaign, guest).pk,
        },
        "rules": {"key": "units"},
        "scenarios": {"key": "ambush"},
        "people": {"code": guest.code},
        "invitations": {"pk": invitation.pk},
        "invitation": {"pk": invitation.pk},
        "passes": {"pk": invitation.pk},
        "jobs": {"ref": job.token},
        "log-ins": {"pk": LogIn.objects.filter(person=cast["master"]).latest("pk").pk},
        "tokens": {"pk": _token_of(cast["master"]).pk},
        "copies": {"name": "no-such-copy.zip"},
        "live": {"logs": campaign.log_id},
        "p": {"token": link.token},
        "i": {"token": passes_services.create_pass("join_campaign", campaign.pk, by=master).token},
    }
    cast["guest"] = guest
    names |= {beginning: app.names(campaign, cast) for beginning, app in APPS.items()}
    names["calendar"] = names["groups"]
    clients["rival"] = _rival(make_person).client
    clients["revoked"] = _revoked(master, Battle.objects.get(code=names["battles"]["code"]))
    clients["spectator"] = _spectator(f"/tables/{names['tables']['code']}/", f"/nights/{names['nights']['code']}/")
    clients["opponent"] = _opponent(make_person, cast["player"]).client
    return clients, names


def _token_of(person: Person) -> ApiToken:
    log_in = LogIn.objects.create(person=person, how=LogIn.How.PASSWORD, browser="score board")
    return ApiToken.objects.create(log_in=log_in, scopes="read play run")


def _rival(make_person) -> Person:
    rival = make_person("Rival")
    own = founding_services.found_campaign(Who.of(rival), key="another-campaign", name="The War of the Reeds")
    body = joining("Oakhold", ruler=rival.pk)
    campaign_services.write(own, Who.of(rival), key="another-joins", act=read_sent("kingdom_joins", body))
    _approval(own, rival)
    return rival


def _revoked(master: Who, battle: Battle) -> Client:
    client, gone = Client(), guests_services.add_guest(master, "Gone", key="guest-who-left")
    client.get(personal_links.issue_link(gone, by=master).get_absolute_url())
    client.post("/p/")
    client.get(access_codes.get_or_create_slip(battle, master).link.get_absolute_url(), follow=True)
    assert client.get(f"/battles/{battle.code}/report/").status_code == client.get("/me/").status_code == 200
    services.end_credentials((gone.pk,), by=None)
    access_codes.renew_slip(battle, master)
    return client


def _spectator(*paths: str) -> Client:
    client = Client()
    for path in paths:
        assert client.get(path, follow=True).status_code == 200
    return client


def _opponent(make_person, player: Person) -> Person:
    opponent = make_person("Opponent")
    for campaign in Campaign.objects.filter(members__person=player):
        invitations_services.join_campaign(campaign, Who.of(opponent), key=f"opponent-{campaign.pk}")
    for group in Group.objects.filter(members__person=player):
        groups_services.add_member(group, opponent)
    return opponent


def _approval(campaign, person) -> Approval:
    """A report awaiting the game master's confirmation."""
    body = {"attacker": "k1", "target": "k1.border_1", "outcome": "draw", "battle": 7}
    report = {
        "person": person.pk,
        "behalf": None,
        "body": body,
        "played": "2026-03-01",
        "late": False,
        "why": "",
        "digest": "",
        "at": "",
    }
    return Approval.objects.create(
        campaign=campaign,
        act="result",
        subject="battle 7",
        sides=["k1", "k1"],
        asks=["master"],
        versions=[report],
        laid_by=person,
    )


def address(route: str, names: dict[str, dict]) -> str:
    part = next((word for word in reversed(route.strip("/").split("/")) if word in names), "")
    if (first := route.removeprefix("/api/v1").split("/")[1]) in ("campaigns", *APPS):
        part = first
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(names[part][found[1]]), route)


def test_every_route_has_a_row_and_every_row_has_a_route():
    ours = {"/" + route for route in every_route() if not ("/" + route).startswith(OPEN)}
    listed = {row.route for row in rows()}
    assert ours - listed == set(), "decide who can do this and add it to the table"
    assert listed - ours == set(), "these are gone"


def ask(client: Client, method: str, path: str) -> HttpResponse:
    """One request on its own: database changes are rolled back and cookies dropped."""
    alone = Client()
    alone.cookies.update(client.cookies)
    before = transaction.savepoint()
    try:
        if method == "POST":
            return alone.post(path, {}, content_type=content_type(path))
        return alone.generic(method, path)
    finally:
        transaction.savepoint_rollback(before)


# What a look may leave behind: the session, when somebody was last here, and what is worked out from the logs anyway.
NOTES_OF_A_LOOK = re.compile(
    r'"(django_session|people_apitoken|people_login|campaign_visit|gamenights_(tally|rating|stored)\w*)"'
)
WRITE = re.compile(r"(INSERT|UPDATE|DELETE|REPLACE)\b")


@dataclass
class Noted:
    writes: list[str] = field(default_factory=list)
    reads: Reads = field(default_factory=Reads)


@contextlib.contextmanager
def noted_queries() -> Iterator[Noted]:
    noted = Noted()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if WRITE.match(sql) and not NOTES_OF_A_LOOK.search(sql):
            noted.writes.append(sql)
        noted.reads.note(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield noted


def content_type(path: str) -> str:
    return "application/json" if path.startswith("/api/") else MULTIPART_CONTENT


@pytest.mark.parametrize("role", EVERYBODY)
def test_each_role_gets_its_expected_status(everyone, role):
    clients, names = everyone
    wrong = []
    for row in rows():
        path = address(row.route, names)
        with noted_queries() as noted:
            answer = ask(clients[role], row.method, path)
        if row.method == "GET" and noted.writes:
            wrong.append(f"GET {path} writes: {noted.writes[0][:150]}")
        if noted.reads.again:
            wrong.append(f"{row.method} {path} reads more than once: {noted.reads.again}")
        if answer.status_code != row.expected[role]:
            wrong.append(f"{row.method} {path}: {answer.status_code}, not {row.expected[role]}")
        if answer.status_code == 403 and not path.startswith("/api/"):
            assert "<h1" in answer.content.decode()
        if answer.status_code >= 400 and path.startswith("/api/v1/") and not is_problem(answer):
            wrong.append(f"{row.method} {path}: {answer.status_code} without problem details")
        if answer.headers["Content-Security-Policy"] != CONTENT_SECURITY_POLICY:
            wrong.append(f"{row.method} {path}: has an exception from the content security policy")
        if not is_kept_for_one_viewer(answer, row.route):
            wrong.append(f"{row.method} {path}: a cache could hand it to somebody else: {answer['Cache-Control']}")
    assert not wrong, "\n" + "\n".join(wrong)


def is_problem(answer: HttpResponse) -> bool:
    """RFC 9457, with a sentence."""
    if answer.headers["Content-Type"] != "application/problem+json":
        return False
    result = answer.json()
    return result["status"] == answer.status_code and len(result["detail"]) > 10


def is_kept_for_one_viewer(answer: HttpResponse, route: str) -> bool:
    """No shared cache keeps it, and the next person at the same browser asks again."""
    said = answer.headers.get("Cache-Control", "")
    if "no-store" in said or "no-cache" in said:
        return "public" not in said
    by_address_alone = "<str:token>" in route  # whoever has the link has the same
    return "private" in said and (by_address_alone or "Cookie" in answer.headers.get("Vary", ""))


# What nobody has asked for in the table: other methods are refused, or lead to the log-in.
REFUSED = (302, 403, 404, 405)
METHODS = ("GET", "POST", "PUT", "DELETE")


def other_methods(role: str) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Every route with every method that has no row, and what this role may get."""
    table: dict[str, dict[str, int]] = {}
    for row in rows():
        table.setdefault(row.route, {})[row.method] = row.expected[role]
    for route, listed in table.items():
        closed = set(listed.values()) <= {403, 404}
        for method in (each for each in METHODS if each not in listed):
            # Of what they see, the form and what it sends, empty: a page or a sentence.
            yield route, method, REFUSED if closed or method in ("PUT", "DELETE") else tuple(range(200, 500))


def test_every_route_method_and_role_has_an_expectation():
    routes = {"/" + route for route in every_route() if not ("/" + route).startswith(OPEN)}
    for role in EVERYBODY:
        listed = {(row.route, row.method) for row in rows() if role in row.expected}
        computed = {(route, method) for route, method, _ in other_methods(role)}
        assert {(route, method) for route in routes for method in METHODS} <= listed | computed


@pytest.mark.parametrize("role", ["rival", "master"])
def test_methods_without_a_row_are_refused(everyone, role):
    refuse_other_methods(everyone, role)


@pytest.mark.soak
@pytest.mark.parametrize("role", sorted({*EVERYBODY} - {"rival", "master"}))
def test_methods_without_a_row_are_refused_to_everybody(everyone, role):
    refuse_other_methods(everyone, role)


def refuse_other_methods(everyone, role: str) -> None:
    clients, names = everyone
    wrong = []
    for route, method, allowed in other_methods(role):
        path = address(route, names)
        status = ask(clients[role], method, path).status_code
        if status not in allowed:
            wrong.append(f"{method} {path}: {status}")
    assert not wrong, "\n" + "\n".join(wrong)


NUMBERS = re.compile(r"<(?:int:\w+|job:ref)>")
NO_SUCH = "987654321"


@pytest.mark.parametrize("role", ["nobody", "rival", "player"])
def test_guessing_numbers_reveals_nothing(everyone, role):
    """What somebody cannot see answers like what is not there."""
    clients, names = everyone
    wrong, tried = [], 0
    for row in rows():
        if not NUMBERS.search(row.route) or row.expected[role] != 404:
            continue
        tried += 1
        there = address(row.route, names)
        not_there = address(NUMBERS.sub(NO_SUCH, row.route), names)
        seen = {look(clients[role], row.method, path) for path in (there, not_there)}
        if len(seen) > 1:
            wrong.append(f"{row.method} {there}: not the same as {not_there}")
    assert tried > 10
    assert not wrong, "\n" + "\n".join(wrong)


def look(client: Client, method: str, path: str) -> tuple[int, str]:
    """Status and page, without its own address, the keys of its forms and the browser's own mark."""
    answer = ask(client, method, path)
    page = answer.content.decode().replace(path, "")
    return answer.status_code, re.sub(r'(value|data-who)="[^"]*"|next=[^"&]*', "", page)


def test_number_of_another_campaign_is_not_found(everyone):
    """Reports of all campaigns share their numbers: a member cannot read another's through their own campaign."""
    clients, names = everyone
    theirs = Approval.objects.exclude(pk=names["campaigns"]["pk"]).latest("pk")
    for prefix in ("", "/api/v1"):
        path = f"{prefix}/campaigns/{names['campaigns']['code']}/petitions/{theirs.pk}/"
        assert clients["master"].get(path).status_code == 404
