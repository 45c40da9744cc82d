"""Proves that everything kept beside a chronicle is what the chronicle folds to. Silent when all is well."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from campaign import reading
from campaign.models import Campaign


class Command(BaseCommand):
    help = "Proves snapshots, checkpoints and names equal to the log. Silent when all is well."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("codes", nargs="*", help="only these campaigns")

    def handle(self, *args: object, codes: list[str], **options: object) -> None:
        campaigns = Campaign.objects.select_related("log").order_by("pk")
        if codes:
            campaigns = campaigns.filter(code__in=codes)
        wrong = [f"{campaign.code}: {said}" for campaign in campaigns for said in reading.problems(campaign)]
        if wrong:
            raise CommandError("\n".join(wrong))
