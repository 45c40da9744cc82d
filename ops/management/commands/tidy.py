"""manage.py tidy"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ops import tidying


class Command(BaseCommand):
    help = "Takes away what nobody needs any more: old receipts, files of finished jobs, dead passes and log-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        taken = tidying.tidy()
        for chore in tidying.CHORES:
            self.stdout.write(f"{taken[chore.key]:>8}  {chore.words}")
