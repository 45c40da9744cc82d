"""manage.py verify_chronicle [CODE ...]"""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from campaign import selectors
from campaign.models import Campaign


class Command(BaseCommand):
    help = "Check that snapshots, checkpoints and names match the log. Prints nothing if all is well."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("codes", nargs="*", help="check only these campaigns")

    def handle(self, *args: object, codes: list[str], **options: object) -> None:
        campaigns = Campaign.objects.select_related("log").order_by("pk")
        if codes:
            campaigns = campaigns.filter(code__in=codes)
        wrong = [
            f"{campaign.code}: {problem}" for campaign in campaigns for problem in selectors.find_problems(campaign)
        ]
        if wrong:
            raise CommandError("\n".join(wrong))
