"""A battle at the table as plain Python: what stands there, the steps that change it, and what the rules make of each.

The state is a set of small cells ("A1/left", "round"). A step reads some and writes some; the log keeps what it wrote.
State is the fold of the steps that count, so any step can be taken back, with those that rested on it.
"""
