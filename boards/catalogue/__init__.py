"""The published boards as readers get them: finished texts, in lists that know their length.

refreshing ── texts, facets     writes a row of PublishedBoard in the transaction that changes a board
(triggers)                      keep the lists, their counts and the marks equal to these rows
reading ── facets, texts        one statement for a page of a list or for a board
"""
