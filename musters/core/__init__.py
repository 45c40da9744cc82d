"""Armies without a database: their plain form, the dice behind them, the army code."""
