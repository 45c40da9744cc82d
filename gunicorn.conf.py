"""What gunicorn reads by itself when it is started in this folder; its command line can override it."""

import gc

from config.servers import garbage_collection, open_files

worker_class = "config.gunicorn_worker.ImpatientWorker"
threads = 4
# Load the site once, then fork: alone, each worker needs two seconds of a processor to start, after a crash too.
preload_app = True
# Nothing that loading makes is garbage, so looking for some only makes the start longer.
gc.disable()


def when_ready(server: object) -> None:
    """The site is loaded and no worker forked yet: what is loaded stays, and shares its memory with the workers."""
    garbage_collection.settle_down()


timeout = 60
# A proxy keeps its connections: a new one for each request costs both sides more than many an answer. It has to be the
# proxy that lets go first (nginx after one minute, Caddy after two), or a request can meet a connection just closed.
keepalive = 150
open_files.raise_open_files()
# A request line or header that no browser sends.
limit_request_line = 8190
limit_request_field_size = 16380
