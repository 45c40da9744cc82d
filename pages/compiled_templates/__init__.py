"""Django's templates as Python functions.

Django draws a template node by node: each variable walks through the context, tries an item before an attribute, and
is wrapped three times on its way out. That was half of the time of our pages. Here each template becomes one function
when it is first drawn: names are local variables, an include is a call, and text between tags is one string. What a
page shows is the same to the letter; ``tests/pages/test_compiled_templates.py`` draws templates both ways.

A template with a tag that is not known here is drawn by Django as before. We weighed Jinja: it is as fast, but all our
templates and tags would have to be written again, or live in two languages.
"""
