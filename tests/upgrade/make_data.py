"""Made the archives in data/, run with the code of commit 700520b. It does not run on later code, and need not.

    VAR=<new folder>/var DEMO=1 [DATABASE_URL=…] python …/make_data.py <archive.tar.xz>     in a checkout of that commit

It makes the demo world and then does, as people would in their browsers, whatever may be under way when a site is
upgraded. No server runs meanwhile, so jobs stay queued and timers unrung. The archive holds ``var/``, on PostgreSQL
``dump.sql`` too, and ``facts.json``: what people may have kept, and what it has to lead to.
"""

# ruff: noqa: E402, I001  The modules are those of that commit; Django has to be set up before they can be imported.

from __future__ import annotations

import datetime as dt
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

sys.path.insert(0, os.getcwd())
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django

django.setup()

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from battles import opening, slips
from battles.models import Battle
from campaign.models import Campaign, Petition
from cardgames import moving
from cardgames.drawing import deck_pictures_of
from cardgames.games import house_deck
from cardgames.models import DeckCopy, Result, Sheet, Table
from cardgames.opening import open_table
from heraldry import Arms
from home import demo_world
from jobs.models import Due, Job
from log.models import Entry
from musters.models import Muster
from people import kinds, links
from people.models import Pass, Person
from people.who import Who
from printing.models import Edition

PLACES = ("castle", "lands", "border_1", "border_2")
NAMES = (
    "Oakhold",
    "Fenwick",
    "Thistledown",
    "Mole End",
    "Acornfall",
    "Bramble Edge",
    "Reedmarch",
    "Osier Bank",
    "Clover Ley",
    "Low Tunnel",
    "Molehill",
    "Four Hedges",
    "Long Quiet",
    "Rennet",
    "Curdle",
    "Whey",
    "Brine",
    "Caraway",
    "Wren",
    "Tam",
    "Oda",
    "Pim",
    "Nib",
    "Thursday group",
    "Spring",
    "Summer",
    "Oda's cellar",
)
NOT_CRAWLED = re.compile(r"/(admin|static|live|api|media)/|/(healthz|readyz)|/fresh/|/card\.png|/ops/copies/")
EXAMPLES = ("/guide/", "/tables/how/", "/rules/", "/how-it-goes/")  # whose names are not data
counter = iter(range(10**6))


def new_key() -> str:
    return f"kept-before-{next(counter):04}"


