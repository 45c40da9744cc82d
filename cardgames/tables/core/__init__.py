"""A card table's log without Django: what people do there, what is written down, and both as JSON."""
