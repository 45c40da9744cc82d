"""A battle's report: who fought, how it ended, what it is worth. No database, no requests."""
