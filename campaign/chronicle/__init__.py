"""The chronicle as plain Python: entries in, state out. Knows no Django and no database."""
