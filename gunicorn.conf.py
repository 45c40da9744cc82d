"""What gunicorn reads by itself when it is started in this folder; its command line can override it."""

worker_class = "config.gunicorn_worker.ImpatientWorker"
threads = 4
timeout = 60
# A request line or header that no browser sends.
limit_request_line = 8190
limit_request_field_size = 16380
