"""What the terminal shows once the site is up: its address, how phones reach it, and the demo log-ins."""

from __future__ import annotations

import io

import segno
from django.conf import settings

from home.demo import world
from pages.site_address_for_guests import ALL_INTERFACES, guest_url, home_network_addresses
from people import rate_limits
from people.accounts import first_owner


def banner_text() -> str:
    out = ["", "  Mice-at-Arms campaign companion", ""]
    host = settings.HOST
    local = "127.0.0.1" if host in ALL_INTERFACES else host
    out.append(f"  Open      http://{f'[{local}]' if ':' in local else local}:{settings.PORT}/")
    if host in ALL_INTERFACES:
        addresses = home_network_addresses()
        for address in addresses:
            out.append(f"  Phones    http://{address}:{settings.PORT}/")
        if not addresses:
            out.append("  Phones    This computer is not on a network, so no phone can reach it.")
    guests = guest_url("/")
    if settings.PUBLIC_URL:
        out.append(f"  Guests    {guests.url}")
    if first_owner.needs_code() and first_owner.has_no_owner():
        out += ["", f"  Owner code  {first_owner.owner_code()}   Open the site and enter it to become the owner."]
    if warning := rate_limits.proxy_warning():
        out += ["", f"  {warning}"]
    log_ins = world.log_ins()
    if log_ins:
        out += ["", "  Demo log-ins (to remove the demo: .venv/bin/python manage.py demo --remove)"]
        width = max(len(row.name) for row in log_ins)
        out += [f"    {row.name:<{width}}  {row.password}   {row.part}" for row in log_ins]
    if not guests.why_no_qr:
        out += ["", *(f"  {line}" for line in qr_lines(guests.url)), f"  {guests.url}"]
    elif host in ALL_INTERFACES or settings.PUBLIC_URL:
        out += ["", f"  {guests.why_no_qr}"]
    else:
        out += ["", "  To let phones on your network in: make run HOST=0.0.0.0"]
    out += ["", "  Press Ctrl-C to stop.", ""]
    return "\n".join(out) + "\n"


def qr_lines(url: str) -> list[str]:
    out = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n").split("\n")
