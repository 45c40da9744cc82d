"""For uvicorn: the whole site in one process, or only /live/ in production."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_wsgi_application()

from config.request_limits import AsgiPages, BodyLimits  # noqa: E402  (needs Django to be set up)
from live.streams import Streams  # noqa: E402

application = BodyLimits(Streams(AsgiPages(pages)))
