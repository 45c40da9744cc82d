"""What gunicorn reads by itself when it is started in this folder; its command line can override it."""

import gc
from typing import Any

from config import gunicorn_addresses
from config.servers import garbage_collection, open_files

worker_class = "config.gunicorn_worker.ImpatientWorker"
# Most of them wait: for slow phones, and for their turn (config.servers.answers_at_once).
threads = 6
# Load the site once, then fork: alone, each worker needs two seconds of a processor to start, after a crash too.
preload_app = True
# Nothing that loading makes is garbage, so looking for some only makes the start longer.
gc.disable()


def when_ready(server: Any) -> None:
    """The site is loaded and no worker forked yet: what is loaded stays, and shares its memory with the workers."""
    garbage_collection.settle_down()
    gunicorn_addresses.note(server.cfg.bind)
    if warning := gunicorn_addresses.warning(server.cfg.bind):
        server.log.warning(warning)


timeout = 60
# A connection ends with its request, so that the next one goes to whichever worker is free (config.gunicorn_worker). A
# kept one stays with its worker, which may be the busy one: p95 of a choice was four times as long.
keepalive = 0
open_files.raise_open_files()
# A request line or header that no browser sends.
limit_request_line = 8190
limit_request_field_size = 16380
# Nobody uses it, and under systemd its default place cannot be written, which it logs as an error.
control_socket_disable = True
