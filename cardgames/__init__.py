"""Card tables: the pure engine, the games, the bots; tables and pages are built on top."""
