"""Notices for one person: what they want to hear about, by e-mail or at an address of their own."""
