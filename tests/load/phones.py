"""Phones that hold a stream, fetch what changed, and tap: what live.js and outbox.js do, over plain sockets."""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.live.stream_listener import Listener
from tests.load.kept_connections import KeptConnections

CSRF = "c" * 32
JITTER = 0.2  # as in live.js; at a card table there is none
FINE = {200, 201, 204, 302, 304}
# Somebody was quicker, or the game has ended meanwhile: a sentence, not an error.
LATE = {409}

_ASKED = re.compile(r'data-yours="\d')
_STAMP = re.compile(r'name="stamp" value="(\d+)"')
_PICK = re.compile(r'name="pick" value="([^"+|]+)"')
_OVER = "data-go="
HEAD_OF_LIVE = "X-Live: 1\r\n"


@dataclass
class Measured:
    """Seconds of everything that was asked for, by kind, and every answer that was not fine."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    wrong: Counter[str] = field(default_factory=Counter)
    finished_games: int = 0

    def note(self, kind: str, status: int, took: float) -> None:
        if status in FINE or (kind == "choice" and status in LATE):
            self.seconds.setdefault(kind, []).append(took)
        else:
            self.wrong[f"{kind} {status}"] += 1


@dataclass
class Phone:
    """One phone and the part of a page that it shows."""

    crowd: Crowd
    log: int
    session: str
    page: str
    part: str
    jitter: float
    text: str = ""
    etag: str = ""
    version: int = 0
    is_sending: bool = False

    async def ask(self, kind: str, path: str, *, post: dict | None = None, head: str = "") -> tuple[int, dict]:
        """Keeps what came, if it is something to show."""
        cookie = f"companion_session={self.session}; companion_csrf={CSRF}"
        body = None if post is None else urlencode(post, doseq=True)
        head += f"X-CSRFToken: {CSRF}\r\nAccept-Encoding: gzip\r\n"
        begin = time.perf_counter()
        try:
            status, headers, answer = await self.crowd.connections.fetch(path, cookie, post=body, headers=head)
        except (OSError, ValueError, IndexError):
            status, headers, answer = 0, {}, b""
        self.crowd.measured.note(kind, status, time.perf_counter() - begin)
        if status == 200:
            answer = gzip.decompress(answer) if headers.get("content-encoding") == "gzip" else answer
            self.text = answer.decode()
        return status, headers

    async def open(self) -> None:
        await self.ask("first page", self.page)

    async def follow(self) -> None:
        """A stream, and the part of the page after each news that it does not show yet."""
        stream = await Listener(self.crowd.live_port, f"/live/{self.log}/", f"companion_session={self.session}").open()
        if stream.status != 200:
            self.crowd.measured.wrong[f"stream {stream.status}"] += 1
            return
        heard = 1
        try:
            while not stream.ended:
                async with stream.news:
                    await stream.news.wait_for(lambda: stream.ended or len(stream.versions) > heard)  # noqa: B023
                heard = len(stream.versions)
                while self.is_sending:  # the answer has the news
                    await asyncio.sleep(0.01)
                if int(stream.versions[-1].rpartition("=")[2]) <= self.version:
                    continue
                if self.jitter:
                    await asyncio.sleep(random.uniform(0, self.jitter))
                await self.refresh()
            self.crowd.measured.wrong["stream ended"] += 1
        finally:
            stream.drop()

    async def refresh(self) -> None:
        known = f"If-None-Match: {self.etag}\r\n" if self.etag else ""
        status, headers = await self.ask("live part", self.page + self.part, head=f"{HEAD_OF_LIVE}{known}")
        self.etag = headers.get("etag", "")
        if status == 200 and self.log in self.crowd.sent:
            arrived = time.perf_counter() - self.crowd.sent[self.log]
            self.crowd.measured.seconds.setdefault("change to phone", []).append(arrived)

    async def choose(self, number: int) -> None:
        """Taps one of the choices that this phone shows, and confirms it."""
        stamp, keys = _STAMP.search(self.text), _PICK.findall(self.text)
        if stamp is None or not keys:
            self.etag = ""
            await self.refresh()
            return
        key, here = random.choice(keys), f"{self.page}choose/"
        self.is_sending = True
        try:
            await self.ask("tap", here, post={"pick": key, "stamp": stamp[1]}, head=HEAD_OF_LIVE)
            self.crowd.sent[self.log] = time.perf_counter()
            post = {"key": f"load-{self.log}-{number}", "choice": key, "stamp": stamp[1]}
            _, headers = await self.ask("choice", here, post=post, head=f"X-Outbox: 1\r\n{HEAD_OF_LIVE}")
            if shown := headers.get("x-live-version"):
                self.version, self.etag = int(shown.rpartition("=")[2]), ""
        finally:
            self.is_sending = False

    @property
    def is_asked(self) -> bool:
        return _ASKED.search(self.text) is not None

    @property
    def is_over(self) -> bool:
        return _OVER in self.text


@dataclass
class Crowd:
    port: int
    live_port: int
    measured: Measured = field(default_factory=Measured)
    sent: dict[int, float] = field(default_factory=dict)  # by log, when its last change was sent

    def __post_init__(self) -> None:
        self.connections = KeptConnections(self.port)

    async def play(self, phones: list[Phone], every: float, until: float) -> None:
        """Whoever is asked at this table chooses every few seconds."""
        await asyncio.sleep(random.uniform(0, every))
        number = 0
        while time.monotonic() < until:
            begin = time.monotonic()
            number += 1
            if any(phone.is_over for phone in phones):
                self.measured.finished_games += 1
                return
            for phone in phones:
                if phone.is_asked:
                    await phone.choose(number)
                    break
            await _sleep(every - (time.monotonic() - begin), until)

    async def write(self, phones: list[Phone], every: float, until: float) -> None:
        """Somebody writes a note into this chronicle now and then, and looks at the page."""
        await asyncio.sleep(random.uniform(0, every))
        number, phone = 0, phones[0]
        while time.monotonic() < until:
            number += 1
            await phone.ask("campaign page", phone.page)
            self.sent[phone.log] = time.perf_counter()
            post = {"key": f"load-note-{phone.log}-{number}", "text": f"Note {number}"}
            await phone.ask("note", f"{phone.page}note/", post=post, head="X-Outbox: 1\r\n")
            await _sleep(every, until)


async def _sleep(seconds: float, until: float) -> None:
    """Not beyond the end: while nobody plays, nothing is measured."""
    await asyncio.sleep(max(0.0, min(seconds, until - time.monotonic())))
