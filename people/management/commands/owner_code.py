"""manage.py owner_code: the code that makes the first visitor of a new site its owner."""

from typing import Any

from django.core.management.base import BaseCommand

from people.accounts import services


class Command(BaseCommand):
    help = "Print the code that makes you the owner of a new site. It works until the site has an owner."

    def handle(self, *args: Any, **options: Any) -> None:
        if services.has_no_owner():
            self.stdout.write(f"Owner code: {services.owner_code()}")
        else:
            self.stdout.write("This site already has an owner.")
