"""What the terminal says once the site is up: where it is, how phones reach it, who may log in."""

from __future__ import annotations

import io

import segno
from django.conf import settings

from home import demo_world
from pages.address import EVERYWHERE, guest_url, home_network_addresses


def text() -> str:
    out = ["", "  Mice-at-Arms campaign companion", ""]
    host = settings.HOST
    local = "127.0.0.1" if host in EVERYWHERE else host
    out.append(f"  Open      http://{f'[{local}]' if ':' in local else local}:{settings.PORT}/")
    if host in EVERYWHERE:
        addresses = home_network_addresses()
        for address in addresses:
            out.append(f"  Phones    http://{address}:{settings.PORT}/")
        if not addresses:
            out.append("  Phones    This computer is on no network, so no phone can reach it.")
    guests = guest_url("/")
    if settings.PUBLIC_URL:
        out.append(f"  Guests    {guests.url}")
    log_ins = demo_world.log_ins()
    if log_ins:
        out += ["", "  Demo log-ins (to take the demo away: .venv/bin/python manage.py demo --remove)"]
        width = max(len(row.name) for row in log_ins)
        out += [f"    {row.name:<{width}}  {row.password}   {row.part}" for row in log_ins]
    if not guests.why_no_qr:
        out += ["", *(f"  {line}" for line in qr(guests.url)), f"  {guests.url}"]
    elif host in EVERYWHERE or settings.PUBLIC_URL:
        out += ["", f"  {guests.why_no_qr}"]
    else:
        out += ["", "  For phones on the same network: make run HOST=0.0.0.0"]
    out += ["", "  Ctrl-C stops it.", ""]
    return "\n".join(out) + "\n"


def qr(url: str) -> list[str]:
    out = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n").split("\n")