class Links(HTMLParser):
    """Addresses a page leads to, and the forms that the outbox sends."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.text: list[str] = []
        self.kept: list[dict[str, Any]] = []
        self.form: dict[str, Any] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name in ("href", "hx-get", "action", "src", "data-live-url"):
            if given.get(name):
                self.found.append(str(given[name]))
        if tag == "form":
            self.form = {"action": given.get("action", ""), "fields": {}}
            if "data-outbox" in given:
                self.kept.append(self.form)
        is_sent = given.get("name") and (given.get("type") not in ("checkbox", "radio") or "checked" in given)
        if tag in ("input", "button") and self.form is not None and is_sent:
            self.form["fields"].setdefault(given["name"], given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def keys_of(value: Any, path: str = "") -> set[str]:
    """Every path of keys in a JSON answer; the items of a list share theirs."""
    if isinstance(value, dict):
        return {path} | {row for name, part in value.items() for row in keys_of(part, f"{path}/{name}")}
    if isinstance(value, list):
        return {path} | {row for part in value for row in keys_of(part, f"{path}[]")}
    return {path}


def sent(answer: Any) -> Any:
    assert answer.status_code < 400, (answer.status_code, answer.content.decode()[:3000])
    return answer


def post_json(client: Client, path: str, /, **body: Any) -> Any:
    return sent(client.post(path, body, content_type="application/json")).json()


def act(client: Client, code: str, act: str, /, **body: Any) -> Any:
    return post_json(client, f"/api/v1/campaigns/{code}/acts/", key=new_key(), act=act, body=body)


def work_until_done(job: int) -> None:
    """The old site itself, until it has made this job."""
    env = {**os.environ, "PORT": "8971", "DEMO": "1"}
    server = subprocess.Popen([sys.executable, "manage.py", "serve"], env=env, stdout=subprocess.DEVNULL)
    for _ in range(600):
        time.sleep(0.2)
        if Job.objects.get(pk=job).state in ("done", "failed"):
            break
    server.send_signal(signal.SIGINT)
    server.wait()
    assert Job.objects.get(pk=job).state == "done", Job.objects.get(pk=job).error


def make() -> dict[str, Any]:
    call_command("migrate", interactive=False, verbosity=0)
    call_command("demo", verbosity=0)
    passwords = {row.name: row.password for row in demo_world.log_ins()}
    people = {name: Person.objects.get(name=name) for name in ("Wren", "Tam", "Oda", "Pim")}
    wren, tam, oda, pim = people.values()
    war = Campaign.objects.get(name=demo_world.WAR)
    browsers = {
        name: Client(HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux) Firefox/140.0")
        for name in ("Wren", "Tam", "Oda", "Pim", "Nib", "Passer", "Phone")
    }
    facts: dict[str, Any] = {"passwords": passwords, "war": war.code}

    # ── Log-ins ──────────────────────────────────────────────────────────────────────────────────────────
    for name, password in passwords.items():
        sent(browsers[name].post("/log-in/", {"name": name, "password": password}))
        assert browsers[name].get("/api/v1/me/").json()["name"] == name
    link = links.issue(pim, by=Who.of(wren))
    sent(browsers["Pim"].get(f"/p/{link.token}", follow=True))
    sent(browsers["Pim"].post("/p/"))
    facts["personal_link"] = {"path": f"/p/{link.token}", "name": "Pim"}
    w, t, o, nib, passer, phone = (browsers[name] for name in ("Wren", "Tam", "Oda", "Nib", "Passer", "Phone"))

    # ── A print that was made, and is in somebody's drawer ────────────────────────────────────────────────
    fought = Battle.objects.filter(campaign=war).open().get()
    sent(w.post(f"/print/slip/{fought.code}/", {"paper": "a4", "ink": "save"}))
    done = Job.objects.latest("pk")
    work_until_done(done.pk)
    facts["made"] = {"job": done.pk, "is": [row.fingerprint for row in Edition.objects.all()]}

    # ── A second war in which reports wait for others, with dice under seal ──────────────────────────────
    quiet = post_json(w, "/api/v1/campaigns/", key=new_key(), name="The Long Quiet")["code"]
    facts["quiet"] = quiet
    sent(w.post(f"/campaigns/{quiet}/invite/", {"label": "Cellar"}))
    invitation = Pass.objects.latest("pk")
    for client in (t, o):
        page = sent(client.get(f"/i/{invitation.token}", follow=True))
        sent(client.post(page.redirect_chain[-1][0]))
    realms = ("Rennet", tam), ("Curdle", oda), ("Whey", oda), ("Brine", wren), ("Crumb", tam), ("Rind", wren)
    for name, ruler in (*realms, ("Caraway", oda), ("Sage", tam)):
        arms = Arms.from_seed(name).to_dict()
        houses = [{"name": f"House {name} {n}", "arms": arms} for n in (1, 2, 3, 4)]
        places = {place: f"{name} {place}" for place in PLACES}
        act(w, quiet, "kingdom_joins", name=name, arms=arms, houses=houses, places=places, ruler=ruler.pk)
    act(w, quiet, "house_rules", terms={"confirm": "both", "dice": "sealed", "correct": "touched"})
    act(w, quiet, "season_opened", name="Spring")
    facts["invitation"] = {"path": f"/i/{invitation.token}", "campaign": quiet, "name": "Sorrel"}

    def battle_of(client: Client, attacker: str, target: str) -> Battle:
        act(client, quiet, "battle_declared", attacker=attacker, target=target, scenario="pitched_battle")
        return Battle.objects.get(campaign__code=quiet, number=len(Battle.objects.filter(campaign__code=quiet)))

    def report(client: Client, battle: Battle, ending: str) -> int:
        told = {"key": new_key(), "ending": ending, "removed": {"A": ["house-1"], "B": ["king", "house-2"]}}
        return post_json(client, f"/api/v1/battles/{battle.code}/report/", **told)["petition"]

    asked = battle_of(t, "k1", "k2.border_1")
    facts["report"] = {"petition": report(t, asked, "yielded-B"), "battle": asked.code, "by": "Oda"}
    stands = battle_of(o, "k3", "k4.border_1")
    pk = report(o, stands, "yielded-B")
    past = timezone.now() + dt.timedelta(seconds=2)  # as if it had been reported a week ago
    Petition.objects.filter(pk=pk).update(stands_at=past)
    assert Due.objects.filter(ref=str(pk)).exclude(kind="card-table").update(due_at=past) == 1
    facts["stands"] = {"petition": pk, "battle": stands.code, "number": stands.number}
    disputed = battle_of(t, "k5", "k6.border_1")
    pk = report(t, disputed, "yielded-B")
    post_json(w, f"/api/v1/campaigns/{quiet}/petitions/{pk}/", key=new_key(), do="no", reason="We held the ford.")
    facts["disputed"] = {"petition": pk, "battle": disputed.code}
    sealed = battle_of(o, "k7", "k8.border_1")
    mine = post_json(o, "/api/v1/musters/", campaign=quiet, battle=sealed.number, kingdom="k7")
    theirs = post_json(t, "/api/v1/musters/", campaign=quiet, battle=sealed.number, kingdom="k8")
    post_json(o, f"/api/v1/musters/{mine['code']}/word/", word="a cold spoon")
    facts["sealed"] = {"given": mine["code"], "waits": theirs["code"], "battle": sealed.code}
    entry = Entry.objects.get(log__campaign__code=quiet, act="season_opened").number
    seen = post_json(t, f"/api/v1/campaigns/{quiet}/corrections/", kind="strike", target=entry)
    facts["strike_preview"] = sorted(keys_of(seen))

    # ── What the demo left open: a correction, a muster, a slip ──────────────────────────────────────────
    correction = Petition.objects.get(campaign=war)
    facts["correction"] = {"petition": correction.pk, "by": "Wren"}
    half = Muster.objects.get(campaign=war, entry=None)
    asks = o.get(f"/api/v1/musters/{half.code}/").json()
    facts["half_done"] = {"code": half.code, "question": asks["question"]["token"], "fell": len(asks["fell"])}
    slip = slips.slip_of(fought, Who.of(wren))
    facts["slip"] = {
        "battle": slip.battle.code,
        "words": " ".join(slips.words_of(slip.link)),
        "path": f"/i/{slip.link.token}",
    }

    # ── Battles on the tracker ───────────────────────────────────────────────────────────────────────────
    pitched = Battle.objects.get(founding_key__endswith="/demo-table-pitched")
    board = w.get(f"/api/v1/battles/{pitched.code}/table/").json()
    facts["tracker"] = {"code": pitched.code, "board": board}
    alone = post_json(passer, "/api/v1/battles/", key=new_key(), scenario="ambush", names=["Rindle", "Sedgewick"])
    shared = opening.keep_pass(Battle.objects.get(code=alone["code"]), Who.of(wren))
    facts["alone"] = {"code": alone["code"], "path": f"/i/{shared.token}"}

    # ── Card tables ──────────────────────────────────────────────────────────────────────────────────────
    table = open_table(Who.of(wren), key=new_key(), game="menagerie")
    sent(nib.get(f"/tables/{table.code}/"))
    sent(nib.post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": 0, "name": "Nib"}))
    for what in ("fill", "start"):
        sent(w.post(f"/tables/{table.code}/run/", {"key": new_key(), "act": what}))
    for _ in range(40):  # until bots are to move
        table.refresh_from_db()
        if 0 not in table.asked:
            break
        seen = nib.get(f"/api/v1/tables/{table.code}/seats/0/").json()
        choice = {"key": new_key(), "choice": seen["ask"]["choices"][0]["key"], "stamp": seen["ask"]["stamp"]}
        post_json(nib, f"/api/v1/tables/{table.code}/seats/0/choose/", **choice)
    assert Due.objects.filter(kind="card-table", ref=str(table.pk)).exists()
    entries = Entry.objects.filter(log__in=(table.log_id, table.sealed_id)).count()
    facts["table"] = {"code": table.code, "asked": table.asked, "entries": entries}
    waiting = Table.objects.get(opening_key__endswith="/demo-running")
    seat = moving.link(waiting, Who.of(wren), 0)
    facts["seat_link"] = {"path": f"/i/{seat.token}", "code": waiting.code, "seat": 0}
    over = Table.objects.get(opening_key__endswith="/demo-monarchs")

    # ── A score sheet with hidden roles, one of them taken by a phone that came by its link ──────────────
    sheet = Sheet.objects.get()
    opened = sent(phone.get(f"/i/{sheet.link.token}", follow=True))
    sent(phone.post(opened.redirect_chain[-1][0]))
    place = next(s.number + 1 for s in sheet.seat_set.all() if s.role and s.number != sheet.state.get("vizier"))
    sent(phone.post(f"/tables/sheets/{sheet.code}/roles/{place}/take/"))
    role = sent(phone.get(f"/tables/sheets/{sheet.code}/roles/{place}/"))
    name = deck_pictures_of(house_deck("menagerie")).picture(sheet.seat_set.get(number=place - 1).role).name
    assert name in role.content.decode()
    facts["sheet"] = {"code": sheet.code, "path": f"/i/{sheet.link.token}", "place": place, "role": name}

    # ── Links that nobody has opened yet ─────────────────────────────────────────────────────────────────
    facts["passes"] = {
        "sign_up": f"/i/{kinds.invite(_with_user(wren)).token}",
        "claim": f"/i/{kinds.claim_link(Who.of(wren), pim).token}",
        "reset": f"/i/{kinds.reset_link(None, oda).token}",
    }

    # ── Codes and files ──────────────────────────────────────────────────────────────────────────────────
    facts["armies"] = [
        post_json(passer, "/api/v1/musters/quick/", **call)
        for call in ({}, {"loyalty": 2, "lost": [3], "rebels": 2}, {"loyalty": -1, "siege": "attacker"})
    ]
    taken = Muster.objects.exclude(army_code="").first()
    facts["armies"].append(passer.get(f"/api/v1/musters/a/{taken.army_code}/").json())
    files = {
        "campaign.json": w.get(f"/campaigns/{war.code}/export/campaign.json"),
        "quiet.json": w.get(f"/campaigns/{quiet}/export/campaign.json"),
        "my-data.json": w.get("/me/data/file/"),
        "deck.json": w.get(f"/tables/decks/ours/{DeckCopy.objects.get().code}/deck.json"),
    }
    folder = Path(settings.VAR).parent / "files"
    folder.mkdir()
    for name, answer in files.items():
        raw = b"".join(answer.streaming_content) if answer.streaming else answer.content
        (folder / name).write_bytes(raw)
    facts["files"] = {name: sorted(keys_of(json.loads((folder / name).read_text()))) for name in files}

    # ── Jobs that nobody has begun; one whose worker died; a file that waits for its sender ──────────────
    before = Job.objects.latest("pk").pk
    sent(t.post(f"/print/campaign-map/{war.code}/", {"paper": "a4", "ink": "save"}))
    sent(w.post(f"/print/roster/{taken.code}/", {"paper": "a4", "ink": "colour"}))
    post_json(o, "/api/v1/campaigns/arrival/", **json.loads((folder / "campaign.json").read_text()))
    sent(w.post("/ops/backup/"))
    jobs = list(Job.objects.filter(pk__gt=before).order_by("pk"))
    dead = {"state": "running", "lease_token": "gone", "lease_until": timezone.now(), "attempts": 1}
    Job.objects.filter(pk=jobs[1].pk).update(started_at=timezone.now(), **dead)
    facts["jobs"] = [[job.pk, job.kind, job.owner.name if job.owner else "Wren"] for job in jobs]

    # ── Taps that a phone has kept: one that was answered, and some that were never sent ─────────────────
    page = Links(sent(t.get(f"/campaigns/{war.code}/")).content.decode())
    note = next(form for form in page.kept if form["action"].endswith("/note/"))
    answered = {"action": note["action"], "fields": {**note["fields"], "text": "The reeds are cut."}}
    sent(t.post(answered["action"], answered["fields"], HTTP_X_OUTBOX="1"))
    fresh = {**note["fields"], "text": "The eels are smoked.", "key": new_key()}
    facts["taps"] = {"by": "Tam", "answered": answered, "unsent": {"action": note["action"], "fields": fresh}}

    facts["pages"] = crawled(browsers, facts)
    facts["api"] = api(w, facts, done.pk, entry)
    facts["shared"] = [
        "/musters/evening/?word=thistle-marsh&ground=1",
        f"/musters/compare/?a={facts['armies'][0]['code']}&b={facts['armies'][1]['code']}",
        *(f"/print/is/{one}/" for one in facts["made"]["is"]),
        f"/tables/{over.code}/replay/",
    ]
    facts["shared"] = [[path, w.get(path).status_code] for path in facts["shared"]]
    facts["results"] = Result.objects.count()
    facts["browsers"] = {
        name: {key: morsel.value for key, morsel in one.cookies.items()} for name, one in browsers.items()
    }
    call_command("verify_chronicle")
    if connection.vendor == "sqlite":
        call_command("backup", str(folder / "backup.zip"), verbosity=0)
    facts["at"] = timezone.now().isoformat()
    return facts


def _with_user(person: Person) -> Who:
    return Who(lambda: (person, person.account, None), lambda: (), lambda: "")


def crawled(browsers: dict[str, Client], facts: dict[str, Any]) -> list[list[Any]]:
    """One page of every kind that each of them can reach, and one address of every form."""
    pages, recorded = [], set()
    moving_on = re.compile(
        "|".join(
            [
                facts["stands"]["battle"],
                rf"/petitions/{facts['stands']['petition']}/",
                f"/{facts['quiet']}/{facts['stands']['number']}/",
                r"/print/made/(?!1/)",
                r"/jobs/(?!1/)\d",
            ]
        )
    )
    starts = (
        "/",
        "/nights/",
        "/battles/",
        "/campaigns/",
        "/tables/",
        "/musters/",
        "/print/",
        "/jobs/",
        "/rules/",
        "/me/",
    )
    more = [
        f"/battles/{facts['tracker']['code']}/table/",
        f"/battles/{facts['slip']['battle']}/",
        f"/battles/{facts['alone']['code']}/",
        f"/tables/{facts['table']['code']}/",
        "/people/",
        "/invitations/",
        f"/tables/sheets/{facts['sheet']['code']}/",
        "/ops/",
        f"/campaigns/{facts['quiet']}/",
        f"/musters/{facts['half_done']['code']}/",
        f"/musters/{facts['sealed']['given']}/",
    ]
    for name, client in browsers.items():
        todo, done = [*starts, *more], set()
        while todo:
            path = todo.pop(0)
            url = urlsplit(path)
            if url.netloc or not path.startswith("/") or NOT_CRAWLED.search(url.path) or moving_on.search(path):
                continue
            try:
                route = resolve(url.path).route
            except Exception:
                continue
            kind = (route, tuple(sorted(part.split("=")[0] for part in url.query.split("&") if part)))
            if path in done or (kind in done and path not in more):
                continue
            done |= {kind, path}
            answer = client.get(path)
            said = (
                answer.content.decode(errors="replace")
                if not answer.streaming and "text/html" in answer["Content-Type"]
                else ""
            )
            page = Links(said)
            text = " ".join("".join(page.text).split())
            names = [row for row in NAMES if row in text and row != name][:4]
            names = [] if answer.status_code != 200 or path.startswith(EXAMPLES) else names
            if kind not in recorded or path in more:
                recorded.add(kind)
                pages.append([name, path, answer.status_code, answer.get("Location", ""), names])
            for to in [*page.found, answer.get("Location", "")]:
                if to and not to.startswith(("mailto:", "data:", "#", "javascript:")):
                    todo.append(urldefrag(urljoin(path, to)).url)
    return pages


def api(client: Client, facts: dict[str, Any], job: int, entry: int) -> dict[str, list[str]]:
    war, quiet = facts["war"], facts["quiet"]
    paths = [
        "me/",
        "people/",
        "passes/",
        "campaigns/",
        f"campaigns/{war}/",
        f"campaigns/{war}/at/{entry}/",
        f"campaigns/{war}/acts/",
        f"campaigns/{war}/petitions/",
        f"campaigns/{war}/petitions/{facts['correction']['petition']}/",
        f"campaigns/{quiet}/petitions/{facts['disputed']['petition']}/",
        f"campaigns/{war}/standings/",
        f"campaigns/{war}/seasons/",
        f"campaigns/{war}/seasons/1/",
        f"campaigns/{war}/courses/",
        f"campaigns/{war}/export/",
        f"campaigns/{quiet}/",
        f"musters/{facts['half_done']['code']}/",
        f"musters/a/{facts['armies'][0]['code']}/",
        f"musters/compare/?a={facts['armies'][0]['code']}&b={facts['armies'][1]['code']}",
        "musters/evening/?word=thistle-marsh",
        "battles/",
        "battles/statistics/",
        f"battles/{facts['slip']['battle']}/",
        f"battles/{facts['tracker']['code']}/table/",
        "tables/",
        "tables/decks/",
        "tables/decks/menagerie/",
        f"tables/{facts['seat_link']['code']}/",
        "jobs/",
        f"jobs/{job}/",
        "print/",
        f"print/{job}/",
        "rules/",
        *(f"print/is/{row}/" for row in facts["made"]["is"]),
    ]
    values = {}
    for path in paths:
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, path
        values[f"/api/v1/{path}"] = sorted(keys_of(answer.json()))
    return values


def pack(facts: dict[str, Any], archive: Path) -> None:
    connection.close()
    var = Path(settings.VAR)
    (var.parent / "facts.json").write_text(json.dumps(facts, indent=1, ensure_ascii=False))
    with tarfile.open(archive, "w:xz") as file:
        file.add(
            var, "var", filter=lambda info: None if "/static" in info.name or info.name.endswith(".json") else info
        )
        file.add(var.parent / "facts.json", "facts.json")
        file.add(var.parent / "files", "files")
        if url := os.environ.get("DATABASE_URL"):
            dump = var.parent / "dump.sql"
            words = [
                os.environ.get("PG_DUMP", "pg_dump"),
                "--no-owner",
                "--no-privileges",
                "--inserts",
                "-f",
                str(dump),
                url,
            ]
            subprocess.run(words, check=True)
            file.add(dump, "dump.sql")


if __name__ == "__main__":
    pack(make(), Path(sys.argv[1]).absolute())
