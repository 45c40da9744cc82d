"""What was made for one viewer reaches another only if that viewer's own order would make the same bytes.

Every sheet that is registered, and every address that names a job, is tried by everybody: a new one is covered too.
"""

from __future__ import annotations

import json

import pytest
from django.core.cache import cache
from django.http import Http404

from jobs.models import Job, State
from musters.quick_army import QuickArmyRequest
from people.requester import Who
from printing import orders, sheet_json_and_fingerprint, typst_compiler
from printing.job_kinds import document_title
from printing.sheet_registry import SHEETS, PaperSetting, find_nothing
from refusal import Refusal
from tests.jobs.run_here import run_here
from tests.printing.test_deck_picture_packages import picture_of_a_card
from tests.site.routes import every_route
from tests.site.viewers import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)

ROUTES = tuple("/" + route for route in every_route() if "<job:ref>" in route)
# Only these answer anybody but whoever ordered and the site's owner.
PRINTS = ("/print/", "/api/v1/print/")
PLAIN = {"ink": "colour"}
A_PICTURE = picture_of_a_card("white")


class ContentAsPdf:
    """Stands in for Typst: the "PDF" is all that goes into it, so different content is different bytes."""

    def __init__(self, template, content, setting, title, stamp) -> None:
        self.made = f"%PDF- {template} {title} {content}".encode()
        self.data = json.loads(content)

    def pdf(self) -> bytes:
        return self.made

    def pages(self, ppi) -> list[bytes]:
        if "bleed" in self.data:  # pictures of cards: one page for each card and each back
            return [A_PICTURE] * (len(self.data["cards"]) + len(self.data["backs"]))
        return [b"preview of " + self.made]


def content_as_text(data, **_) -> str:
    return json.dumps(data, default=repr)


