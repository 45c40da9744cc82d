"""Standings: who won how often, against whom, and how strong they are."""
