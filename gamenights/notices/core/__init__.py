"""Notices as JSON and Atom, and how a webhook is sent. Knows no Django."""
