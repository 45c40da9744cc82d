"""At home, stylesheets and scripts are sent compressed; in production they were compressed by ``deploy``."""

from __future__ import annotations

import brotli
import pytest

SHEET = "/static/css/components.css"


def body(answer) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_a_sheet_is_sent_compressed_to_whoever_takes_it(client, db):
    plain = client.get(SHEET)
    packed = client.get(SHEET, headers={"Accept-Encoding": "gzip, deflate, br"})
    assert packed.headers["Content-Encoding"] == "br"
    assert brotli.decompress(packed.content) == body(plain)
    assert int(packed.headers["Content-Length"]) == len(packed.content) < int(plain.headers["Content-Length"]) / 4
    assert packed.headers["Content-Type"] == plain.headers["Content-Type"]
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]


def test_a_kept_sheet_is_not_sent_again(client, db):
    packed = client.get(SHEET, headers={"Accept-Encoding": "br"})
    again = client.get(SHEET, headers={"Accept-Encoding": "br", "If-Modified-Since": packed.headers["Last-Modified"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/static/css/no-such.css", "/static/img/favicon.ico"])
def test_what_is_missing_stays_missing(client, db, path):
    assert client.get(path, headers={"Accept-Encoding": "br"}).status_code == 404
