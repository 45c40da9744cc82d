"""Who may do what under /tables/: rows for tests/site/test_roles.py, and pages for tests/site/test_every_page.py."""

from __future__ import annotations

from typing import Any

# The master hosts the table and plays its first seat; the game is running. Anyone with the code can watch.
# route                                        method    nobody stranger guest player master owner
TABLE = """
/tables/                                       GET       200    200    200    200    200    200
/tables/host/<slug:game>/                      GET       200    200    200    200    200    200
/tables/join/                                  POST      404    404    404    404    404    404
/tables/results/                               GET       200    200    200    200    200    200
/tables/<table:code>/                          GET       200    200    200    200    302    200
/tables/<table:code>/around/                   GET       200    200    200    200    200    200
/tables/<table:code>/around/part/              GET       200    200    200    200    200    200
/tables/<table:code>/part/                     GET       200    200    200    200    200    200
/tables/<table:code>/wall/                     GET       200    200    200    200    200    200
/tables/<table:code>/wall/part/                GET       200    200    200    200    200    200
/tables/<table:code>/sit/                      POST      422    422    422    422    409    422
/tables/<table:code>/run/                      POST      403    403    403    403    422    403
/tables/<table:code>/rules/                    GET       403    403    403    403    409    403
/tables/<table:code>/replay/                   GET       422    422    422    422    422    422
/tables/<table:code>/seats/<int:number>/       GET       302    302    302    302    200    302
/tables/<table:code>/seats/<int:number>/part/  GET       404    404    404    404    200    404
/tables/<table:code>/seats/<int:number>/menu/  GET       404    404    404    404    200    404
/tables/<table:code>/seats/<int:number>/choose/ POST     404    404    404    404    422    404
/tables/<table:code>/seats/<int:number>/show/  POST      404    404    404    404    302    404
/tables/<table:code>/seats/<int:number>/own/   POST      404    404    404    404    422    404
/tables/<table:code>/seats/<int:number>/restore/ POST    422    422    422    422    422    422
/tables/<table:code>/seats/<int:number>/link/  GET       404    404    404    404    200    404
/tables/<table:code>/seats/<int:number>/claim/ POST      422    422    422    422    422    422
/tables/<table:code>/seats/<int:number>/run/   POST      403    403    403    403    422    403
/tables/how/<slug:game>/                       GET       200    200    200    200    200    200
/tables/decks/                                 GET       200    200    200    200    200    200
/tables/decks/take-in/                         GET       302    200    200    200    200    200
/tables/decks/ours/<slug:copy>/                GET       404    404    200    200    200    404
/tables/decks/ours/<slug:copy>/edit/           GET       404    404    403    403    200    404
/tables/decks/ours/<slug:copy>/open/           POST      404    404    403    403    422    404
/tables/decks/ours/<slug:copy>/away/           POST      404    404    403    403    302    404
/tables/decks/ours/<slug:copy>/deck.json       GET       404    404    200    200    200    404
/tables/decks/<slug:game>/                     GET       200    200    200    200    200    200
/tables/decks/<slug:game>/copy/                POST      403    422    422    422    422    422
/tables/decks/<slug:game>/deck.json            GET       200    200    200    200    200    200
/tables/companion/<slug:game>/                 GET       200    200    200    200    200    200
/tables/companion/<slug:game>/begin/           POST      422    422    422    422    422    422
/tables/sheets/<slug:sheet>/                   GET       404    404    404    404    200    404
/tables/sheets/<slug:sheet>/parts/             GET       404    404    404    404    200    404
/tables/sheets/<slug:sheet>/turn/              POST      404    404    404    404    422    404
/tables/sheets/<slug:sheet>/scores/            POST      404    404    404    404    302    404
/tables/sheets/<slug:sheet>/names/             POST      404    404    404    404    302    404
/tables/sheets/<slug:sheet>/keep/              POST      403    404    404    404    422    404
/tables/sheets/<slug:sheet>/again/             POST      404    404    404    404    422    404
/tables/sheets/<slug:sheet>/roles/             POST      404    404    404    404    422    404
/tables/sheets/<slug:sheet>/roles/<int:place>/ GET       404    404    404    404    200    404
/tables/sheets/<slug:sheet>/roles/<int:place>/take/ POST 404    404    404    404    302    404
/tables/sheets/<slug:sheet>/roles/<int:place>/seen/ POST 404    404    404    404    403    404
/tables/sheets/<slug:sheet>/roles/open/        POST      404    404    404    404    302    404
/api/v1/tables/                                GET       200    200    200    200    200    200
/api/v1/tables/decks/                          GET       200    200    200    200    200    200
/api/v1/tables/decks/<slug:game>/              GET       200    200    200    200    200    200
/api/v1/tables/score/<slug:game>/              POST      422    422    422    422    422    422
/api/v1/tables/<table:code>/                   GET       200    200    200    200    200    200
/api/v1/tables/<table:code>/seats/<int:number>/ GET      404    404    404    404    200    404
/api/v1/tables/<table:code>/acts/              POST      422    422    422    422    422    422
/api/v1/tables/<table:code>/seats/<int:number>/choose/ POST 404 404    404    404    422    404
/api/v1/tables/join/                           POST    422    422    422    422    422    422
/api/v1/tables/results/                        GET     200    200    200    200    200    200
/api/v1/tables/results/tallies/                GET     200    200    200    200    200    200
/api/v1/tables/decks/take-in/                  POST    403    422    422    422    422    422
/api/v1/tables/decks/ours/<slug:copy>/         GET     404    404    200    200    200    404
/api/v1/tables/decks/ours/<slug:copy>/         PATCH   404    404    403    403    422    404
/api/v1/tables/decks/ours/<slug:copy>/         DELETE  404    404    403    403    204    404
/api/v1/tables/decks/ours/<slug:copy>/use/     PUT     404    404    403    403    422    404
/api/v1/tables/decks/<slug:game>/copy/         POST    403    422    422    422    422    422
/api/v1/tables/companion/<slug:game>/          GET     200    200    200    200    200    200
/api/v1/tables/sheets/                         GET     200    200    200    200    200    200
/api/v1/tables/sheets/                         POST    422    422    422    422    422    422
/api/v1/tables/sheets/<slug:sheet>/            GET     404    404    404    404    200    404
/api/v1/tables/sheets/<slug:sheet>/turn/       POST    404    404    404    404    422    404
/api/v1/tables/sheets/<slug:sheet>/scores/     POST    404    404    404    404    422    404
/api/v1/tables/sheets/<slug:sheet>/options/    PUT     404    404    404    404    422    404
/api/v1/tables/sheets/<slug:sheet>/names/      PUT     404    404    404    404    422    404
/api/v1/tables/sheets/<slug:sheet>/result/     POST    404    404    404    404    422    404
/api/v1/tables/sheets/<slug:sheet>/again/      POST    404    404    404    404    422    404
/api/v1/tables/sheets/<slug:sheet>/roles/      POST    404    404    404    404    422    404
/api/v1/tables/sheets/<slug:sheet>/roles/      DELETE  404    404    404    404    200    404
/api/v1/tables/sheets/<slug:sheet>/roles/<int:place>/ GET     404    404    404    404    403    404
/api/v1/tables/sheets/<slug:sheet>/roles/<int:place>/ POST    404    404    404    404    200    404
/api/v1/tables/sheets/<slug:sheet>/roles/<int:place>/ DELETE  404    404    404    404    403    404
/api/v1/tables/<table:code>/replay/            GET     422    422    422    422    422    422
/api/v1/tables/<table:code>/seats/<int:number>/link/ POST    403    403    403    403    201    403
"""

