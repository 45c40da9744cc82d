"""Plays from and for other programs: BG Stats, BoardGameGeek and spreadsheets."""
