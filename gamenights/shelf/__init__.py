"""The games of a group, and what to play tonight."""
