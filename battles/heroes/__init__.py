"""The hero of each noble house over the years: battles, kills, falls, luck."""
