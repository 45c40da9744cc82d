"""Who may do what under /battles/: rows for tests/site/test_roles.py and pages for tests/site/test_every_page.py."""

from __future__ import annotations

from typing import Any

# In the world of these tests guest rules Oakhold and player Fenwick's rival; "declared" is open between the two.
# route  method  nobody stranger guest player master owner
TABLE = """
/battles/                                      GET       200    200    200    200    200    200
/battles/fight/                                GET       200    200    200    200    200    200
/api/v1/battles/fight/                         POST      422    422    422    422    422    422
/api/v1/battles/<slug:code>/table/             GET       404    404    200    200    200    404
/api/v1/battles/<slug:code>/table/steps/       POST      404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/take-back/   GET       404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/take-back/   POST      404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/attacks/     POST      404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/attacks/preview/ POST  404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/units/<slug:unit>/ GET 404    404    200    200    200    404
/battles/<slug:code>/table/                    GET       404    404    200    200    200    404
/battles/<slug:code>/table/board/              GET       404    404    200    200    200    404
/battles/<slug:code>/table/lay/                GET       404    404    302    302    302    404
/battles/<slug:code>/table/step/               POST      404    404    422    422    422    404
/battles/<slug:code>/table/set/                GET       404    404    200    200    200    404
/battles/<slug:code>/table/helper/             GET       404    404    404    404    404    404
/battles/<slug:code>/table/history/            GET       404    404    200    200    200    404
/battles/<slug:code>/table/opponent/           GET       404    404    404    404    404    404
/battles/<slug:code>/table/units/<slug:unit>/  GET       404    404    200    200    200    404
/battles/<slug:code>/table/take-back/<int:number>/ GET   404    404    200    200    200    404
/api/v1/battles/                               GET       200    200    200    200    200    200
/api/v1/battles/statistics/                    GET       200    200    200    200    200    200
/api/v1/battles/<slug:code>/                   GET       404    404    200    200    200    404
/api/v1/battles/<slug:code>/set-up/            POST      404    404    422    422    422    404
/api/v1/battles/<slug:code>/report/            GET       404    404    200    403    200    404
/api/v1/battles/<slug:code>/report-armies/     GET       404    404    200    403    200    404
/api/v1/battles/<slug:code>/report/            POST      404    404    422    403    422    404
/api/v1/battles/<slug:code>/report-armies/     POST      404    404    422    403    422    404
/battles/new/                                  GET       200    200    200    200    200    200
/battles/code/                                 GET       200    200    200    200    200    200
/battles/slips/                                GET       200    200    200    200    200    200
/battles/statistics/                           GET       200    200    200    200    200    200
/battles/past/<slug:campaign>/                 GET       404    404    200    403    200    404
/battles/of/<slug:campaign>/<int:battle>/      GET       404    404    302    302    302    404
/battles/of/<slug:campaign>/<int:battle>/correct/ GET   404    404    302    302    302    404
/battles/heroes/<slug:campaign>/<slug:kingdom>/<int:house>/ GET 404 404  200    200    200    404
/battles/<slug:code>/                          GET       404    404    200    200    200    404
/battles/<slug:code>/live/                     GET       404    404    200    200    200    404
/battles/<slug:code>/set-up/                   POST      404    404    422    403    422    404
/battles/<slug:code>/on-the-table/             POST      404    404    422    403    422    404
/battles/<slug:code>/report/                   GET       404    404    200    403    200    404
/battles/<slug:code>/report/worked-out/        POST      404    404    200    403    200    404
/battles/<slug:code>/photos/                   POST      404    404    422    422    422    404
/battles/<slug:code>/written/                  POST      404    404    422    422    422    404
/battles/<slug:code>/answer/                   POST      404    404    422    403    422    404
/battles/<slug:code>/call-off/                 POST      404    404    422    422    422    404
/battles/<slug:code>/reopen/                   POST      404    404    409    409    409    404
/battles/<slug:code>/slip/                     GET       404    404    200    403    200    404
/battles/<slug:code>/slip/renew/               POST      404    404    302    403    302    404
/battles/<slug:code>/share.png                 GET       404    404    200    200    200    404
/api/v1/battles/code/                          POST    422    422    422    422    422    422
/api/v1/battles/past/<slug:campaign>/          POST    404    404    422    403    422    404
/api/v1/battles/heroes/<slug:campaign>/<slug:kingdom>/<int:house>/ GET     404    404    200    200    200    404
/api/v1/battles/<slug:code>/start/             POST    404    404    422    422    422    404
/api/v1/battles/<slug:code>/call-off/          POST    404    404    422    422    422    404
/api/v1/battles/<slug:code>/reopen/            POST    404    404    422    422    422    404
/api/v1/battles/<slug:code>/link/              GET     404    404    404    404    404    404
/api/v1/battles/<slug:code>/pending-report/    GET     404    404    404    404    404    404
/api/v1/battles/<slug:code>/pending-report/    POST    404    404    422    403    422    404
/api/v1/battles/<slug:code>/slip/              GET     404    404    200    403    200    404
/api/v1/battles/<slug:code>/slip/              POST    404    404    201    403    201    404
/api/v1/battles/<slug:code>/photos/            GET     404    404    200    200    200    404
/api/v1/battles/<slug:code>/photos/            POST    404    404    422    422    422    404
/api/v1/battles/<slug:code>/written/           GET     404    404    200    200    200    404
/api/v1/battles/<slug:code>/written/           POST    404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/solo/        GET     404    404    404    404    404    404
/api/v1/battles/<slug:code>/table/solo/        POST    404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/set-up/      POST    404    404    422    422    422    404
/api/v1/battles/<slug:code>/table/history/     GET     404    404    200    200    200    404
"""

