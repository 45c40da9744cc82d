"""A process works on so many requests at once; a slow one does not stop the others for long."""

from __future__ import annotations

import threading
import time

import pytest

from config.servers.answers_at_once import AnswersAtOnce, Places
from tests.services import wait_for


class Views:
    """Each request waits until it is let go."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.go_on = threading.Event()

    def __call__(self, environ, start_response):
        self.begun.append(environ["number"])
        self.go_on.wait(10)
        return [b""]


def ask(views: Views, places: Places, number: int) -> threading.Thread:
    """A request that has begun or stands in line, as all before it. The first is number 0."""
    thread = threading.Thread(target=AnswersAtOnce(views, places), args=({"number": number}, None))
    thread.start()
    wait_for(lambda: len(views.begun) + len(places._waiting) == number + 1, 10, "the request")
    return thread


@pytest.mark.parametrize("count", [1, 2])
def test_next_request_waits_for_one_of_those_that_are_worked_on(count):
    views = Views()
    places = Places(count, 30)
    threads = [ask(views, places, number) for number in range(4)]
    wait_for(lambda: len(views.begun) == count, 10, "those that are worked on")
    assert views.begun == [0, 1][:count]
    views.go_on.set()
    for thread in threads:
        thread.join()
    # Of two that begin together either may be the first to say so.
    assert (views.begun if count == 1 else sorted(views.begun)) == [0, 1, 2, 3]


def test_nobody_waits_for_ever_for_requests_that_take_long():
    views = Views()
    places = Places(1, 1)
    threads = [ask(views, places, number) for number in (0, 1)]
    assert len(places._waiting) == 1
    wait_for(lambda: views.begun == [0, 1], 10, "the second request")
    views.go_on.set()
    for thread in threads:
        thread.join()


def test_place_is_free_again_after_a_failure():
    def fail(environ, start_response):
        raise ValueError

    app = AnswersAtOnce(fail, Places(1, 10))
    for _ in range(2):
        begin = time.monotonic()
        try:
            app({}, None)
        except ValueError:
            assert time.monotonic() - begin < 5


def test_busy_process_leaves_new_connections_to_others_until_it_is_free():
    places = Places(1, 10)
    assert places.wait_until_free(0)
    place = places.take()
    assert not places.wait_until_free(0.05)
    threading.Timer(0.1, places.give_back, [place]).start()
    assert places.wait_until_free(5)


def test_process_with_a_request_that_takes_long_takes_connections():
    places = Places(1, 1)
    places.take()
    assert not places.wait_until_free(0)
    time.sleep(1.1)
    assert places.wait_until_free(0)


def test_request_that_takes_long_slows_down_nobody_else():
    """Every later request would wait for it anew, as long as it takes."""
    places = Places(1, 0.2)
    places.take()
    time.sleep(0.3)
    begin = time.monotonic()
    for _ in range(10):
        places.give_back(places.take())
    assert time.monotonic() - begin < 1, "ten times the wait would be two seconds"


def test_request_waits_for_the_next_one_beside_a_request_that_takes_long():
    places = Places(1, 1)
    places.take()
    time.sleep(1.1)
    places.take()
    assert not places.wait_until_free(0.05)


def test_whoever_looks_whether_a_place_is_free_takes_no_turn_from_a_request():
    """gunicorn's own thread looks before it takes a connection, and may find that another process was quicker."""
    places, begun = Places(1, 10), threading.Event()
    place = places.take()
    looking = threading.Thread(target=places.wait_until_free, args=(0.5,))
    looking.start()
    time.sleep(0.05)
    waiting = threading.Thread(target=lambda: (places.take(), begun.set()))
    waiting.start()
    time.sleep(0.05)
    places.give_back(place)
    assert begun.wait(2)
    looking.join()
    waiting.join()
