"""Everything in one process under uvicorn, or only the live stream when the site has grown up."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_django = get_asgi_application()

from live.streams import Streams  # noqa: E402  (needs Django to be set up)

application = Streams(_django)
