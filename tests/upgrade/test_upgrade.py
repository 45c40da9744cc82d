"""A site written by commit 700520b, before the modules were renamed, starts and goes on; what people kept of it works.

The data were made by make_data.py with the code of that commit. Everything here goes through HTTP and manage.py, as it
does for people. No module, template, sentence or CSS class is named, so all of those may change. Stored names,
addresses, codes, files and the keys of the API may not.
"""

from __future__ import annotations

import datetime as dt
import json
import secrets
import shutil
import sqlite3
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.services import Site
from tests.upgrade.browser import Browser

DATA = Path(__file__).parent / "data"
DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def keys_of(value: Any, path: str = "") -> set[str]:
    """Every path of keys in a JSON answer; the items of a list share theirs."""
    if isinstance(value, dict):
        return {path} | {row for name, part in value.items() for row in keys_of(part, f"{path}/{name}")}
    if isinstance(value, list):
        return {path} | {row for part in value for row in keys_of(part, f"{path}[]")}
    return {path}


def new_key() -> str:
    return f"upgraded-{secrets.token_hex(8)}"


class House:
    """The upgraded site, what was recorded of the old one, and the browsers people had open there."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.files = folder / "files"
        self.facts: dict[str, Any] = json.loads((folder / "facts.json").read_text())
        self.browsers = {name: Browser(site.port, kept) for name, kept in self.facts["browsers"].items()}

    def __getitem__(self, name: str) -> Browser:
        return self.browsers[name]

    def stranger(self) -> Browser:
        return Browser(self.site.port)

    def until(self, ready: Callable[[], Any], what: str, seconds: float = 40) -> Any:
        end = time.monotonic() + seconds
        while not (result := ready()):
            assert time.monotonic() < end, what
            time.sleep(0.1)
        return result


# ── Unpacking: as if it had been written a moment ago ────────────────────────────────────────────────────


def unpack(database: str, folder: Path) -> dt.timedelta:
    """The archive into a folder. Gives how long ago the old site was stopped."""
    with tarfile.open(DATA / f"{database}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    facts = json.loads((folder / "facts.json").read_text())
    return dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(facts["at"])


def into_sqlite(path: Path, ago: dt.timedelta) -> None:
    with sqlite3.connect(path) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for _, name, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall():
                if kind == "datetime":
                    later = f"""strftime('%Y-%m-%d %H:%M:%f', "{name}", '{ago.total_seconds():.3f} seconds')"""
                    database.execute(f'UPDATE "{table}" SET "{name}" = {later}')
    database.close()


def into_postgres(dump: Path, url: str, ago: dt.timedelta) -> None:
    import psycopg

    # Newer versions of pg_dump write commands for psql between the statements.
    script = "\n".join(line for line in dump.read_text().splitlines() if not line.startswith("\\"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(script)
        connection.execute("SET search_path TO public")
        columns = connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'"
        ).fetchall()
        for table, name in columns:
            connection.execute(
                f"""UPDATE "{table}" SET "{name}" = "{name}" + interval '{ago.total_seconds()} seconds'"""
            )


@pytest.fixture
def house(request: pytest.FixtureRequest, make_site, tmp_path: Path) -> House:
    database = request.param
    env = {}
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
    site = make_site(start=False, migrated=False, **env)
    ago = unpack(database, tmp_path)
    shutil.move(tmp_path / "var", site.var)
    if database == "postgres":
        into_postgres(tmp_path / "dump.sql", env["DATABASE_URL"], ago)
    else:
        into_sqlite(site.var / "companion.sqlite3", ago)
    site.start()
    yield House(site, tmp_path)
    site.stop()


# ── What is looked at ────────────────────────────────────────────────────────────────────────────────────


def log_ins(house: House) -> None:
    for name in ("Wren", "Tam", "Oda", "Pim"):
        assert house[name].json("/api/v1/me/")["name"] == name
    for name, password in house.facts["passwords"].items():
        browser = house.stranger()
        page = browser.get("/log-in/")
        browser.send(page, page.form("/log-in/"), name=name, password=password)
        assert browser.json("/api/v1/me/")["name"] == name


def pages(house: House) -> None:
    """Every kind of address answers as it did, with the names it showed; and so does what was shared or printed."""
    wrong = []
    for name, path, status, location, names in house.facts["pages"]:
        if path.startswith("/guide/"):
            continue  # the style guide, whose address nobody keeps: it is no page of the site any more
        answer = house[name].get(path)
        if answer.status != status or urlsplit(answer.location).path != urlsplit(location).path:
            wrong.append(f"{name} {path}: {answer.status} {answer.location}, once {status} {location}")
        elif names and (gone := [row for row in names if row not in answer.text]):
            wrong.append(f"{name} {path}: no longer shows {gone}")
    for path, status in house.facts["shared"]:
        if (now := house["Wren"].get(path).status) != status:
            wrong.append(f"{path}: {now}, once {status}")
    assert not wrong, "\n".join(wrong)


# Of a card game that still runs: nobody's file has its secret log before the game ends.
SECRET_WHILE_IT_RUNS = ("/entries[]/body/figures", "/entries[]/body/level")


def api_keys(house: House) -> None:
    wrong = []
    own = {"/me/data/file/": house.facts["files"]["my-data.json"]}
    for path, keys in (house.facts["api"] | own).items():
        answer = house["Wren"].get(path)
        gone = sorted(set(keys) - keys_of(answer.data)) if answer.status == 200 else [f"{answer.status}"]
        gone = [key for key in gone if path not in own or not key.startswith(SECRET_WHILE_IT_RUNS)]
        if gone:
            wrong.append(f"{path}: {gone}")
    assert not wrong, "\n".join(wrong)


def kept_taps(house: House) -> None:
    """What a phone kept while it had no network: what was answered counts once, what was never sent is written."""
    tam, taps = house["Tam"], house.facts["taps"]
    for tap in (taps["answered"], taps["unsent"], taps["unsent"]):
        answer = tam.post(tap["action"], tap["fields"], **{"X-Outbox": "1"})
        assert answer.status < 400, (tap, answer.status)
    chronicle = json.dumps(tam.json(f"/api/v1/campaigns/{house.facts['war']}/export/"))
    for tap in (taps["answered"], taps["unsent"]):
        assert chronicle.count(tap["fields"]["text"]) == 1


def armies(house: House) -> None:
    for army in house.facts["armies"]:
        assert house.stranger().json(f"/api/v1/musters/a/{army['code']}/")["army"] == army["army"]
        assert house.stranger().get(f"/musters/a/{army['code']}/").status == 200


def half_done_muster(house: House) -> None:
    oda, result = house["Oda"], house.facts["half_done"]
    path = f"/api/v1/musters/{result['code']}/"
    now = oda.json(path)
    assert now["question"]["token"] == result["question"]
    assert len(now["fell"]) == result["fell"]
    for _ in range(60):
        if now["question"] is None:
            break
        asked = now["question"]
        answer = 6 if asked["die"] else asked["choices"][0]["key"]
        now = oda.post_json(f"{path}steps/", key=new_key(), question=asked["token"], answer=answer)
    assert len(now["roster"]["units"]) >= 3
    assert oda.post_json(f"{path}take/", key=new_key())["taken"]


def sealed_dice(house: House) -> None:
    given, waits = house.facts["sealed"]["given"], house.facts["sealed"]["waits"]
    assert house["Oda"].json(f"/api/v1/musters/{given}/")["words_in"] == {"mine": True, "theirs": False}
    house["Tam"].post_json(f"/api/v1/musters/{waits}/word/", word="a warm ladle")
    for name, code in (("Oda", given), ("Tam", waits)):
        now = house[name].json(f"/api/v1/musters/{code}/")
        assert now["words_in"] == {"mine": True, "theirs": True}
        step = {"key": new_key(), "question": now["question"]["token"], "answer": None}
        after = house[name].post_json(f"/api/v1/musters/{code}/steps/", **step)
        assert after["question"]["token"] != now["question"]["token"]


def slip(house: House) -> None:
    result = house.facts["slip"]
    report = f"/battles/{result['battle']}/report/"
    typed = house.stranger()
    page = typed.get("/battles/code/")
    assert typed.send(page, page.form("/battles/code/"), code=result["words"]).location == report
    assert typed.get(report).form(report)
    scanned = house.stranger()
    assert scanned.get(result["path"], follow=True).path == report
    assert house.stranger().get(report).status != 200


def open_report(house: House) -> None:
    """Whoever was asked confirms it, and it is in the chronicle."""
    result, quiet = house.facts["report"], house.facts["quiet"]
    path = f"/campaigns/{quiet}/petitions/{result['petition']}/"
    oda = house["Oda"]
    page = oda.get(path)
    done = oda.send(page, page.form(path, do="yes"), do="yes")
    assert done.status == 302
    entry = oda.json(f"/api/v1{path}")["entry"]
    assert entry
    assert entry in [line["number"] for line in oda.json(f"/api/v1/campaigns/{quiet}/")["lines"]]
    assert oda.json(f"/api/v1/battles/{result['battle']}/")["stage"] == "confirmed"


def disputed_report(house: House) -> None:
    path = f"/api/v1/campaigns/{house.facts['quiet']}/petitions/{house.facts['disputed']['petition']}/"
    wren = house["Wren"]
    assert wren.json(path)["stage"] == "disputed"
    assert wren.post_json(path, key=new_key(), do="yes", version=0)["entry"]


def report_nobody_answered(house: House) -> None:
    """Its week is over: the timer fires, and it is final."""
    path = f"/api/v1/campaigns/{house.facts['quiet']}/petitions/{house.facts['stands']['petition']}/"
    house.until(lambda: house["Wren"].json(path)["stage"] == "written", "the timer of the report has not rung")


def correction(house: House) -> None:
    path = f"/campaigns/{house.facts['war']}/petitions/{house.facts['correction']['petition']}/"
    wren = house["Wren"]
    page = wren.get(path)
    wren.send(page, page.form(path, do="yes"), do="yes")
    assert wren.json(f"/api/v1{path}")["stage"] == "written"
    house.site.manage("verify_chronicle", house.facts["war"])


def tracker(house: House) -> None:
    result, wren = house.facts["tracker"], house["Wren"]
    path = f"/api/v1/battles/{result['code']}/table/"
    now, then = wren.json(path), result["board"]
    assert [now[name] for name in ("version", "scenario", "round", "turn")] == [
        then[name] for name in ("version", "scenario", "round", "turn")
    ]
    for side, before in zip(now["sides"], then["sides"], strict=True):
        assert side["units"] == before["units"]
    fight = now["fights"][0]
    faces = [9] * len(fight["needed"])
    dice = {"key": new_key(), "kind": "dice", "body": {"fight": fight["key"], "faces": faces, "at": 0}}
    done = wren.post_json(f"{path}steps/", **dice)
    assert wren.json(path)["fights"] != now["fights"]
    wren.post_json(f"{path}take-back/", key=new_key(), step=done["entry"])
    assert wren.json(path)["fights"] == now["fights"]


def battle_of_a_passer_by(house: House) -> None:
    result = house.facts["alone"]
    friend = house.stranger()
    page = friend.get(result["path"], follow=True)
    assert friend.send(page, page.form()).location == f"/battles/{result['code']}/"
    told = {"key": new_key(), "ending": "yielded-A"}
    house["Passer"].post_json(f"/api/v1/battles/{result['code']}/report/", **told)
    assert friend.json(f"/api/v1/battles/{result['code']}/")["stage"] == "confirmed"


def card_table(house: House) -> None:
    """The bot moves when its time has come; then the phone that holds the seat plays on."""
    code, nib = house.facts["table"]["code"], house["Nib"]
    seat = f"/api/v1/tables/{code}/seats/0/"
    seen = house.until(lambda: (now := nib.json(seat))["ask"] and now, "no bot has moved")
    choice = {"key": new_key(), "choice": seen["ask"]["choices"][0]["key"], "stamp": seen["ask"]["stamp"]}
    after = nib.post_json(f"{seat}choose/", **choice)
    assert len(after["events"]) > len(seen["events"]) or after["view"] != seen["view"]
    assert house.stranger().get(seat).status == 404


def seat_by_its_link(house: House) -> None:
    result, phone = house.facts["seat_link"], house.stranger()
    page = phone.get(result["path"], follow=True)
    assert phone.send(page, page.form()).location == f"/tables/{result['code']}/"
    seat = f"/api/v1/tables/{result['code']}/seats/{result['seat']}/"
    ask = phone.json(seat)["ask"]
    phone.post_json(f"{seat}choose/", key=new_key(), choice=ask["choices"][0]["key"], stamp=ask["stamp"])


def score_sheet(house: House) -> None:
    result = house.facts["sheet"]
    role = f"/tables/sheets/{result['code']}/roles/{result['place']}/"
    assert result["role"] in house["Phone"].get(role).text
    friend = house.stranger()
    page = friend.get(result["path"], follow=True)
    assert friend.send(page, page.form()).location == f"/tables/sheets/{result['code']}/"
    assert "Pim" in friend.get(f"/tables/sheets/{result['code']}/").text
    assert friend.get(role).status >= 400  # nobody else sees it


def jobs(house: House) -> None:
    """What was queued is done, and what a dead worker held too."""
    ended = ("done", "failed", "cancelled")
    for pk, kind, owner in house.facts["jobs"]:
        path = f"/api/v1/jobs/{pk}/"
        job = house.until(lambda b=house[owner], p=path: (j := b.json(p))["state"] in ended and j, f"job {pk} waits")
        assert (job["kind"], job["state"]) == (kind, "done"), job
        if kind == "print":
            assert house[owner].get(job["file_url"]).raw.startswith(b"%PDF")
    made = house["Wren"].json(f"/api/v1/jobs/{house.facts['made']['job']}/")
    assert house["Wren"].get(made["file_url"]).raw.startswith(b"%PDF")
    for path in (f"/print/made/{made['id']}/file/", f"/print/made/{made['id']}/1.png", f"/jobs/{made['id']}/file/"):
        assert house["Wren"].get(path).status == 200  # a number is enough for whoever ordered
        assert house["Tam"].get(path).status == house.stranger().get(path).status == 404


def campaign_files(house: House) -> None:
    """One that Oda had sent already, and one that Tam kept on a disk."""
    arrival = "/api/v1/campaigns/arrival/"
    for name, file in (("Oda", ""), ("Tam", "campaign.json")):
        browser = house[name]
        if file:
            browser.post_json(arrival, **json.loads((house.files / file).read_text()))
        looked = house.until(
            lambda b=browser: (now := b.json(arrival))["state"] == "done" and now, "not looked through"
        )
        assert (looked["is_edited"], looked["differences"]) == (False, [])
        code = browser.post_json(f"{arrival}take-in/", key=new_key())["code"]
        realms = {kingdom["name"] for kingdom in browser.json(f"/api/v1/campaigns/{code}/")["kingdoms"]}
        assert realms == {"Oakhold", "Fenwick", "Thistledown", "Mole End"}


def deck_file(house: House) -> None:
    """A deck is read in again."""
    tam = house["Tam"]
    page = tam.get("/tables/decks/take-in/")
    fields = page.form("/tables/decks/take-in/").fields
    deck = (house.files / "deck.json").read_bytes()
    done = tam.send_file(page.path, {k: v for k, v in fields.items() if k != "file"}, "file", deck)
    assert done.status == 302, done.text


def links(house: House) -> None:
    """A personal link, an invitation to a campaign and one to the site, a claim."""
    pim = house.stranger()
    page = pim.get(house.facts["personal_link"]["path"], follow=True)
    pim.send(page, page.form())
    assert pim.json("/api/v1/me/")["name"] == "Pim"

    sorrel, result = house.stranger(), house.facts["invitation"]
    page = sorrel.get(result["path"], follow=True)
    form = next(row for row in page.forms if row.action.endswith("/by-name/"))
    assert sorrel.send(page, form, name="Sorrel").location == f"/campaigns/{result['campaign']}/"
    assert "Rennet" in sorrel.get(f"/campaigns/{result['campaign']}/").text

    newcomer, claimant = house.stranger(), house.stranger()
    page = newcomer.get(house.facts["passes"]["sign_up"], follow=True)
    newcomer.send(page, page.form(), name="Teasel", password="cheese-and-thyme-9")
    assert newcomer.json("/api/v1/me/")["name"] == "Teasel"
    page = claimant.get(house.facts["passes"]["claim"], follow=True)
    assert "Pim" in page.text
    claimant.send(page, page.form(), name="Pim", password="cheese-and-thyme-9")
    assert claimant.json("/api/v1/me/")["name"] == "Pim"


def new_password(house: House) -> None:
    """Last, because it ends Oda's other log-ins."""
    browser = house.stranger()
    page = browser.get(house.facts["passes"]["reset"], follow=True)
    browser.send(page, page.form(), password="cheese-and-thyme-9")
    assert browser.json("/api/v1/me/")["name"] == "Oda"
    assert house["Oda"].get("/me/").status == 302