# URLs that return no full page: fragments and files.
NOT_PAGES: tuple[str, ...] = (
    "/tables/<table:code>/around/part/",
    "/tables/<table:code>/part/",
    "/tables/<table:code>/wall/part/",
    "/tables/<table:code>/seats/<int:number>/part/",
    "/tables/<table:code>/seats/<int:number>/menu/",
    "/tables/sheets/<slug:sheet>/parts/",
    "/tables/decks/<slug:game>/deck.json",
    "/tables/decks/ours/<slug:copy>/deck.json",
)


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    """Values for the parameters in this app's routes."""
    from cardgames.companion import services as companion_services, turns_and_roles
    from cardgames.decks import services as decks_services
    from cardgames.games import house_deck
    from cardgames.tables import host_actions, table_creation
    from cardgames.tables.core import acts
    from cardgames.tables.seats import seating
    from people.requester import Who
    from tests.cardgames.tables.sample_tables import sit

    host = Who.of(cast["master"])
    table = table_creation.open_table(host, acts.HostTable("menagerie"), key="a-table-of-roles")
    sit(cast["master"].client, table, 0)
    for number in (1, 2, 3):
        seating.set_bot(table, host, acts.SetBot(number, "random"), key=f"a-bot-of-roles-{number}")
    host_actions.start_game(table, host, acts.StartGame(), key="a-table-begins")
    # The master's deck copy is shared with people they play with; only the master has opened the sheet.
    copy = decks_services.create_copy(host, house_deck("menagerie"), key="a-deck-of-roles")
    decks_services.set_use(host, copy, "circle")
    sheet = companion_services.create_sheet(host, key="a-sheet-of-roles", deck=house_deck("menagerie"), seats=4)
    turns_and_roles.deal_roles(sheet, host, key="roles-of-a-sheet", seen=0)
    sheet.refresh_from_db()
    # Everybody may see the Vizier's card, so it is another seat's.
    place = 2 if sheet.state["vizier"] == 0 else 1
    named = {"copy": copy.code, "sheet": sheet.code, "place": place}
    return {"code": table.code, "number": 0, "game": "menagerie"} | named


def demo_addresses(hall: Any) -> list[str]:
    """Pages of the demo data whose URLs have parameters."""
    lobby, running, over = hall.site.shell(
        "from cardgames.models import Table;"
        "demo = Table.objects.filter(opening_key__contains='/demo-').order_by('pk');"
        "print(*demo.values_list('code', flat=True))"
    ).split()
    copy, sheet = hall.site.shell(
        "from cardgames.models import DeckCopy, Sheet;"
        "copy = DeckCopy.objects.get(entry_key__endswith='/demo-deck');"
        "sheet = Sheet.objects.get(begun_key__endswith='/demo-sheet');"
        "print(copy.code, sheet.code)"
    ).split()
    return [
        *(f"/tables/{part}/{game}/" for part in ("how", "decks", "companion") for game in ("menagerie", "monarchs")),
        *(f"/tables/{part}/moods/" for part in ("how", "decks")),
        f"/tables/decks/ours/{copy}/",
        f"/tables/decks/ours/{copy}/edit/",
        *(f"/tables/sheets/{sheet}/{rest}" for rest in ("", *(f"roles/{place}/" for place in (1, 2, 3, 4)))),
        "/tables/host/menagerie/",
        "/tables/host/monarchs/",
        *(f"/tables/{lobby}/{rest}" for rest in ("", "wall/")),
        *(f"/tables/{running}/{rest}" for rest in ("", "around/", "wall/")),
        *(f"/tables/{over}/{rest}" for rest in ("", "around/", "wall/", "replay/?step=40", "replay/?step=9999&seat=0")),
    ]
