"""Which release of the companion this is."""

from __future__ import annotations

import tomllib
from functools import cache

from django.conf import settings


@cache
def version() -> str:
    return tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
