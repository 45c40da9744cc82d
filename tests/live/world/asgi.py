"""The world under plain uvicorn, as production runs its streams."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.live.world.settings"
pages = get_wsgi_application()

from config.request_limits import AsgiPages  # noqa: E402
from live.hub import HUB, LOOK_EVERY  # noqa: E402
from live.streams import ASK_AGAIN, HEARTBEAT, Streams  # noqa: E402


def seconds(name: str, default: float) -> float:
    return float(os.environ.get(name, default))


HUB._look_every = seconds("WORLD_LOOK_EVERY", LOOK_EVERY)
application = Streams(
    AsgiPages(pages), heartbeat=seconds("WORLD_HEARTBEAT", HEARTBEAT), ask_again=seconds("WORLD_ASK_AGAIN", ASK_AGAIN)
)
