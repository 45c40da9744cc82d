"""For uvicorn: the whole site in one process, or only /live/ in production."""

from config.wsgi import application as pages

# Django is set up from here on.
# isort: split
from config.request_limits import BodyLimits
from config.servers.asgi_pages import AsgiPages
from live.streams import Streams

application = BodyLimits(Streams(AsgiPages(pages)))
