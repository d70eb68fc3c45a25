"""The search language of boards: a text that a bridge player reads becomes a condition on the facts of a board.

queries    SearchText: a text of a request, what was understood of it, and its condition
understanding  players' words in a text are read as phrases (search.phrases) before the language reads the rest
explaining a query in words
suggesting what was probably meant by a text that is not a query
trees      what a query is: terms and groups of them, and its text
parsing    text to tree: spaces, OR, -, brackets, operators, commas, quotes, limits, and what is wrong
words      which words there are: of a hand, of a side, of the board; each declared once
values     readers of values: numbers, cards, shapes, contracts, calls, seats, dates, names

    any(spades>=5 hearts>=4 hcp=15..17) contract=4S,4H result<0 -is:doubled
"""
