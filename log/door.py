"""The one door through which a log is written.

The order matters: the key first (a tap sent twice is answered, not judged again), then what the act touches, then the
lines, all in one transaction; the news goes out only after the commit.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone

from log import news
from log.models import Entry, Log, Receipt
from refusal import Refusal

KEY = re.compile(r"[A-Za-z0-9_-]{8,80}")


def new_key() -> str:
    """A key for a form about to be drawn. Made here, because a page on plain http has no secure generator of its own."""
    return secrets.token_urlsafe(16)


class Pen:
    """What an act writes with while it holds the log."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.written: list[Entry] = []

    def line(
        self,
        act: str,
        *,
        actor: int | None,
        body: Mapping[str, Any] | None = None,
        effects: Sequence[Mapping[str, Any]] = (),
        on_behalf_of: int | None = None,
        played_on: dt.date | None = None,
    ) -> Entry:
        self.log.length += 1
        entry = Entry.objects.create(
            log=self.log,
            number=self.log.length,
            act=act,
            actor_id=actor,
            on_behalf_of_id=on_behalf_of,
            body=dict(body or {}),
            effects=list(effects),
            played_on=played_on or timezone.localdate(),
        )
        self.written.append(entry)
        return entry


def open_log(kind: str, begin: Callable[[Pen], Any] | None = None) -> Log:
    """A new log, with its first lines if ``begin`` writes any. Part of the caller's transaction."""
    log = Log.objects.create(kind=kind, version=1)
    if begin is not None:
        begin(Pen(log))
        log.save(update_fields=["length"])
    return log


def write(
    log_id: int, *, who: str, key: str, body: Mapping[str, Any], act: Callable[[Pen], Mapping[str, Any]]
) -> dict[str, Any]:
    """Let ``act`` write to the log, once per ``key`` of ``who``, and give its answer.

    ``act`` is called with the log held: what it reads cannot change before it has written. It raises Refusal to
    write nothing. The same key with the same body gives the first answer again; with another body it is refused.
    """
    if not KEY.fullmatch(key):
        raise Refusal("This form has no valid key. Load the page again and repeat the entry.", field="key")
    digest = sha256(json.dumps(body, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()
    with transaction.atomic(durable=True):
        # On PostgreSQL the row lock, on SQLite the IMMEDIATE transaction, makes writers of this log wait in line.
        log = Log.objects.select_for_update().get(pk=log_id)
        before = Receipt.objects.filter(log=log, actor=who, key=key).first()
        if before is not None:
            if before.digest != digest:
                raise Refusal("This form was already sent with other contents. Load the page again.", status=409)
            return before.answer
        answer = dict(act(Pen(log)))
        log.version += 1
        log.save(update_fields=["version", "length"])
        Receipt.objects.create(log=log, actor=who, key=key, digest=digest, answer=answer)
        transaction.on_commit(lambda: news.publish(log.pk, log.version))
    return answer


def answered(log_id: int, *, who: str, key: str) -> dict[str, Any] | None:
    """The answer once given to this key, or None if it was never sent."""
    return Receipt.objects.filter(log=log_id, actor=who, key=key).values_list("answer", flat=True).first()


def still(seen: Mapping[str, Any], now: Mapping[str, Any], sentence: str) -> None:
    """Refuse if any of the things the act touches is no longer as the sender saw it."""
    if any(now.get(name) != value for name, value in seen.items()):
        raise Refusal(sentence, status=409, fresh=dict(now))