@pytest.fixture(autouse=True)
def no_typst(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.PUBLIC_URL = "https://mice.example"
    monkeypatch.setattr(typst_compiler, "SheetCompiler", ContentAsPdf)
    monkeypatch.setattr(sheet_json_and_fingerprint, "render_json", content_as_text)


@pytest.fixture
def hall(make_person) -> World:
    return make_world(make_person)


def own_bytes(hall: World, viewer: str, sheet: str, subject: str) -> bytes | None:
    """What this viewer's own order makes, with nothing of others to reuse; None if they cannot order it."""
    try:
        order = orders.build_order(hall.whos[viewer], sheet, subject, PaperSetting.read({}, SHEETS[sheet].papers))
        content = content_as_text(order.data)
    except (Http404, Refusal):
        return None
    compiled = ContentAsPdf(order.sheet.template, content, order.setting, document_title(order.title), "")
    if package := order.sheet.package:
        return package.pack(order.data, compiled.pages(package.ppi), order.fingerprint[:12], lambda *_: None)[0]
    return compiled.made


def place_order(hall: World, viewer: str, sheet: str, subject: str) -> Job | None:
    """The print, ordered as this viewer orders it; None if they cannot."""
    cache.clear()  # strangers may order only so much in an hour
    answer = hall.clients[viewer].post(orders.sheet_url(sheet, subject), PLAIN)
    if answer.status_code != 302:
        assert answer.status_code in (403, 404, 409), (viewer, sheet, answer.status_code)
        return None
    job = Job.objects.filter(owner=hall.people.get(viewer)).order_by("-pk").first()
    run_here(job)
    assert job.state == State.DONE, (viewer, sheet, job.error)
    return job


def bytes_of(job: Job | None) -> bytes | None:
    return job.path.read_bytes() if job else None


def subjects_of(hall: World, key: str) -> list[str]:
    """What the sheet can be about: the first and the last subject that each viewer is offered."""
    sheet = SHEETS[key]
    if sheet.find is find_nothing:
        return [""]
    if sheet.subjects is not None:
        rows = [[subject.key for subject in sheet.subjects(who)] for who in hall.whos.values()]
        return list(dict.fromkeys(keys[at] for keys in rows if keys for at in (0, -1)))
    about = {
        "slip": [hall.battle.code],
        "roster": [hall.musters[0].code],
        "army": [QuickArmyRequest(loyalty=1, words=("acorn", "bramble")).code()],
    }
    assert key in about, f"say here what “{key}” can be about"
    return about[key]


def ask(hall: World, viewer: str, route: str, ref: str) -> tuple[int, bytes]:
    path = route.replace("<job:ref>", ref).replace("<int:page>", "1")
    client = hall.clients[viewer]
    answer = client.post(path) if path.endswith(("/cancel/", "/retry/")) else client.get(path)
    return answer.status_code, b"".join(answer) if answer.streaming else answer.content


def expected_status(route: str, *, ordered: bool, same: bool, owner: bool, logged_in: bool) -> int:
    if route.startswith("/groups/imports/"):
        return 404 if logged_in else 302  # to the log-in; a print is no import
    if route == "/print/made/<job:ref>/":
        return 302 if ordered or same else 404
    if route.startswith(PRINTS):
        return 200 if ordered or same else 404
    if route.endswith("/file/"):
        return 200 if ordered or (owner and same) else 404
    if route.endswith(("/cancel/", "/retry/")):
        return 409 if ordered or owner else 404  # it is finished
    return 200 if ordered or owner else 404


def differences(
    hall: World, job: Job, by: str, viewer: str, own: bytes | None, routes: tuple[str, ...] = ROUTES
) -> list[str]:
    """Where this viewer gets more or less of a print than the law says."""
    same = own == bytes_of(job)
    ordered = viewer == by and viewer in hall.people
    wrong = []
    for by_token in (False, True) if by == "master" or len(routes) == 1 else (True,):  # once will do for numbers
        ref = job.token if by_token else str(job.pk)
        for route in routes:
            status, body = ask(hall, viewer, route, ref)
            owner = by_token and viewer == "owner"
            expected = expected_status(
                route,
                ordered=ordered,
                same=by_token and same,
                owner=owner,
                logged_in=viewer in hall.people,
            )
            where = f"{viewer} on {route} of {by}, by {'token' if by_token else 'number'}"
            if status != expected:
                wrong.append(f"{where}: {status}, not {expected}")
            elif not (ordered or same) and (
                b"%PDF" in body or b"manifest.json" in body or job.result["fingerprint"].encode() in body
            ):
                wrong.append(f"{where}: shows what is in the print")
            elif status == 404 and job.saved_as.encode() in body:
                wrong.append(f"{where}: “not found” names the print")
    return wrong


def pick(own: dict[str, bytes | None]) -> list[str]:
    """One viewer of each kind: those whose own order makes the same are alike, but for the site's owner and nobody."""
    first: dict[bytes | None, str] = {}
    for viewer, made in own.items():
        first.setdefault(made, viewer)
    return list(dict.fromkeys((*first.values(), "owner", "nobody")))


def test_bytes_reach_another_viewer_only_if_their_own_order_makes_the_same(hall):
    wrong, kinds_that_differ = [], set()
    for key in SHEETS:
        for subject in subjects_of(hall, key):
            own = {viewer: own_bytes(hall, viewer, key, subject) for viewer in hall.clients}
            assert any(own.values()), f"nobody can print {key} {subject}"
            viewers, routes = pick(own), ROUTES
            if len(set(own.values())) > 1:
                kinds_that_differ.add(key)
            else:  # everybody's is the same: two viewers and one address will do
                viewers, routes = ["ruler", "nobody"], ("/print/made/<job:ref>/file/",)
            for by in [viewer for viewer in viewers if own[viewer]][:3]:
                job = place_order(hall, by, key, subject)
                for viewer in viewers:
                    wrong += [
                        f"{key}: {difference}" for difference in differences(hall, job, by, viewer, own[viewer], routes)
                    ]
                    page = hall.clients[viewer].get(orders.sheet_url(key, subject), PLAIN).content.decode()
                    if (job.token in page) != (own[viewer] == bytes_of(job)):
                        wrong.append(f"{key}: {viewer}'s page links to the print of {by}")
                for viewer in viewers:  # last, because each now has their own
                    if bytes_of(place_order(hall, viewer, key, subject)) != own[viewer]:
                        wrong.append(f"{key}: {viewer} ordered it and got that of {by}")
                Job.objects.all().delete()
    assert not wrong, "\n" + "\n".join(wrong)
    assert kinds_that_differ >= {"slip", "roster", "tonight", "deck", "deck-tabletop", "deck-print-shop"}, (
        "the world no longer has secrets"
    )


def test_unfinished_print_is_seen_by_nobody_else(hall):
    """Status, progress, row and list, also for those whose own order would make the same."""
    hall.clients["ruler"].post(orders.sheet_url("tokens"), PLAIN)
    job = Job.objects.get()
    for viewer in ("ruler", "opponent", "owner", "nobody"):
        client = hall.clients[viewer]
        for ref in (str(job.pk), job.token):
            allowed = viewer == "ruler" or (viewer == "owner" and ref == job.token)
            for path in (f"/jobs/{ref}/", f"/jobs/{ref}/row/", f"/api/v1/jobs/{ref}/"):
                assert (client.get(path).status_code == 200) == allowed, (viewer, path)
            for path in (f"/print/made/{ref}/", f"/api/v1/print/{ref}/"):
                assert (client.get(path).status_code < 400) == (viewer == "ruler"), (viewer, path)
        assert (job.token in client.get("/jobs/", follow=True).content.decode()) == (viewer == "ruler")
        assert (job.token in client.get("/api/v1/jobs/").content.decode()) == (viewer == "ruler")


def test_handed_over_print_keeps_the_order_of_whoever_ordered_it(master, player):
    """Equal content is made once, but one order never shows what another was about."""
    made = []
    for person in (master, player):
        who = Who.of(person)
        job = orders.request_print(tokens_of(person), who)
        made.append(run_here(job))
    first, second = made
    assert first.file == second.file
    assert (first.args["person"], second.args["person"]) == (master.pk, player.pk)
    assert first.token != second.token


def test_old_numbered_address_works_for_whoever_ordered(hall):
    code = hall.musters[0].code
    job = place_order(hall, "ruler", "roster", code)
    mine = hall.clients["ruler"]
    assert mine.get(f"/print/made/{job.pk}/").url == f"/print/roster/{code}/?paper=a4&ink=colour"
    assert b"".join(mine.get(f"/print/made/{job.pk}/file/")) == bytes_of(job)
    assert mine.get(f"/print/made/{job.pk}/1.png").status_code == 200
    assert mine.get(f"/api/v1/print/{job.pk}/").json()["job"]["token"] == job.token
    strangers = hall.clients["stranger"].get(f"/print/made/{job.pk}/file/")
    assert strangers.status_code == 404
    assert strangers.content.decode().count("<h1") == 1, "a page in plain words"


def test_previews_are_kept_for_one_viewer_only(master):
    job = Job.objects.get(pk=orders.request_print(tokens_of(master), Who.of(master)).pk)
    run_here(job)
    preview = master.client.get(f"/print/made/{job.token}/1.png")
    assert "private" in preview["Cache-Control"]
    assert "Cookie" in preview["Vary"]


def tokens_of(person) -> orders.Order:
    return orders.build_order(Who.of(person), "tokens", "", PaperSetting())
