"""Whatever a page shows or does, the API does too: every address of the site names its counterpart.

A new page without a row fails the test, so nobody forgets the API. ``-`` and a reason: there is nothing to do by API.
"""

from __future__ import annotations

from tests.site.routes import every_route

# The page, and where the API does the same. A part after # is an act, a step or a field of the body.
COUNTERPARTS = """
/                                                   your-move/
/how-it-goes/                                       - words about the site
/nights/                                            evenings/
/n/                                                 tables/join/
/tables/<table:code>/picture.png                    - a picture to share
/arms/                                              - tries arms while they are chosen
/theme/                                             - of this browser
/log-in/                                            log-in/
/log-in/forgotten/                                  forgotten-password/
/log-out/                                           log-out/
/sign-up/                                           sign-up/
/first/                                             first-owner/
/me/                                                me/
/me/name/                                           me/#name
/me/arms/                                           me/#arms
/me/account/                                        me/account/
/me/password/                                       me/password/
/me/mail/                                           me/mail/
/me/notices/                                        me/notices/
/me/trust/                                          me/help/
/me/link/                                           me/link/
/me/tokens/                                         tokens/
/me/tokens/<int:pk>/end/                            tokens/<int:pk>/
/me/log-ins/end-others/                             me/log-ins/
/me/log-ins/<int:pk>/end/                           me/log-ins/<int:pk>/
/me/data/                                           me/data/
/me/data/file/                                      me/data/
/me/forget/                                         me/forget/
/people/                                            people/
/people/<slug:code>/                                people/<slug:code>/
/people/<slug:code>/rename/                         people/<slug:code>/#name
/people/<slug:code>/arms/                           people/<slug:code>/#arms
/people/<slug:code>/link/                           people/<slug:code>/link/
/people/<slug:code>/claim/                          people/<slug:code>/claim/
/people/<slug:code>/hand-on/                        people/<slug:code>/hand-on/
/people/<slug:code>/reset/                          people/<slug:code>/reset/
/people/<slug:code>/merge/                          people/<slug:code>/merge/
/people/<slug:code>/unmerge/                        people/<slug:code>/unmerge/
/people/<slug:code>/forget/                         people/<slug:code>/forget/
/invitations/                                       passes/
/invitations/<int:pk>/                              passes/<int:pk>/
/invitations/<int:pk>/revoke/                       passes/<int:pk>/revoke/
/p/<str:token>                                      log-in/#personal_link
/p/                                                 log-in/#personal_link
/i/<str:token>                                      links/look/
/invitation/<int:pk>/                               links/accept/
/invitation/<int:pk>/by-name/                       links/accept/#name
/campaigns/                                         campaigns/
/campaigns/found/                                   campaigns/
/campaigns/take-in/                                 campaigns/arrival/
/campaigns/take-in/look/                            campaigns/arrival/take-in/
/campaigns/<slug:code>/                             campaigns/<slug:code>/
/campaigns/<slug:code>/parts/                       campaigns/<slug:code>/
/campaigns/<slug:code>/join/<int:count>/            campaigns/<slug:code>/suggestions/
/campaigns/<slug:code>/standing/                    campaigns/<slug:code>/acts/#standing
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/     campaigns/<slug:code>/kingdoms/<slug:kingdom>/
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/spend/ campaigns/<slug:code>/acts/#vp_spent
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/looks/ campaigns/<slug:code>/acts/#kingdom_looks
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/arms/ campaigns/<slug:code>/acts/#kingdom_looks
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/arms/<int:house>/ campaigns/<slug:code>/acts/#kingdom_looks
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/rule/ campaigns/<slug:code>/acts/#ruler_changed
/campaigns/<slug:code>/kingdoms/<slug:kingdom>/take/ campaigns/<slug:code>/acts/#throne_taken
/campaigns/<slug:code>/masters/                     campaigns/<slug:code>/acts/#master_shared
/campaigns/<slug:code>/house-rules/                 campaigns/<slug:code>/house-rules/
/campaigns/<slug:code>/targets/                     campaigns/<slug:code>/targets/
/campaigns/<slug:code>/roll-off/                    campaigns/<slug:code>/roll-off/
/campaigns/<slug:code>/declare/                     campaigns/<slug:code>/acts/#battle_declared
/campaigns/<slug:code>/battles/<int:battle>/call-off/ campaigns/<slug:code>/acts/#battle_called_off
/campaigns/<slug:code>/log-battle/                  campaigns/<slug:code>/acts/#result
/campaigns/<slug:code>/result/                      campaigns/<slug:code>/acts/#result
/campaigns/<slug:code>/petitions/<int:pk>/          campaigns/<slug:code>/petitions/<int:pk>/
/campaigns/<slug:code>/petitions/<int:pk>/other/    campaigns/<slug:code>/petitions/<int:pk>/#body
/campaigns/<slug:code>/agreed/                      campaigns/<slug:code>/acts/#agreed_change
/campaigns/<slug:code>/won/                         campaigns/<slug:code>/acts/#campaign_won
/campaigns/<slug:code>/wars/<int:war>/              campaigns/<slug:code>/wars/<int:war>/
/campaigns/<slug:code>/season/                      campaigns/<slug:code>/acts/#season_opened
/campaigns/<slug:code>/seasons/                     campaigns/<slug:code>/seasons/
/campaigns/<slug:code>/seasons/<int:season>/        campaigns/<slug:code>/seasons/<int:season>/
/campaigns/<slug:code>/charts/                      campaigns/<slug:code>/courses/
/campaigns/<slug:code>/export/                      campaigns/<slug:code>/export/
/campaigns/<slug:code>/export/campaign.json         campaigns/<slug:code>/export/
/campaigns/<slug:code>/export/standings.csv         campaigns/<slug:code>/export/<slug:table>.csv
/campaigns/<slug:code>/export/entries.csv           campaigns/<slug:code>/export/<slug:table>.csv
/campaigns/<slug:code>/archive/                     campaigns/<slug:code>/archive/
/campaigns/<slug:code>/delete/                      campaigns/<slug:code>/
/campaigns/<slug:code>/atlas/                       campaigns/<slug:code>/at/<int:number>/
/campaigns/<slug:code>/entries/<int:number>/strike/ campaigns/<slug:code>/corrections/
/campaigns/<slug:code>/entries/<int:number>/amend/  campaigns/<slug:code>/corrections/
/campaigns/<slug:code>/entries/<int:number>/restore/ campaigns/<slug:code>/corrections/
/campaigns/<slug:code>/note/                        campaigns/<slug:code>/notes/
/campaigns/<slug:code>/rename/                      campaigns/<slug:code>/acts/#renamed
/campaigns/<slug:code>/card.png                     - a picture to share
/campaigns/<slug:code>/lands/<str:kingdoms>.svg     - a drawing for the map
/campaigns/<slug:code>/invite/                      campaigns/<slug:code>/invitations/
/rules/                                             rules/
/rules/odds/                                        rules/odds/attack/
/rules/scenarios/<slug:key>/                        rules/scenarios/<str:key>/
/rules/<slug:key>/                                  rules/
/live/token/                                        - for the outbox of a page
/live/<logs:logs>/                                  - a stream, which takes tokens itself
/jobs/                                              jobs/
/jobs/<job:ref>/                                    jobs/<job:ref>/
/jobs/<job:ref>/row/                                jobs/<job:ref>/
/jobs/<job:ref>/cancel/                             jobs/<job:ref>/cancel/
/jobs/<job:ref>/retry/                              jobs/<job:ref>/retry/
/jobs/<job:ref>/file/                               jobs/<job:ref>/file/
/healthz                                            - for the proxy
/readyz                                             - for the proxy, JSON itself
/metrics                                            - for Prometheus
/ops/                                               site/
/ops/backup/                                        site/backup/
/ops/tidy/                                          site/tidy/
/ops/copies/<str:name>                              site/copies/<str:name>
/musters/                                           musters/
/musters/quick/                                     musters/quick/
/musters/own/                                       musters/own/
/musters/a/                                         musters/a/<str:code>/
/musters/a/<str:code>/                              musters/a/<str:code>/
/musters/for/<slug:campaign>/<int:battle>/<slug:kingdom>/ musters/
/musters/of/<slug:campaign>/<slug:kingdom>/         musters/of/<slug:campaign>/<slug:kingdom>/
/musters/dice-animation/                            - of this browser
/musters/evening/                                   musters/evening/
/musters/evening/fresh/                             musters/evening/
/musters/evening/ground.svg                         - a drawing to print
/musters/compare/                                   musters/compare/
/musters/compare/fresh/                             musters/compare/
/musters/compare/<slug:campaign>/<int:battle>/      musters/compare/<slug:campaign>/<int:battle>/
/musters/<slug:code>/                               musters/<slug:code>/
/musters/<slug:code>/part/                          musters/<slug:code>/
/musters/<slug:code>/answer/                        musters/<slug:code>/steps/
/musters/<slug:code>/again/                         musters/<slug:code>/again/
/musters/<slug:code>/keep/                          musters/<slug:code>/keep/
/musters/<slug:code>/back/                          musters/<slug:code>/back/
/musters/<slug:code>/agree/                         musters/<slug:code>/agree/
/musters/<slug:code>/word/                          musters/<slug:code>/word/
/musters/<slug:code>/take/                          musters/<slug:code>/take/
/battles/                                           battles/
/battles/new/                                       battles/
/battles/code/                                      battles/code/
/battles/fight/                                     battles/fight/
/battles/slips/                                     print/
/battles/statistics/                                battles/statistics/
/battles/past/<slug:campaign>/                      battles/past/<slug:campaign>/
/battles/of/<slug:campaign>/<int:battle>/           battles/#number
/battles/of/<slug:campaign>/<int:battle>/correct/   campaigns/<slug:code>/corrections/
/battles/heroes/<slug:campaign>/<slug:kingdom>/<int:house>/ battles/heroes/<slug:campaign>/<slug:kingdom>/<int:house>/
/battles/<slug:code>/                               battles/<slug:code>/
/battles/<slug:code>/live/                          battles/<slug:code>/
/battles/<slug:code>/set-up/                        battles/<slug:code>/set-up/
/battles/<slug:code>/on-the-table/                  battles/<slug:code>/start/
/battles/<slug:code>/report/                        battles/<slug:code>/report/
/battles/<slug:code>/report/worked-out/             battles/<slug:code>/report/#preview
/battles/<slug:code>/photos/                        battles/<slug:code>/photos/
/battles/<slug:code>/written/                       battles/<slug:code>/written/
/battles/<slug:code>/answer/                        battles/<slug:code>/pending-report/
/battles/<slug:code>/call-off/                      battles/<slug:code>/call-off/
/battles/<slug:code>/reopen/                        battles/<slug:code>/reopen/
/battles/<slug:code>/slip/                          battles/<slug:code>/slip/
/battles/<slug:code>/slip/renew/                    battles/<slug:code>/slip/
/battles/<slug:code>/share.png                      - a picture to share
/battles/<slug:code>/table/                         battles/<slug:code>/table/
/battles/<slug:code>/table/board/                   battles/<slug:code>/table/
/battles/<slug:code>/table/lay/                     battles/<slug:code>/table/set-up/
/battles/<slug:code>/table/step/                    battles/<slug:code>/table/steps/
/battles/<slug:code>/table/set/                     battles/<slug:code>/table/steps/#set
/battles/<slug:code>/table/helper/                  battles/<slug:code>/table/attacks/preview/
/battles/<slug:code>/table/history/                 battles/<slug:code>/table/history/
/battles/<slug:code>/table/opponent/                battles/<slug:code>/table/solo/
/battles/<slug:code>/table/units/<slug:unit>/       battles/<slug:code>/table/units/<slug:unit>/
/battles/<slug:code>/table/take-back/<int:number>/  battles/<slug:code>/table/take-back/
/tables/                                            tables/
/tables/host/<slug:game>/                           tables/
/tables/join/                                       tables/join/
/tables/results/                                    tables/results/
/tables/how/<slug:game>/                            - words about a game
/tables/decks/                                      tables/decks/
/tables/decks/take-in/                              tables/decks/take-in/
/tables/decks/ours/<slug:copy>/                     tables/decks/ours/<slug:copy>/
/tables/decks/ours/<slug:copy>/edit/                tables/decks/ours/<slug:copy>/
/tables/decks/ours/<slug:copy>/open/                tables/decks/ours/<slug:copy>/use/
/tables/decks/ours/<slug:copy>/away/                tables/decks/ours/<slug:copy>/
/tables/decks/ours/<slug:copy>/deck.json            tables/decks/ours/<slug:copy>/
/tables/decks/<slug:game>/                          tables/decks/<slug:game>/
/tables/decks/<slug:game>/copy/                     tables/decks/<slug:game>/copy/
/tables/decks/<slug:game>/deck.json                 tables/decks/<slug:game>/
/tables/companion/<slug:game>/                      tables/companion/<slug:game>/
/tables/companion/<slug:game>/begin/                tables/sheets/
/tables/sheets/<slug:sheet>/                        tables/sheets/<slug:sheet>/
/tables/sheets/<slug:sheet>/parts/                  tables/sheets/<slug:sheet>/
/tables/sheets/<slug:sheet>/turn/                   tables/sheets/<slug:sheet>/turn/
/tables/sheets/<slug:sheet>/scores/                 tables/sheets/<slug:sheet>/scores/
/tables/sheets/<slug:sheet>/names/                  tables/sheets/<slug:sheet>/names/
/tables/sheets/<slug:sheet>/keep/                   tables/sheets/<slug:sheet>/result/
/tables/sheets/<slug:sheet>/again/                  tables/sheets/<slug:sheet>/again/
/tables/sheets/<slug:sheet>/roles/                  tables/sheets/<slug:sheet>/roles/
/tables/sheets/<slug:sheet>/roles/<int:place>/      tables/sheets/<slug:sheet>/roles/<int:place>/
/tables/sheets/<slug:sheet>/roles/<int:place>/take/ tables/sheets/<slug:sheet>/roles/<int:place>/
/tables/sheets/<slug:sheet>/roles/<int:place>/seen/ tables/sheets/<slug:sheet>/roles/<int:place>/
/tables/sheets/<slug:sheet>/roles/open/             tables/sheets/<slug:sheet>/roles/
/tables/<table:code>/                               tables/<table:code>/
/tables/<table:code>/around/                        tables/<table:code>/
/tables/<table:code>/around/part/                   tables/<table:code>/
/tables/<table:code>/part/                          tables/<table:code>/
/tables/<table:code>/wall/                          tables/<table:code>/
/tables/<table:code>/wall/part/                     tables/<table:code>/
/tables/<table:code>/sit/                           tables/<table:code>/acts/#sit
/tables/<table:code>/rules/                         tables/<table:code>/acts/#rules
/tables/<table:code>/run/                           tables/<table:code>/acts/#start
/tables/<table:code>/replay/                        tables/<table:code>/replay/
/tables/<table:code>/seats/<int:number>/            tables/<table:code>/seats/<int:number>/
/tables/<table:code>/seats/<int:number>/part/       tables/<table:code>/seats/<int:number>/
/tables/<table:code>/seats/<int:number>/menu/       tables/<table:code>/seats/<int:number>/
/tables/<table:code>/seats/<int:number>/choose/     tables/<table:code>/seats/<int:number>/choose/
/tables/<table:code>/seats/<int:number>/show/       - a phone that is handed round
/tables/<table:code>/seats/<int:number>/own/        tables/<table:code>/acts/#leave
/tables/<table:code>/seats/<int:number>/restore/    tables/<table:code>/acts/#restore
/tables/<table:code>/seats/<int:number>/link/       tables/<table:code>/seats/<int:number>/link/
/tables/<table:code>/seats/<int:number>/claim/      tables/<table:code>/acts/#claim
/tables/<table:code>/seats/<int:number>/run/        tables/<table:code>/acts/#decide
/print/                                             print/
/print/is/<slug:fingerprint>/                       print/is/<slug:fingerprint>/
/print/made/<job:ref>/                              print/<job:ref>/
/print/made/<job:ref>/file/                         print/<job:ref>/file/
/print/made/<job:ref>/<int:page>.png                print/<job:ref>/<int:page>.png
/print/<slug:sheet>/                                print/
/print/<slug:sheet>/<slug:subject>/                 print/of/<slug:sheet>/
/photos/<slug:code>.jpg                             photos/<slug:code>/
/photos/<slug:code>/small.jpg                       photos/<slug:code>/
/photos/<slug:code>/status/                         battles/<slug:code>/photos/
/photos/<slug:code>/run/                            photos/<slug:code>/
/groups/new/                                        groups/
/groups/<slug:code>/                                groups/<slug:code>/
/groups/<slug:code>/settings/                       groups/<slug:code>/
/groups/<slug:code>/members/                        groups/<slug:code>/members/
/groups/<slug:code>/members/<int:pk>/               groups/<slug:code>/members/<slug:person>/
/groups/<slug:code>/nights/plan/                    groups/<slug:code>/nights/
/groups/<slug:code>/nights/tonight/                 groups/<slug:code>/nights/tonight/
/groups/<slug:code>/games/                          groups/<slug:code>/games/
/groups/<slug:code>/games/<int:pk>/                 groups/<slug:code>/games/<int:pk>/
/groups/<slug:code>/campaigns/                      groups/<slug:code>/campaigns/
/groups/<slug:code>/webhooks/                       groups/<slug:code>/webhooks/
/groups/<slug:code>/calendar/                       groups/<slug:code>/calendar/
/groups/calendar/<str:token>.ics                    - a feed, in the schema
/groups/calendar/<str:token>.atom                   - a feed, in the schema
/groups/<slug:code>/standings/                      groups/<slug:code>/standings/
/groups/<slug:code>/standings/season/               groups/<slug:code>/seasons/
/groups/<slug:code>/standings/<int:person>/         groups/<slug:code>/standings/<slug:person>/
/groups/<slug:code>/plays/import/                   groups/<slug:code>/plays/upload/
/groups/<slug:code>/plays/import/preview/           groups/<slug:code>/plays/import/
/groups/imports/<job:ref>/                          jobs/<job:ref>/
/groups/<slug:code>/plays/export/<slug:form>/       groups/<slug:code>/plays/export/<slug:form>/
/groups/<slug:code>/plays/log/                      groups/<slug:code>/plays/
/groups/<slug:code>/plays/<slug:uuid>/              groups/<slug:code>/plays/<slug:uuid>/
/groups/<slug:code>/plays/<slug:uuid>/change/       groups/<slug:code>/plays/<slug:uuid>/
/groups/<slug:code>/plays/<slug:uuid>/run/          groups/<slug:code>/plays/<slug:uuid>/acts/
/groups/<slug:code>/plays/<slug:uuid>/photos/       groups/<slug:code>/plays/<slug:uuid>/photos/
/nights/<table:code>/                               nights/<table:code>/
/nights/<table:code>/part/                          nights/<table:code>/
/nights/<table:code>/answer/                        nights/<table:code>/answer/
/nights/<table:code>/here/                          nights/<table:code>/here/
/nights/<table:code>/leave/                         nights/<table:code>/leave/
/nights/<table:code>/run/                           nights/<table:code>/acts/
/nights/<table:code>/bring/                         nights/<table:code>/bring/
/nights/<table:code>/dates/                         nights/<table:code>/dates/
/nights/<table:code>/change/                        nights/<table:code>/
/nights/<table:code>/start-table/                   nights/<table:code>/tables/
/nights/<table:code>/votes/                         nights/<table:code>/votes/
/nights/<table:code>/log/                           groups/<slug:code>/plays/
/nights/<table:code>/recap/                         nights/<table:code>/recap/
/nights/<table:code>/recap.png                      - a picture to share
/nights/<table:code>/calendar.ics                   - a feed, in the schema
/nights/<table:code>/tv/                            nights/<table:code>/
/nights/<table:code>/tv/part/                       nights/<table:code>/
"""


