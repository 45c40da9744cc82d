"""Project set-up: settings, URLs, servers. Nothing about the game.

Celery runs on Redis with REDIS_URL, on a folder of files without it. Either way, a job is a row in the database.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

celery_app = Celery("companion")
celery_app.config_from_object("django.conf:settings", namespace="CELERY")
celery_app.autodiscover_tasks()
