"""For gunicorn in production: pages and API."""

import logging
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

# Every view and template is loaded before the workers are forked, not at the first request.
import config.urls  # noqa: E402, F401
from pages.jinja import load_templates  # noqa: E402
from people import rate_limits  # noqa: E402

load_templates()
if warning := rate_limits.proxy_warning():
    logging.getLogger("config").warning(warning)
