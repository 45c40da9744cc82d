"""Some hundred bad requests to every kind of address; ``make fuzz`` sends 20,000 to each database."""

from __future__ import annotations

import logging

from tests.fuzz.requests import Fuzzer
from tests.fuzz.world import make_world


def test_bad_requests_are_refused_and_the_schema_is_kept(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    logging.disable(logging.CRITICAL)
    try:
        fuzzer = Fuzzer(make_world(), "the same every time")
        found = fuzzer.run(500)
    finally:
        logging.disable(logging.NOTSET)
    assert not found.broken, "\n".join(found.broken[:10])
    assert not found.off_schema, "\n".join(found.off_schema[:10])
    assert found.statuses[200] > 15, "most of it must reach a view that does something"
    assert len(fuzzer.writes) > 20
