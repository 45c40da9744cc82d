"""For gunicorn in production: pages and API."""

import logging
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from people import rate_limits  # noqa: E402  (needs Django to be set up)

if warning := rate_limits.proxy_warning():
    logging.getLogger("config").warning(warning)
