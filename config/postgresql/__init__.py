"""Django's PostgreSQL, with a quicker look at whether a kept connection still works."""
