"""manage.py tidy"""

from typing import Any

from django.core.management.base import BaseCommand

from ops import cleanup


class Command(BaseCommand):
    help = "Delete what has expired: old receipts, job files, passes and log-ins. Runs every night by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        taken = cleanup.clean_up()
        for chore in cleanup.CHORES:
            self.stdout.write(f"{taken[chore.key]:>8}  {chore.words}")
