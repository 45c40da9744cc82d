"""manage.py demo [--remove]"""

from argparse import ArgumentParser

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand

from home import demo_world


class Command(BaseCommand):
    help = "Create the demo world. Running it again only adds what is missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove the demo world")
        parser.add_argument("--first-run", action="store_true", help="do nothing unless the site is empty")

    def handle(self, *args: object, **options: bool) -> None:
        if options["remove"]:
            gone = demo_world.remove_world()
            self.stdout.write(f"Removed the demo and its {gone} people." if gone else "There is no demo to remove.")
            return
        if options["first_run"] and (demo_world.log_ins_file().exists() or get_user_model().objects.exists()):
            return
        rows = demo_world.create_world()
        if options["verbosity"]:
            self.stdout.write(f"The demo world is ready. Its log-ins, also saved in {settings.VAR / 'demo.json'}:")
            for row in rows:
                self.stdout.write(f"  {row.name}  {row.password}  {row.part}")
