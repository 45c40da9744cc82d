"""The only way to write to a log.

The order matters: the key first (a tap sent twice is answered, not judged again), then what the act touches, then the
entries, all in one transaction; the news goes out only after the commit.
"""

import datetime as dt
import json
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from json_input import check_json, count_bytes
from log import registry
from log.models import Entry, Log, Receipt
from prepared_queries import prepared_query
from refusal import Refusal

# What a tap was answered; kept as JSON and given again if the tap is repeated.
Answer = dict[str, Any]

KEY = re.compile(r"[A-Za-z0-9_-]{8,80}")

# In bytes of JSON. A correction of a long chronicle is the largest entry; a whole log fits into one exported file.
MAX_SENT = 128 * 1024
MAX_ENTRY = 2 * 1024 * 1024
MAX_LOG = 16 * 1024 * 1024
ENTRY_FRAME = 200  # what an entry needs beside its body and effects


def new_key() -> str:
    """A key for a new form. Made on the server, because a page on plain http has no secure random generator."""
    return secrets.token_urlsafe(16)


def check_key(key: str) -> None:
    if not KEY.fullmatch(key):
        raise Refusal("This form has no valid key. Reload the page and try again.", field="key")


class LogWriter:
    """Appends entries while the log is locked.

    An act that belongs in two logs gets the other writer with ``beside``: both are written in one transaction.
    """

    def __init__(self, log: Log, others: Iterable[Log] = ()) -> None:
        self.log = log
        self._others = {other.pk: other for other in others}  # held from the start, not yet written in
        self._beside: dict[int, LogWriter] = {}

    def beside(self, log_id: int) -> "LogWriter":
        """The writer of another log, locked since ``write`` began if it was named there, else from now on."""
        if log_id not in self._beside:
            log = self._others.get(log_id) or Log.objects.select_for_update().get(pk=log_id)
            self._beside[log_id] = LogWriter(log)
        return self._beside[log_id]

    @property
    def logs(self) -> list[Log]:
        """All logs written to."""
        return [self.log, *(writer.log for writer in self._beside.values())]

    def append(
        self,
        act: str,
        *,
        actor: int | None,
        body: Mapping[str, Any] | None = None,
        effects: Sequence[Mapping[str, Any]] = (),
        on_behalf_of: int | None = None,
        played_on: dt.date | None = None,
    ) -> Entry:
        written, changes = dict(body or {}), list(effects)
        add_to_size(self.log, entry_size(written, changes))
        self.log.length += 1
        entry = Entry(
            log=self.log,
            number=self.log.length,
            act=act,
            actor_id=actor,
            on_behalf_of_id=on_behalf_of,
            body=written,
            effects=changes,
            played_on=played_on or timezone.localdate(),
        )
        entry.save(force_insert=True)
        return entry

    def append_many(self, act: str, bodies: Iterable[tuple[Mapping[str, Any], dt.date]], *, actor: int) -> list[Entry]:
        """Entries of one kind, each a body and the day it was played, in few statements."""
        entries = []
        for body, played_on in bodies:
            written = dict(body)
            add_to_size(self.log, entry_size(written, ()))
            self.log.length += 1
            entries.append(
                Entry(log=self.log, number=self.log.length, act=act, actor_id=actor, body=written, played_on=played_on)
            )
        return Entry.objects.bulk_create(entries)


def entry_size(body: Mapping[str, Any], effects: Sequence[Mapping[str, Any]]) -> int:
    """How many bytes an entry adds to its log; refused if they are too many."""
    size = ENTRY_FRAME + count_bytes(body) + count_bytes(effects)
    if size > MAX_ENTRY:
        raise Refusal(f"This entry is {size // 1024} kB. The limit is {MAX_ENTRY // 1024} kB.", status=413)
    return size


def add_to_size(log: Log, size: int) -> None:
    """Count new entries; refused if the log is full."""
    if log.size + size > MAX_LOG:
        raise Refusal(f"This log is full: it has reached {MAX_LOG // 1024 // 1024} MB. Start a new one.", status=413)
    log.size += size


def create_log(kind: str, begin: Callable[[LogWriter], Any] | None = None) -> Log:
    """A new log, with its first entries if ``begin`` writes any. Part of the caller's transaction."""
    log = Log.objects.create(kind=kind, version=1)
    if begin is not None:
        begin(LogWriter(log))
        log.save(update_fields=["length", "size"])
    return log


