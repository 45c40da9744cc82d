"""Run tests that are coroutines, each in a thread with its own event loop.

Playwright's synchronous API keeps a loop running in the main thread while its browser is open; no other can run there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any


def run_alone(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What the coroutine returns, run in a thread with a loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def alone(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        run_alone(test(*args, **kwargs))

    return run
