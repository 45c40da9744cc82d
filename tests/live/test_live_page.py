"""A page that updates itself, in a real browser."""

from __future__ import annotations

import re
import sqlite3

import pytest
from playwright.sync_api import expect

from tests.browser_phones import wait_until
from tests.live.lossy_proxy import LossyProxy

pytestmark = pytest.mark.browser

HIDE = """(state) => {
    Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_change_appears_without_a_reload_and_keeps_the_viewers_input(world, open_page):
    reader, writer = open_page(world), open_page(world, who=1)
    reader.click("#fold summary")
    draft = reader.locator("input[name=draft]")
    before = draft.input_value()
    draft.fill("half a sentence")
    reader.evaluate("document.querySelector('[name=draft]').setSelectionRange(4, 9)")
    writer.fill("#note [name=text]", "the owl has landed")
    writer.click("#note button")
    expect(reader.locator("#lines li").first).to_have_text("the owl has landed")
    assert reader.evaluate("document.querySelector('#fold').open")
    assert draft.input_value() == "half a sentence"
    spot = "[document.activeElement.name, document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    assert reader.evaluate(spot) == ["draft", 4, 9]
    # The writer was not typing there, so theirs is as the server drew it.
    expect(writer.locator("input[name=draft]")).not_to_have_value(before)


def test_all_parts_of_a_page_share_one_stream_even_when_added_later(world, open_page):
    asked = []
    page = open_page(world, before=lambda page: page.on("request", lambda request: asked.append(request.url)))
    a, b, _ = world.logs
    page.evaluate(
        """([a, b]) => {
            for (const log of [a, b]) {
                const part = document.createElement("div");
                part.dataset.live = `/live/${log}/`;
                part.dataset.liveGet = `/${log}/lines/`;
                document.querySelector("main").append(part);
            }
        }""",
        [a, b],
    )
    expect(page.locator("main > div .count")).to_have_count(3)
    streams = [url for url in asked if re.search(r"/live/[\d,]+/", url)]
    assert [re.search(r"/live/([\d,]+)/", url)[1] for url in streams] == [str(a), f"{a},{b}"]


def test_hidden_tab_closes_its_stream_and_catches_up_on_return(world, open_page):
    asked, ended = [], []

    def watch(page):
        page.on("request", lambda request: asked.append(request.url) if "/live/" in request.url else None)
        for how in ("requestfailed", "requestfinished"):
            page.on(how, lambda request: ended.append(request.url) if "/live/" in request.url else None)

    page, writer = open_page(world, before=watch), open_page(world, who=1)
    page.evaluate(HIDE, "hidden")
    wait_until(page, lambda: len(ended) == 1)
    assert len(asked) == 1
    writer.fill("#note [name=text]", "behind your back")
    writer.click("#note button")
    expect(writer.locator("#lines li").first).to_have_text("behind your back")
    page.wait_for_timeout(300)
    expect(page.locator("#lines")).not_to_contain_text("behind your back")
    page.evaluate(HIDE, "visible")
    expect(page.locator("#lines li").first).to_have_text("behind your back")
    wait_until(page, lambda: len(asked) == 2)


def test_unchanged_page_is_answered_without_rendering(world, open_page):
    answers = []

    def watch(page):
        page.on("response", lambda response: answers.append(response.status) if "/lines/" in response.url else None)

    page = open_page(world, before=watch)
    assert answers == [], "drawn at the version the stream opens with"
    for _ in range(2):
        with page.expect_response("**/lines/"):
            page.evaluate("document.dispatchEvent(new CustomEvent('live:refresh'))")
    assert answers == [200, 304]


def test_lost_connection_is_shown_and_recovered(world, open_page):
    writer = open_page(world, who=1)
    with LossyProxy(world.port) as proxy:
        page = open_page(world, port=proxy.port)
        mark = page.locator("#live-lost")
        page.evaluate(
            """() => {
                document.addEventListener("live:down", () => { window.lost ??= Date.now(); });
                const mark = document.querySelector("#live-lost");
                new MutationObserver(() => { window.said ??= Date.now(); }).observe(mark, { attributes: true });
            }"""
        )
        with proxy.cut():
            writer.fill("#note [name=text]", "into the dark")
            writer.click("#note button")
            expect(mark).to_be_visible()
            assert page.evaluate("document.documentElement.classList.contains('offline')")
            assert page.evaluate("window.said - window.lost") > 2000, "a short hiccup is not worth a word"
        expect(page.locator("#lines li").first).to_have_text("into the dark", timeout=20_000)
        expect(mark).to_be_hidden()
        assert not page.evaluate("document.documentElement.classList.contains('offline')")


def test_viewer_who_loses_access_is_told_once(world, open_page):
    page, writer = open_page(world, who=2), open_page(world, who=1)
    with sqlite3.connect(world.var / "companion.sqlite3") as connection:
        connection.execute("UPDATE auth_user SET is_active = 0 WHERE username = 'mouse2'")
    try:
        writer.fill("#note [name=text]", "not for you")
        writer.click("#note button")
        expect(page.locator("#live-ended")).to_be_visible()
        assert "not for you" not in page.content()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.wait_for_timeout(1500)
        assert asked == []
    finally:
        with sqlite3.connect(world.var / "companion.sqlite3") as connection:
            connection.execute("UPDATE auth_user SET is_active = 1 WHERE username = 'mouse2'")


# old, what the person did to it, new, what must then be true
MORPHS = {
    "a row above moves neither the cursor nor the words": (
        '<ul><li id="a"><input name="x"></li></ul>',
        "const f = root.querySelector('input'); f.focus(); f.value = 'typed';",
        '<ul><li id="b">new</li><li id="a"><input name="x"></li></ul>',
        "root.querySelector('#a input').value === 'typed' && document.activeElement === root.querySelector('#a input')"
        " && root.querySelectorAll('li')[0].id === 'b'",
    ),
    "words for one thing never land on another": (
        '<div><form action="/u/1"><input name="x"></form></div>',
        "root.querySelector('input').value = 'for unit 1';",
        '<div><form action="/u/2"><input name="x"></form></div>',
        "root.querySelector('form[action=\"/u/2\"] input').value === ''",
    ),
    "what is dropped while someone writes in it stays until they are done": (
        '<form action="/u/1"><textarea name="x"></textarea></form><p>old</p>',
        "root.querySelector('textarea').value = 'a long tale';",
        "<p>confirmed</p>",
        "root.querySelector('textarea').value === 'a long tale' && root.querySelector('p').textContent === 'confirmed'",
    ),
    "a field nobody touched follows the server": (
        '<input name="x" value="1"><input name="c" type="checkbox">',
        "",
        '<input name="x" value="2"><input name="c" type="checkbox" checked>',
        "root.querySelector('[name=x]').value === '2' && root.querySelector('[name=c]').checked",
    ),
    "a fresh key comes with the drawing, also beside typed words": (
        '<form action="/u"><input type="hidden" name="key" value="k1"><input name="x"></form>',
        "root.querySelector('[name=x]').value = 'typed';",
        '<form action="/u"><input type="hidden" name="key" value="k2"><input name="x"></form>',
        "root.querySelector('[name=key]').value === 'k2' && root.querySelector('[name=x]').value === 'typed'",
    ),
    "white space around a part in the page is no row: nothing is drawn anew": (
        "\n\n<ol><li>a</li></ol>\n<div><select name=x><option>1</option><option>2</option></select></div>\n",
        "root.querySelector('div').mine = true; root.querySelector('select').value = '2';",
        "<ol><li>b</li></ol>\n<div><select name=x><option>1</option><option>2</option></select></div>\n",
        "root.querySelectorAll('div').length === 1 && root.querySelector('div').mine === true"
        " && root.querySelector('select').value === '2' && root.querySelector('li').textContent === 'b'",
    ),
    "a choice made stays made when the server's own moves, and follows it where nobody chose": (
        "<select name=x><option selected>1</option><option>2</option><option>3</option></select>"
        "<select name=y><option selected>1</option><option>2</option></select>",
        "root.querySelector('[name=x]').value = '3';",
        "<select name=x><option>1</option><option selected>2</option><option>3</option></select>"
        "<select name=y><option>1</option><option selected>2</option></select>",
        "root.querySelector('[name=x]').value === '3' && root.querySelector('[name=y]').value === '2'",
    ),
    "rows change places": (
        '<ol><li id="a">a</li><li id="b">b</li><li id="c">c</li></ol>',
        "root.querySelector('#b').mine = true;",
        '<ol><li id="c">c</li><li id="b">b2</li><li id="d">d</li></ol>',
        "root.textContent === 'cb2d' && root.querySelector('#b').mine === true",
    ),
    "drawings too": (
        '<svg viewBox="0 0 9 9"><rect id="r" width="1"/></svg>',
        "root.querySelector('rect').mine = true;",
        '<svg viewBox="0 0 9 9"><rect id="r" width="4"/><circle r="2"/></svg>',
        "root.querySelector('rect').mine && root.querySelector('rect').getAttribute('width') === '4'"
        " && root.querySelector('circle').namespaceURI === 'http://www.w3.org/2000/svg'",
    ),
}


def test_update_changes_only_what_differs(world, open_page):
    page = open_page(world)
    for name, (old, done, new, true) in MORPHS.items():
        page.evaluate(
            f"""async ([old, next]) => {{
                const {{ draw }} = await import("/static/js/morph.js");
                document.querySelector("#trial")?.remove();
                const root = document.createElement("section");
                root.id = "trial";
                root.innerHTML = old;
                document.querySelector("main").append(root);
                {done}
                draw(root, next);
            }}""",
            [old, new],
        )
        assert page.evaluate(f"(() => {{ const root = document.querySelector('#trial'); return {true}; }})()"), (
            name,
            page.evaluate("document.querySelector('#trial').innerHTML"),
        )


def test_what_is_kept_stays_in_its_place(world, open_page):
    page = open_page(world)
    result = page.evaluate(
        """async () => {
            const { draw } = await import("/static/js/morph.js");
            const box = document.createElement("section");
            document.body.append(box);
            draw(box, '<p>one</p><div id="menu">kept</div>');
            draw(box, '<p>two</p><div id="menu" data-keep></div>');
            const words = box.innerText.replace(/\\s+/g, " ").trim();
            box.remove();
            return words;
        }"""
    )
    assert result == "two kept"
