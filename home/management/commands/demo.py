"""Makes the demo world, or takes it away again."""

from __future__ import annotations

from argparse import ArgumentParser

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand

from home import demo_world


class Command(BaseCommand):
    help = "Makes a believable world to look around in. Run twice it doubles nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="take the demo away again")
        parser.add_argument("--first-run", action="store_true", help="only if the site is still empty")

    def handle(self, *args: object, **options: bool) -> None:
        if options["remove"]:
            gone = demo_world.remove()
            self.stdout.write(f"The demo is gone, with {gone} people." if gone else "There is no demo here.")
            return
        if options["first_run"] and (demo_world.kept_file().exists() or get_user_model().objects.exists()):
            return
        rows = demo_world.make()
        if options["verbosity"]:
            self.stdout.write(f"The demo world stands. Its log-ins are kept in {settings.VAR / 'demo.json'}:")
            for row in rows:
                self.stdout.write(f"  {row.name}  {row.password}  {row.part}")
