"""A battle as the table tells it: who took the field, how it ended, what that is worth. Pure: choices in, the rulebook's report out."""
