"""Who may do what under /tables/: rows for tests/site/test_roles.py, and the pages that tests/site/test_every_page.py looks at."""

from __future__ import annotations

from typing import Any

# The table is hosted by the master, who sits on its first seat with a phone; its game is on. Whoever knows the code may watch.
# fmt: off
# route                                        method    nobody stranger guest player master owner
TABLE = """
/tables/                                       GET       200    200    200    200    200    200
/tables/host/<slug:game>/                      GET       302    200    200    200    200    200
/tables/join/                                  POST      404    404    404    404    404    404
/tables/results/                               GET       200    200    200    200    200    200
/tables/<table:code>/                          GET       200    200    200    200    302    200
/tables/<table:code>/around/                   GET       200    200    200    200    200    200
/tables/<table:code>/around/part/              GET       200    200    200    200    200    200
/tables/<table:code>/part/                     GET       200    200    200    200    200    200
/tables/<table:code>/wall/                     GET       200    200    200    200    200    200
/tables/<table:code>/wall/part/                GET       200    200    200    200    200    200
/tables/<table:code>/sit/                      POST      422    422    422    422    422    422
/tables/<table:code>/run/                      POST      403    403    403    403    422    403
/tables/<table:code>/replay/                   GET       422    422    422    422    422    422
/tables/<table:code>/seats/<int:number>/       GET       404    404    404    404    200    404
/tables/<table:code>/seats/<int:number>/part/  GET       404    404    404    404    200    404
/tables/<table:code>/seats/<int:number>/choose/ POST     404    404    404    404    422    404
/tables/<table:code>/seats/<int:number>/show/  POST      404    404    404    404    302    404
/tables/<table:code>/seats/<int:number>/own/   POST      404    404    404    404    422    404
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
/tables/sheets/<slug:sheet>/roles/             POST      404    404    404    404    422    404
/tables/sheets/<slug:sheet>/roles/<int:place>/ GET       404    404    404    404    200    404
/tables/sheets/<slug:sheet>/roles/<int:place>/take/ POST 404    404    404    404    302    404
/tables/sheets/<slug:sheet>/roles/<int:place>/seen/ POST 404    404    404    404    403    404
/tables/sheets/<slug:sheet>/roles/open/        POST      404    404    404    404    302    404
/api/v1/tables/                                GET       200    200    200    200    200    200
/api/v1/tables/decks/                          GET       200    200    200    200    200    200
/api/v1/tables/decks/<slug:game>/              GET       200    200    200    200    200    200
/api/v1/tables/score/<slug:game>/              POST      400    400    400    400    400    400
/api/v1/tables/<table:code>/                   GET       200    200    200    200    200    200
/api/v1/tables/<table:code>/seats/<int:number>/ GET      404    404    404    404    200    404
/api/v1/tables/<table:code>/seats/<int:number>/choose/ POST 404 404    404    404    400    404
"""
# fmt: on

# Addresses that answer with no page of their own: fragments, files.
NOT_PAGES: tuple[str, ...] = (
    "/tables/<table:code>/around/part/",
    "/tables/<table:code>/part/",
    "/tables/<table:code>/wall/part/",
    "/tables/<table:code>/seats/<int:number>/part/",
    "/tables/sheets/<slug:sheet>/parts/",
    "/tables/decks/<slug:game>/deck.json",
    "/tables/decks/ours/<slug:copy>/deck.json",
)


def names(campaign: Any, cast: dict[str, Any]) -> dict[str, object]:
    """What stands for the names between angle brackets in this app's routes."""
    from cardgames import deck_copies, hosting, opening, role_dealing, seating, sheets
    from cardgames.games import house_deck
    from people.who import Who
    from tests.cardgames.tables import sit

    host = Who.of(cast["master"])
    table = opening.open_table(host, key="a-table-of-roles", game="menagerie")
    sit(cast["master"].client, table, 0)
    for number in (1, 2, 3):
        seating.set_bot(table, host, key=f"a-bot-of-roles-{number}", number=number, level="random")
    hosting.start(table, host, key="a-table-begins")
    # The master's copy of a deck is for people who play together; nobody but the master has come to the sheet.
    copy = deck_copies.make(host, house_deck("menagerie"), key="a-deck-of-roles")
    deck_copies.share(host, copy, "circle")
    sheet = sheets.begin(host, key="a-sheet-of-roles", deck=house_deck("menagerie"), seats=4)
    role_dealing.deal(sheet, host, key="roles-of-a-sheet", seen=0)
    named = {"copy": copy.code, "sheet": sheet.code, "place": 1}
    return {"code": table.code, "number": 0, "game": "menagerie"} | named


def demo_addresses(hall: Any) -> list[str]:
    """Pages of the demo world whose addresses hold a name."""
    lobby, running, over = hall.site.shell(
        "from cardgames.models import Table;"
        "demo = Table.objects.filter(opening_key__contains='/demo-').order_by('pk');"
        "print(*demo.values_list('code', flat=True))"
    ).split()
    copy, sheet = hall.site.shell(
        "from cardgames.models import DeckCopy, Sheet; print(DeckCopy.objects.first().code, Sheet.objects.first().code)"
    ).split()
    return [
        *(f"/tables/{part}/{game}/" for part in ("how", "decks", "companion") for game in ("menagerie", "monarchs")),
        f"/tables/decks/ours/{copy}/",
        f"/tables/decks/ours/{copy}/edit/",
        *(f"/tables/sheets/{sheet}/{rest}" for rest in ("", *(f"roles/{place}/" for place in (1, 2, 3, 4)))),
        "/tables/host/menagerie/",
        "/tables/host/monarchs/",
        *(f"/tables/{lobby}/{rest}" for rest in ("", "wall/")),
        *(f"/tables/{running}/{rest}" for rest in ("", "around/", "wall/")),
        *(f"/tables/{over}/{rest}" for rest in ("", "around/", "wall/", "replay/?step=40", "replay/?step=9999&seat=0")),
    ]
