"""What is due is done, unless it was cancelled; one thread watches over all."""

from __future__ import annotations

import threading

from config.servers.deadlines import Deadline


def test_only_what_was_not_cancelled_is_done(caplog):
    done: list[str] = []
    last = threading.Event()
    Deadline(0, lambda: done.append("first"))
    Deadline(0, lambda: done.append("cancelled")).cancel()
    Deadline(0, lambda: 1 / 0)
    Deadline(3600, lambda: done.append("much later"))
    Deadline(0.3, last.set)
    assert last.wait(20), "an act that fails must not stop the others"
    assert done == ["first"]
    assert "what was due failed" in caplog.text


def test_a_thousand_deadlines_need_one_thread():
    before = threading.active_count()
    waiting = [Deadline(3600, lambda: None) for _ in range(1000)]
    assert threading.active_count() <= before + 1
    for one in waiting:
        one.cancel()
