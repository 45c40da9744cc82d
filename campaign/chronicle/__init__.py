"""The chronicle as plain Python: lines in, state out. Knows no Django and no database."""
