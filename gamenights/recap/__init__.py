"""Recap of a night and the Gazette of a season: made from plays only."""
