"""For uvicorn: the whole site in one process, or only /live/ in production."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_django = get_asgi_application()

from config.request_limits import AsgiLimits  # noqa: E402  (needs Django to be set up)
from live.streams import Streams  # noqa: E402

application = AsgiLimits(Streams(_django))
