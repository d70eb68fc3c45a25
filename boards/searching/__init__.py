"""Boards as a search has them (search): what it is told of each, and how readers ask for them.

subjects         what the index is told of a board
checking         compare the index with the boards, and tell operators of it
comparing        what the tables of deals won, for searches that ask for it
filters          the filters of boards, each declared once (decision 0040)
parameters       the query parameters of lists, q among them, and the BoardSelection that they ask for
"""