CHECKS = (
    log_ins,
    pages,
    api_keys,
    kept_taps,
    armies,
    half_done_muster,
    sealed_dice,
    slip,
    open_report,
    disputed_report,
    report_nobody_answered,
    correction,
    tracker,
    battle_of_a_passer_by,
    card_table,
    seat_by_its_link,
    score_sheet,
    jobs,
    campaign_files,
    deck_file,
    links,
    new_password,
)


@pytest.mark.parametrize("house", DATABASES, indirect=True)
def test_site_of_the_previous_commit_upgrades_and_continues(house: House):
    """One start for all checks; everything that is wrong is reported together."""
    wrong = []
    for check in CHECKS:
        try:
            check(house)
        except Exception as error:
            wrong.append(f"{check.__name__}: {type(error).__name__}: {error}")
    house.site.stop()
    assert house.site.manage("verify_chronicle") == ""
    assert not wrong, "\n\n".join(wrong)


def test_its_backup_restores(make_site, tmp_path: Path):
    unpack("sqlite", tmp_path)
    place = make_site(start=False, migrated=False)
    place.manage("restore", str(tmp_path / "files" / "backup.zip"))
    assert place.manage("verify_chronicle") == ""
    assert (place.var / "secret_key").read_text() == (tmp_path / "var" / "secret_key").read_text()
