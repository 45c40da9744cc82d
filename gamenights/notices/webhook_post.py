"""Send a notice to a webhook: one connection to a checked address, with a limit on the whole time.

The name is resolved once, and the connection goes to that very address: a name that answers "public" when asked and
"private" when used gains nothing.
"""

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urljoin, urlsplit

from refusal import Refusal

# ── Where it may be sent ─────────────────────────────────────────────────────────────────────────────────

MAX_ADDRESS = 500
_NAT64 = IPv6Network("64:ff9b::/96")
# Not for the public internet, though Python's ipaddress counts some of them as global.
_SPECIAL = [
    ip_network(network)
    for network in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48", "3fff::/20", "5f00::/16", "fec0::/10")
]

Resolve = Callable[[str, int, float], list[str]]


@dataclass(frozen=True, slots=True)
class Target:
    """A checked address: the name for the certificate and the Host header, the numbers to connect to."""

    is_secure: bool
    host: str
    port: int
    address: str
    path: str


def resolve_name(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of a name, within a time limit that ``getaddrinfo`` itself does not have."""
    addresses: list[str] = []

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        addresses.extend(dict.fromkeys(str(row[4][0]) for row in rows))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    return list(addresses)


def is_public(address: str) -> bool:
    """False for this machine, home and company networks, and addresses that hide one of those."""
    try:
        one = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = _hidden_address(one) if isinstance(one, IPv6Address) else None
    if inner is not None:
        return is_public(str(inner))
    if any(one in network for network in _SPECIAL):
        return False
    return one.is_global and not one.is_multicast and not one.is_reserved and not one.is_unspecified


def _hidden_address(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def check_form(url: str) -> tuple[bool, str, int, str]:
    """Whether it is secure, the host, the port and the path; a refusal if it is not a web address."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise Refusal("Enter a web address that begins with https://.", field="url") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or len(url) > MAX_ADDRESS:
        raise Refusal("Enter a web address that begins with https://.", field="url")
    if parts.username is not None or parts.password is not None:
        raise Refusal("Remove the user name and password from the address.", field="url")
    if any(c <= " " or c == "\x7f" for c in url.strip()):
        raise Refusal("The address has a space or a line break in it.", field="url")
    is_secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not path.isascii():
        raise Refusal("The address has letters that must be written with %.", field="url")
    try:
        host = parts.hostname if ":" in parts.hostname else parts.hostname.encode("idna").decode()
    except UnicodeError:
        raise Refusal("Enter a web address that begins with https://.", field="url") from None
    return is_secure, host, port if port else 443 if is_secure else 80, path


def check_address(
    url: str, *, allow_private: bool = False, seconds: float = 5, resolve: Resolve = resolve_name
) -> Target:
    """The target for this web address, or a refusal. Every address the name has must be public.

    The refusal does not tell a private name from one that does not exist: that would map the network of this site.
    """
    is_secure, host, port, path = check_form(url)
    addresses = resolve(host, port, seconds)
    if not addresses or not (allow_private or all(is_public(address) for address in addresses)):
        raise Refusal(
            f"{host} was not found on the public internet. Check the address. "
            "If it is in your own network, the owner of this site can allow it.",
            field="url",
        )
    return Target(is_secure, host, port, addresses[0], path)


# ── Sending ──────────────────────────────────────────────────────────────────────────────────────────────

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
            answer = _post(target, body, headers, deadline, trust)
        except Refusal as refused:
            return Delivery(False, refused.sentence, can_retry=True)
        except TimeoutError:
            return Delivery(False, f"No answer within {seconds:g} seconds.", can_retry=True)
        except ssl.SSLError:
            return Delivery(False, "The connection is not secure: the certificate does not match the address.")
        except (OSError, http.client.HTTPException):
            return Delivery(False, "The connection failed.", can_retry=True)
        if isinstance(answer, Delivery):
            return answer
        try:
            url = urljoin(url, answer)
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
