"""Notices for one person: what they want to hear of, by e-mail or to an address of their own."""
