"""For gunicorn in production: pages and API."""

import logging
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_django = get_wsgi_application()

import config.urls  # noqa: E402, F401  (loads every view before the workers are forked, not at the first request)
from config.request_limits import WsgiLimits  # noqa: E402  (needs Django to be set up)
from people import rate_limits  # noqa: E402

application = WsgiLimits(_django)
if warning := rate_limits.proxy_warning():
    logging.getLogger("config").warning(warning)
