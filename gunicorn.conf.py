"""What gunicorn reads by itself when it is started in this folder; its command line can override it."""

import gc
from typing import Any

from config import gunicorn_addresses

# One request at a time in a process, and the next one goes to whichever process is free (docs/DECISIONS.md). A slow
# client would hold a process, so a proxy in front hands over whole requests. A process that somebody holds for so many
# seconds is replaced.
worker_class = "sync"
timeout = 60
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


gunicorn_addresses.raise_open_files()
# A request line or header that no browser sends.
limit_request_line = 8190
limit_request_field_size = 16380
# Nobody uses it, and under systemd its default place cannot be written, which it logs as an error.
control_socket_disable = True
