"""Send a notice to a webhook: one connection to a checked address, with a limit on the whole time."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from urllib.parse import urljoin

from gamenights.notices.core.addresses import Resolve, Target, check_address, resolve_name
from refusal import Refusal

SECONDS = 10.0
MAX_REDIRECTS = 3
MAX_ANSWER = 2000  # characters of the answer that the log shows
# After so many seconds a failed notice is tried again; then it is given up.
RETRY_DELAYS = (60, 300, 1800, 7200, 43_200)
MAX_DELAY = 86_400


@dataclass(frozen=True, slots=True)
class Delivery:
    """How one attempt ended."""

    is_delivered: bool
    sentence: str
    status: int | None = None
    answer: str = ""
    can_retry: bool = False
    retry_after: int | None = None  # seconds the receiver asked for


def next_delay(attempt: int, delivery: Delivery) -> int | None:
    """Seconds until the next attempt after attempt 1, 2, …; None when it is given up."""
    if delivery.is_delivered or not delivery.can_retry or attempt > len(RETRY_DELAYS):
        return None
    return min(max(RETRY_DELAYS[attempt - 1], delivery.retry_after or 0), MAX_DELAY)


def send(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    allow_private: bool = False,
    seconds: float = SECONDS,
    resolve: Resolve = resolve_name,
    trust: ssl.SSLContext | None = None,
) -> Delivery:
    """Post the body. Never raises: what went wrong is in the delivery."""
    deadline = time.monotonic() + seconds
    for _ in range(MAX_REDIRECTS + 1):
        try:
            left = deadline - time.monotonic()
            target = check_address(url, allow_private=allow_private, seconds=max(left, 0.1), resolve=resolve)
            found = _post(target, body, headers, deadline, trust)
        except Refusal as refused:
            return Delivery(False, refused.sentence, can_retry=True)
        except TimeoutError:
            return Delivery(False, f"No answer within {seconds:g} seconds.", can_retry=True)
        except ssl.SSLError:
            return Delivery(False, "The connection is not secure: the certificate does not match the address.")
        except (OSError, http.client.HTTPException):
            return Delivery(False, "The connection failed.", can_retry=True)
        if isinstance(found, Delivery):
            return found
        try:
            url = urljoin(url, found)
        except ValueError:
            return Delivery(False, "The address redirects to one that does not exist.")
    return Delivery(False, "The address redirects too often.")


def _post(
    target: Target, body: bytes, headers: Mapping[str, str], deadline: float, trust: ssl.SSLContext | None
) -> Delivery | str:
    """The delivery, or the address of a redirect that keeps the method."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    plain = socket.create_connection((target.address, target.port), timeout=left)
    is_late = threading.Event()

    def cut() -> None:
        is_late.set()
        with contextlib.suppress(OSError):
            plain.shutdown(socket.SHUT_RDWR)

    # A receiver that sends a byte now and then would never meet a socket's own time limit.
    timer = threading.Timer(max(deadline - time.monotonic(), 0.01), cut)
    timer.daemon = True
    timer.start()
    connection = http.client.HTTPConnection(target.host, target.port)
    try:
        connection.sock = plain
        if target.is_secure:
            context = trust or ssl.create_default_context()
            connection.sock = context.wrap_socket(plain, server_hostname=target.host)
        usual = 443 if target.is_secure else 80
        name = f"[{target.host}]" if ":" in target.host else target.host
        sent = {"Host": name if target.port == usual else f"{name}:{target.port}", "Connection": "close", **headers}
        connection.request("POST", target.path, body, sent)
        answer = connection.getresponse()
        text = answer.read(MAX_ANSWER).decode(errors="replace")
        if is_late.is_set():
            raise TimeoutError
    except (OSError, http.client.HTTPException):
        if is_late.is_set():
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()
        connection.close()
        plain.close()
    return _read_answer(answer.status, answer.headers, text)


def _read_answer(status: int, headers: Message, text: str) -> Delivery | str:
    if status in (307, 308) and headers.get("Location"):
        return headers["Location"]
    if 200 <= status < 300:
        return Delivery(True, "Delivered.", status, text)
    if 300 <= status < 400:
        return Delivery(False, "The address redirects. Enter the address it leads to.", status, text)
    can_retry = status in (408, 425, 429) or status >= 500
    after = headers.get("Retry-After", "")
    return Delivery(
        False,
        f"The receiver answered {status}.",
        status,
        text,
        can_retry,
        int(after) if after.isascii() and after.isdigit() and len(after) < 7 else None,
    )
