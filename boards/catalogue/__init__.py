"""What readers get of published boards: stored JSON (decision 0015), of boards that the index finds.

serializers                  the shape of a board
refreshing ── stored_json    writes a row of PublishedBoard in the transaction that changes a board, or mends it
receivers                    calls it when a deal is solved or a theme changes its type
reading                      a search of one request, the boards of a page, and one board
deals                        a list with one entry a deal, however many tables it has (decision 0043)
answers                      GET /api/boards: a page with its Link header, or all boards, one a line
summaries                    how many boards found have which contract, result, theme and so on
"""
