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
        result = fuzzer.run(500)
    finally:
        logging.disable(logging.NOTSET)
    assert not result.broken, "\n".join(result.broken[:10])
    assert not result.off_schema, "\n".join(result.off_schema[:10])
    assert result.statuses[200] > 15, "most of it must reach a view that does something"
    assert len(fuzzer.writes) > 20
