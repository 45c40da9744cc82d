"""Phones that hold a stream, fetch what changed, and tap: what live.js does, over plain sockets."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.live.stream_listener import Listener, fetch
from tests.load.crowded_site import Gathering

CSRF = "c" * 32
JITTER = 0.2  # as in live.js
FINE = {200, 201, 204, 302, 304}
# Somebody was quicker, or the game has ended meanwhile: a sentence, not an error.
LATE = {409}


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
class Crowd:
    port: int
    live_port: int
    measured: Measured = field(default_factory=Measured)
    sent: dict[int, float] = field(default_factory=dict)  # by log, when its last change was sent

    async def ask(self, kind: str, path: str, session: str, *, post: dict | None = None) -> tuple[int, str]:
        cookie = f"companion_session={session}; companion_csrf={CSRF}"
        body = None if post is None else urlencode(post, doseq=True)
        begin = time.perf_counter()
        try:
            status, _, text = await fetch(self.port, path, cookie, post=body, headers=f"X-CSRFToken: {CSRF}\r\n")
        except (OSError, ValueError, IndexError):
            status, text = 0, ""
        self.measured.note(kind, status, time.perf_counter() - begin)
        return status, text

    async def follow(self, log: int, session: str, part: str) -> None:
        """One phone: a stream, and its part of the page after each news."""
        stream = await Listener(self.live_port, f"/live/{log}/", f"companion_session={session}").open()
        if stream.status != 200:
            self.measured.wrong[f"stream {stream.status}"] += 1
            return
        heard = 1
        try:
            while not stream.ended:
                async with stream.news:
                    await stream.news.wait_for(lambda: stream.ended or len(stream.versions) > heard)  # noqa: B023
                heard = len(stream.versions)
                await asyncio.sleep(random.uniform(0, JITTER))
                status, _ = await self.ask("live part", part, session)
                if status == 200 and log in self.sent:
                    arrived = time.perf_counter() - self.sent[log]
                    self.measured.seconds.setdefault("change to phone", []).append(arrived)
            self.measured.wrong["stream ended"] += 1
        finally:
            stream.drop()

    async def play(self, table: Gathering, every: float, until: float) -> None:
        """Somebody at this table chooses every few seconds."""
        await asyncio.sleep(random.uniform(0, every))
        number = 0
        while time.monotonic() < until:
            begin = time.monotonic()
            number += 1
            if not await self.choose(table, number):
                self.measured.finished_games += 1
                return
            await asyncio.sleep(max(0.0, every - (time.monotonic() - begin)))

    async def choose(self, table: Gathering, number: int) -> bool:
        """One choice of whoever is asked; False once the game is over."""
        here = f"/api/v1/tables/{table.code}/"
        status, text = await self.ask("table by API", here, table.phones[0])
        state = json.loads(text) if status == 200 else {"state": "play", "asked": []}
        if state["state"] != "play":
            return False
        for seat in state["asked"][:1]:
            status, text = await self.ask("seat by API", f"{here}seats/{seat}/", table.phones[seat])
            ask = json.loads(text)["ask"] if status == 200 else None
            if ask:
                post = {
                    "key": f"load-{table.code}-{number}-{seat}",
                    "choice": random.choice(ask["choices"])["key"],
                    "stamp": ask["stamp"],
                }
                self.sent[table.log] = time.perf_counter()
                await self.ask("choice", f"/tables/{table.code}/seats/{seat}/choose/", table.phones[seat], post=post)
        return True

    async def write(self, campaign: Gathering, every: float, until: float) -> None:
        """Somebody writes a note into this chronicle now and then, and looks at the page."""
        await asyncio.sleep(random.uniform(0, every))
        number = 0
        while time.monotonic() < until:
            number += 1
            here, session = f"/campaigns/{campaign.code}/", campaign.phones[0]
            await self.ask("campaign page", here, session)
            self.sent[campaign.log] = time.perf_counter()
            post = {"key": f"load-note-{campaign.code}-{number}", "text": f"Note {number}"}
            await self.ask("note", f"{here}note/", session, post=post)
            await asyncio.sleep(every)
