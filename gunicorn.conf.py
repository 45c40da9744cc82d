"""What gunicorn reads by itself when it is started in this folder; its command line can override it."""

import gc

from config.servers import garbage_collection

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
# A request line or header that no browser sends.
limit_request_line = 8190
limit_request_field_size = 16380
