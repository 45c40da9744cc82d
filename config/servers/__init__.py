"""What the servers that answer requests have in common."""
