"""Plays: any game that was played, with its players, scores and winners."""
