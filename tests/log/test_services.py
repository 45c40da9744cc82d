"""The one door: keys first, then what is touched, then the line, then the news."""

from __future__ import annotations

import pytest

from log import door, news
from log.models import Entry, Log, Receipt
from refusal import Refusal

KEY = "key-of-this-tap"


@pytest.fixture
def log(db) -> Log:
    return door.open_log("test")


def tap(pen: door.Pen) -> dict:
    return {"entry": pen.line("tap", actor=None, body={"n": 1}).number}


def write(log: Log, *, key: str = KEY, who: str = "person:1", body: dict | None = None, act=tap) -> dict:
    return door.write(log.pk, who=who, key=key, body=body or {"n": 1}, act=act)


def test_a_tap_sent_twice_counts_once_and_is_answered_alike(log):
    assert write(log) == write(log) == {"entry": 1}
    assert Entry.objects.count() == 1


def test_the_same_key_of_another_person_is_another_tap(log):
    assert write(log)["entry"] == 1
    assert write(log, who="person:2")["entry"] == 2


def test_the_same_key_with_another_body_is_refused(log):
    write(log)
    with pytest.raises(Refusal, match="already sent with other contents") as refused:
        write(log, body={"n": 2})
    assert refused.value.status == 409


def test_the_key_is_looked_up_before_the_state_so_that_a_repeat_is_never_called_stale(log):
    def once(pen):
        door.still({"count": 0}, {"count": Entry.objects.count()}, "Someone was quicker.")
        return tap(pen)

    assert write(log, act=once) == write(log, act=once)


@pytest.mark.parametrize("key", ["", "short", "with space in it", "x" * 81, "naïve-key-ß"])
def test_a_key_that_is_none_is_refused(log, key):
    with pytest.raises(Refusal, match="no valid key"):
        write(log, key=key)


def test_a_refused_act_leaves_nothing(log):
    def refuse(pen):
        tap(pen)
        raise Refusal("The target has changed hands.", status=409)

    with pytest.raises(Refusal):
        write(log, act=refuse)
    log.refresh_from_db()
    assert (Entry.objects.count(), Receipt.objects.count(), log.version, log.length) == (0, 0, 1, 0)
    assert write(log) == {"entry": 1}, "the key of a refused tap may be used again"


def test_news_goes_out_after_the_commit_and_not_for_a_repeat(log, django_capture_on_commit_callbacks, monkeypatch):
    heard = []
    monkeypatch.setattr(news, "_listeners", [lambda log_id, version: heard.append((log_id, version))])
    with django_capture_on_commit_callbacks(execute=True):
        write(log)
        assert heard == []
    assert heard == [(log.pk, 2)]
    with django_capture_on_commit_callbacks(execute=True):
        write(log)
    assert heard == [(log.pk, 2)]


def test_a_deaf_listener_undoes_nothing(log, django_capture_on_commit_callbacks, monkeypatch):
    def broken(log_id, version):
        raise RuntimeError("no line")

    heard = []
    monkeypatch.setattr(news, "_listeners", [broken, lambda *told: heard.append(told)])
    with django_capture_on_commit_callbacks(execute=True):
        write(log)
    assert heard == [(log.pk, 2)]


def test_a_write_costs_few_queries_at_any_length(log, django_assert_max_num_queries):
    for number in range(30):
        write(log, key=f"filler-{number:03}")
    with django_assert_max_num_queries(6):  # lock with receipt, line, log, receipt; savepoints of the test
        write(log)


# --- two logs at once ---------------------------------------------------------------------------------------------------


def test_an_act_writes_in_two_logs_or_in_neither(log, django_capture_on_commit_callbacks, monkeypatch):
    heard = []
    monkeypatch.setattr(news, "_listeners", [lambda *told: heard.append(told)])
    other, unused = door.open_log("test"), door.open_log("test")
    both = {"who": "person:1", "body": {}, "beside": [other.pk, unused.pk]}

    def act(pen):
        pen.beside(other.pk).line("tap", actor=None)
        assert pen.beside(other.pk) is pen.beside(other.pk)
        return tap(pen)

    def refuse(pen):
        act(pen)
        raise Refusal("Not so.", status=409)

    with pytest.raises(Refusal):
        door.write(log.pk, key="key-refused", act=refuse, **both)
    assert not Entry.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        door.write(log.pk, key=KEY, act=act, **both)
    assert heard == [(log.pk, 2), (other.pk, 2)], "a log that was held and not written in has no news"
    assert sorted(Entry.objects.values_list("log", "number")) == [(log.pk, 1), (other.pk, 1)]
    assert list(Log.objects.order_by("pk").values_list("version", "length")) == [(2, 1), (2, 1), (1, 0)]


def test_a_second_log_may_be_asked_for_late(log):
    other = door.open_log("test")
    write(log, act=lambda pen: {"entry": pen.beside(other.pk).line("tap", actor=None).number})
    other.refresh_from_db()
    assert (other.version, other.length) == (2, 1)


def test_a_second_log_costs_its_line_and_nothing_else(log, django_assert_max_num_queries):
    other = door.open_log("test")

    def act(pen):
        pen.beside(other.pk).line("tap", actor=None)
        return tap(pen)

    with django_assert_max_num_queries(7):
        door.write(log.pk, who="person:1", key=KEY, body={}, act=act, beside=[other.pk])


def test_what_no_line_tells_is_news_all_the_same(log, django_capture_on_commit_callbacks, monkeypatch):
    heard = []
    monkeypatch.setattr(news, "_listeners", [lambda *told: heard.append(told)])
    with django_capture_on_commit_callbacks(execute=True):
        door.stir(log.pk)
        door.stir()
    assert heard == [(log.pk, 2)]
