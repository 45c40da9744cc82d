"""manage.py backup [FILE]"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ops import backup
from refusal import Refusal


class Command(BaseCommand):
    help = "Back up everything into one file, even while the site runs. Without FILE it goes to var/backups/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path)

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        path = (file or backup.new_copy_path()).absolute()
        if path.exists():
            raise CommandError(f"{path} already exists. Choose another file name.")
        try:
            manifest = backup.write_backup(path)
        except Refusal as refusal:
            raise CommandError(refusal.sentence) from refusal
        except OSError as error:
            raise CommandError(f"Cannot write {path}: {error.strerror}.") from error
        self.stdout.write(f"Saved {sum(manifest['rows'].values())} rows and {manifest['files']} files in {path}.")
        self.stdout.write("It contains the secret key and everyone's data. Keep it private.")
