"""Evenings: the pages of events, of matches of teams, and sheets of results.

events          /events, and an event with its deals and matches
matches         a match of teams, board by board
results_sheet   the tables of each deal, for paper
traveller       the tables of one deal, compared (Law 78)
"""
