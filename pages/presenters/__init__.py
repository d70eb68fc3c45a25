"""What templates and drawings show of a board, on whichever page.

boards        a board in a list, on its page, in practice and on a sheet
playing       its tricks with what their cards cost, and the table at a step
stepping      which hands and which step are shown, and the addresses of its steps
deal_cards    a deal in a list, with what came of it at all tables
ballots       the reader's votes
own_board     what its owner can do with it
theme_paths   the addresses of its themes
"""
