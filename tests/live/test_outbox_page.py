"""In a real browser: a page never loses a tap. What a form sends is stored until the server has answered."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.live.lossy_proxy import LossyProxy
from tests.services import CHROMIUM_FLAGS, ROOT, chromium_program

pytestmark = pytest.mark.browser


def write(page, text: str) -> None:
    page.fill("#note [name=text]", text)
    page.click("#note button")


def items(page) -> list[str]:
    return page.locator(".outbox-item .outbox-what").all_inner_texts()


def wait_until_all_is_sent(page) -> None:
    """The stream may show an entry before its answer has come; until then it stays stored."""
    page.wait_for_function("!Object.keys(localStorage).some((name) => name.startsWith('outbox:'))")


@pytest.fixture
def proxy(world):
    with LossyProxy(world.port) as proxy:
        yield proxy


def test_entry_is_sent_and_shown_and_the_form_is_cleared(world, log, open_page):
    page = open_page(world, log)
    write(page, "a quiet season")
    expect(page.locator("#lines li").first).to_have_text("a quiet season")
    expect(page.locator("#note [name=text]")).to_have_value("")
    write(page, "and another")
    expect(page.locator("#lines li").first).to_have_text("and another")
    assert world.texts(log) == ["a quiet season", "and another"]
    wait_until_all_is_sent(page)
    expect(page.locator("#outbox")).to_be_hidden()


def test_plain_form_works_without_javascript(world, log, open_page):
    page = open_page(world, log, java_script_enabled=False)
    write(page, "by hand")
    expect(page.locator("#lines li").first).to_have_text("by hand")
    assert world.texts(log) == ["by hand"]


def test_double_submit_is_one_entry_but_every_tap_counts(world, log, open_page):
    page = open_page(world, log)
    page.fill("#note [name=text]", "once")
    page.evaluate("for (let i = 0; i < 3; i += 1) document.querySelector('#note').requestSubmit()")
    expect(page.locator("#lines li").first).to_have_text("once")
    page.evaluate("for (let i = 0; i < 5; i += 1) document.querySelector('#tap button').click()")
    expect(page.locator("#lines .count")).to_have_text("6")
    page.wait_for_timeout(200)
    assert world.texts(log) == ["once"] + ["plus one"] * 5


def test_refusal_is_shown_until_it_is_dismissed(world, log, open_page):
    page = open_page(world, log)
    write(page, "refuse me")
    item = page.locator(".outbox-item.refused")
    expect(item).to_contain_text("The ink has run out.")
    expect(item).to_contain_text("note: refuse me")
    expect(page.locator("#note [name=text]")).to_have_value("refuse me")
    write(page, "the next is not held up")
    expect(page.locator("#lines li").first).to_have_text("the next is not held up")
    page.reload()
    expect(item).to_contain_text("The ink has run out.")
    item.get_by_role("button", name="Dismiss").click()
    expect(page.locator("#outbox")).to_be_hidden()
    wait_until_all_is_sent(page)
    assert world.texts(log) == ["the next is not held up"]


AGAIN_WHEN_SENT = """() => document.addEventListener("outbox:sent", () => {
    document.querySelector("#note [name=text]").value = "only once";
    document.querySelector("#note").requestSubmit();
}, { once: true })"""


def test_accidental_double_press_shows_no_refusal_but_a_late_entry_does(world, log, open_page):
    page = open_page(world, log)
    page.evaluate(AGAIN_WHEN_SENT)
    with page.expect_response(lambda answer: answer.status == 409):
        write(page, "only once")
    wait_until_all_is_sent(page)
    expect(page.locator("#outbox")).to_be_hidden()
    expect(page.locator("#note [name=text]")).to_have_value("")
    other = open_page(world, log)
    write(other, "only once")
    expect(other.locator(".outbox-item.refused")).to_contain_text("It is written already.")
    assert world.texts(log) == ["only once"]


def test_answer_can_redirect_the_page(world, log, open_page):
    page = open_page(world, log)
    page.click("#go button")
    page.wait_for_url("**/elsewhere/")
    assert world.texts(log) == ["gone"]


def test_unsent_entries_survive_a_reload_and_are_sent_from_another_page(world, log, proxy, open_page):
    page = open_page(world, log, port=proxy.port)
    proxy.deaf_to = b"POST"  # pages load, nothing can be sent
    for text in ("first", "second", "third"):
        write(page, text)
        expect(page.locator("#note [name=text]")).to_have_value("")
    expect(page.locator(".outbox-item")).to_have_count(3)
    expect(page.locator(".outbox-item").last).to_contain_text("Not sent yet.")
    assert items(page) == ["note: first", "note: second", "note: third"]
    page.reload()
    assert items(page) == ["note: first", "note: second", "note: third"]
    page.goto(f"http://127.0.0.1:{proxy.port}/{log}/elsewhere/")
    expect(page.locator(".outbox-item")).to_have_count(3)
    assert world.texts(log) == []
    page.set_viewport_size({"width": 390, "height": 664})
    for sheet in ("tokens", "components"):  # the small test site has no look of its own
        page.add_style_tag(path=ROOT / f"static/css/{sheet}.css")
    page.evaluate("document.querySelector('main').style.minHeight = '3000px'")  # as on a long page
    page.evaluate("document.getElementById('live-lost').hidden = false")
    mark, button = page.locator("#live-lost").bounding_box(), page.get_by_role("button", name="Try now").bounding_box()
    assert mark["y"] + mark["height"] <= button["y"] or button["y"] + button["height"] <= mark["y"], (mark, button)
    proxy.deaf_to = b""
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("#outbox")).to_be_hidden()
    assert world.texts(log) == ["first", "second", "third"]
    wait_until_all_is_sent(page)


def test_two_tabs_send_each_entry_once_and_in_order(world, log, proxy, open_page):
    one = open_page(world, log, port=proxy.port)
    two = one.context.new_page()
    two.goto(one.url)
    posts = []
    for page in (one, two):
        page.on("request", lambda request: posts.append(request.post_data) if request.method == "POST" else None)
    with proxy.cut():
        for number in range(6):
            write((one, two)[number % 2], f"entry {number}")
            expect((one, two)[number % 2].locator("#note [name=text]")).to_have_value("", timeout=3000)
        posts.clear()
    for page in (one, two):
        page.evaluate("window.dispatchEvent(new Event('online'))")
    for page in (one, two):
        expect(page.locator("#outbox")).to_be_hidden(timeout=10_000)
    assert world.texts(log) == [f"entry {number}" for number in range(6)]
    assert len(posts) == len(set(posts)) == 6, "no entry was sent by both"


def test_entries_are_never_sent_as_another_person(world, log, proxy, open_page):
    page = open_page(world, log, port=proxy.port, fresh=True)
    url = f"http://127.0.0.1:{proxy.port}"

    def log_in(name: str) -> None:
        assert page.context.request.post(f"{url}/log-in/", form={"name": name}).ok
        proxy.deaf_to = b""

    proxy.deaf_to = b"POST /%d/" % log
    write(page, "by mouse 0")
    expect(page.locator(".outbox-item.waiting")).to_be_visible()
    log_in("mouse1")  # as if in another tab
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator(".outbox-item.other")).to_contain_text("someone else")
    page.reload()
    write(page, "by mouse 1")
    expect(page.locator("#lines li").first).to_have_text("by mouse 1")
    expect(page.locator(".outbox-item.other")).to_contain_text("note: by mouse 0")
    # The page is still mouse 1's when someone else logs in behind it.
    log_in("mouse0")
    write(page, "by mouse 1 again")
    # Mouse 0's entry may still be listed for a moment, until it is sent.
    expect(page.locator(".outbox-item.other", has_text="note: by mouse 1 again")).to_be_visible()
    expect(page.locator("#lines li").first).to_have_text("by mouse 0")
    assert world.texts(log) == ["by mouse 1", "by mouse 0"]


def test_late_answer_to_an_ended_log_in_does_not_log_the_browser_out(world, log, proxy, open_page):
    page = open_page(world, log, port=proxy.port, fresh=True)
    with (
        page.expect_request_finished(),
        proxy.stalled(),
        page.expect_request(lambda request: request.method == "GET"),
    ):
        page.evaluate("document.dispatchEvent(new CustomEvent('live:refresh'))")
        # Past the proxy, as if in another tab: the session with which the page just asked ends.
        assert page.context.request.post(f"{world.url}/log-in/", form={"name": "mouse1"}).ok
    page.reload()
    write(page, "still logged in")
    expect(page.locator("#lines li").first).to_have_text("still logged in")


def test_entry_made_after_logging_out_waits_for_its_sender(world, log, open_page):
    page = open_page(world, log, fresh=True)
    page.context.request.post(f"{world.url}/log-out/")
    write(page, "am I still here")
    expect(page.locator(".outbox-item.other")).to_contain_text("note: am I still here")
    assert world.texts(log) == []
    page.context.request.post(f"{world.url}/log-in/", form={"name": "mouse0"})
    page.reload()
    expect(page.locator("#lines li").first).to_have_text("am I still here")


def test_stale_csrf_token_is_renewed(world, log, open_page):
    page = open_page(world, log)
    page.context.add_cookies([{"name": "companion_csrf", "value": "x" * 32, "url": world.url}])
    page.evaluate("document.cookie = 'companion_csrf=; max-age=0; path=/'")
    page.evaluate(
        "for (const one of document.querySelectorAll('[name=csrfmiddlewaretoken]')) one.value = 'y'.repeat(64)"
    )
    write(page, "still mine")
    expect(page.locator("#lines li").first).to_have_text("still mine")


def test_entry_that_causes_a_server_error_is_kept_and_does_not_block_others(world, log, open_page):
    page = open_page(world, log)
    write(page, "stumble once")
    write(page, "always stumble")
    write(page, "behind it")
    expect(page.locator(".outbox-item.broken")).to_contain_text("note: always stumble", timeout=15_000)
    expect(page.locator("#lines li").first).to_have_text("behind it")
    assert world.texts(log) == ["stumble once", "behind it"]
    page.get_by_role("button", name="Dismiss").click()
    expect(page.locator("#outbox")).to_be_hidden()


def test_outbox_works_on_plain_http_under_another_host_name(world, log, browser):
    flags = [*CHROMIUM_FLAGS, "--host-resolver-rules=MAP mice.test 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=chromium_program(), args=flags)
    try:
        context = other.new_context()
        url = f"http://mice.test:{world.port}"
        context.add_cookies([{"name": "companion_session", "value": world.cookies[0], "url": url}])
        page = context.new_page()
        page.goto(f"{url}/{log}/")
        poor = "!isSecureContext && !crypto.randomUUID && !navigator.locks && !navigator.serviceWorker"
        assert page.evaluate(poor)
        with page.expect_response("**/live/*/**"):
            page.reload()
        write(page, "from a phone")
        expect(page.locator("#lines li").first).to_have_text("from a phone")
        page.evaluate("for (let i = 0; i < 3; i += 1) document.querySelector('#tap button').click()")
        expect(page.locator("#lines .count")).to_have_text("4")
        assert world.texts(log) == ["from a phone"] + ["plus one"] * 3
    finally:
        other.close()


def thirty_percent(world, log, proxy, open_page, *, taps: int, cut: float) -> None:
    """Keep tapping through loss, a cut and a reload; each tap arrives once and in order."""
    page = open_page(world, log, port=proxy.port)
    wanted = []

    def tap(count: int) -> None:
        for _ in range(count):
            wanted.append(f"tap {len(wanted)}")
            # A form being sent becomes usable again as soon as its entry is answered or stored.
            page.fill("#note [name=text]", wanted[-1])
            page.click("#note button")

    with proxy.losing(0.3):
        tap(taps)
        with proxy.cut():
            tap(taps)
            page.wait_for_timeout(cut * 1000)
        tap(taps)
    proxy.kill_all()
    page.reload()
    with proxy.losing(0.3):
        tap(taps)
        page.wait_for_timeout(1500)
    expect(page.locator("#outbox")).to_be_hidden(timeout=60_000)
    expect(page.locator("#lines li").first).to_have_text(wanted[-1], timeout=20_000)
    assert world.texts(log) == wanted
    assert proxy.killed > 0
    wait_until_all_is_sent(page)


def test_every_tap_arrives_once_and_in_order_through_loss_and_a_reload(world, log, proxy, open_page):
    thirty_percent(world, log, proxy, open_page, taps=4, cut=2)


@pytest.mark.soak
def test_delayed_and_retried_entry_counts_once(world, log, proxy, open_page):
    page = open_page(world, log, port=proxy.port)
    write(page, "before")
    expect(page.locator("#lines li")).to_have_count(1)
    with proxy.stalled():
        for number in range(3):
            write(page, f"into the mud {number}")
            expect(page.locator("#note [name=text]")).to_have_value("")
        page.wait_for_timeout(30_000)  # the first try has timed out, a second is under way
    expect(page.locator("#outbox")).to_be_hidden(timeout=40_000)
    assert world.texts(log) == ["before", *(f"into the mud {number}" for number in range(3))]
    expect(page.locator("#lines li")).to_have_count(4, timeout=60_000)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_every_tap_arrives_through_loss_and_twenty_seconds_offline(world, log, open_page, seed):
    with LossyProxy(world.port, seed=seed) as proxy:
        thirty_percent(world, log, proxy, open_page, taps=15, cut=20)


def test_late_answer_does_not_bring_back_older_entries(world, log, open_page):
    page, other = open_page(world, log), open_page(world, log, who=1)
    answers = []

    def slowly(route):
        answer = route.fetch()  # the entry is written now, and its answer is delayed
        write(other, "the newer")
        expect(page.locator("#lines li").first).to_have_text("the newer")
        answers.append(answer.text())
        route.fulfill(response=answer)

    page.route("**/write/", slowly)
    page.evaluate("document.addEventListener('outbox:sent', () => { window.answered = true; })")
    write(page, "the older")
    page.wait_for_function("window.answered")
    expect(page.locator("#lines li")).to_have_text(["the newer", "the older"])
    assert "the newer" not in answers[0]
