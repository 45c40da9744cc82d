"""Webhooks against real local servers: hanging, redirecting, failing, and names that change their address."""

from __future__ import annotations

import http.server
import threading
import time

import pytest

from gamenights.notices import webhook_post
from gamenights.notices.webhook_post import (
    RETRY_DELAYS,
    Delivery,
    check_address,
    check_form,
    is_public,
    next_delay,
    send,
)
from refusal import Refusal


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, self.headers, body))
        answer = self.server.answers.get(self.path, (204, {}, b""))
        if answer == "trickle":
            self.server.release.wait(20)
            return
        status, headers, text = answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.daemon_threads = True
    server.received, server.answers, server.release = [], {}, threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield server
    server.release.set()
    server.shutdown()
    server.server_close()


def local(server, path="/hook"):
    return f"http://hooks.example.org:{server.server_port}{path}"


def to_local(host, port, seconds):
    return ["127.0.0.1"]


def post(server, path="/hook", **more):
    more = {"allow_private": True, "resolve": to_local} | more
    return send(local(server, path), b'{"a":1}', {"Content-Type": "application/json"}, **more)


def test_a_notice_arrives_with_its_headers(server):
    delivery = post(server, "/hook?token=1")
    assert (delivery.is_delivered, delivery.status) == (True, 204)
    ((path, headers, body),) = server.received
    assert (path, body) == ("/hook?token=1", b'{"a":1}')
    assert headers["Host"] == f"hooks.example.org:{server.server_port}"
    assert headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("status", "can_retry"), [(500, True), (503, True), (429, True), (404, False), (410, False), (400, False)]
)
def test_errors_are_distinguished(server, status, can_retry):
    server.answers["/hook"] = (status, {"Retry-After": "90"}, b"no")
    delivery = post(server)
    assert (delivery.is_delivered, delivery.status, delivery.can_retry, delivery.answer) == (
        False,
        status,
        can_retry,
        "no",
    )
    assert delivery.retry_after == 90


def test_a_private_address_is_refused_before_anything_is_sent(server):
    delivery = post(server, allow_private=False)
    assert not delivery.is_delivered
    assert server.received == []
    unknown = post(server, allow_private=False, resolve=lambda *_: [])
    assert delivery == unknown, "nobody learns which names there are in the network of the site"


def test_a_redirect_to_a_private_address_is_refused(server, monkeypatch):
    """The first address counts as public here; the one it redirects to does not."""
    server.answers["/hook"] = (307, {"Location": f"http://inside.example.org:{server.server_port}/secret"}, b"")
    monkeypatch.setattr(webhook_post, "is_public", lambda address: address == "127.0.0.1")

    def resolve(host, port, seconds):
        return ["127.0.0.1"] if host == "hooks.example.org" else ["10.0.0.7"]

    delivery = post(server, allow_private=False, resolve=resolve)
    assert "inside.example.org was not found on the public internet" in delivery.sentence
    assert [path for path, _, _ in server.received] == ["/hook"]


def test_a_redirect_that_keeps_the_method_is_followed(server):
    server.answers["/hook"] = (308, {"Location": "/new"}, b"")
    assert post(server).is_delivered
    assert [path for path, _, _ in server.received] == ["/hook", "/new"]


def test_other_redirects_and_loops_are_refused(server):
    server.answers["/hook"] = (302, {"Location": "/new"}, b"")
    assert "Enter the address it leads to" in post(server).sentence
    server.answers["/hook"] = (307, {"Location": "/hook"}, b"")
    assert "too often" in post(server).sentence


@pytest.mark.parametrize("location", ["http://[bad", "http://a.example.org:port/", "http://\u2100.example.org/"])
def test_a_redirect_to_nonsense_is_refused(server, location):
    server.answers["/hook"] = (307, {"Location": location.encode().decode("latin-1")}, b"")
    assert not post(server).is_delivered


def test_a_name_is_resolved_once_so_it_cannot_change_in_between(server, monkeypatch):
    """DNS rebinding: the second answer of the name would be private, but nobody asks a second time."""
    answers = iter([["127.0.0.1"], ["10.0.0.7"]])
    asked = []

    def resolve(host, port, seconds):
        asked.append(host)
        return next(answers)

    monkeypatch.setattr(webhook_post, "is_public", lambda address: address == "127.0.0.1")
    assert post(server, allow_private=False, resolve=resolve).is_delivered
    assert asked == ["hooks.example.org"]


def test_a_name_with_one_private_address_among_others_is_refused():
    with pytest.raises(Refusal, match="not found on the public internet"):
        check_address("https://a.example.org/", resolve=lambda *_: ["93.184.216.34", "192.168.0.1"])


def test_a_receiver_that_hangs_is_cut_off(server):
    server.answers["/hook"] = "trickle"
    start = time.monotonic()
    delivery = post(server, seconds=0.3)
    assert not delivery.is_delivered
    assert delivery.can_retry
    assert "No answer within 0.3 seconds" in delivery.sentence
    assert time.monotonic() - start < 15


def test_nobody_listening_can_be_tried_again():
    delivery = send("http://x.example.org:9/", b"", {}, allow_private=True, resolve=to_local, seconds=2)
    assert not delivery.is_delivered
    assert delivery.can_retry


def test_a_plain_server_behind_https_is_not_secure(server):
    delivery = send(local(server).replace("http:", "https:"), b"", {}, allow_private=True, resolve=to_local, seconds=5)
    assert not delivery.is_delivered


def test_an_unknown_name_is_refused():
    delivery = send("https://nowhere.example.org/", b"", {}, resolve=lambda *_: [])
    assert "was not found" in delivery.sentence


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::", "no address",
        "192.0.0.192", "192.88.99.1", "fec0::1", "feff::1", "64:ff9b:1::1", "::7f00:1", "3fff::1",
    ],
)  # fmt: skip
def test_private_addresses_in_all_their_forms(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "", "ftp://x.example.org/", "file:///etc/passwd", "//x.example.org", "https://", "https://user:pw@x.example.org/",
        "https://x.example.org:99999/", "https://x.example.org/\r\nHost: y", "https://x.example.org/é", "javascript:1",
        "https://" + "x" * 600, "https://x..example.org/", "https://[::1/",
    ],
)  # fmt: skip
def test_other_addresses_are_refused_at_the_field(url):
    with pytest.raises(Refusal) as refused:
        check_form(url)
    assert refused.value.field == "url"


def test_a_good_address_is_taken_apart():
    assert check_form("https://x.example.org/a?b=1") == (True, "x.example.org", 443, "/a?b=1")
    assert check_form("http://x.example.org:8080") == (False, "x.example.org", 8080, "/")
    assert check_form("https://mäuse.example.org/") == (True, "xn--muse-loa.example.org", 443, "/")


def test_failed_notices_are_tried_again_later_and_later_and_then_given_up():
    failed = Delivery(False, "", 500, can_retry=True)
    assert [next_delay(attempt, failed) for attempt in range(1, 7)] == [*RETRY_DELAYS, None]
    assert next_delay(1, Delivery(True, "", 204)) is None
    assert next_delay(1, Delivery(False, "", 404)) is None
    assert next_delay(1, Delivery(False, "", 429, can_retry=True, retry_after=600)) == 600
    assert next_delay(1, Delivery(False, "", 429, can_retry=True, retry_after=999_999)) == 86_400
