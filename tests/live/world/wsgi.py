"""The world under gunicorn: pages, and no stream."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.live.world.settings"
application = get_wsgi_application()

from live import hub  # noqa: E402

# A test does not want to wait as long as a writer should.
hub.REST = float(os.environ.get("WORLD_REST", hub.REST))
