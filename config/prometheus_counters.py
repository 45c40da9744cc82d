"""What the site counts, for Prometheus. Each process counts for itself; ``ops.metrics_endpoint`` adds the processes up.

A module anywhere may count: ``metrics.DRAWINGS.labels("shared").inc()``. With several processes, settings name a folder
in which prometheus_client keeps the counts of each.
"""

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("companion_requests", "Requests answered.", ["app", "method", "status"])
SECONDS = Histogram(
    "companion_request_seconds",
    "Time to answer a request.",
    ["app"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
QUERIES = Counter("companion_queries", "Database queries.")
SLOW_QUERIES = Counter("companion_slow_queries", "Database queries that took longer than SLOW_QUERY_MS.")
DRAWINGS = Counter("companion_drawings", "Live parts, drawn, shared with others or unchanged.", ["how"])
STREAMS = Gauge("companion_streams", "Live streams open now.", multiprocess_mode="livesum")
