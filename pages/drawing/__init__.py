"""Boards as markup, written in Python: a template takes five times as long for what repeats dozens of times on a page.

table_diagrams   the four hands at a moment of a board
tables           the auction, the play, the double dummy tricks and the traveller of a board's page; a step in words
votes            the votes of a board as buttons
quiz             the questions of practice and the replies
deals            what came of a deal in a list
evenings         the tables of an event and of a match
hand_records     a sheet of boards to print
results_sheet    a sheet of results to print

pages.templatetags offers them to the templates. The hands alone, calls, cards and contracts are in boards.drawing.
"""
