"""The secret key is created once and stays the same, whichever process starts first."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import read_or_make_secret_key


def test_key_is_created_once_and_private(tmp_path):
    path = tmp_path / "var" / "secret_key"
    first = read_or_make_secret_key(path)
    assert read_or_make_secret_key(path) == first
    assert len(first) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["secret_key"]


def test_many_starts_at_once_agree_on_one_key(tmp_path):
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: read_or_make_secret_key(path), range(16)))
    assert len(keys) == 1


def test_a_damaged_key_is_refused(tmp_path):
    path = tmp_path / "secret_key"
    path.write_text("short")
    with pytest.raises(ImproperlyConfigured, match="too short"):
        read_or_make_secret_key(path)
