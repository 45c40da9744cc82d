"""Print a link to a new password, for whoever sits at the computer the site runs on."""

from __future__ import annotations

import datetime as dt
from typing import Any

import segno
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pages.address import guest_url
from people import accounts, kinds
from people.log_ins import person_of
from people.models import Person


class Command(BaseCommand):
    help = "Print a link that lets someone choose a new password. It works once, for one day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name they log in with, or the name at the table")
        parser.add_argument("--qr", action="store_true", help="draw the code in the terminal too")

    def handle(self, *args: Any, name: str, qr: bool, **options: Any) -> None:
        person = self._person(name)
        row = kinds.reset_link(None, person)
        address = guest_url(row.get_absolute_url())
        hours = kinds.RESET_LASTS // dt.timedelta(hours=1)
        self.stdout.write(f"A new password for {person.name}, who logs in as {person.account.get_username()}:")
        self.stdout.write(address.url)
        self.stdout.write(f"The link works once, for {hours} hours. Earlier links for them are dead.")
        if not settings.PUBLIC_URL:
            self.stdout.write(
                "Was the site started with a HOST or PORT? Give this command the same, or the address is wrong."
            )
        if qr and address.why_no_qr:
            self.stdout.write(address.why_no_qr)
        elif qr:
            segno.make(address.url, micro=False).terminal(out=self.stdout, compact=True)

    def _person(self, name: str) -> Person:
        account = accounts.find(name)
        if account is not None:
            return person_of(account)
        found = list(Person.objects.filter(name__iexact=name.strip(), account__isnull=False).select_related("account"))
        if len(found) > 1:
            names = ", ".join(sorted(one.account.get_username() for one in found))
            raise CommandError(f"Several people are called {name}. They log in as: {names}. Give one of these.")
        if not found:
            raise CommandError(f"Nobody with an account is called {name}.")
        return found[0]
