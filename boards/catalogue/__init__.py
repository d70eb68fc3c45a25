"""The published boards as readers get them: stored JSON (decision 0015), of boards that the index finds.

refreshing ── stored_json    writes a row of PublishedBoard in the transaction that changes a board
receivers                    calls it when a deal is solved or a theme changes its type
reading ── statements        the boards of a page, and one board
deals ── event_deals         a list with one entry a deal, however many tables it has (decision 0043)
summaries, counting          how many boards found have which contract, result, theme and so on
checking                     compares what is stored with the boards, and mends it
"""
