"""Nights in other calendars: a file for one night, a feed for all nights of a group."""
