"""Who may do what under /musters/: rows for tests/site/test_roles.py and pages for tests/site/test_every_page.py."""

from __future__ import annotations

from typing import Any

from campaign import services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from campaign.invitations import services as invitations_services
from campaign.models import Campaign
from musters import services as musters_services
from people.requester import Who
from tests.campaign.chronicle.sample_wars import joining

# route                                        method    nobody stranger guest player master owner
TABLE = """
/musters/                                      GET       200    200    200    200    200    200
/musters/quick/                                POST      302    302    302    302    302    302
/musters/own/                                  GET       200    200    200    200    200    200
/musters/a/                                    GET       302    302    302    302    302    302
/musters/a/<str:code>/                         GET       404    404    404    404    404    404
/musters/dice-animation/                       POST      302    302    302    302    302    302
/musters/for/<slug:campaign>/<int:battle>/<slug:kingdom>/ GET  404 404  200    200    200    404
/musters/for/<slug:campaign>/<int:battle>/<slug:kingdom>/ POST 404 404  403    403    302    404
/musters/of/<slug:campaign>/<slug:kingdom>/    GET       404    404    200    200    200    404
/musters/<slug:code>/                          GET       404    404    200    200    200    404
/musters/<slug:code>/part/                     GET       404    404    200    200    200    404
/musters/<slug:code>/answer/                   POST      404    404    422    403    422    404
/musters/<slug:code>/again/                    POST      404    404    422    422    422    404
/musters/<slug:code>/keep/                     POST      404    404    422    422    422    404
/musters/<slug:code>/back/                     POST      404    404    422    403    422    404
/musters/<slug:code>/agree/                    POST      404    404    422    403    422    404
/musters/<slug:code>/word/                     POST      404    404    409    403    409    404
/musters/<slug:code>/take/                     POST      404    404    409    403    409    404
/api/v1/musters/                               POST      422    422    422    422    422    422
/api/v1/musters/quick/                         POST      201    201    201    201    201    201
/api/v1/musters/a/<str:code>/                  GET       422    422    422    422    422    422
/api/v1/musters/<slug:code>/                   GET       404    404    200    200    200    404
/api/v1/musters/<slug:code>/steps/             POST      404    404    422    422    422    404
/api/v1/musters/<slug:code>/again/             POST      404    404    422    422    422    404
/api/v1/musters/<slug:code>/word/              POST      404    404    409    403    409    404
/api/v1/musters/<slug:code>/take/              POST      404    404    422    422    422    404
/musters/evening/                              GET       200    200    200    200    200    200
/musters/evening/fresh/                        GET       302    302    302    302    302    302
/musters/evening/ground.svg                    GET       422    422    422    422    422    422
/api/v1/musters/evening/                       GET       200    200    200    200    200    200
/musters/compare/                              GET       200    200    200    200    200    200
/musters/compare/fresh/                        GET       302    302    302    302    302    302
/musters/compare/<slug:campaign>/<int:battle>/ GET       404    404    409    409    409    404
/api/v1/musters/compare/                       GET       422    422    422    422    422    422
/api/v1/musters/compare/<slug:campaign>/<int:battle>/ GET 404   404    409    409    409    404
/api/v1/musters/                               GET     200    200    200    200    200    200
/api/v1/musters/<slug:code>/keep/              POST    404    404    422    422    422    404
/api/v1/musters/<slug:code>/back/              POST    404    404    422    422    422    404
/api/v1/musters/<slug:code>/agree/             POST    404    404    422    422    422    404
/api/v1/musters/own/                           GET     200    200    200    200    200    200
/api/v1/musters/of/<slug:campaign>/<slug:kingdom>/ GET     404    404    200    200    200    404
"""

# Addresses that answer with no page of their own: fragments, files.
NOT_PAGES: tuple[str, ...] = ("/musters/evening/ground.svg", "/musters/<slug:code>/part/")


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    """Values for the names in angle brackets in this app's routes, from a separate war with an open battle.

    The guest rules k1 and has started a muster; nobody rules k2, and its muster has not started.
    """
    master = Who.of(cast["master"])
    war = founding_services.found_campaign(master, key="a-war-of-musters", name="The War of the Musters")
    for who in ("player", "guest"):
        invitations_services.join_campaign(war, Who.of(cast[who]), key=f"join-musters-{who}")
    for name, ruler in (("Oakhold", cast["guest"].pk), ("Fenwick", None)):
        campaign_services.write(
            war, master, key=f"joins-{name}", act=read_sent("kingdom_joins", joining(name, ruler=ruler))
        )
    body = {"attacker": "k1", "target": "k2.border_1"}
    battle = campaign_services.write(war, master, key="musters-declared", act=read_sent("battle_declared", body))[
        "body"
    ]["battle"]
    fresh = Campaign.objects.select_related("log", "snapshot").get(pk=war.pk)
    muster = musters_services.begin_muster(Who.of(cast["guest"]), fresh, battle, "k1")
    return {"campaign": war.code, "battle": battle, "kingdom": "k2", "code": muster.code}


def demo_addresses(hall: Any) -> list[str]:
    """Demo pages whose addresses contain a name."""
    codes = hall.site.shell(
        "from musters.models import Muster; print(*Muster.objects.order_by('kingdom').values_list('code', flat=True))"
    )
    return [
        *(f"/musters/{code}/" for code in codes.split()),
        f"/musters/of/{hall.code}/k1/",
        "/musters/a/8JWB9-G91FG-B8VW0/",
        "/musters/evening/?word=bramble-417&scenario=ambush&ground=1&round=2",
        "/musters/compare/?a=8GRE3-WKHCC-80001&b=8GRB9-DJAMF-G000R",
    ]