# Addresses that answer with no page of their own: fragments, files.
NOT_PAGES: tuple[str, ...] = (
    "/battles/<slug:code>/table/board/",
    "/battles/of/<slug:campaign>/<int:battle>/",
    "/battles/<slug:code>/live/",
    "/battles/<slug:code>/share.png",
)


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    """Values for the names between angle brackets in this app's routes."""
    from battles.new_battle import services as new_battle_services
    from battles.tracker import services as tracker_services
    from battles.tracker.core import logged_steps
    from people.requester import Who
    from tests.battles.sample_campaigns import a_campaign, declared
    from tests.battles.tracker.core.memory_tracker import OAKHOLD, THISTLEDOWN

    # A campaign of its own: an open battle would get in the way of other rows.
    master = Who.of(cast["master"])
    war = a_campaign(cast["master"], [cast["guest"], None], joins=[cast["player"]], key="war-of-battles")
    battle = declared(war, master)
    assert new_battle_services.get_campaign_battle(war, battle.number) == battle
    found = tracker_services.visible_battles(master).get(pk=battle.pk)
    sides = [{"side": "A", "name": "Oakhold", "units": OAKHOLD}, {"side": "B", "name": "Fenwick", "units": THISTLEDOWN}]
    done = tracker_services.take_step(
        found, master, logged_steps.read_sent("laid", {"sides": sides}), key="armies-laid-out"
    )
    return {
        "code": battle.code,
        "campaign": war.code,
        "battle": battle.number,
        "kingdom": "k1",
        "house": 1,
        "unit": "A1",
        "number": done.entry,
    }


def demo_addresses(hall: Any) -> list[str]:
    """Pages of the demo world whose addresses hold a name."""
    script = (
        "from django.db.models import Q\n"
        "from battles.models import Battle\n"
        f"seen = Battle.objects.filter(Q(campaign=None) | Q(campaign__code='{hall.code}'))\n"
        "for b in seen.order_by('pk'): print(b.code, b.stage, f'{b.campaign.code} {b.number}' if b.campaign else '')"
    )
    rows = [line.split() for line in hall.site.shell(script).strip().splitlines()]
    over = next((row for row in rows if row[1] == "confirmed"), None)
    open_ = next((row for row in rows if row[1] not in ("confirmed", "called_off") and len(row) > 2), None)
    found = [f"/battles/{row[0]}/" for row in (over, open_) if row]
    if over and len(over) > 2:
        found.append(f"/battles/of/{over[2]}/{over[3]}/correct/")
    if open_:
        found += [f"/battles/{open_[0]}/report/", f"/battles/{open_[0]}/slip/", f"/battles/past/{open_[2]}/"]
    tables = [f"/battles/{row[0]}/table/" for row in rows if row[1] == "on_the_table"]
    found += [f"/battles/{row[0]}/" for row in rows if row[1] == "on_the_table"][:1]
    found += tables
    if tables:
        first = ("set/", "history/", "units/A2/", "take-back/3/", "helper/?unit=A2&how=charge&target=B1")
        found += [f"{tables[0]}{part}" for part in first]
        found.append(f"{tables[-1]}opponent/")
    if open_:
        found.append(f"/battles/{open_[0]}/table/lay/")
    found.append(f"/battles/heroes/{hall.code}/k1/1/")
    return found
