"""A notice, and how it reads as JSON (as Discord takes it) and as an Atom entry."""

import datetime as dt
import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated
from xml.etree import ElementTree as xml

import dataclass_json
from dataclass_json import Ask

ATOM = "http://www.w3.org/2005/Atom"
SIGNATURE_HEADER = "X-Mice-Signature"


@dataclass(frozen=True, slots=True)
class Notice:
    key: str  # the same notice has the same key when it is sent again
    title: str
    text: str
    at: dt.datetime
    url: str = ""
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NoticeField:
    name: str
    value: str
    inline: bool


@dataclass(frozen=True, slots=True)
class NoticeEmbed:
    title: str
    description: str
    timestamp: dt.datetime
    fields: tuple[NoticeField, ...]
    url: str = ""


@dataclass(frozen=True, slots=True)
class Mentions:
    parse: Annotated[tuple[str, ...], Ask("Parse", "always empty: nobody is mentioned")]


@dataclass(frozen=True, slots=True)
class WebhookNotice:
    """A notice in the form that Discord and many programs read."""

    username: Annotated[str, Ask("User name", "the group")]
    content: Annotated[str, Ask("Content", "the title")]
    embeds: tuple[NoticeEmbed, ...]
    allowed_mentions: Mentions


def write_json(notice: Notice, sender: str) -> bytes:
    """Nobody is mentioned, whatever the text says."""
    fields = tuple(NoticeField(name[:256], value[:1024] or "–", inline=True) for name, value in notice.fields[:25])
    embed = NoticeEmbed(notice.title[:256], notice.text[:4000], notice.at.astimezone(dt.UTC), fields, notice.url)
    body = WebhookNotice(sender[:80], notice.title[:2000], (embed,), Mentions(()))
    return json.dumps(dataclass_json.write(body), ensure_ascii=False).encode()


def sign(body: bytes, secret: str, at: dt.datetime) -> str:
    """``t=1767225600,v1=…``: the HMAC-SHA256 of the time, a full stop and the body."""
    stamp = int(at.timestamp())
    digest = hmac.new(secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={stamp},v1={digest}"


def is_signed(body: bytes, secret: str, header: str) -> bool:
    """What a receiver does to check a notice."""
    stamp = header.partition(",")[0].removeprefix("t=")
    if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 12):
        return False
    expected = sign(body, secret, dt.datetime.fromtimestamp(int(stamp), dt.UTC))
    return hmac.compare_digest(expected.encode(), header.encode())


def write_atom(notices: Iterable[Notice], *, title: str, feed_url: str, page_url: str, feed_id: str) -> bytes:
    """A feed, newest first. The same notices give the same bytes."""
    entries = sorted(notices, key=lambda notice: (notice.at, notice.key), reverse=True)
    feed = xml.Element("feed", xmlns=ATOM)
    _add(feed, "id", feed_id)
    _add(feed, "title", title)
    _add(feed, "updated", _stamp(entries[0].at if entries else dt.datetime(2026, 1, 1, tzinfo=dt.UTC)))
    xml.SubElement(feed, "link", rel="self", href=feed_url, type="application/atom+xml")
    xml.SubElement(feed, "link", rel="alternate", href=page_url, type="text/html")
    _add(xml.SubElement(feed, "author"), "name", title)
    for notice in entries:
        entry = xml.SubElement(feed, "entry")
        _add(entry, "id", f"{feed_id}:{notice.key}")
        _add(entry, "title", notice.title)
        _add(entry, "updated", _stamp(notice.at))
        if notice.url:
            xml.SubElement(entry, "link", rel="alternate", href=notice.url)
        lines = [notice.text, *(f"{name}: {value}" for name, value in notice.fields)]
        _add(entry, "content", "\n".join(line for line in lines if line)).set("type", "text")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + xml.tostring(feed, encoding="unicode").encode()


def _add(parent: xml.Element, tag: str, text: str) -> xml.Element:
    child = xml.SubElement(parent, tag)
    child.text = "".join(c for c in text if c >= " " or c in "\n\t")
    return child


def _stamp(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
