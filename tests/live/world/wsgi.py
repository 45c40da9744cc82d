"""The world under gunicorn: pages, and no stream."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.live.world.settings"
application = get_wsgi_application()

from live import redis_bridge  # noqa: E402

# A test does not want to wait as long as a writer should.
redis_bridge.REST = float(os.environ.get("WORLD_REST", redis_bridge.REST))
