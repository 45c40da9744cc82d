"""For every request to the API: how many are allowed, and that a repeated one is not done again."""
