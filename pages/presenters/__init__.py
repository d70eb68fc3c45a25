"""What templates and drawings show of a board, on whichever page.

boards        a board in a list, on its page, in practice, on a sheet, and for its owner
playing       its tricks with what their cards cost, the table at a step, and the addresses of steps
deal_cards    a deal in a list, with what came of it at all tables
ballots       the reader's votes
"""
