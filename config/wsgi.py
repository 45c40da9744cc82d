"""For gunicorn in production: pages and API."""

import logging
import os

import django
from django.core.handlers.wsgi import WSGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

import config.urls  # noqa: E402, F401  (loads every view before the workers are forked, not at the first request)
from config.request_limits import WsgiLimits  # noqa: E402  (needs Django to be set up)
from config.servers.address_matching import MatchesAddressesOnce  # noqa: E402
from config.servers.answers_at_once import AnswersAtOnce  # noqa: E402
from pages.jinja import load_templates  # noqa: E402
from people import rate_limits  # noqa: E402


class Handler(MatchesAddressesOnce, WSGIHandler):
    pass


load_templates()
application = WsgiLimits(AnswersAtOnce(Handler()))
if warning := rate_limits.proxy_warning():
    logging.getLogger("config").warning(warning)
