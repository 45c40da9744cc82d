"""The secret key is made once and kept, whoever starts first."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.secret import kept_secret


def test_it_is_made_once_kept_and_private(tmp_path):
    path = tmp_path / "var" / "secret_key"
    first = kept_secret(path)
    assert kept_secret(path) == first
    assert len(first) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["secret_key"]


def test_many_starts_at_once_agree_on_one_key(tmp_path):
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: kept_secret(path), range(16)))
    assert len(keys) == 1


def test_a_spoilt_key_is_named_not_used(tmp_path):
    path = tmp_path / "secret_key"
    path.write_text("short")
    with pytest.raises(ImproperlyConfigured, match="too short"):
        kept_secret(path)
