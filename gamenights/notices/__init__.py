"""Notices people choose: webhooks and an Atom feed."""
