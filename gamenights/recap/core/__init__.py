"""What a night or a season can be told with, as facts in plain words. Knows no Django."""
