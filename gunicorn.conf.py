"""What gunicorn reads by itself when it is started in this folder; its command line can override it."""

import gc
from typing import Any

from config import gunicorn_addresses
from config.servers import open_files

# Two threads, of which one can wait for the database or the proxy; more only take turns (docs/DECISIONS.md). A slow
# client would hold one, so a proxy in front hands over whole requests.
worker_class = "gthread"
threads = 2
timeout = 60
# A connection ends with its request, so that the next one goes to whichever process is free. A kept one stays with its
# process, which may be the busy one.
keepalive = 0
# Load the site once, then fork: alone, each worker needs two seconds of a processor to start, after a crash too.
preload_app = True
gc.disable()  # while the site is loaded, which makes no garbage: it starts half a second sooner


def when_ready(server: Any) -> None:
    """The site is loaded and no worker forked yet: what is loaded stays, and shares its memory with the workers."""
    gc.freeze()
    gc.enable()
    gunicorn_addresses.note(server.cfg.bind)
    if warning := gunicorn_addresses.warning(server.cfg.bind):
        server.log.warning(warning)


open_files.raise_open_files()
# A request line or header that no browser sends.
limit_request_line = 8190
limit_request_field_size = 16380
# Nobody uses it, and under systemd its default place cannot be written, which it logs as an error.
control_socket_disable = True