def write(
    log_id: int,
    *,
    who: str,
    key: str,
    body: Mapping[str, Any],
    act: Callable[[LogWriter], Mapping[str, Any]],
    beside: Sequence[int] = (),
) -> Answer:
    """Let ``act`` write to the log, once per ``key`` of ``who``, and give its answer.

    ``act`` is called with the log held: what it reads cannot change before it has written. It raises Refusal to
    write nothing. The same key with the same body gives the first answer again; with another body it is refused.
    ``beside`` names logs that the act will write in as well: they are held in the same statement.
    """
    check_key(key)
    check_sent(body)
    digest = _digest(body)
    with transaction.atomic(durable=True):
        writer, before = _lock_logs(log_id, beside, who, key)
        if before is not None:
            if before.digest != digest and not _filled_in_day(before, body):
                sentence = "This form was already sent with different contents. Reload the page."
                raise Refusal(sentence, status=409, code="key-used")
            return before.answer
        answer = dict(act(writer))
        _advance_versions(writer.logs)
        receipt = Receipt(log=writer.log, actor=who, key=key, digest=digest, answer=answer)
        receipt.save(force_insert=True)
    return answer


def check_sent(body: Mapping[str, Any]) -> None:
    """Refuse what is too large, or what one of the databases could not store."""
    check_json(body)
    if (size := count_bytes(body)) > MAX_SENT:
        raise Refusal(f"This is {size // 1024} kB. The limit is {MAX_SENT // 1024} kB.", status=413)


def _digest(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()


def _filled_in_day(before: Receipt, body: Mapping[str, Any]) -> bool:
    """Whether this is what was sent then, but for the day.

    Receipts once had the day filled in when none was given: what was sent before midnight and again after it was
    refused. Those receipts are still there for a while after an upgrade.
    """
    if body.get("played_on", "") is not None:
        return False
    written = Entry.objects.filter(log=before.log_id, number=before.answer.get("entry"))
    day = written.values_list("played_on", flat=True).first() or timezone.localdate(before.at)
    return before.digest == _digest({**body, "played_on": day.isoformat()})


def _lock_logs(log_id: int, beside: Sequence[int], who: str, key: str) -> tuple[LogWriter, Receipt | None]:
    """Lock the logs, and look for the answer already given to this key.

    Row locks on PostgreSQL and the IMMEDIATE transaction on SQLite make writers of these logs queue. A locked row is
    read as it is after the wait, everything else in the statement as it was before. So the query returns both versions
    of the log: only if they differ has somebody written meanwhile, and the receipt must be looked for again.
    """
    held = {log.pk: log for log in _locked_logs((log_id, *beside), who, key)}
    if log_id not in held:
        raise Log.DoesNotExist(f"There is no log {log_id}.")
    log = held.pop(log_id)
    before = None
    if log.receipt is not None or log.version_before != log.version:
        before = Receipt.objects.filter(log=log, actor=who, key=key).first()
    return LogWriter(log, held.values()), before


@prepared_query
def _locked_logs(log_ids: tuple[int, ...], who: str, key: str) -> QuerySet[Log]:
    receipts = Receipt.objects.filter(actor=who, key=key)
    rows = Log.objects.select_for_update().annotate(
        version_before=Subquery(Log.objects.filter(pk=OuterRef("pk")).values("version")),
        receipt=Subquery(receipts.filter(log=OuterRef("pk")).values("pk")),
    )
    return rows.filter(pk__in=log_ids).order_by("pk")  # in one order for all


def _advance_versions(logs: Sequence[Log]) -> None:
    """Raise each version by one, and publish it after the commit."""
    for log in logs:
        log.version += 1
    if len(logs) == 1:
        logs[0].save(update_fields=["version", "length", "size"])
    else:
        Log.objects.bulk_update(logs, ["version", "length", "size"])
    for log in logs:
        transaction.on_commit(partial(registry.publish, log.pk, log.version))


def append_to(
    log_id: int, act: str, *, actor: int | None, body: Mapping[str, Any], played_on: dt.date | None = None
) -> Entry:
    """Add an entry to another log as part of the caller's transaction, which has its own key."""
    with transaction.atomic():
        log = Log.objects.select_for_update().get(pk=log_id)
        entry = LogWriter(log).append(act, actor=actor, body=body, played_on=played_on)
        _advance_versions([log])
    return entry


def bump_versions(*log_ids: int) -> None:
    """Something changed without an entry: tell pages that show it. Part of the caller's transaction."""
    with transaction.atomic():
        if logs := list(Log.objects.select_for_update().filter(pk__in=log_ids).order_by("pk")):
            _advance_versions(logs)


def find_answer(log_id: int, *, who: str, key: str) -> Answer | None:
    """The answer already given to this key, or None."""
    return _answers.first(log_id, who, key)


@prepared_query
def _answers(log_id: int, who: str, key: str) -> QuerySet[Receipt]:
    return Receipt.objects.filter(log=log_id, actor=who, key=key).values_list("answer", flat=True)


def refuse_if_changed(seen: Mapping[str, Any], now: Mapping[str, Any], sentence: str) -> None:
    """Refuse if anything the act touches is no longer as the sender saw it."""
    if any(now.get(name) != value for name, value in seen.items()):
        raise Refusal(sentence, status=409, fresh=dict(now))
