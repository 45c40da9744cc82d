"""Project set-up: settings, URLs, servers. Nothing about the game."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
