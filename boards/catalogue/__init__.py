"""The published boards as readers get them: stored JSON, in lists that know their length (decision 0015).

refreshing ── stored_json, facets     writes a row of PublishedBoard in the transaction that changes a board
receivers                       calls it when a deal is solved or a theme changes its type
(boards/migrations/*.sql)       keep the lists, their counts and the marks equal to these rows
marks                           adds marks to the list of all boards, so that deep pages stay cheap
reading ── statements           one statement for a page of a list or for a board
checking                        compares all of it with the boards, and mends it
"""
