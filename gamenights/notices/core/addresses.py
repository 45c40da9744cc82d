"""Where a webhook may be sent. The name is resolved once, and the connection goes to that very address.

So a name that answers "public" when asked and "private" when used gains nothing.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from refusal import Refusal

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
    found: list[str] = []

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        found.extend(dict.fromkeys(str(row[4][0]) for row in rows))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    return list(found)


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
