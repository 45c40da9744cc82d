"""What gunicorn reads by itself when it is started in this folder; its command line can override it."""

worker_class = "config.gunicorn_worker.ImpatientWorker"
threads = 4
# Load the site once, then fork: alone, each worker needs two seconds of a processor to start, after a crash too.
preload_app = True
timeout = 60
# A request line or header that no browser sends.
limit_request_line = 8190
limit_request_field_size = 16380
