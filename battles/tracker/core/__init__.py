"""The tracker of a battle in plain Python: its state, the steps that change it, and what the rules make of each step.

The state is a dictionary of small cells ("A1/left", "round"). A step reads some cells and writes others; the log keeps
both. The state is the fold of all active steps, so any step can be undone together with the steps that depend on it.
"""
