"""Run tests that are coroutines, each in a thread with its own event loop.

Playwright's synchronous API keeps a loop running in the main thread while its browser is open; no other can run there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any


def alone(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, test(*args, **kwargs)).result()

    return run
