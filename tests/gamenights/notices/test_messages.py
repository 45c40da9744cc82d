"""Notices as JSON and Atom, and their signature."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from xml.etree import ElementTree as xml

from gamenights.notices.notice_formats import Notice, is_signed, sign, write_atom, write_json

AT = dt.datetime(2026, 3, 5, 20, 0, 0, 123, tzinfo=dt.UTC)
NOTICE = Notice(
    "night-7",
    "Game night on Thursday",
    "Oda hosts. @everyone bring cheese.",
    AT,
    "https://m.example.org/n/7/",
    (("Place", "Burdock"),),
)


def test_json_is_what_discord_takes_and_mentions_nobody():
    body = json.loads(write_json(NOTICE, "The Burdock group"))
    assert body["username"] == "The Burdock group"
    assert body["allowed_mentions"] == {"parse": []}
    (embed,) = body["embeds"]
    assert embed["title"] == "Game night on Thursday"
    assert embed["url"] == NOTICE.url
    assert embed["fields"] == [{"name": "Place", "value": "Burdock", "inline": True}]


def test_long_texts_are_cut_to_the_limits():
    long = replace(NOTICE, title="t" * 3000, text="x" * 9000, fields=tuple((f"n{n}", "") for n in range(40)))
    body = json.loads(write_json(long, "s" * 200))
    (embed,) = body["embeds"]
    assert (len(body["username"]), len(body["content"]), len(embed["title"])) == (80, 2000, 256)
    assert len(embed["fields"]) == 25
    assert embed["fields"][0]["value"] == "–"


def test_signature_matches_only_its_body_secret_and_time():
    body = write_json(NOTICE, "x")
    header = sign(body, "secret", AT)
    assert is_signed(body, "secret", header)
    assert not is_signed(body + b" ", "secret", header)
    assert not is_signed(body, "other", header)
    assert not is_signed(body, "secret", header.replace("t=1", "t=2"))
    assert not is_signed(body, "secret", "")
    assert not is_signed(body, "secret", "t=é,v1=")


def feed(*notices):
    return write_atom(
        notices,
        title="Burdock <3",
        feed_url="https://m.example.org/f",
        page_url="https://m.example.org/",
        feed_id="urn:g:1",
    )


def test_atom_lists_notices_newest_first_with_stable_ids():
    later = replace(NOTICE, key="recap-7", title="Recap & results\x00", at=AT + dt.timedelta(hours=5))
    root = xml.fromstring(feed(NOTICE, later))
    names = {"a": "http://www.w3.org/2005/Atom"}
    assert [one.text for one in root.findall("a:entry/a:id", names)] == ["urn:g:1:recap-7", "urn:g:1:night-7"]
    assert [one.text for one in root.findall("a:entry/a:title", names)] == ["Recap & results", "Game night on Thursday"]
    assert root.findtext("a:updated", namespaces=names) == "2026-03-06T01:00:00Z"
    assert "Place: Burdock" in root.findtext("a:entry/a:content", namespaces=names)
    assert feed(later, NOTICE) == feed(NOTICE, later)


def test_an_empty_feed_is_still_a_feed():
    assert xml.fromstring(feed()).tag.endswith("feed")
