"""Standings from plays as plain values. Knows no Django.

``Tally`` sums plays up and tallies of following times add up to one, so a month is counted once and used
in every longer time. ``RatingBook`` rates play after play and goes on from where a stored book ends.
"""