def rows() -> dict[str, str]:
    values = {}
    for line in COUNTERPARTS.strip().splitlines():
        page, _, rest = line.partition(" ")
        values[page] = rest.strip()
    return values


def test_every_page_has_its_counterpart_or_a_reason():
    pages = {f"/{route}" for route in every_route() if not route.startswith(("api/", "static/"))}
    assert pages - set(rows()) == set(), "name where the API does this, or why it need not"
    assert set(rows()) - pages == set(), "these are gone"


def test_every_counterpart_is_there():
    api = {route.removeprefix("api/v1/") for route in every_route() if route.startswith("api/v1/")}
    named = {row.partition("#")[0] for row in rows().values() if not row.startswith("- ")}
    assert named - api == set()


def test_reasons_are_few():
    assert sum(row.startswith("- ") for row in rows().values()) <= 25


def test_named_acts_are_known():
    from battles.tracker.core.steps.tracker_step import step_kinds
    from campaign.chronicle.acts.registry import list_acts
    from cardgames.tables.core.acts import ACTS

    known = {"campaigns/<slug:code>/acts/": set(list_acts()), "tables/<table:code>/acts/": set(ACTS)}
    known["battles/<slug:code>/table/steps/"] = set(step_kinds())
    for row in rows().values():
        address, _, act = row.partition("#")
        if act and address in known:
            assert act in known[address], row
