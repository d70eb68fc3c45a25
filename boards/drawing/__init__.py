"""Boards as markup, written in Python: a template takes five times as long for what repeats dozens of times on a page.

symbols          calls, cards and contracts, with suit symbols
html_diagrams    the four hands as a part of a page
svg_diagrams     the four hands as a picture
tables           the auction, the play and the double dummy tricks of a board's page
steps            what happened last at a step of a board
hand_records     a sheet of boards to print

boards.templatetags offers them to the templates.
"""
