"""Charts of a campaign, drawn by the server: plain frozen data in, markup out, each with a table that says the same.

Ink lines, hatched bars, one red mark for the thing worth seeing, a plain sentence beneath. Knows no Django.
"""
