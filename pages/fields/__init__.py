"""Fields said once: forms and rows of a database, from the dataclass that is sent."""
