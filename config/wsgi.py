"""Pages and API: for gunicorn in production, and for uvicorn in config.asgi."""

import logging
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

import config.urls  # noqa: E402, F401  (loads every view before the workers are forked, not at the first request)
from people import rate_limits  # noqa: E402

if warning := rate_limits.proxy_warning():
    logging.getLogger("config").warning(warning)
