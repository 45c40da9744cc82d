"""Exact odds: no sampling, no rounding. Situations in, fractions out."""
