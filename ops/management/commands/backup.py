"""manage.py backup [FILE]"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ops import backup, copies
from refusal import Refusal


class Command(BaseCommand):
    help = "Writes everything into one file, also while the site runs. Without a name it goes to the kept copies."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path)

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        path = (file or copies.new_path()).absolute()
        if path.exists():
            raise CommandError(f"{path} is there already. Name another file.")
        try:
            manifest = backup.write(path)
        except Refusal as refusal:
            raise CommandError(refusal.sentence) from refusal
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{path}: {sum(manifest['rows'].values())} rows and {manifest['files']} files.")
        self.stdout.write("It holds the secret key and everyone's data. Keep it where only you can read it.")
