"""Many threads write to one log; report what it then holds. The mode is SAME_KEY, OWN_KEYS or STALE."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from log import services as log_services
from log.models import Entry, Log, Receipt
from tests.races import Outcome, run_at_once


def race(mode: str, threads: str) -> dict[str, Any]:
    log = log_services.create_log("race")

    def tap(number: int) -> list[str]:
        key = "same-key-for-all" if mode == "SAME_KEY" else f"key-of-thread-{number}"

        def act(writer: log_services.LogWriter) -> dict:
            count = Entry.objects.filter(log=writer.log).count()
            if mode == "STALE":
                log_services.refuse_if_changed({"count": 0}, {"count": count}, "Someone was quicker.")
            # Number and count agree only if nobody else wrote between the read and the write.
            entry = writer.append("tap", actor=None, body={"count": count})
            return {"entry": entry.number, "count": count}

        suffixes = [f"-{turn}" for turn in range(5)] if mode == "OWN_KEYS" else [""]
        answers = [
            log_services.write(log.pk, who="person:1", key=key + end, body={"tap": 1}, act=act) for end in suffixes
        ]
        return [json.dumps(answer, sort_keys=True) for answer in answers]

    outcomes = run_at_once(partial(tap, number) for number in range(int(threads)))
    log.refresh_from_db()
    entries = list(Entry.objects.filter(log=log).order_by("number").values_list("number", "body"))
    return {
        "outcomes": [words for outcome in outcomes for words in outcome.value or [_refused(outcome)]],
        "numbers": [number for number, _ in entries],
        "counts": [body["count"] for _, body in entries],
        "version": log.version,
        "length": log.length,
        "receipts": Receipt.objects.filter(log=log).count(),
        "logs": Log.objects.count(),
    }


def _refused(outcome: Outcome) -> str:
    return f"{outcome} {outcome.refusal.fresh}" if outcome.refusal else str(outcome)
