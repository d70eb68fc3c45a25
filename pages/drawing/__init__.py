"""Boards as markup, written in Python: a template takes five times as long for what repeats dozens of times on a page.

pages.templatetags offers these functions to the templates. The hands alone, calls, cards and contracts are in
boards.drawing. Titles and names of teams are strangers' text, and escaped.
"""
