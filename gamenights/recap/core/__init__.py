"""Facts about a night or a season, in plain words. Knows no Django."""
