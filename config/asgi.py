"""For uvicorn: the whole site in one process, or only /live/ in production."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from config.request_limits import AsgiLimits  # noqa: E402  (needs Django to be set up)
from config.servers.threaded_handler import ThreadedHandler  # noqa: E402
from live.streams import Streams  # noqa: E402

application = AsgiLimits(Streams(ThreadedHandler()))
