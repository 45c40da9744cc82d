"""Writing to a log: check the key, lock the logs, append the entry, send the news."""

from __future__ import annotations

import pytest

from log import registry, services as log_services
from log.models import Entry, Log, Receipt
from refusal import Refusal

KEY = "key-of-this-tap"


@pytest.fixture
def log(db) -> Log:
    return log_services.create_log("test")


def tap(writer: log_services.LogWriter) -> dict:
    return {"entry": writer.append("tap", actor=None, body={"n": 1}).number}


def write(log: Log, *, key: str = KEY, who: str = "person:1", body: dict | None = None, act=tap) -> dict:
    return log_services.write(log.pk, who=who, key=key, body=body or {"n": 1}, act=act)


def test_tap_sent_twice_counts_once_with_the_same_answer(log):
    assert write(log) == write(log) == {"entry": 1}
    assert Entry.objects.count() == 1


def test_same_key_from_another_person_is_another_tap(log):
    assert write(log)["entry"] == 1
    assert write(log, who="person:2")["entry"] == 2


def test_same_key_with_another_body_is_refused(log):
    write(log)
    with pytest.raises(Refusal, match="already sent with different contents") as refused:
        write(log, body={"n": 2})
    assert refused.value.status == 409


def test_receipt_that_filled_in_the_day_still_answers(log):
    """What was sent before an upgrade, whose receipts took the day of writing for the day given."""
    sent = {"n": 1, "played_on": None}
    entry = Entry.objects.get(number=write(log)["entry"])
    filled = log_services._digest({**sent, "played_on": entry.played_on.isoformat()})
    Receipt.objects.update(digest=filled)
    assert write(log, body=sent) == {"entry": 1}
    with pytest.raises(Refusal, match="already sent with different contents"):
        write(log, body={"n": 2, "played_on": None})


def test_size_of_a_log_is_counted_and_limited(log, monkeypatch):
    write(log)
    size = Log.objects.get(pk=log.pk).size
    assert size == log_services.ENTRY_FRAME + len('{"n":1}') + len("[]")
    monkeypatch.setattr(log_services, "MAX_LOG", 2 * size)
    write(log, key="second-tap")
    with pytest.raises(Refusal, match="This log is full") as refused:
        write(log, key="third-tap")
    assert refused.value.status == 413
    assert Log.objects.get(pk=log.pk).size == 2 * size
    assert Entry.objects.count() == 2


def test_entry_has_a_limit(log, monkeypatch):
    monkeypatch.setattr(log_services, "MAX_ENTRY", 250)
    with pytest.raises(Refusal, match="The limit is"):
        write(log, act=lambda writer: {"n": writer.append("tap", actor=None, body={"n": "a" * 60}).number})
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    "body", [{"a": "\0"}, {"a": ["\ud800"]}, {"\0": 1}, {"a": float("inf")}, {"a": 10**30}, {"a": ["b" * 19_000] * 8}]
)
def test_what_a_database_cannot_hold_is_refused(log, body):
    with pytest.raises(Refusal):
        write(log, body=body)
    assert not Receipt.objects.exists()


def test_key_is_checked_before_the_state_so_a_repeat_is_never_stale(log):
    def once(writer):
        log_services.refuse_if_changed({"count": 0}, {"count": Entry.objects.count()}, "Someone was quicker.")
        return tap(writer)

    assert write(log, act=once) == write(log, act=once)


@pytest.mark.parametrize("key", ["", "short", "with space in it", "x" * 81, "naïve-key-ß"])
def test_invalid_key_is_refused(log, key):
    with pytest.raises(Refusal, match="no valid key"):
        write(log, key=key)


def test_refused_act_writes_nothing(log):
    def refuse(writer):
        tap(writer)
        raise Refusal("The target has changed hands.", status=409)

    with pytest.raises(Refusal):
        write(log, act=refuse)
    log.refresh_from_db()
    assert (Entry.objects.count(), Receipt.objects.count(), log.version, log.length) == (0, 0, 1, 0)
    assert write(log) == {"entry": 1}, "the key of a refused tap may be used again"


def test_news_is_sent_after_the_commit_and_not_for_a_repeat(log, django_capture_on_commit_callbacks, monkeypatch):
    heard = []
    monkeypatch.setattr(registry, "_listeners", [lambda log_id, version: heard.append((log_id, version))])
    with django_capture_on_commit_callbacks(execute=True):
        write(log)
        assert heard == []
    assert heard == [(log.pk, 2)]
    with django_capture_on_commit_callbacks(execute=True):
        write(log)
    assert heard == [(log.pk, 2)]


def test_failing_listener_undoes_nothing(log, django_capture_on_commit_callbacks, monkeypatch):
    def broken(log_id, version):
        raise RuntimeError("no line")

    heard = []
    monkeypatch.setattr(registry, "_listeners", [broken, lambda *news_of: heard.append(news_of)])
    with django_capture_on_commit_callbacks(execute=True):
        write(log)
    assert heard == [(log.pk, 2)]


def test_write_costs_few_queries_at_any_length(log, django_assert_max_num_queries):
    for number in range(30):
        write(log, key=f"filler-{number:03}")
    with django_assert_max_num_queries(6):  # lock with receipt, entry, log, receipt; savepoints of the test
        write(log)


# --- two logs at once -----------------------------------------------------------------------------


def test_act_writes_to_both_logs_or_neither(log, django_capture_on_commit_callbacks, monkeypatch):
    heard = []
    monkeypatch.setattr(registry, "_listeners", [lambda *news_of: heard.append(news_of)])
    other, unused = log_services.create_log("test"), log_services.create_log("test")
    both = {"who": "person:1", "body": {}, "beside": [other.pk, unused.pk]}

    def act(writer):
        writer.beside(other.pk).append("tap", actor=None)
        assert writer.beside(other.pk) is writer.beside(other.pk)
        return tap(writer)

    def refuse(writer):
        act(writer)
        raise Refusal("Not so.", status=409)

    with pytest.raises(Refusal):
        log_services.write(log.pk, key="key-refused", act=refuse, **both)
    assert not Entry.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        log_services.write(log.pk, key=KEY, act=act, **both)
    assert heard == [(log.pk, 2), (other.pk, 2)], "a log that was held and not written in has no news"
    assert sorted(Entry.objects.values_list("log", "number")) == [(log.pk, 1), (other.pk, 1)]
    assert list(Log.objects.order_by("pk").values_list("version", "length")) == [(2, 1), (2, 1), (1, 0)]


def test_second_log_can_be_requested_late(log):
    other = log_services.create_log("test")
    write(log, act=lambda writer: {"entry": writer.beside(other.pk).append("tap", actor=None).number})
    other.refresh_from_db()
    assert (other.version, other.length) == (2, 1)


def test_second_log_costs_only_its_entry(log, django_assert_max_num_queries):
    other = log_services.create_log("test")

    def act(writer):
        writer.beside(other.pk).append("tap", actor=None)
        return tap(writer)

    with django_assert_max_num_queries(7):
        log_services.write(log.pk, who="person:1", key=KEY, body={}, act=act, beside=[other.pk])


def test_change_without_an_entry_is_news_too(log, django_capture_on_commit_callbacks, monkeypatch):
    heard = []
    monkeypatch.setattr(registry, "_listeners", [lambda *news_of: heard.append(news_of)])
    with django_capture_on_commit_callbacks(execute=True):
        log_services.bump_versions(log.pk)
        log_services.bump_versions()
    assert heard == [(log.pk, 2)]
