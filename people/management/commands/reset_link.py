"""manage.py reset_link NAME: a password reset for whoever has access to the server."""

import datetime as dt
from typing import Any

import segno
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pages.site_address_for_guests import guest_url
from people.accounts import services as accounts_services
from people.accounts.log_ins import get_or_create_person
from people.models import Person
from people.passes import sign_up_claim_and_reset_links


class Command(BaseCommand):
    help = "Print a link to choose a new password. It works once, for one day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="their log-in name or their player name")
        parser.add_argument("--qr", action="store_true", help="also show a QR code")

    def handle(self, *args: Any, name: str, qr: bool, **options: Any) -> None:
        person = self._person(name)
        row = sign_up_claim_and_reset_links.create_reset_link(None, person)
        address = guest_url(row.get_absolute_url())
        hours = sign_up_claim_and_reset_links.RESET_LASTS // dt.timedelta(hours=1)
        self.stdout.write(f"New password for {person.name} (log-in name {person.account.get_username()}):")
        self.stdout.write(address.url)
        self.stdout.write(f"The link works once, for {hours} hours. Earlier links no longer work.")
        if not settings.PUBLIC_URL:
            self.stdout.write(
                "Did you start the site with HOST or PORT? Run this command with the same, or the address is wrong."
            )
        if qr and address.why_no_qr:
            self.stdout.write(address.why_no_qr)
        elif qr:
            segno.make(address.url, micro=False).terminal(out=self.stdout, compact=True)

    def _person(self, name: str) -> Person:
        account = accounts_services.find_account(name)
        if account is not None:
            return get_or_create_person(account)
        namesakes = list(
            Person.objects.filter(name__iexact=name.strip(), account__isnull=False).select_related("account")
        )
        if len(namesakes) > 1:
            names = ", ".join(sorted(person.account.get_username() for person in namesakes))
            raise CommandError(f"Several people are called {name}. Use one of their log-in names: {names}.")
        if not namesakes:
            raise CommandError(f"No account has the name {name}.")
        return namesakes[0]
