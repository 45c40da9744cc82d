"""Run as a program on a database of its own: many threads at one log, then what the log holds, as JSON.

python -m tests.log.race SAME_KEY|OWN_KEYS|STALE THREADS
"""

from __future__ import annotations

import json
import os
import sys
import threading

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection

from log import door
from log.models import Entry, Log, Receipt
from refusal import Refusal


def main(mode: str, threads: int) -> None:
    log = door.open_log("race")
    barrier = threading.Barrier(threads)
    outcomes: list[str] = []

    def tap(number: int) -> None:
        key = "same-key-for-all" if mode == "SAME_KEY" else f"key-of-thread-{number}"

        def act(pen: door.Pen) -> dict:
            count = Entry.objects.filter(log=pen.log).count()
            if mode == "STALE":
                door.still({"count": 0}, {"count": count}, "Someone was quicker.")
            # Number and count agree only if nobody else wrote between the reading and the writing.
            line = pen.line("tap", actor=None, body={"count": count})
            return {"entry": line.number, "count": count}

        barrier.wait()
        try:
            for _ in range(5 if mode == "OWN_KEYS" else 1):
                suffix = f"-{_}" if mode == "OWN_KEYS" else ""
                answer = door.write(log.pk, who="person:1", key=key + suffix, body={"tap": 1}, act=act)
                outcomes.append(json.dumps(answer, sort_keys=True))
        except Refusal as refusal:
            outcomes.append(f"refused {refusal.status} {refusal.fresh}")
        except Exception as error:
            outcomes.append(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    started = [threading.Thread(target=tap, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    log.refresh_from_db()
    entries = list(Entry.objects.filter(log=log).order_by("number").values_list("number", "body"))
    print(
        json.dumps(
            {
                "outcomes": outcomes,
                "numbers": [number for number, _ in entries],
                "counts": [body["count"] for _, body in entries],
                "version": log.version,
                "length": log.length,
                "receipts": Receipt.objects.filter(log=log).count(),
                "logs": Log.objects.count(),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
