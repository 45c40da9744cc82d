"""The address under which phones reach this site, and what messengers show for a link to it."""

import contextlib
import fcntl
import ipaddress
import socket
import struct
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

ALL_INTERFACES = ("0.0.0.0", "::", "")
SIOCGIFADDR = 0x8915


@dataclass(frozen=True, slots=True)
class GuestAddress:
    """A full address, and why a QR code of it would not work, if so."""

    url: str
    why_no_qr: str = ""


def guest_url(path: str = "/") -> GuestAddress:
    base = base_url()
    return GuestAddress(base + path, why_no_qr(base))


def base_url() -> str:
    """PUBLIC_URL if set; else where the site listens. Never the Host header, which anyone can forge."""
    if settings.PUBLIC_URL:
        return settings.PUBLIC_URL
    host = settings.HOST
    if host in ALL_INTERFACES:
        host = next(iter(home_network_addresses()), "127.0.0.1")
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.PORT}"


def why_no_qr(base: str) -> str:
    if not is_loopback(urlsplit(base).hostname or ""):
        return ""
    return (
        "There is no QR code, because this address works on this computer only. "
        "To let phones in, start the site with make run HOST=0.0.0.0 or set PUBLIC_URL."
    )


def is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def home_network_addresses() -> list[str]:
    """The IPv4 addresses of this computer that other devices can reach, private networks first."""
    addresses: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                raw = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                addresses.append(socket.inet_ntoa(raw[20:24]))
    if not addresses:  # not Linux
        with contextlib.suppress(OSError):
            addresses = [str(row[4][0]) for row in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    reachable = [address for address in dict.fromkeys(addresses) if not ipaddress.ip_address(address).is_loopback]
    return sorted(reachable, key=lambda address: not ipaddress.ip_address(address).is_private)


# ── Open Graph tags, which messengers show for a link to a public page ───────────────────────────────────


PICTURE_SIZE = (1200, 630)  # works in every messenger


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """Drawn by templates/_share.html, with full addresses."""

    title: str
    description: str
    url: str
    picture: str
    picture_alt: str
    width: int = PICTURE_SIZE[0]
    height: int = PICTURE_SIZE[1]


def make_link_preview(title: str, description: str, path: str, picture: str, picture_alt: str) -> LinkPreview:
    base = base_url()
    return LinkPreview(title, description, base + path, base + picture, picture_alt)
