"""manage.py restore FILE"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ops import restore
from refusal import Refusal


class Command(BaseCommand):
    help = "Restore a backup into an empty site, on SQLite or PostgreSQL, whichever it came from."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="only check that the file is complete")

    def handle(self, *args: Any, file: Path, check: bool, **options: Any) -> None:
        try:
            if check:
                with restore.open_backup(file) as archive:
                    manifest = restore.check_backup(archive, file)
                    restore.check_names(manifest, restore.known_leaves(manifest))
                self.stdout.write(
                    f"{file.name} is complete: release {manifest['release']}, made {manifest['made_at']}."
                )
                return
            manifest = restore.restore(file, self.stdout.write)
        except Refusal as refusal:
            raise CommandError(refusal.sentence) from refusal
        self.stdout.write(
            f"Restored {sum(manifest['rows'].values())} rows and {manifest['files']} files from {manifest['made_at']}. "
            "Start the site. Everyone has to log in again."
        )
