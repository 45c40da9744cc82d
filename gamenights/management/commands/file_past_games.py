"""manage.py file_past_games"""

from django.core.management.base import BaseCommand

from gamenights.backfill_after_migration import file_past_games
from gamenights.plays.models import Play


class Command(BaseCommand):
    help = "File campaigns, battles and card games that belong to no group yet. Safe to run again."

    def handle(self, *args: object, **options: object) -> None:
        before = Play.objects.count()
        file_past_games()
        self.stdout.write(f"Filed {Play.objects.count() - before} plays.")
