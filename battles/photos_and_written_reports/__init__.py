"""After a battle: what its players wrote about it, and their photos."""
