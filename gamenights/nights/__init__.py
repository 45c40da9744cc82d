"""The night as a room: plan, answers, check-in, tables, TV."""
